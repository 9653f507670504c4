"""Scripts and English: what a measure was not made for must be noticed, and English never."""

import pytest

from tricolore.text.language import has_spaces, looks_english, main_script

GERMAN = (
    "Die alte Hafenbrücke wurde am Montag geschlossen, nachdem Ingenieure jahrelang vor Rissen "
    "gewarnt hatten. Fähren brachten die Fahrgäste stattdessen über den Fluss."
)
DUTCH = (
    "De oude havenbrug werd maandag gesloten nadat ingenieurs jarenlang hadden gewaarschuwd voor "
    "scheuren. Veerboten brachten de passagiers over de rivier, en er is geen gevaar."
)
DANISH = (
    "Den gamle havnebro blev lukket mandag, efter at ingeniører i årevis havde advaret om revner. "
    "Borgmesteren sagde, at udgifterne endnu ikke var kendt, men at arbejdet begynder snart."
)
FRENCH = (
    "Le vieux pont du port a été fermé lundi après que des ingénieurs ont mis en garde pendant des "
    "années contre des fissures. Le maire a dit que les coûts n'étaient pas encore connus."
)
GREEK = "Η παλιά γέφυρα του λιμανιού έκλεισε τη Δευτέρα."
CHINESE = "港口的旧桥周一关闭，工程师多年来一直警告有裂缝。"
JAPANESE = "港の古い橋は月曜日に閉鎖された。"
THAI = "สะพานท่าเรือเก่าปิดในวันจันทร์"
RUSSIAN = "Старый портовый мост закрыли в понедельник."


@pytest.mark.parametrize(
    ("text", "script"),
    [
        (GERMAN, "Latin"),
        (GREEK, "Greek"),
        (CHINESE, "Han"),
        ("はしがとじた", "Hiragana"),
        (THAI, "Thai"),
        (RUSSIAN, "Cyrillic"),
        ("ＣＮＮ", "Latin"),
        ("12 + 30", ""),
    ],
)
def test_the_script_of_most_letters(text, script):
    assert main_script(text) == script


def test_scripts_without_spaces():
    assert not any(map(has_spaces, (CHINESE, JAPANESE, THAI)))
    assert all(map(has_spaces, (GERMAN, GREEK, RUSSIAN, "", "12")))


@pytest.mark.parametrize("text", [GERMAN, DUTCH, DANISH, FRENCH, GREEK, CHINESE, RUSSIAN])
def test_other_languages(text):
    assert not looks_english(text)


@pytest.mark.parametrize("text", ["", "12:30", "Kluivert gewinnt", "oil prices up 3 pct"])
def test_what_is_too_short_to_tell_is_left_alone(text):
    assert looks_english(text)


@pytest.mark.parametrize("name", ["summeval", "newsroom", "cnndm555"])
def test_no_english_source_is_taken_for_another_language(name, request):
    rows = request.getfixturevalue(name)
    sources = {
        row["source"] if isinstance(row["source"], str) else row["source"][0] for row in rows
    }
    assert len(sources) >= 60
    for text in sources:
        assert looks_english(text)
        assert looks_english(text.lower())
    summaries = {row["summary"] for row in rows}
    flagged = [text for text in summaries if not looks_english(text)]
    assert len(flagged) <= len(summaries) / 250  # headlines without a verb
