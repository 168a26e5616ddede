"""What moves. Units are SI; the body frame is the user's, ``position`` is where its origin is."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Literal, Union

from .element import Element, Matrix, Rotation, Vector, by_type

__all__ = ["AnyBody", "FixedPoint", "Particle", "Rigid", "Scalar"]


@dataclasses.dataclass
class Rigid(Element):
    """A rigid body: position and orientation, 6 degrees of freedom. ``polhode.Body`` is this class.

    Args:
        name: unique within bodies; not "ground"
        mass: [kg]
        inertia: three principal values or a symmetric 3x3 matrix [kg m^2]
        inertia_about: "centre_of_mass" (default), "origin" of the body frame, or a point of it [m]
        inertia_frame: rotation from the axes of ``inertia`` to the body frame
        centre_of_mass: in the body frame [m]; default its origin
        position: of the body frame's origin, in space [m]
        orientation: rotation from body to space
        velocity: of the origin, in space [m/s]; left out: made consistent with the joints
        angular_velocity: body components [rad/s]; left out: made consistent with the joints
        shapes: what it looks like, for pictures only: a list of shapes in the words of the model format
    """

    name: str
    _: dataclasses.KW_ONLY
    mass: float
    inertia: Union[Vector, Matrix]
    inertia_about: Union[Literal["centre_of_mass", "origin"], Vector, None] = None
    inertia_frame: Rotation | None = None
    centre_of_mass: Vector | None = None
    position: Vector | None = None
    orientation: Rotation | None = None
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    shapes: list[dict[str, Any]] | None = None


@dataclasses.dataclass
class FixedPoint(Element):
    """A body that turns about a point that stays: 3 degrees of freedom.

    Args:
        name: unique within bodies
        mass: [kg]
        inertia: three principal values or a symmetric 3x3 matrix [kg m^2]
        inertia_about: "centre_of_mass" (default), "origin", "pivot", or a point of the body frame [m]
        inertia_frame: rotation from the axes of ``inertia`` to the body frame
        centre_of_mass: in the body frame [m]; default its origin
        position: of the body frame's origin, in space [m]
        orientation: rotation from body to space
        angular_velocity: body components [rad/s]; left out: made consistent with the joints
        pivot: the point that stays, in space [m]; default [0, 0, 0]
        shapes: what it looks like, for pictures only: a list of shapes in the words of the model format
    """

    _type: ClassVar[str] = "fixed-point"
    name: str
    _: dataclasses.KW_ONLY
    mass: float
    inertia: Union[Vector, Matrix]
    inertia_about: Union[Literal["centre_of_mass", "origin", "pivot"], Vector, None] = None
    inertia_frame: Rotation | None = None
    centre_of_mass: Vector | None = None
    position: Vector | None = None
    orientation: Rotation | None = None
    angular_velocity: Vector | None = None
    pivot: Vector | None = None
    shapes: list[dict[str, Any]] | None = None


@dataclasses.dataclass
class Particle(Element):
    """A mass at a point: 3 degrees of freedom.

    Args:
        name: unique within bodies
        mass: [kg]
        position: in space [m]
        velocity: in space [m/s]; left out: made consistent with the joints
        shapes: what it looks like, for pictures only: a list of shapes in the words of the model format
    """

    _type: ClassVar[str] = "particle"
    name: str
    _: dataclasses.KW_ONLY
    mass: float
    position: Vector | None = None
    velocity: Vector | None = None
    shapes: list[dict[str, Any]] | None = None


@dataclasses.dataclass
class Scalar(Element):
    """A mass that slides along an axis: its place is position + coordinate * axis; 1 degree of freedom.

    Args:
        name: unique within bodies
        mass: [kg]
        position: in space [m]
        axis: direction of travel, in space; default [1, 0, 0]
        coordinate: initial travel [m]
        rate: initial rate of travel [m/s]
        shapes: what it looks like, for pictures only: a list of shapes in the words of the model format
    """

    _type: ClassVar[str] = "scalar"
    name: str
    _: dataclasses.KW_ONLY
    mass: float
    position: Vector | None = None
    axis: Vector | None = None
    coordinate: float | None = None
    rate: float | None = None
    shapes: list[dict[str, Any]] | None = None


AnyBody = Union[Rigid, FixedPoint, Particle, Scalar]
BY_TYPE: dict[str, type[Element]] = {"rigid": Rigid, **by_type([FixedPoint, Particle, Scalar])}
