"""Writes integrators.py: a class for each method of the library's table, with its options, their defaults and what they mean.

    python generate_integrators.py FOLDER      the folder holds the module _core, and gets the file
"""

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
    values = [repr(word) for word in option["words"]]
    values += [str(int(number)) if number == int(number) else repr(number) for number in option["numbers"]]
    return f"Literal[{', '.join(values)}]" if values else "float"


def default_of(option: dict) -> str:
    value = option["default"]
    return str(int(value)) if isinstance(value, float) and type_of(option).startswith("Literal") else repr(value)


def range_of(option: dict) -> str:
    if option["words"] or option["numbers"]:
        return ""
    return " ({:g} to {:g})".format(*option["range"])


def wrapped(text: str, indent: int, hanging: int = 0) -> str:
    return textwrap.fill(text, 110, initial_indent=" " * indent, subsequent_indent=" " * (indent + hanging))


def class_text(method: dict) -> str:
    text = "\n\n".join(wrapped(f"{word}: {method[key]}.", 4) for word, key in
                       [("Order", "order"), ("Conserves", "conserves"), ("Use it for", "use"), ("Source", "source")])
    options = "\n".join(wrapped(f"{o['name']}: {o['meaning']}{range_of(o)}", 8, 4) for o in method["options"])
    fields = "\n".join(f"    {o['name']}: {type_of(o)} = {default_of(o)}" for o in method["options"])
    return CLASS.format(name=class_name(method["name"]), summary=method["summary"].replace('"', "'"), text=text.replace("\\", "\\\\"),
                        options=options or "        none", method=method["name"], fields=fields)


def main(folder: pathlib.Path) -> None:
    sys.path.insert(0, str(folder))
    import _core

    table = _core.method_table()
    names = ", ".join(f'"{class_name(method["name"])}"' for method in table)
    (folder / "integrators.py").write_text(HEAD.format(names=names) + "".join(class_text(method) for method in table))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
