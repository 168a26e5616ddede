"""Functions that take the options of a run: what they take is what the library describes, in their signatures and docstrings too."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .element import refuse
from .options import RunOptions, SimulationOptions

__all__ = ["given_options", "takes_run_options"]

F = TypeVar("F", bound=Callable[..., Any])


def takes_run_options(function: F) -> F:
    """For a function with ``**options: Unpack[RunOptions]``: ``help`` and ``inspect.signature`` tell each of them by its name."""
    own = inspect.signature(function)
    options = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_text(annotation))
               for name, annotation in RunOptions.__annotations__.items()]
    parameters = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    setattr(function, "__signature__", own.replace(parameters=parameters + options))
    if function.__doc__:  # after what the source says of them, their meanings
        meanings = inspect.cleandoc((SimulationOptions.__doc__ or "").partition("Args:\n")[2]).splitlines()
        lines = []
        for line in function.__doc__.splitlines():
            lines.append(line)
            if line.lstrip().startswith("options: "):
                indent = line[: len(line) - len(line.lstrip())] + "    "
                lines += [indent + meaning for meaning in meanings]
        function.__doc__ = "\n".join(lines)
    return function


def given_options(function: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not None; TypeError with the nearest name for one that there is not."""
    known = list(RunOptions.__annotations__)
    for name in options:
        if name not in known:
            raise TypeError(refuse(function, name, known))
    return {name: value for name, value in options.items() if value is not None}


def _text(annotation: Any) -> str:
    return getattr(annotation, "__forward_arg__", str(annotation))
