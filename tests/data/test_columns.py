from pathlib import Path

import pytest

from tricolore import Example
from tricolore.data.columns import USUAL, Columns, find_columns
from tricolore.data.frames import examples_from
from tricolore.errors import ReadError

ARTICLE = "The council voted on Monday to close the old bridge."


def found(*rows, **columns):
    return find_columns(rows, Columns(**columns))


def test_the_names_of_hugging_face_sets():
    row = {"id": "7", "document": ARTICLE, "generated": "It closes.", "model": "t5"}
    row["highlights"] = "The bridge closes."
    line = (
        "read: source=document, summary=generated, references=highlights, system=model, doc_id=id"
    )
    assert found(row).describe() == line
    assert found(row).warnings == []


@pytest.mark.parametrize("role", USUAL)
def test_every_usual_name_is_found(role):
    for name in USUAL[role]:
        base = {} if role == "summary" else {"summary": "It closes."}
        assert found({**base, name: ARTICLE}).mapping[role] == name


def test_what_a_model_wrote_is_the_summary_and_the_summary_beside_it_the_reference():
    # The layout of XSum with the output of a model added.
    made = found({"document": ARTICLE, "summary": "A bridge closes.", "generated": "It closes."})
    assert made.mapping == {"source": "document", "summary": "generated", "references": "summary"}
    assert [str(warning) for warning in made.warnings] == [
        "several columns could be the summary: 'generated', 'summary'; 'generated' is read",
        "'summary' is read as the reference",
    ]
    assert [warning.role for warning in made.warnings] == ["summary", "references"]
    row = {"document": ARTICLE, "summary": "A bridge closes.", "generated": "It closes."}
    assert found(row, summary="summary").mapping == {"source": "document", "summary": "summary"}
    assert found({**row, "reference": "R R"}).mapping["references"] == "reference"


def test_what_is_no_text_is_not_taken_for_it():
    row = {"source": "CNN", "article": ARTICLE, "summary": "A bridge closes.", "prediction": "0.7"}
    made = found(row)
    assert made.mapping == {"source": "article", "summary": "summary"}
    assert made.warnings == []


def test_a_column_is_read_as_one_thing_only():
    row = {"article": ARTICLE, "highlights": "A bridge closes."}
    assert found(row, summary="highlights").mapping == {
        "source": "article",
        "summary": "highlights",
    }


def test_several_candidates_of_any_role_are_said():
    row = {"text": ARTICLE, "article": ARTICLE, "summary": "It closes.", "model": "a"}
    row |= {"model_name": "b", "gold": "G G", "target": "T T"}
    said = [str(warning) for warning in found(row).warnings]
    assert said == [
        "several columns could be the source: 'article', 'text'; 'article' is read",
        "several columns could be the references: 'target', 'gold'; 'target' is read",
        "several columns could be the system: 'model', 'model_name'; 'model' is read",
    ]
    # Our own names leave nothing to ask about.
    assert not found(
        {"summary": "It closes.", "id": 1, "doc_id": 2, "system": 3, "model": 4}
    ).warnings


def test_an_id_of_rows_is_no_document():
    rows = [{"id": at, "source": ARTICLE, "summary": f"Summary {at}."} for at in range(2)]
    made = found(*rows)
    assert "doc_id" not in made.mapping
    assert "rows with the same source differ in it" in str(made.warnings[0])
    assert found(*rows, doc_id="id").mapping["doc_id"] == "id"
    assert found(*({**row, "id": 5} for row in rows)).mapping["doc_id"] == "id"
    one, two = examples_from(rows)
    assert one.doc_id == two.doc_id


def test_blanks_and_case_in_a_header():
    row = {"Article Text ": ARTICLE, " Summary": "It closes.", "Fluency ": 3}
    made = found(row, source="Article Text", human=("fluency",))
    assert made.mapping == {"source": "Article Text ", "summary": " Summary"}
    assert made.human == {"Fluency ": "fluency"}
    with pytest.raises(ReadError, match="it has 'Article Text ', ' Summary', 'Fluency '"):
        found(row, source="body")


def test_nested_columns_by_path():
    row = {"input": {"article": ARTICLE}, "output": {"text": {"short": "It closes."}}}
    row["scores"] = {"fluency": 2}
    columns = Columns(
        source="input.article", summary="output.text.short", human=("scores.fluency",)
    )
    [example] = examples_from([row], columns)
    assert (example.source, example.summary) == ((ARTICLE,), "It closes.")
    assert example.human == {"scores.fluency": 2.0}
    # An object without a text is not the source, but what is in it is named.
    with pytest.raises(ReadError, match=r"it has 'input', 'summary', 'input\.article'"):
        find_columns([{"input": {"article": "A"}, "summary": "Y"}], Columns(), needs={"source"})
    # A name with a point in it is a name first.
    assert found({"a.b": ARTICLE, "a": {"b": 1}, "summary": "Y"}, source="a.b").mapping["source"]
    [example] = examples_from(
        [{"a.b": "S", "a": {"b": "T"}, "summary": "Y"}], Columns(source="a.b")
    )
    assert example.source == ("S",)


def test_documents_that_are_objects():
    documents = [{"title": "One", "text": "First."}, {"title": "Two", "text": "Second."}]
    [example] = examples_from([{"documents": documents, "summary": "Y"}])
    assert example.source == ("First.", "Second.")
    [example] = examples_from(
        [{"documents": documents, "summary": "Y"}], Columns(source="documents.title")
    )
    assert example.source == ("One", "Two")
    [example] = examples_from([{"document": {"title": "One", "text": "First."}, "summary": "Y"}])
    assert example == Example(source="First.", summary="Y")
    [bad] = examples_from([{"documents": [{"title": "One"}], "summary": "Y"}])
    assert bad.problem == "'documents' holds an object at place 1, not text"


def test_what_is_missing_and_how_to_name_it():
    for role in USUAL:
        with pytest.raises(ReadError) as error:
            found({"summary": "Y"}, **{role: "nowhere"})
        assert error.value.argument == f"columns.{role}"
    with pytest.raises(ReadError, match="no column 'flow' of human scores") as error:
        found({"summary": "Y"}, human=("flow",))
    assert error.value.argument == "human"


def test_the_page_has_the_names_that_are_looked_for():
    page = (Path(__file__).parents[2] / "docs" / "files.md").read_text()
    for role, names in USUAL.items():
        assert f"| {role} | {', '.join(names)} |\n" in page


def test_a_column_that_is_given_twice_is_an_error_only_if_it_is_used(tmp_path):
    text = "source,summary,summary\na b c,a b,a\n"
    for name, content in {"x.csv": text, "x.tsv": text.replace(",", "\t")}.items():
        (tmp_path / name).write_text(content)
        with pytest.raises(ReadError, match=f"the column 'summary' of .*{name} is given more than"):
            list(examples_from(tmp_path / name))
    columns = {"summary": "output", "source": "source"}
    (tmp_path / "x.csv").write_text("source,summary,summary,output\na b c,a b,a,c\n")
    [row] = examples_from(tmp_path / "x.csv", columns)
    assert row.summary == "c"


def test_another_column_is_not_read_instead_of_one_that_is_given_twice(tmp_path):
    row = f"{ARTICLE},a b,a b,It closes."
    (tmp_path / "x.csv").write_text(f"source,summary,summary,output\n{row}\n")
    with pytest.raises(ReadError, match=r"the column 'summary' of .* is given more than once"):
        list(examples_from(tmp_path / "x.csv"))


def test_sources_and_ids_that_are_nested_deeply():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    rows = [{"summary": "a", "source": deep, "id": deep}, {"summary": "b", "source": deep, "id": 1}]
    assert found(*rows).mapping["doc_id"] == "id"
