"""Whether two words are forms of the same word: by stem, or by a list of irregular forms."""

from __future__ import annotations

from tricolore.text.stem import porter
from tricolore.text.stem_rouge import irregular_forms

_IRREGULAR = """
be am is are was were been being; have has had having; do does did done doing; go goes went gone;
say says said; make makes made; get gets got gotten; take takes took taken; come comes came;
see sees saw seen; know knows knew known; give gives gave given; find finds found;
think thinks thought; tell tells told; become becomes became; leave leaves left; feel feels felt;
bring brings brought; begin begins began begun; keep keeps kept; hold holds held;
write writes wrote written; stand stands stood; hear hears heard; mean means meant; meet met;
pay pays paid; sit sits sat; speak speaks spoke spoken; lead leads led; grow grows grew grown;
lose loses lost; fall falls fell fallen; send sends sent; build builds built;
draw draws drew drawn; break breaks broke broken; spend spends spent; rise rises rose risen;
drive drives drove driven; buy buys bought; wear wears wore worn; choose chooses chose chosen;
win wins won; fly flew flown; catch catches caught; teach teaches taught; sell sells sold;
fight fights fought; throw threw thrown; steal stole stolen; shoot shoots shot; strike struck;
swim swam swum; sing sang sung; run runs ran; will would; can could; shall should; may might;
man men; woman women; child children; foot feet; tooth teeth; mouse mice; person people;
good better best; bad worse worst; a an; i me my mine; he him his; she her hers; we us our ours;
they them their theirs; you your yours; it its; this these; that those; who whom whose
"""
_BASES = {word: group.split()[0] for group in _IRREGULAR.split(";") for word in group.split()}


def irregular_base(word: str) -> str:
    """The base form of a word in lower case, if it is irregular; else the word.

    >>> irregular_base("ran"), irregular_base("children"), irregular_base("voted")
    ('run', 'child', 'voted')
    """
    return _BASES.get(word) or irregular_forms().get(word, word)


def is_inflection(one: str, other: str) -> bool:
    """Whether two words are forms of the same word.

    >>> is_inflection("votes", "Voted"), is_inflection("went", "go"), is_inflection("go", "come")
    (True, True, False)
    """
    one, other = one.lower(), other.lower()
    base = _BASES.get(one)
    return porter(one) == porter(other) or (base is not None and base == _BASES.get(other))
