"""Writes bodies.py, joints.py, drives.py, forces.py, functions.py and options.py: a class for each kind that the library describes, with
its fields, their units, defaults and meanings.

    python generate_elements.py FOLDER      the folder holds the module _core, and gets the files
"""

import json
import keyword
import pathlib
import sys
import textwrap

HEAD = '''"""{about}"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal{typed_dict}, Union

from .element import Element, Floats, Matrix, Rotation, Vector, by_type
{imports}
__all__ = [{names}]
'''

CLASS = '''

@dataclasses.dataclass{options}
class {name}(Element):
    """{summary}

    Args:
{arguments}
    """

{fields}
'''

OPTIONS = '''

class RunOptions(TypedDict, total=False):
    """The same, as the keyword arguments of functions that run a model: what is given replaces what the model says."""

{fields}
'''

ABOUT = {
    "bodies": "What moves. Units are SI; the body frame is the user's, ``position`` is where its origin is.",
    "joints": '''Joints and couplings: what ties bodies together. Anchors by ``at`` (one point in space for both) or ``at_a``, ``at_b`` (each in its
body); axes by ``axis`` (in space, for both) or ``axis_a``, ``axis_b``. "At the model pose" means: every body where its position and
orientation put it. An angle is that of b about the axis, seen from a, 0 at the model pose, counted over many turns.''',
    "drives": "Drives: coordinates whose value is prescribed as a function of time.",
    "forces": "Forces: springs, dampers, bushings, loads; and energies and loads that are Python functions.",
    "functions": "Functions of time: motions of drives, magnitudes of loads. Times in s. A number stands for a constant.",
    "options": "How a model is simulated.",
}
MADE = "\n\nMade from the descriptions of the library; not to be edited.\n"


def class_name(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("-"))


def python_name(word: str) -> str:
    return word + "_" if keyword.iskeyword(word) else word


def type_of(field: dict) -> str:
    if "words" in field:
        return f"Literal[{', '.join(repr(word['word']).replace(chr(39), chr(34)) for word in field['words'])}]"
    return field["python"]


def line_of(field: dict) -> str:
    end = "" if field["required"] else " | None = None"
    return f"    {python_name(field['word'])}: {type_of(field)}{end}"


def meaning_of(field: dict) -> str:
    text = f"{python_name(field['word'])}: {field['text']}".rstrip(" :")
    return textwrap.fill(text, 110, initial_indent=" " * 8, subsequent_indent=" " * 12)


def summary_of(kind: dict, family: str) -> str:
    if family == "functions":
        return f"f(t): {kind['summary']}".rstrip(".") + "."
    equations = f" {kind['equations']} equation{'s' if kind['equations'] > 1 else ''}." if "equations" in kind else ""
    return textwrap.fill(f"{sentence(kind)}.{equations}", 110, subsequent_indent="    ")


def sentence(kind: dict) -> str:
    return kind["summary"][0].upper() + kind["summary"][1:]


def class_text(kind: dict, family: str, name: str, typed: bool) -> str:
    positional = family == "functions"
    own = [f'    _type: ClassVar[str] = "{kind["word"]}"'] if typed else []
    lines = [line_of(field) for field in kind["fields"]]
    if not positional and kind["fields"][0]["word"] == "name":
        lines.insert(1, "    _: dataclasses.KW_ONLY")
    return CLASS.format(options="(kw_only=True)" if family == "options" else "", name=name, summary=summary_of(kind, family),
                        arguments="\n".join(map(meaning_of, kind["fields"])), fields="\n".join(own + lines))


def module_text(family: str, kinds: list[dict], *, union: str = "", untyped: str = "", imports: str = "", more: tuple[str, ...] = ()) -> str:
    names = [class_name(kind["word"]) for kind in kinds]
    listed = ", ".join(f'"{name}"' for name in sorted([*names, *more, *([union] if union else [])]))
    text = HEAD.format(about=ABOUT[family] + MADE, imports=imports, names=listed, typed_dict=", TypedDict" if family == "options" else "")
    text += "".join(class_text(kind, family, name, kind["word"] != untyped and bool(union)) for kind, name in zip(kinds, names))
    if union:
        members = ", ".join([*(["float"] if family == "functions" else []), *names, *more])
        text += f"\n\n{union} = Union[{members}]\n"
        own = [name for kind, name in zip(kinds, names) if kind["word"] != untyped]
        first = f'"{untyped}": {class_name(untyped)}, **' if untyped else ""
        table = f"by_type([{', '.join(own)}])"
        text += f"BY_TYPE: dict[str, type[Element]] = {'{' + first + table + '}' if untyped else table}\n"
    return text


def main(folder: pathlib.Path) -> None:
    sys.path.insert(0, str(folder))
    import _core

    all_kinds = json.loads(_core.describe())
    simulation = {**all_kinds["simulation"], "word": "simulation-options"}
    modules = {
        "bodies": module_text("bodies", all_kinds["bodies"], union="AnyBody", untyped="rigid"),
        "joints": module_text("joints", all_kinds["joints"] + all_kinds["couplings"], union="AnyJoint"),
        "drives": module_text("drives", all_kinds["drives"], imports="from .functions import AnyFunction\n"),
        "forces": module_text("forces", all_kinds["forces"], union="AnyForce", more=("Load", "Potential"),
                              imports="from .computed import Load, Potential\nfrom .functions import AnyFunction\n"),
        "functions": module_text("functions", all_kinds["functions"], union="AnyFunction"),
        "options": module_text("options", [simulation], imports="from .integrator import Integrator\n", more=("RunOptions",))
        + OPTIONS.format(fields="\n".join(f"    {field['word']}: {type_of(field)} | None" for field in simulation["fields"])),
    }
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
