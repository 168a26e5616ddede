"""Functions of time: motions of drives, magnitudes of loads. Times in s. A number stands for a constant."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Literal, Mapping, Sequence, Union

from .element import Element, Floats, by_type

__all__ = ["AnyFunction", "Constant", "Harmonic", "Piecewise", "Polynomial", "Ramp", "Sum", "Table"]


@dataclasses.dataclass
class Constant(Element):
    """f(t) = value."""

    _type: ClassVar[str] = "constant"
    value: float


@dataclasses.dataclass
class Polynomial(Element):
    """f(t) = c0 + c1 t + c2 t^2 + ..."""

    _type: ClassVar[str] = "polynomial"
    coefficients: Sequence[float] | Floats


@dataclasses.dataclass
class Harmonic(Element):
    """f(t) = offset + amplitude sin(angular_frequency t + phase); angular_frequency in rad/s, phase in rad."""

    _type: ClassVar[str] = "harmonic"
    amplitude: float
    angular_frequency: float
    phase: float | None = None
    offset: float | None = None


@dataclasses.dataclass
class Ramp(Element):
    """``from_`` until ``start``, ``to`` from ``end`` on; between them straight, or ``smooth``: quintic, at rest at both ends."""

    _type: ClassVar[str] = "ramp"
    from_: float
    to: float
    start: float
    end: float
    smooth: bool | None = None


@dataclasses.dataclass
class Table(Element):
    """Interpolated between (times, values), constant outside; "cubic" is a natural spline."""

    _type: ClassVar[str] = "table"
    times: Sequence[float] | Floats
    values: Sequence[float] | Floats
    interpolation: Literal["linear", "cubic"] | None = None


@dataclasses.dataclass
class Piecewise(Element):
    """The k-th function for times[k] <= t < times[k+1], the last from then on, 0 before the first time."""

    _type: ClassVar[str] = "piecewise"
    times: Sequence[float] | Floats
    functions: Sequence[AnyFunction]


@dataclasses.dataclass
class Sum(Element):
    """The sum of functions."""

    _type: ClassVar[str] = "sum"
    functions: Sequence[AnyFunction]


AnyFunction = Union[float, Constant, Polynomial, Harmonic, Ramp, Table, Piecewise, Sum]
BY_TYPE: dict[str, type[Element]] = by_type([Constant, Polynomial, Harmonic, Ramp, Table, Piecewise, Sum])


def from_json(data: Any) -> Any:
    """A function, or a list of three, from the values of the JSON format."""
    if isinstance(data, list):
        return [from_json(entry) for entry in data]
    if not isinstance(data, Mapping):
        return data
    fields = dict(data)
    if "functions" in fields:
        fields["functions"] = [from_json(entry) for entry in fields["functions"]]
    return BY_TYPE[fields["type"]].from_dict(fields)
