"""The equations of a model: they agree with each other, with differences, and with the built-in integrator."""

import importlib.util

import numpy as np
import pytest
from conftest import ROOT

import polhode

pytest.importorskip("scipy")
PATHS = [ROOT / "models" / f"{name}.json" for name in ("heavy_top", "flyball_governor", "slider_crank", "planar_four_bar")]


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def model(request):
    return polhode.Model.load(request.param)


def moved(system, state, u, h):
    """x + h v, exp(h omega) R, for u = (v, omega) of every node, in space."""
    out = state.copy()
    u = u.reshape(-1, 6)
    out.position = state.position + h * u[:, :3]
    half = 0.5 * h * u[:, 3:]
    angle = np.linalg.norm(half, axis=1)
    w, v = np.cos(angle), np.sinc(angle / np.pi)[:, None] * half
    q = state.quaternion
    new = np.column_stack([w * q[:, 0] - (v * q[:, 1:]).sum(1), w[:, None] * q[:, 1:] + q[:, :1] * v + np.cross(v, q[:, 1:])])
    out.quaternion = new / np.linalg.norm(new, axis=1)[:, None]
    return out


def test_the_start_meets_the_joints(model):
    system = polhode.System(model)
    state = system.start
    B = system.constraint_jacobian(state)
    assert B.shape == (system.row_count, 6 * system.node_count)
    assert np.abs(system.constraint_residual(state)).max() < 1e-12
    R = polhode.result.rotation_matrices(state.quaternion)
    u = np.column_stack([state.velocity, np.einsum("nij,nj->ni", R, state.angular_velocity)]).ravel()
    if not model.drives:
        assert np.abs(B @ u).max() < 1e-9 * max(1, np.abs(u).max())


def test_the_jacobian_is_the_derivative_of_the_residual(model):
    system = polhode.System(model)
    state = system.start
    u = np.random.default_rng(1).normal(size=6 * system.node_count)
    h = 1e-5
    difference = (system.constraint_residual(moved(system, state, u, h)) - system.constraint_residual(moved(system, state, u, -h))) / (2 * h)
    assert np.allclose(system.constraint_jacobian(state) @ u, difference, atol=1e-8)


def test_the_mass_matrix_gives_the_kinetic_energy(model):
    system = polhode.System(model)
    state = system.start
    M = system.mass_matrix(state)
    assert abs(M - M.T).max() < 1e-15 * abs(M).max()
    R = polhode.result.rotation_matrices(state.quaternion)
    u = np.column_stack([state.velocity, np.einsum("nij,nj->ni", R, state.angular_velocity)]).ravel()
    assert 0.5 * u @ (M @ u) == pytest.approx(polhode.Simulation(model).energy.kinetic, rel=1e-12, abs=1e-12)


def test_accelerations_and_forces_balance(model):
    system = polhode.System(model)
    state = system.start
    acceleration, multipliers = system.accelerations(state)
    force = system.evaluate(state, multipliers).force
    R = polhode.result.rotation_matrices(state.quaternion)
    omega = np.einsum("nij,nj->ni", R, state.angular_velocity)
    spin = np.einsum("nij,njk,nk->ni", R, system.inertia, state.angular_velocity)
    gyroscopic = np.column_stack([0 * omega, np.cross(omega, spin)]).ravel()
    balance = system.mass_matrix(state) @ acceleration + force + gyroscopic
    assert np.abs(balance).max() < 1e-8 * max(1, np.abs(force).max())


def test_the_tangent_is_the_derivative(model):
    system = polhode.System(model)
    state = system.start
    random = np.random.default_rng(2)
    n, m = 6 * system.node_count, system.row_count
    end = moved(system, state, random.normal(size=n), 0.05)
    end.time = state.time + 0.01
    multipliers = random.normal(size=m)
    u, dm, h = random.normal(size=n), random.normal(size=m), 1e-5

    def at(s):
        q = moved(system, end, u, s * h)
        q.time = end.time
        e = system.evaluate_between(state, q, multipliers + s * h * dm)
        return np.concatenate([e.force, e.residual])

    tangent = system.evaluate_between(state, end, multipliers).tangent
    exact = (at(1) - at(-1)) / (2 * h)
    assert np.allclose(tangent @ np.concatenate([u, dm]), exact, rtol=1e-6, atol=1e-6 * np.abs(exact).max())


def test_the_equations_of_a_step_are_solved_by_the_step(model):
    """Residuals of energy-momentum are zero at what its own step gives."""
    h = 1e-3
    sim = polhode.Simulation(model, integrator=polhode.EnergyMomentum(index=3), step=h)
    system = polhode.System(model)
    before = sim.node_state
    sim.step()
    after = sim.node_state
    dx = after.position - before.position
    q0, q1 = before.quaternion, after.quaternion
    w = (q0 * q1).sum(1)
    v = q0[:, :1] * q1[:, 1:] - q1[:, :1] * q0[:, 1:] - np.cross(q1[:, 1:], q0[:, 1:])
    theta = 2 * v / w[:, None]
    residual, tangent = system.step_equations(before, h, dx, theta, after.multipliers)
    assert np.abs(residual).max() < 1e-11 * max(1, np.abs(system.mass).max())
    assert tangent.shape == (len(residual), len(residual))


def test_the_integrator_of_the_documentation_is_the_built_in_one():
    spec = importlib.util.spec_from_file_location("own_integrator", ROOT / "examples/own_integrator/own_integrator.py")
    own = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(own)
    for path in PATHS[:3]:
        if path.stem == "slider_crank" and any(not isinstance(b, polhode.Body) for b in polhode.Model.load(path).bodies):
            continue
        assert own.difference(polhode.Model.load(path), 1e-3, 30) < 1e-10, path


def test_wrong_states_and_shapes_are_refused(top, pendulum):
    system, other = polhode.System(top), polhode.System(pendulum)
    two = polhode.System(polhode.Model(bodies=[polhode.Particle("a", mass=1), polhode.Particle("b", mass=1)]))
    with pytest.raises(ValueError, match="another model"):
        system.mass_matrix(two.start)
    with pytest.raises(ValueError, match="shape"):
        system.evaluate(system.start, np.zeros(7))
    with pytest.raises(ValueError, match="same time"):
        system.evaluate_between(system.start, system.start, np.zeros(3))
    state = other.start
    for name, wrong in [("position", np.zeros((2, 3))), ("quaternion", np.zeros((1, 4))), ("velocity", np.full((1, 3), np.nan)), ("position", "abc"), ("time", "x")]:
        with pytest.raises((TypeError, ValueError)):
            setattr(state, name, wrong)
    with pytest.raises(ValueError):
        system.step_equations(system.start, 0.0, np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(3))
