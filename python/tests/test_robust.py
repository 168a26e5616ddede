"""Anything at all as an argument: an exception, or a result; never the end of the interpreter."""

import math

import hypothesis
import numpy as np
from hypothesis import strategies as st

import polhode

ERRORS = (polhode.ModelError, polhode.SimulationError, polhode.ResultError, TypeError, ValueError, KeyError, AttributeError, OverflowError, MemoryError)
SETTINGS = dict(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck))

scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=4), st.complex_numbers())
anything = st.recursive(scalars, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=3)), max_leaves=8)
vectors = st.one_of(anything, st.lists(st.floats(), min_size=3, max_size=3), st.lists(st.floats(-10, 10), min_size=3, max_size=3).map(np.array))
positive = st.one_of(anything, st.floats(1e-3, 1e3))


def attempt(function, *arguments, **options):
    try:
        return function(*arguments, **options)
    except ERRORS:
        return None


@hypothesis.settings(**SETTINGS)
@hypothesis.given(mass=positive, inertia=vectors, position=vectors, velocity=vectors, orientation=anything, gravity=vectors, at=vectors, name=st.one_of(anything, st.just("b")))
def test_any_body_and_joint(mass, inertia, position, velocity, orientation, gravity, at, name):
    body = attempt(polhode.Body, name, mass=mass, inertia=inertia, position=position, velocity=velocity, orientation=orientation)
    model = attempt(polhode.Model, gravity=gravity, bodies=[body], joints=[polhode.joints.Spherical(between=["ground", name], at=at)])
    attempt(polhode.simulate, model, step=0.1, end_time=0.3)
    attempt(polhode.System, model)


@hypothesis.settings(**SETTINGS)
@hypothesis.given(step=positive, end_time=st.one_of(anything, st.floats(0, 0.1)), output_step=anything, assembly=anything, newton=anything, integrator=anything)
def test_any_options(step, end_time, output_step, assembly, newton, integrator):
    if isinstance(step, (int, float)) and isinstance(end_time, (int, float)) and step > 0 and math.isfinite(step) and math.isfinite(end_time):
        hypothesis.assume(end_time / step < 1e4)  # no run of a day, nor memory for its samples
    model = polhode.Model(bodies=[polhode.Particle("p", mass=1)])
    attempt(polhode.simulate, model, step=step, end_time=end_time, output_step=output_step, assembly=assembly, newton=newton, integrator=integrator)


SIM = polhode.Simulation(polhode.Model(bodies=[polhode.Body("b", mass=1, inertia=[1, 1, 1])]), step=1e-3)


@hypothesis.settings(**SETTINGS)
@hypothesis.given(body=st.one_of(anything, st.just("b")), force=vectors, torque=vectors, at=vectors, count=st.one_of(anything, st.integers(-3, 3)))
def test_anything_between_steps(body, force, torque, at, count):
    hypothesis.assume(not (isinstance(count, int) and count > 1000))
    saved = SIM.save()
    attempt(SIM.apply_force, body, force, torque=torque, at=at)
    attempt(SIM.set_velocity, body, force, angular_velocity=torque)
    attempt(SIM.step, count)
    attempt(SIM.state.position, body)
    attempt(SIM.restore, body)
    SIM.apply_force("b")
    SIM.restore(saved)


@hypothesis.settings(**SETTINGS)
@hypothesis.given(answer=anything, energy=anything, gradient=anything, hessian=anything, of=st.sampled_from(["coordinate", "point", "pose"]))
def test_functions_that_return_anything(answer, energy, gradient, hessian, of):
    body = polhode.Body("b", mass=1, inertia=[1, 1, 1], position=[1, 0, 0])
    for force in [
        polhode.forces.Load("load", body="b", function=lambda *_: answer),
        polhode.forces.Load("load", between=["ground", "b"], function=lambda *_: answer),
        polhode.forces.Potential("W", of=of, between=["ground", "b"], energy=lambda y: energy, gradient=lambda y: gradient, hessian=lambda y: hessian),
    ]:
        attempt(polhode.simulate, polhode.Model(bodies=[body], forces=[force]), step=0.1, end_time=0.3)


@hypothesis.settings(**SETTINGS)
@hypothesis.given(data=anything, text=st.text(max_size=40))
def test_any_document(data, text):
    attempt(polhode.Model.from_json, text)
    attempt(polhode.Model.from_json, data)
    attempt(polhode.Model.load, text or "x")
    attempt(polhode.read_result, text or "x")
    attempt(polhode.Model.from_dict, data)
    attempt(polhode.simulate, data)
    if isinstance(data, dict):
        attempt(polhode.simulate, {"bodies": [{"name": "p", "type": "particle", "mass": 1}], **data}, end_time=1e-3)
    attempt(polhode.study.spectrum, data, [0.1])


STATE_OF = polhode.System(polhode.Model(bodies=[polhode.Body("b", mass=1, inertia=[1, 1, 1])]))


@hypothesis.settings(**SETTINGS)
@hypothesis.given(name=st.sampled_from(["time", "position", "quaternion", "velocity", "angular_velocity", "multipliers"]), value=vectors, h=anything)
def test_any_state(name, value, h):
    state = STATE_OF.start
    attempt(setattr, state, name, value)
    attempt(setattr, state, name, np.asarray(value, dtype=object) if value is not None else None)
    for ask in (STATE_OF.mass_matrix, STATE_OF.constraint_jacobian, STATE_OF.accelerations, STATE_OF.counted):
        attempt(ask, state)
        attempt(ask, value)
    attempt(STATE_OF.evaluate, state, value)
    attempt(STATE_OF.step_equations, state, h, value, value, value)
