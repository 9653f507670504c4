"""`tricolore explain` as people run it."""

import pytest

from tricolore.registry import entries


@pytest.mark.parametrize("name", sorted(entries()))
def test_every_measure_has_a_page(run, name):
    out = run(f"tricolore explain {name}")
    assert out.startswith("# ")
    assert "<!--" not in out
    for word in ("blind", "ange"):
        assert word in out.lower()


def test_a_group_is_explained_by_its_pages(tricolore):
    out, _ = tricolore("explain", "fragments")
    assert out.count("\n# ") >= 2


def test_an_unknown_page_suggests_the_nearest(tricolore):
    _, err = tricolore("explain", "importanse", check=2)
    assert "did you mean 'importance'?" in err
