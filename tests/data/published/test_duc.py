"""DUC in small files of its published form: the DTD and the elements of a real `.pan` file."""

import pytest

from tests.data.published_files import read
from tricolore.errors import ReadError
from tricolore.measures.pyramid import Pyramid

PAN = """<?xml version="1.0"?>
<!DOCTYPE peerAnnotation [
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED>
]>

<peerAnnotation>
<pyramid>
<startDocumentRegEx><![CDATA[[-]*\\n D[0-9]*\\n[-]*\\n]]></startDocumentRegEx>
 <text>
  <line>#4</line>
  <line></line>
  <line>-----------------</line>
  <line> D0701-A.M.100.H.G</line>
  <line>-----------------</line>
  <line></line>
  <line>A cat sat &amp; slept.</line>
  <line>It rained.</line>
  <line></line>
  <line>-----------------</line>
  <line> D0701-A.M.100.H.H</line>
  <line>-----------------</line>
  <line></line>
  <line>The cat sat.</line>
 </text>
 <scu uid="5" label="A cat sat">
  <contributor label="A cat sat"><part label="A cat sat" start="61" end="70"/></contributor>
  <contributor label="The cat sat"><part label="The cat sat" start="120" end="131"/></contributor>
 </scu>
 <scu uid="8" label="It &quot;rained&quot;">
  <contributor label="It rained"><part label="It rained" start="80" end="89"/></contributor>
 </scu>
</pyramid>
<annotation>
 <text>
  <line>Some cat sat there.</line>
  <line>Dogs bark.</line>
 </text>
 <peerscu uid="5" label="(2) A cat sat">
  <contributor label="cat sat"><part label="cat sat" start="5" end="12"/></contributor>
 </peerscu>
 <peerscu uid="8" label="(1) It rained">
 </peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="Dogs bark"><part label="Dogs bark" start="20" end="29"/></contributor>
 </peerscu>
</annotation>
</peerAnnotation>
"""


def test_duc(tmp_path):
    (tmp_path / "pans").mkdir()
    (tmp_path / "pans" / "D0701.M.250.I.24.pan").write_text(PAN)
    (tmp_path / "pans" / "D0701.M.250.I.3.pan").write_text(PAN)
    first, second = read("duc", tmp_path)
    example = first.example
    assert (example.doc_id, example.system, second.example.system) == ("D0701", "24", "3")
    assert example.summary == "Some cat sat there.\nDogs bark."
    assert example.references == ("A cat sat & slept.\nIt rained.", "The cat sat.")
    units = [(unit.text, unit.weight, unit.present) for unit in example.units]
    assert units == [("A cat sat", 2, True), ('It "rained"', 1, False)]
    # Two of the three contributors are those of a unit that the peer has.
    assert example.human == {"pyramid_recall": pytest.approx(2 / 3)}
    assert Pyramid().score([example])[0].value == pytest.approx(2 / 3)
    [alone] = read("duc", tmp_path / "pans" / "D0701.M.250.I.3.pan")
    assert alone == second


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (PAN[:400], "cannot be read as XML"),
        ("<peerAnnotation><pyramid/></peerAnnotation>", "no 'pyramid' or no 'annotation'"),
        ('<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', "it defines entities"),
    ],
)
def test_other_files(tmp_path, text, problem):
    path = tmp_path / "D1.pan"
    path.write_text(text)
    with pytest.raises(ReadError, match=problem):
        read("duc", path)


def test_a_directory_without_pans(tmp_path):
    with pytest.raises(ReadError, match=r"has no '\*.pan' files"):
        read("duc", tmp_path)
