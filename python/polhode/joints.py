"""Joints and couplings: what ties bodies together. Anchors by ``at`` (one point in space for both) or ``at_a``, ``at_b`` (each in its
body); axes by ``axis`` (in space, for both) or ``axis_a``, ``axis_b``. "At the model pose" means: every body where its position and
orientation put it. An angle is that of b about the axis, seen from a, 0 at the model pose, counted over many turns."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Sequence, Union

from .element import Element, Vector, by_type

__all__ = ["AnyJoint", "Cylindrical", "Gear", "Planar", "PointOnLine", "PointOnPlane", "Prismatic", "Rack", "Revolute", "Rod", "Screw", "Spherical", "Universal", "Weld"]


@dataclasses.dataclass
class Spherical(Element):
    """The anchors coincide; 3 rotations are free. 3 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
    """

    _type: ClassVar[str] = "spherical"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None


@dataclasses.dataclass
class Revolute(Element):
    """Rotation about the axis is free. 5 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis: direction for both, in space at the model pose
        axis_a: direction in the frame of a
        axis_b: direction in the frame of b
    """

    _type: ClassVar[str] = "revolute"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None
    axis_b: Vector | None = None


@dataclasses.dataclass
class Universal(Element):
    """Two rotations are free, about axis_a and axis_b, perpendicular at the model pose. 4 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis_a: direction in the frame of a
        axis_b: direction in the frame of b
    """

    _type: ClassVar[str] = "universal"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis_a: Vector
    axis_b: Vector


@dataclasses.dataclass
class Cylindrical(Element):
    """Rotation about and travel along the axis are free. 4 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis: direction for both, in space at the model pose
        axis_a: direction in the frame of a
        axis_b: direction in the frame of b
    """

    _type: ClassVar[str] = "cylindrical"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None
    axis_b: Vector | None = None


@dataclasses.dataclass
class Prismatic(Element):
    """Travel along the axis is free. 5 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis: direction for both, in space at the model pose
        axis_a: direction in the frame of a
        axis_b: direction in the frame of b
    """

    _type: ClassVar[str] = "prismatic"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None
    axis_b: Vector | None = None


@dataclasses.dataclass
class Planar(Element):
    """Travel across the axis and rotation about it are free. 3 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis: direction for both, in space at the model pose
        axis_a: direction in the frame of a
        axis_b: direction in the frame of b
    """

    _type: ClassVar[str] = "planar"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None
    axis_b: Vector | None = None


@dataclasses.dataclass
class Weld(Element):
    """Nothing is free: the relative pose of the model pose is kept. 6 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
    """

    _type: ClassVar[str] = "weld"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None


@dataclasses.dataclass
class PointOnLine(Element):
    """The anchor of b stays on the line of a through at_a along the axis. 2 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis: direction for both, in space at the model pose
        axis_a: direction in the frame of a
    """

    _type: ClassVar[str] = "point-on-line"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None


@dataclasses.dataclass
class PointOnPlane(Element):
    """The anchor of b stays on the plane of a through at_a across the axis. 1 equation.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis: direction for both, in space at the model pose
        axis_a: direction in the frame of a
    """

    _type: ClassVar[str] = "point-on-plane"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None


@dataclasses.dataclass
class Rod(Element):
    """Keeps the distance of the anchors. 1 equation.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        length: [m]; default the distance at the model pose
    """

    _type: ClassVar[str] = "rod"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    length: float | None = None


@dataclasses.dataclass
class Screw(Element):
    """As cylindrical, with travel = pitch * angle. 5 equations.

    Args:
        name: unique within joints; default its place, such as joints[0]
        between: names of the bodies a and b; "ground" is what does not move
        at: anchor of both, in space at the model pose [m]
        at_a: anchor in the frame of a [m]; default its origin
        at_b: anchor in the frame of b [m]; default its origin
        axis: direction for both, in space at the model pose
        axis_a: direction in the frame of a
        axis_b: direction in the frame of b
        pitch: travel per angle [m/rad]
    """

    _type: ClassVar[str] = "screw"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    axis: Vector | None = None
    axis_a: Vector | None = None
    axis_b: Vector | None = None
    pitch: float


@dataclasses.dataclass
class Gear(Element):
    """Ties the angles of two revolute or cylindrical joints: angle_1 + ratio * angle_2 = 0. 1 equation.

    Args:
        name: unique within joints; default its place
        joints: names of two joints
        ratio: angle_1 + ratio * angle_2 = 0
    """

    _type: ClassVar[str] = "gear"
    name: str | None = None
    _: dataclasses.KW_ONLY
    joints: Sequence[str]
    ratio: float


@dataclasses.dataclass
class Rack(Element):
    """Ties the travel of a prismatic or cylindrical joint to the angle of a revolute or cylindrical one: travel_1 - radius * angle_2 = 0.

    1 equation.

    Args:
        name: unique within joints; default its place
        joints: names of two joints
        radius: travel_1 - radius * angle_2 = 0 [m]
    """

    _type: ClassVar[str] = "rack"
    name: str | None = None
    _: dataclasses.KW_ONLY
    joints: Sequence[str]
    radius: float


AnyJoint = Union[
    Spherical, Revolute, Universal, Cylindrical, Prismatic, Planar, Weld, PointOnLine, PointOnPlane, Rod, Screw, Gear, Rack
]
BY_TYPE: dict[str, type[Element]] = by_type([
    Spherical, Revolute, Universal, Cylindrical, Prismatic, Planar, Weld, PointOnLine, PointOnPlane, Rod, Screw, Gear, Rack
])
