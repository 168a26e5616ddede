"""What all parts of a model share: fields that are the words of the JSON format, checked names, conversion both ways."""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import ModelError

Floats = NDArray[np.float64]
Vector = Union[Sequence[float], Floats]
"""Three numbers."""
Matrix = Union[Sequence[Sequence[float]], Floats]
Rotation = Union[Sequence[float], Matrix, Mapping[str, Any], Floats]
"""Quaternion [w, x, y, z], 3x3 matrix of rows, {"axis": [..], "angle": a} or {"rotation_vector": [..]}."""

E = TypeVar("E", bound="Element")


def plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's own, sequences as lists; the rest as it is."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return value


def check_json(value: Any, place: str, key: str = "") -> None:
    """ModelError for what JSON has no word for: NaN, infinity, objects of other kinds."""
    name = key or "it"
    if isinstance(value, float) and not math.isfinite(value):
        raise ModelError(f"{place}: {name} is {value}; expected a finite number")
    if isinstance(value, dict):
        for inner, entry in value.items():
            if not isinstance(inner, str):
                raise ModelError(f"{place}: {name} has the key {inner!r}; expected a text")
            check_json(entry, place, f"{key}.{inner}" if key else inner)
    elif isinstance(value, list):
        for k, entry in enumerate(value):
            check_json(entry, place, f"{key}[{k}]")
    elif not (value is None or isinstance(value, (str, bool, numbers.Real))):
        raise ModelError(f"{place}: {name} is {type(value).__name__}; expected a number, a text, a list or an element of polhode")


def refuse(kind: str, name: str, known: Sequence[str]) -> str:
    guess = _core.nearest(name, list(known))
    return f'{kind} has no "{name}"' + (f'; did you mean "{guess}"?' if guess else f"; it has: {', '.join(known)}")


@dataclasses.dataclass
class Element:
    """A part of a model. Fields can be read and set; a misspelt one is refused."""

    _type: ClassVar[str | None] = None
    """the word of the format"""

    if not TYPE_CHECKING:

        def __new__(cls, *values, **fields):
            known = cls._fields()
            for name in fields:
                if name not in known:
                    raise TypeError(refuse(cls.__name__, name, known))
            return super().__new__(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name not in self._fields():
            raise AttributeError(refuse(type(self).__name__, name, self._fields()))
        object.__setattr__(self, name, plain(value))

    @classmethod
    def _fields(cls) -> list[str]:
        return [field.name for field in dataclasses.fields(cls) if field.init]

    def to_dict(self) -> dict[str, Any]:
        """The words and values of the JSON format, those left out that are None."""
        out: dict[str, Any] = {}
        for field in self._fields():
            value = getattr(self, field)
            if value is not None:
                out[field.rstrip("_")] = _plain_json(value)
        if self._type is not None:
            out = {"name": out.pop("name"), "type": self._type, **out} if "name" in out else {"type": self._type, **out}
        return out

    @classmethod
    def from_dict(cls: type[E], data: Mapping[str, Any]) -> E:
        """From words and values of the JSON format."""
        known = cls._fields()
        return cls(**{key if key in known else f"{key}_": value for key, value in data.items() if key != "type" or "type" in known})

    def copy(self: E, **changes: Any) -> E:
        """A copy with some fields changed."""
        for name in changes:
            if name not in self._fields():
                raise TypeError(refuse(type(self).__name__, name, self._fields()))
        return dataclasses.replace(self, **changes)


def _plain_json(value: Any) -> Any:
    if isinstance(value, Element):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain_json(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _plain_json(entry) for key, entry in value.items()}
    return value


def by_type(classes: Sequence[type[Element]]) -> dict[str, type[Element]]:
    """Classes by the word of the format that each is for."""
    return {cls._type: cls for cls in classes if cls._type is not None}


Callback = Callable[..., Any]
