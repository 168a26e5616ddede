"""Loads and energies that are Python functions: the same motion as the built-in ones, and the same guarantees."""

import ctypes
import gc
import math
import subprocess
import sys

import numpy as np
import pytest

import polhode
from polhode import forces


def pair(*elements):
    """Two tumbling blocks, free."""
    block = dict(mass=2, inertia=[0.3, 0.2, 0.4], angular_velocity=[1, -2, 0.5])
    return polhode.Model(
        name="pair",
        bodies=[polhode.Body("a", position=[0, 0, 0], velocity=[0.1, 0, -0.2], **block), polhode.Body("b", position=[1, 0.2, 0.1], velocity=[0, 0.3, 0], **block)],
        forces=list(elements),
        simulation=polhode.SimulationOptions(step=0.01, end_time=1),
    )


ANCHORS = dict(between=["a", "b"], at_a=[0.1, 0.2, 0], at_b=[-0.1, 0, 0.1])


def apart(a, b):
    return max(np.abs(a["bodies/position"] - b["bodies/position"]).max(), np.abs(a["bodies/quaternion"] - b["bodies/quaternion"]).max())


def test_a_quadratic_energy_is_a_spring():
    spring = polhode.simulate(pair(forces.SpringDamper("s", stiffness=30, length=0.8, **ANCHORS)))
    mine = polhode.simulate(pair(forces.Potential("s", energy=lambda y: 15 * (y - 0.8) ** 2, gradient=lambda y: 30 * (y - 0.8), hessian=lambda y: 30, **ANCHORS)))
    assert apart(spring, mine) < 1e-12
    assert np.allclose(mine.energy.strain, spring.energy.strain, rtol=0, atol=1e-12)


ENERGIES = {
    "length": forces.Potential("W", energy=lambda y: 5 * (y - 0.5) ** 4, gradient=lambda y: 20 * (y - 0.5) ** 3, **ANCHORS),
    "point": forces.Potential("W", of="point", energy=lambda y: (y[0] ** 2 - 1) ** 2 + 3 * y[1] ** 2 + y[2] ** 4,
                              gradient=lambda y: np.array([4 * y[0] * (y[0] ** 2 - 1), 6 * y[1], 4 * y[2] ** 3]), **ANCHORS),
    "pose": forces.Potential("W", of="pose", energy=lambda y: y[:3] @ y[:3] + 2 * (1 - math.cos(y[3])) + y[4] ** 2 + y[5] ** 2,
                             gradient=lambda y: [2 * y[0], 2 * y[1], 2 * y[2], 2 * math.sin(y[3]), 2 * y[4], 2 * y[5]],
                             frame={"axis": [1, 2, 3], "angle": 0.4}, **ANCHORS),
}


@pytest.mark.parametrize("kind", ENERGIES)
@pytest.mark.parametrize("integrator", [polhode.EnergyMomentum(), polhode.EnergyMomentum(order=4), polhode.Director()], ids=str)
def test_energy_and_momentum_are_kept_to_rounding(kind, integrator):
    c = polhode.simulate(pair(ENERGIES[kind]), integrator=integrator).certificate
    assert c.energy.max_relative_error < 1e-12
    assert c.momentum.linear_error < 1e-13 and c.momentum.angular_error < 1e-12 and c.momentum.angular_components == 3


def test_energy_is_kept_even_with_a_wrong_gradient():
    """What the discrete gradient needs is the energy itself; a gradient that is off by 1 % makes the motion wrong, not the balance."""
    wrong = forces.Potential("W", energy=lambda y: 5 * (y - 0.5) ** 4, gradient=lambda y: 20.2 * (y - 0.5) ** 3, **ANCHORS)
    assert polhode.simulate(pair(wrong)).certificate.energy.max_relative_error < 1e-12


def test_the_gradient_is_derived_by_autograd():
    pytest.importorskip("autograd")
    import autograd.numpy as anp

    energy = lambda y: anp.sum(anp.cosh(y) - 1)  # noqa: E731
    derived = polhode.simulate(pair(forces.Potential("W", of="point", energy=energy, **ANCHORS)), end_time=0.2)
    given = polhode.simulate(pair(forces.Potential("W", of="point", energy=energy, gradient=np.sinh, **ANCHORS)), end_time=0.2)
    assert apart(derived, given) < 1e-12


def test_a_planet_stays_on_its_ellipse():
    """Kepler's motion, W = -1/r: period 2 pi, eccentricity 0.5. As an energy of the distance it keeps the angular momentum about the sun."""
    planet = polhode.Model(
        bodies=[polhode.Particle("planet", mass=1, position=[0.5, 0, 0], velocity=[0, math.sqrt(3), 0])],
        forces=[forces.Potential("sun", between=["ground", "planet"], energy=lambda r: -1 / r, gradient=lambda r: 1 / r**2, hessian=lambda r: -2 / r**3)],
    )
    result = polhode.simulate(planet, integrator=polhode.EnergyMomentum(order=4), step=2 * math.pi / 2000, end_time=2 * math.pi)
    assert result.certificate.energy.max_relative_error < 1e-12
    assert np.allclose(result.position("planet")[-1], [0.5, 0, 0], atol=1e-6)  # order 4
    assert np.ptp(result.angular_momentum[:, 2]) < 2e-12  # rounding of 10 000 substeps; measured 6e-13


def test_a_load_that_is_constant_is_a_force():
    given = polhode.simulate(pair(forces.Force("f", body="b", at=[0.1, 0.2, -0.1], vector=[1, -2, 0.5])))
    mine = polhode.simulate(pair(forces.Load("f", body="b", at=[0.1, 0.2, -0.1], function=lambda t, x, q, v, w: [1, -2, 0.5])))
    assert apart(given, mine) < 1e-13
    assert mine.certificate.work.loads.f == pytest.approx(given.certificate.work.loads.f, abs=1e-12)


def test_a_load_sees_the_motion_of_its_point():
    seen = []

    def watch(t, x, q, v, w):
        seen.append((t, x, q, v, w))
        return [0, 0, 0], [0, 0, 0]

    model = pair(forces.Load("eye", body="b", at=[0, 0.5, 0], function=watch))
    result = polhode.simulate(model, integrator=polhode.GeneralizedAlpha(), step=1e-3, end_time=0.1, output_step=1e-3)
    t, x, q, v, w = seen[-1]
    k = int(np.argmin(np.abs(result.time - t)))
    assert np.allclose(x, result.point("b", [0, 0.5, 0])[k], atol=2e-3)
    assert np.allclose(abs(q @ result.quaternion("b")[k]), 1, atol=1e-5)
    assert np.allclose(w, result.angular_velocity("b")[k], atol=2e-2)


def test_drag_takes_energy_and_the_balance_closes():
    model = pair(forces.Load("drag", body="b", function=lambda t, x, q, v, w: (-0.7 * np.linalg.norm(v) * v, -0.1 * w)))
    c = polhode.simulate(model).certificate
    assert c.work.loads.drag < -0.01 and c.energy.balance_error < 1e-12
    assert c.momentum.linear_components == 0


def test_a_load_on_a_joint_is_a_motor():
    def arm(force):
        return polhode.Model(
            bodies=[polhode.Body("arm", mass=1, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])],
            joints=[polhode.joints.Revolute("hinge", between=["ground", "arm"], at=[0, 0, 0], axis=[0, 0, 1])],
            forces=[force],
            simulation=polhode.SimulationOptions(step=1e-2, end_time=2),
        )

    damper = polhode.simulate(arm(forces.TorsionalSpringDamper("m", joint="hinge", stiffness=4, damping=0.3, angle=1)))
    mine = polhode.simulate(arm(forces.Load("m", joint="hinge", function=lambda t, angle, rate: -4 * (angle - 1) - 0.3 * rate)))
    assert apart(damper, mine) < 1e-11


def test_what_python_functions_may_not_return():
    wrong = {
        "a text": (lambda *_: "abc", TypeError),
        "two numbers": (lambda *_: [1, 2], ValueError),
        "nan": (lambda *_: [0, 0, math.nan], ValueError),
        "nothing": (lambda *_: None, TypeError),
        "an error": (lambda *_: 1 / 0, ZeroDivisionError),
        "too few arguments": (lambda t: [0, 0, 0], TypeError),
    }
    for what, (function, error) in wrong.items():
        with pytest.raises(error) as caught:
            polhode.simulate(pair(forces.Load("bad", body="b", function=function)))
        assert error is ZeroDivisionError or "bad" in str(caught.value) or what == "too few arguments", what
    for energy, error in [(lambda y: "abc", TypeError), (lambda y: math.inf, ValueError)]:
        with pytest.raises(error, match="bad"):
            polhode.simulate(pair(forces.Potential("bad", energy=energy, gradient=lambda y: 0.0, **ANCHORS)))


def test_an_exception_in_a_load_keeps_what_was_computed():
    def late(t, x, q, v, w):
        if t > 0.5:
            raise LookupError("enough")
        return [0, 0, 0]

    sim = polhode.Simulation(pair(forces.Load("late", body="b", function=late)), output_step=0.01)
    with pytest.raises(LookupError, match="enough"):
        sim.run()
    assert 0.45 < sim.time < 0.55
    result = polhode.Result(sim._run.recording)
    assert not result.complete and len(result) >= 45
    assert result.status == "failed" and "exception" in result.certificate.reason
    with pytest.raises(RuntimeError, match="restore a checkpoint"):
        sim.step()


def test_descriptions_that_make_no_sense_are_refused():
    cases = [
        (forces.Load("x", function=lambda *_: 0), "no place"),
        (forces.Load("x", body="b", joint="j", function=lambda *_: 0), "body and joint"),
        (forces.Load("x", body="c", function=lambda *_: 0), 'no body "c"'),
        (forces.Load("x", body="b", function=3), "function"),
        (forces.Potential("x", energy=lambda y: 0, gradient=lambda y: 0), "between"),
        (forces.Potential("x", energy=3, gradient=lambda y: 0, **ANCHORS), "energy"),
        (forces.Potential("x", of="twist", energy=lambda y: 0, gradient=lambda y: 0, **ANCHORS), "twist"),
        (forces.Potential("x", energy=lambda y: 0, gradient=lambda y: 0, between=["a", "z"]), '"z"'),
        (forces.Potential("x", of="pose", energy=lambda y: 0, gradient=lambda y: 0, frame=[[1, 0], [0, 1]], **ANCHORS), "frame"),
        (forces.Potential("x", of="point", joint="j", energy=lambda y: 0, gradient=lambda y: 0), "joint"),
    ]
    for force, words in cases:
        with pytest.raises(polhode.ModelError, match=words) as caught:
            polhode.simulate(pair(forces.SpringDamper("first", stiffness=1, **ANCHORS), force))
        assert caught.value.path.startswith("forces[1]"), caught.value


def test_a_model_with_functions_cannot_be_written(tmp_path):
    model = pair(ENERGIES["length"])
    for write in (model.to_json, model.to_dict, lambda: model.save(tmp_path / "x.json")):
        with pytest.raises(polhode.ModelError, match="computed by a program"):
            write()
    assert polhode.simulate(model, end_time=0.1).complete


def test_a_load_may_not_step_its_own_simulation():
    holder = {}
    model = pair(forces.Load("loop", body="b", function=lambda *_: holder["sim"].step() or [0, 0, 0]))
    try:
        holder["sim"] = polhode.Simulation(model)
    except KeyError:  # asked while the start was made
        holder["sim"] = None
        model.force("loop").function = lambda *_: (holder["sim"].step() if holder["sim"] else None) or [0, 0, 0]
        holder["sim"] = polhode.Simulation(model)
    with pytest.raises(RuntimeError, match="at work already"):
        holder["sim"].step()
    holder.clear()
    gc.collect()


LEAK = """
import gc, polhode
from polhode import forces

def make():
    model = polhode.Model(bodies=[polhode.Body("b", mass=1, inertia=[1, 1, 1])])
    holder = {}
    model.forces.append(forces.Load("f", body="b", function=lambda t, x, q, v, w: [0, 0, holder.get("sim") is not None]))
    holder["sim"] = polhode.Simulation(model)   # a cycle: the load knows the simulation that knows the load
    holder["sim"].step(10)
    holder["system"] = polhode.System(model)
    return holder["sim"].run()

results = [make() for _ in range(5)]
polhode.study.spectrum("energy-momentum", [0.1])
try:
    polhode.simulate(polhode.Model(bodies=[polhode.Particle("p", mass=-1)]))
except polhode.ModelError:
    pass
"""


def test_nothing_leaks():
    """nanobind counts its objects when the interpreter ends, and tells of those that are left."""
    done = subprocess.run([sys.executable, "-c", LEAK], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "leak" not in done.stderr, done.stderr


@pytest.mark.parametrize("odd", [(ctypes.c_double * 3)(1, 2, 3), np.datetime64("2020-01-01"), np.timedelta64(3, "s"), np.array(["2020"], dtype="datetime64[D]"),
                                 [np.datetime64("2020-01-01")] * 3, [1j, 0, 0], np.array([1j, 0, 0]), b"abc", bytearray(24), ["1", "2", "3"],
                                 {1: 2}, {1, 2, 3}, [[1], [2, 3]], None, object()])
def test_what_a_load_returns_is_three_numbers_or_an_error(odd):
    model = pair(forces.Load("l", body="b", function=lambda *_: odd))
    if isinstance(odd, ctypes.Array):
        assert polhode.simulate(model, end_time=0.01).complete  # three doubles, whoever holds them
    else:
        with pytest.raises((TypeError, ValueError), match='"l"'):
            polhode.simulate(model, end_time=0.01)


@pytest.mark.parametrize("odd", [(ctypes.c_double * 1)(1), np.datetime64("2020-01-01"), 1j, "1", None])
def test_what_an_energy_returns_is_a_number_or_an_error(odd):
    model = pair(forces.Potential("W", energy=lambda y: y, gradient=lambda y: odd, **ANCHORS))
    if isinstance(odd, ctypes.Array):
        assert polhode.simulate(model, end_time=0.01).complete
    else:
        with pytest.raises((TypeError, ValueError), match='"W"'):
            polhode.simulate(model, end_time=0.01)
