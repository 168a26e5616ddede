"""The equations of a model as NumPy vectors and SciPy matrices, for people who write methods of their own. docs/python.md has a complete one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._core import State
from .element import Floats
from .model import ModelLike, as_model

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Evaluation", "State", "System"]


def _sparse(coordinates: Any) -> csr_array[Any, Any]:
    from scipy.sparse import coo_array

    values, rows, columns, shape = coordinates
    return coo_array((values, (rows, columns)), shape=shape).tocsr()


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """Forces and residuals, and their tangents by spatial variations at the end."""

    force: Floats
    """f + B^T multipliers, what the balance of inertia M du/dt + force = 0 gets, in the nodes' unknowns; (6 nodes,)"""
    residual: Floats
    """of the joints' equations at the end; (rows,)"""
    tangent: csr_array[Any, Any]
    """of (force, residual) by (delta x, theta) of every node at the end, and by the multipliers; square"""


class System:
    """A model as equations.

    Every node (a body's centre of mass, or its fixed point) has six unknowns: a displacement and a rotation, both in space. Those that a
    lesser node does not have (a particle's rotation) stay in the vectors as zeros; ``mass_matrix`` holds a 1 for each.
    A variation (delta x, theta) moves a node by x + delta x and turns it by R -> exp(theta) R. With u = (v, omega), omega in space:

        M du/dt + (0, omega x J omega) + f + B^T multipliers = 0,    residual = 0
    """

    def __init__(self, model: ModelLike) -> None:
        self._system = _core.System(as_model(model)._handle())

    @property
    def start(self) -> State:
        """The start, made consistent with the joints."""
        return self._system.start

    @property
    def node_count(self) -> int:
        return self._system.node_count

    @property
    def row_count(self) -> int:
        """Equations of the joints."""
        return self._system.row_count

    @property
    def row_labels(self) -> list[str]:
        """Joint and direction of every equation."""
        return self._system.row_labels

    @property
    def mass(self) -> Floats:
        """Of the nodes [kg]."""
        return self._system.mass

    @property
    def inertia(self) -> Floats:
        """About the nodes, in their own axes [kg m^2]; (nodes, 3, 3)."""
        return self._system.inertia

    @property
    def length(self) -> float:
        """A length typical of the model [m], for tolerances."""
        return self._system.length

    def mass_matrix(self, state: State) -> csr_array[Any, Any]:
        """M(q), spatial: mass and R J R^T; (6 nodes, 6 nodes)."""
        n = 6 * self.node_count
        return _sparse(self._system.mass_matrix(state))[:n, :n]

    def constraint_jacobian(self, state: State) -> csr_array[Any, Any]:
        """B(q): the rates of the residuals are B u, less that of drives; (rows, 6 nodes)."""
        return _sparse(self._system.jacobian(state))

    def constraint_residual(self, state: State) -> Floats:
        """Phi(q, t); (rows,)."""
        return self._system.residual(state)

    def evaluate(self, state: State, multipliers: Floats) -> Evaluation:
        """Forces, residuals and tangents at one state; the tangent is at constant velocity."""
        force, residual, tangent = self._system.evaluate_at(state, np.ascontiguousarray(multipliers, dtype=float))
        return Evaluation(force, residual, _sparse(tangent))

    def evaluate_between(self, start: State, end: State, multipliers: Floats) -> Evaluation:
        """The same between two states: discrete gradients, which give back the differences of energies exactly. Velocities do not count,
        dampers get the rates of change over the step."""
        force, residual, tangent = self._system.evaluate_between(start, end, np.ascontiguousarray(multipliers, dtype=float))
        return Evaluation(force, residual, _sparse(tangent))

    def accelerations(self, state: State) -> tuple[Floats, Floats]:
        """du/dt [m/s^2, rad/s^2, in space] and multipliers at a state."""
        return self._system.accelerations(state)

    def step_equations(self, state: State, h: float, dx: Floats, theta: Floats, multipliers: Floats) -> tuple[Floats, csr_array[Any, Any]]:
        """Residual and tangent of a step of energy-momentum with index 3, as its Newton iteration sees them.

        The unknowns are dx and theta (nodes, 3), x1 = x0 + dx and R1 = cay(theta) R0, and the multipliers. Balances come multiplied by h/2
        and the tangent is by multipliers times h^2/2, so that all blocks are of order 1 in h. The tangent is by spatial variations at the end:
        theta varies with the inverse spatial tangent of cay, I - theta~/2 + theta theta^T/4, times the variation.
        """
        residual, tangent = self._system.step_equations(state, float(h), np.ascontiguousarray(dx, dtype=float),
                                                        np.ascontiguousarray(theta, dtype=float), np.ascontiguousarray(multipliers, dtype=float))
        return residual, _sparse(tangent)

    def counted(self, state: State) -> State:
        """The state with the angles of joints counted on to its configuration: to be called after each step."""
        return self._system.counted(state)
