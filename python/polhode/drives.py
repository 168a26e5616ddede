"""Drives: coordinates whose value is prescribed as a function of time."""

from __future__ import annotations

import dataclasses
from typing import Literal, Sequence

from .element import Element, Vector
from .functions import AnyFunction

__all__ = ["Drive"]


@dataclasses.dataclass
class Drive(Element):
    """Prescribes a coordinate of a joint, or of a pair of bodies.

    Args:
        name: unique within drives; default its place
        type: "angle" [rad], "travel" [m] or "length" [m]; default what the joint leaves free. Needed with ``between``
        joint: whose coordinate
        between: names of the bodies a and b, in place of a joint
        at, at_a, at_b, axis, axis_a, axis_b: as for joints, with ``between``
        motion: value of the coordinate, a function of time
    """

    name: str | None = None
    _: dataclasses.KW_ONLY
    motion: AnyFunction
    type: Literal["angle", "travel", "length"] | None = None
    joint: str | None = None
    between: Sequence[str] | None = None
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None
    axis_b: Vector | None = None
