"""Loads and energies that are Python functions, and how they get into a model: their places travel as a force of the format, the
functions beside it. Their home for users is ``polhode.forces``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Literal, Tuple, Union

import numpy as np

from . import _core
from .element import Element, Floats, Rotation, Vector
from .errors import ModelError

__all__ = ["Load", "Potential"]

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


_CARRIED = ("name", "at", "at_a", "at_b")


def carrier(force: Load | Potential, place: str) -> dict[str, Any]:
    """A force of the JSON format with the same name, bodies and anchors: the reader checks these."""
    data = {key: value for key in _CARRIED if (value := getattr(force, key, None)) is not None}
    if isinstance(force, Load):
        given = [key for key in ("body", "joint", "between") if getattr(force, key) is not None]
        if len(given) != 1:
            raise ModelError(f"{place}: {' and '.join(given) or 'no place'} given; a load needs one of: body, joint, between")
        if force.body is not None:
            return {**data, "type": "force", "body": force.body, "vector": [0, 0, 0]}
    elif force.of not in ("coordinate", "point", "pose"):
        raise ModelError(f'{place}: of is "{force.of}"; there are: coordinate, point, pose')
    elif force.of != "coordinate" and force.joint is not None:
        raise ModelError(f"{place}: joint is given; a potential of {force.of} is between two bodies")
    if force.joint is not None:
        coordinate = {} if force.coordinate is None else {"coordinate": force.coordinate}
        return {**data, "type": "joint-force", "joint": force.joint, **coordinate, "function": 0}
    if force.between is None:
        raise ModelError(f"{place}: between is missing; name two bodies, or a joint")
    return {**data, "type": "spring-damper", "between": force.between}


def attach(handle: _core.ModelHandle, index: int, force: Load | Potential, place: str) -> None:
    """Puts the functions where the carrier stands."""
    if isinstance(force, Load):
        if not callable(force.function):
            raise ModelError(f"{place}: function is {type(force.function).__name__}; expected something to call")
        _core.compute_load(handle, index, force.function)
        return
    for key in ("energy", "gradient", "hessian"):
        function = getattr(force, key)
        if not callable(function) and (key == "energy" or function is not None):
            raise ModelError(f"{place}: {key} is {type(function).__name__}; expected something to call")
    gradient, hessian = force.gradient, force.hessian
    if gradient is None:
        gradient = automatic(force.energy, place)
    _core.compute_potential(handle, index, force.of, quaternion(force.frame, place), force.energy, gradient, hessian)


def automatic(energy: Callable[[Any], float], place: str) -> Callable[[Any], Any]:
    """The gradient by automatic differentiation."""
    try:
        import autograd  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise ModelError(f"{place}: gradient is missing; give it, or install autograd (pip install polhode[autodiff]), "
                         "which derives it from energy") from None
    derivative: Callable[[Any], Any] = autograd.grad(energy)
    return derivative


def quaternion(rotation: Rotation | None, place: str) -> list[float]:
    """Any of the ways to write a rotation as w, x, y, z."""
    if rotation is None:
        return [1.0, 0.0, 0.0, 0.0]
    if isinstance(rotation, dict):
        if set(rotation) == {"axis", "angle"}:
            axis = np.asarray(rotation["axis"], dtype=float)
            vector = axis / np.linalg.norm(axis) * float(rotation["angle"])
        elif set(rotation) == {"rotation_vector"}:
            vector = np.asarray(rotation["rotation_vector"], dtype=float)
        else:
            raise ModelError(f"{place}: frame has the keys {sorted(rotation)}; expected axis and angle, or rotation_vector")
        half = 0.5 * float(np.linalg.norm(vector))
        return [float(np.cos(half)), *(float(x) for x in 0.5 * np.sinc(half / np.pi) * vector)]
    array: Floats = np.asarray(rotation, dtype=float)
    if array.shape == (4,):
        return [float(x) for x in array]
    if array.shape != (3, 3):
        raise ModelError(f"{place}: frame has the shape {array.shape}; expected a quaternion w, x, y, z or a 3x3 matrix")
    if not np.allclose(array @ array.T, np.eye(3), atol=1e-6) or np.linalg.det(array) < 0:
        raise ModelError(f"{place}: frame is not a rotation; its rows must be orthonormal and right-handed")
    # the eigenvector of the largest eigenvalue of the symmetric 4x4 matrix of a rotation: accurate for every angle
    R = array
    K = np.array([[R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
                  [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
                  [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
                  [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]]])
    _, vectors = np.linalg.eigh(K, UPLO="U")
    return [float(x) for x in vectors[:, -1]]
