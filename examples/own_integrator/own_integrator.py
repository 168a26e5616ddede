"""An integrator written in Python: the energy-momentum rule, on the library's forces, joints and tangents, checked against the built-in one.

    R1 = cay(theta) R0,   v1 = 2 dx/h - v0,   Omega1 = (2/h) R0^T theta - Omega0
    m (v1 - v0)               + h f_x     = 0
    R1 J Omega1 - R0 J Omega0 + h f_theta = 0,     Phi(q1, t1) = 0

for dx, theta and the multipliers in f, with f the discrete gradient between both ends. For models of rigid bodies.
"""

import pathlib
import sys

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array, block_diag, csr_array
from scipy.sparse.linalg import spsolve

import polhode

Array = NDArray[np.float64]


def hat(a: Array) -> Array:
    """a~, the matrix of the cross product."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def matrix(q: Array) -> Array:
    """R of a unit quaternion."""
    w, v = q[0], q[1:]
    out: Array = np.eye(3) + 2 * w * hat(v) + 2 * hat(v) @ hat(v)
    return out


def turned(theta: Array, q: Array) -> Array:
    """The quaternion of cay(theta) R(q)."""
    w, v = 1.0, 0.5 * theta
    product = np.concatenate([[w * q[0] - v @ q[1:]], w * q[1:] + q[0] * v + np.cross(v, q[1:])])
    out: Array = product / np.linalg.norm(product)
    return out


def step(system: polhode.System, start: polhode.State, h: float) -> polhode.State:
    """One step h."""
    n, mass, J = system.node_count, system.mass, system.inertia
    x0, q0, v0, Omega0 = start.position, start.quaternion, start.velocity, start.angular_velocity
    R0 = [matrix(q) for q in q0]
    dx: Array = h * v0
    theta: Array = h * np.array([R0[i] @ Omega0[i] for i in range(n)])
    multipliers = start.multipliers
    end = start.copy()
    end.time = start.time + h

    for iteration in range(20):
        end.position = x0 + dx
        end.quaternion = np.array([turned(theta[i], q0[i]) for i in range(n)])
        at = system.evaluate_between(start, end, multipliers)

        # inertia of each node, and its tangent by (delta x, spatial rotation) at the end
        balance, blocks = np.zeros(6 * n), []
        for i in range(n):
            R1 = matrix(end.quaternion[i])
            p1 = R1 @ J[i] @ (2 / h * R0[i].T @ theta[i] - Omega0[i])
            T_inverse = np.eye(3) - 0.5 * hat(theta[i]) + 0.25 * np.outer(theta[i], theta[i])
            balance[6 * i : 6 * i + 3] = mass[i] * (2 / h * dx[i] - 2 * v0[i])
            balance[6 * i + 3 : 6 * i + 6] = p1 - R0[i] @ J[i] @ Omega0[i]
            blocks += [2 / h * mass[i] * np.eye(3), 2 / h * R1 @ J[i] @ R0[i].T @ T_inverse - hat(p1)]

        N = 6 * n
        K = at.tangent
        tangent = block_array([[block_diag(blocks) + h * K[:N, :N], h * K[:N, N:]], [K[N:, :N], K[N:, N:]]], format="csc")
        change = -spsolve(tangent, np.concatenate([balance + h * at.force, at.residual]))
        for i in range(n):
            turn = change[6 * i + 3 : 6 * i + 6]
            dx[i] += change[6 * i : 6 * i + 3]
            theta[i] += turn - 0.5 * np.cross(theta[i], turn) + 0.25 * theta[i] * (theta[i] @ turn)
        multipliers = multipliers + change[N:]
        if np.abs(change[:N]).max() < 1e-9:  # quadratic convergence: the next would be below rounding
            break
    else:
        raise RuntimeError(f"no convergence at t = {start.time:g} s")

    end.position = x0 + dx
    end.quaternion = np.array([turned(theta[i], q0[i]) for i in range(n)])
    end.velocity = 2 / h * dx - v0
    end.angular_velocity = np.array([2 / h * R0[i].T @ theta[i] - Omega0[i] for i in range(n)])
    end.multipliers = multipliers
    return system.counted(end)


def difference(model: polhode.Model, h: float, steps: int) -> float:
    """How far this integrator and the built-in one are apart after some steps: positions [m] and quaternions."""
    system = polhode.System(model)
    state = system.start
    for _ in range(steps):
        state = step(system, state, h)
    built_in = polhode.Simulation(model, integrator=polhode.EnergyMomentum(index=3), step=h)
    built_in.step(steps)
    other = built_in.node_state
    return float(max(np.abs(state.position - other.position).max(), np.abs(state.quaternion - other.quaternion).max()))


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent
    path = sys.argv[1] if len(sys.argv) > 1 else here / "../../models/flyball_governor.json"
    apart = difference(polhode.Model.load(path), 1e-3, 50)
    print(f"{path}: {apart:.1e} apart from the built-in method after 50 steps")
    assert apart < 1e-10
