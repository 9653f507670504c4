"""One type name, one meaning: no class or type alias is defined in two modules."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "tricolore"


def type_names(module: ast.Module, *, is_cli: bool = False) -> Iterator[str]:
    """The classes and type aliases at the top of a module, without a leading underscore.

    Not counted: type variables, which mean something in their own module only, and options of
    the command line (`Seed = Annotated[int, typer.Option(…)]`), which are named as users type them.
    """
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield node.name.lstrip("_")
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            [target] = node.targets if isinstance(node, ast.Assign) else [node.target]
            made = ast.unparse(node.value)
            if isinstance(target, ast.Name) and not made.startswith("TypeVar("):
                name = target.id.lstrip("_")
                is_type = name[:1].isupper() and not name.isupper()
                is_option = is_cli and not made.startswith("Literal[")
                if is_type and not is_option:
                    yield name


def test_what_counts_as_a_type_name() -> None:
    module = ast.parse(
        "class _Pair: ...\nPlaces = list[int]\nT = TypeVar('T')\nMOST = 3\n_Key = str\nx = 1\n"
        "Seed = Annotated[int, Option()]\nLevel = Literal['system']"
    )
    assert list(type_names(module)) == ["Pair", "Places", "Key", "Seed", "Level"]
    assert list(type_names(module, is_cli=True)) == ["Pair", "Level"]


def test_no_type_name_has_two_definitions() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE)
        for name in type_names(ast.parse(path.read_text()), is_cli=where.parts[0] == "cli"):
            found[name].append(str(where))
    assert len(found) > 200  # else it would prove little
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
