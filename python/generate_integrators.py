"""Writes integrators.py: a class for each method of the library's table, with its options, their defaults and what they mean.

    python generate_integrators.py FOLDER      the folder holds the module _core, and gets the file
"""

import json
import pathlib
import sys
import textwrap

HEAD = '''"""The integrators, a class each. Made from the library's table of methods; not to be edited."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Literal

from .integrator import Integrator

__all__ = [{names}]
'''

CLASS = '''

@dataclasses.dataclass(kw_only=True)
class {name}(Integrator):
    """{summary}

{text}

    Options:
{options}
    """

    method: ClassVar[str] = "{method}"
{fields}
'''


def class_name(method: str) -> str:
    return "".join(word.capitalize() for word in method.split("-"))


def type_of(option: dict) -> str:
    few = [word["word"] for word in option.get("words", [])] + option.get("numbers", [])
    if few:
        return f"Literal[{', '.join(map(repr, few))}]"
    return option["python"] + (" | None" if option["default"] is None else "")


def meaning_of(option: dict) -> str:
    limits = "" if "words" in option or "numbers" in option or "range" not in option else f" ({option['range']})"
    return option["text"] + limits


def wrapped(text: str, indent: int, hanging: int = 0) -> str:
    return textwrap.fill(text, 110, initial_indent=" " * indent, subsequent_indent=" " * (indent + hanging))


def class_text(method: dict) -> str:
    text = "\n\n".join(wrapped(f"{word}: {method[key]}.", 4) for word, key in
                       [("Order", "order"), ("Conserves", "conserves"), ("Use it for", "use"), ("Source", "source")])
    options = "\n".join(wrapped(f"{o['word']}: {meaning_of(o)}", 8, 4) for o in method["fields"])
    fields = "\n".join(f"    {o['word']}: {type_of(o)} = {o['default']!r}" for o in method["fields"])
    return CLASS.format(name=class_name(method["word"]), summary=method["summary"].replace('"', "'"), text=text.replace("\\", "\\\\"),
                        options=options or "        none", method=method["word"], fields=fields)


def main(folder: pathlib.Path) -> None:
    sys.path.insert(0, str(folder))
    import _core

    table = json.loads(_core.describe())["integrators"]
    names = ", ".join(f'"{class_name(method["word"])}"' for method in table)
    (folder / "integrators.py").write_text(HEAD.format(names=names) + "".join(class_text(method) for method in table))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
