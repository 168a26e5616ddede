"""How Python functions get into a model: the places of a load or an energy travel as a force of the format, the functions beside it."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core
from .element import Floats, Rotation
from .errors import ModelError
from .forces import Load, Potential

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
