"""Forces: springs, dampers, bushings, loads; and energies and loads that are Python functions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar, Literal, Sequence, Tuple, Union

from .element import Element, Floats, Rotation, Vector, by_type
from .functions import AnyFunction

__all__ = ["AnyForce", "Bushing", "Force", "JointForce", "Load", "Potential", "SpringDamper", "Torque", "TorsionalSpringDamper"]


@dataclasses.dataclass
class SpringDamper(Element):
    """A spring and a damper between two points.

    Args:
        name: unique within forces; default its place
        between: names of the bodies a and b
        at, at_a, at_b: anchors, as for joints [m]
        stiffness: [N/m]
        damping: [N s/m]
        length: natural length [m]; default the distance at the model pose
    """

    _type: ClassVar[str] = "spring-damper"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    stiffness: float | None = None
    damping: float | None = None
    length: float | None = None


@dataclasses.dataclass
class TorsionalSpringDamper(Element):
    """A spring and a damper about the axis of a revolute, cylindrical or screw joint.

    Args:
        name: unique within forces; default its place
        joint: name of the joint
        stiffness: [N m/rad]
        damping: [N m s/rad]
        angle: of rest [rad]
    """

    _type: ClassVar[str] = "torsional-spring-damper"
    name: str | None = None
    _: dataclasses.KW_ONLY
    joint: str
    stiffness: float | None = None
    damping: float | None = None
    angle: float | None = None


@dataclasses.dataclass
class Bushing(Element):
    """Six stiffnesses and dampings between two bodies: three along, three about the axes of a frame fixed to a.

    Args:
        name: unique within forces; default its place
        between: names of the bodies a and b
        at, at_a, at_b: anchors, as for joints [m]
        frame: rotation from its axes to space, at the model pose
        stiffness: six numbers [N/m, N m/rad]
        damping: six numbers [N s/m, N m s/rad]
    """

    _type: ClassVar[str] = "bushing"
    name: str | None = None
    _: dataclasses.KW_ONLY
    between: Sequence[str]
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    frame: Rotation | None = None
    stiffness: Vector | None = None
    damping: Vector | None = None


@dataclasses.dataclass
class Force(Element):
    """A force at a point of a body.

    Args:
        name: unique within forces; default its place
        body: name of the body
        at: point of the body frame [m]; default its origin
        vector: [N], in space, or in the body if it follows
        function: a factor of ``vector``, or three functions of time in its place [N]
        follower: True turns it with the body
    """

    _type: ClassVar[str] = "force"
    name: str | None = None
    _: dataclasses.KW_ONLY
    body: str
    at: Vector | None = None
    vector: Vector | None = None
    function: AnyFunction | Sequence[AnyFunction] | None = None
    follower: bool | None = None


@dataclasses.dataclass
class Torque(Element):
    """A torque on a body.

    Args:
        name: unique within forces; default its place
        body: name of the body
        vector: [N m], in space, or in the body if it follows
        function: a factor of ``vector``, or three functions of time in its place [N m]
        follower: True turns it with the body
    """

    _type: ClassVar[str] = "torque"
    name: str | None = None
    _: dataclasses.KW_ONLY
    body: str
    vector: Vector | None = None
    function: AnyFunction | Sequence[AnyFunction] | None = None
    follower: bool | None = None


@dataclasses.dataclass
class JointForce(Element):
    """A motor's torque or a piston's force on a joint's own coordinate; on b, and the opposite on a.

    Args:
        name: unique within forces; default its place
        joint: name of the joint
        coordinate: "angle", "travel" or "length"; default what the joint leaves free
        function: of time [N m or N]
    """

    _type: ClassVar[str] = "joint-force"
    name: str | None = None
    _: dataclasses.KW_ONLY
    joint: str
    coordinate: Literal["angle", "travel", "length"] | None = None
    function: AnyFunction


Wrench = Union[Vector, Tuple[Vector, Vector]]
BodyLoad = Callable[[float, Floats, Floats, Floats, Floats], Wrench]
CoordinateLoad = Callable[[float, float, float], float]


@dataclasses.dataclass
class Load(Element):
    """A load that is a Python function of time and motion. In memory only: a model with one cannot be saved.

    On a body, ``function(t, position, quaternion, velocity, angular_velocity)`` returns the force [N], or (force, torque) [N, N m], all in
    space. Position [m] and velocity [m/s] are those of the point ``at``, in space; the quaternion w, x, y, z takes body to space
    components; the angular velocity is in the body [rad/s].
    On a joint, or along the line between two points (``between``), ``function(t, value, rate)`` returns the torque [N m] or force [N] on
    b, and the opposite acts on a.

    Implicit methods ask about 3 to 6 times a step, a microsecond or two each. The load has no part in Newton's tangent: it may depend on the
    motion, but one that changes much within a step costs iterations, and one that jumps may keep them from converging. A controller that
    holds its output over a step belongs between steps: ``Simulation.apply_force``.

    Args:
        name: unique within forces; default its place
        function: see above
        body, at: on a body, at a point of its frame [m]; default its origin
        joint, coordinate: on a joint's coordinate; default what the joint leaves free
        between, at_a, at_b: along the line between two points, each in its body [m]
    """

    name: str | None = None
    _: dataclasses.KW_ONLY
    function: BodyLoad | CoordinateLoad
    body: str | None = None
    at: Vector | None = None
    joint: str | None = None
    coordinate: Literal["angle", "travel", "length"] | None = None
    between: Sequence[str] | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None


@dataclasses.dataclass
class Potential(Element):
    """An energy that is a Python function. In memory only: a model with one cannot be saved.

    ``energy(y)`` returns joules. With ``of="coordinate"`` (default) y is a number: the angle [rad] or travel [m] of ``joint``, or the distance
    of two points of ``between`` [m]. With ``of="point"`` y holds the three coordinates of b's point in a frame of a [m] (of space, if a is
    "ground"); with ``of="pose"`` six numbers: these, and the rotation vector from the frame of a to that of b, less than half a turn [rad].

    Methods with discrete gradients (energy-momentum, director, energy-decaying) keep this energy as exactly as that of springs, whatever
    ``gradient`` says: they need the values. The gradient makes the motion right. If it is left out, it is made by automatic differentiation
    with autograd (``pip install polhode[autodiff]``); write ``energy`` with ``autograd.numpy`` then. The Hessian makes Newton's method quick;
    if it is left out, it is made of differences of the gradient.

    An implicit step asks for about 4 values a Newton iteration, a microsecond or two each; without a Hessian 2 more for each number in y,
    and with autograd some 50 microseconds for each gradient.

    Args:
        name: unique within forces; default its place
        energy: W(y) [J]
        gradient: dW/dy: a number, or an array like y
        hessian: a number, or a square array
        of: what y is
        joint, coordinate: whose coordinate; default what the joint leaves free
        between: names of the bodies a and b
        at, at_a, at_b: the points, as for joints [m]
        frame: rotation from the axes of y to space, at the model pose
    """

    name: str | None = None
    _: dataclasses.KW_ONLY
    energy: Callable[[Any], float]
    gradient: Callable[[Any], Any] | None = None
    hessian: Callable[[Any], Any] | None = None
    of: Literal["coordinate", "point", "pose"] = "coordinate"
    joint: str | None = None
    coordinate: Literal["angle", "travel", "length"] | None = None
    between: Sequence[str] | None = None
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    frame: Rotation | None = None


AnyForce = Union[SpringDamper, TorsionalSpringDamper, Bushing, Force, Torque, JointForce, Load, Potential]
BY_TYPE: dict[str, type[Element]] = by_type([SpringDamper, TorsionalSpringDamper, Bushing, Force, Torque, JointForce])
