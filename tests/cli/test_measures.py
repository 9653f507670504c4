import pytest

from tricolore.registry import entries


def test_the_list_has_every_measure(tricolore):
    out, _ = tricolore("measures")
    for name in entries():
        assert f"\n {name} " in out
    assert "references" in out
    assert "released" in out


@pytest.mark.parametrize("name", sorted(entries()))
def test_every_measure_has_a_page(tricolore, name):
    out, _ = tricolore("explain", name)
    assert out.startswith("# ")
    for word in ("blind", "ange"):
        assert word in out.lower()


def test_a_group_is_explained_by_its_pages(tricolore):
    out, _ = tricolore("explain", "fragments")
    assert out.count("\n# ") >= 2


def test_an_unknown_page_suggests_the_nearest(tricolore):
    _, err = tricolore("explain", "importanse", check=2)
    assert "did you mean 'importance'?" in err


def test_version_and_help(tricolore):
    out, _ = tricolore("--version")
    assert out.startswith("tricolore 0.")
    out, _ = tricolore("--help")
    assert "explain" in out
