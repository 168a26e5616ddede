"""Step by step: the same motion as a run, and what may be done to it in between."""

import gc
import math

import numpy as np
import pytest

import polhode


def test_steps_make_the_same_motion_as_a_run(top):
    sim = polhode.Simulation(top)
    positions = [sim.state.position("top")]
    while not sim.done:
        sim.step()
        positions.append(sim.state.position("top"))
    result = polhode.simulate(top, output_step=1e-3)
    assert np.array_equal(positions, result.position("top"))
    assert sim.steps_done == sim.steps == 100 and sim.time == 0.1
    assert sim.energy.total == result.energy.total[-1]
    assert sim.certificate.energy.balance_error == result.certificate.energy.balance_error


def test_many_steps_at_once_are_single_ones(top):
    one, many = polhode.Simulation(top), polhode.Simulation(top)
    for _ in range(50):
        one.step()
    many.step(50)
    assert np.array_equal(one.state.quaternions, many.state.quaternions)
    many.step(1000)  # beyond the end
    assert many.time == pytest.approx(1.05)


def test_a_snapshot_knows_all(top):
    sim = polhode.Simulation(top)
    sim.step(10)
    now = sim.state
    R = now.rotation_matrix("top")
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-14)
    assert np.allclose(now.position("top"), R @ [0, 1, 0], atol=1e-14)  # the tip stays at the origin
    assert now.reactions.shape == (1, 6) and np.linalg.norm(now.reaction("tip")[:3]) > 10
    assert now.energy.total == pytest.approx(sim.certificate.energy.final)
    with pytest.raises(KeyError, match='did you mean "top"'):
        now.position("tops")
    now.positions[:] = 0  # a copy
    assert np.linalg.norm(sim.state.position("top")) == pytest.approx(1)


def test_a_force_between_steps_is_the_force_of_the_model(top):
    pushed = top.copy()
    pushed.forces.append(polhode.forces.Force("push", body="top", at=[0, 0.5, 0], vector=[0, 0, 30]))
    pushed.forces.append(polhode.forces.Torque("turn", body="top", vector=[1, 0, 0]))
    with_model, by_hand = polhode.Simulation(pushed), polhode.Simulation(top)
    by_hand.apply_force("top", [0, 0, 30], torque=[1, 0, 0], at=[0, 0.5, 0])
    with_model.step(50)
    by_hand.step(50)
    assert np.allclose(with_model.state.position("top"), by_hand.state.position("top"), rtol=0, atol=1e-12)
    assert by_hand.certificate.work.loads["(applied)"] == pytest.approx(sum(with_model.certificate.work.loads.values()))
    assert by_hand.certificate.energy.balance_error < 1e-12
    energy = by_hand.energy.total
    by_hand.apply_force("top")  # nothing any more
    by_hand.step(50)
    assert by_hand.energy.total == pytest.approx(energy, rel=1e-12)


def test_a_velocity_between_steps_meets_the_joints(pendulum):
    sim = polhode.Simulation(pendulum)
    sim.step(10)
    sim.set_velocity("bob", [1, 2, 3])
    x, v = sim.state.position("bob"), sim.state.velocity("bob")
    assert abs(x @ v) < 1e-13  # along the sphere
    wanted = np.array([1, 2, 3]) - x * (x @ [1, 2, 3])  # the least change
    assert np.allclose(v, wanted, atol=1e-12)
    sim.step(100)
    assert sim.certificate.energy.balance_error < 1e-12


def test_saved_and_restored_it_goes_the_same_way(top):
    sim = polhode.Simulation(top, integrator=polhode.GeneralizedAlpha(rho_inf=0.9))
    sim.step(20)
    saved = sim.save()
    sim.step(30)
    once = sim.state
    sim.restore(saved)
    assert sim.steps_done == 20
    sim.step(30)
    assert np.array_equal(once.positions, sim.state.positions) and np.array_equal(once.velocities, sim.state.velocities)
    with pytest.raises(ValueError, match="another model"):
        polhode.Simulation(top, integrator=polhode.EnergyMomentum()).restore(saved)


def test_restore_brings_back_forces_figures_and_samples(top):
    """D3: applied forces are part of a checkpoint; the certificate and the samples are those of the motion that led there."""
    straight, sim = polhode.Simulation(top), polhode.Simulation(top)
    straight.step(60)
    sim.step(20)
    saved = sim.save()
    sim.apply_force("top", [0, 0, 50])
    sim.step(20)
    sim.run()
    sim.restore(saved)
    sim.step(40)
    assert np.array_equal(straight.state.positions, sim.state.positions)
    mine, other = (dict(s.certificate.to_dict()) for s in (straight, sim))
    mine.pop("seconds"), other.pop("seconds")
    assert mine == other
    sim.restore(saved)
    assert np.all(np.diff(sim.run().time) > 0)  # no sample of the motion that was taken back


def test_looking_changes_nothing(top):
    """D8: whoever reads the state between samples does not change what is recorded."""
    plain, watched = (polhode.Simulation(top, output_step=0.02) for _ in range(2))
    for sim in (plain, watched):
        sim.step(10)
    watched.state, watched.energy, watched.certificate, watched.save()
    one, other = plain.run(), watched.run()
    for dataset, *_ in polhode._core.result_fields():
        assert np.array_equal(one[dataset], other[dataset]), dataset
    assert one["newton/iterations"][0] >= 20  # of the 20 steps before it, also those that were looked at


def test_a_run_by_steps_has_the_certificate_of_a_run(top):
    """D4: residuals are taken every step; reactions at samples, and said to be not taken without any."""
    integrator = polhode.GeneralizedAlpha(rho_inf=0.9)
    sim = polhode.Simulation(top, integrator=integrator)
    sim.step(sim.steps)
    run = polhode.simulate(top, integrator=integrator, output_step=0.02).certificate
    assert sim.certificate.constraints.velocity == run.constraints.velocity > 0
    assert sim.certificate.reactions.tip.max_force is None and sim.certificate.reaction_samples == 0
    assert run.reactions.tip.max_force > 0 and run.reaction_samples == 6
    assert "not taken" in str(sim.certificate) and "largest of 6 samples" in str(run)


def test_a_file_is_whole_wherever_a_run_is_taken_up(top, tmp_path):
    top = top.copy(step=1e-3, end_time=0.0455, output_step=5e-3)
    whole = polhode.simulate(top)
    assert len(whole.time) == 11

    def same(path, first, count, complete=True):
        read = polhode.read_result(path)
        assert read.complete == complete
        assert np.array_equal(read.time, whole.time[first:first + count])
        assert np.array_equal(read.position("top"), whole.position("top")[first:first + count])

    for steps in (1, 10, 12, 45):
        sim = polhode.Simulation(top)
        sim.step(steps)
        result = sim.run(output=tmp_path / "steps.h5")
        same(tmp_path / "steps.h5", steps // 5 + 1, 10 - steps // 5)
        assert len(result.time) == 10 - steps // 5
    sim.run(output=tmp_path / "again.h5")  # at its end: what was recorded
    same(tmp_path / "again.h5", 10, 1)

    sim = polhode.Simulation(top)
    sim.step(sim.steps)
    with pytest.raises(polhode.ResultError, match="nothing to write"):
        sim.run(output=tmp_path / "steps.h5")
    same(tmp_path / "steps.h5", 10, 1)  # what stood there still does

    sim = polhode.Simulation(top)
    saved = sim.save()
    for _ in range(2):
        sim.run(output=tmp_path / "twice.h5")
        same(tmp_path / "twice.h5", 0, 11)
    sim.restore(saved)
    sim.run(output=tmp_path / "twice.h5")
    same(tmp_path / "twice.h5", 0, 11)


def test_steps_beyond_a_short_last_one_are_of_the_step(top):
    """D6"""
    sim = polhode.Simulation(top, step=1e-3, end_time=2.5e-3)
    times = [sim.time]
    for _ in range(5):
        sim.step()
        times.append(sim.time)
    assert np.allclose(np.diff(times), [1e-3, 1e-3, 0.5e-3, 1e-3, 1e-3], rtol=1e-12, atol=0)


def test_a_controller_holds_a_pendulum_up(pendulum):
    """Proportional and differential force on the bob, held over each step, drives it to the top."""
    sim = polhode.Simulation(pendulum, step=2e-3)
    goal = np.array([math.sin(0.3), 0, math.cos(0.3)])
    while sim.time < 6:
        now = sim.state
        sim.apply_force("bob", 60 * (goal - now.position("bob")) - 12 * now.velocity("bob") + np.array([0, 0, 9.81]))
        sim.step()
    assert np.allclose(sim.state.position("bob"), goal, atol=1e-3)


@pytest.mark.parametrize("words", [("tpo", [0, 0, 1]), ("ground", [0, 0, 1]), (3, [0, 0, 1]), ("top", [0, 1]), ("top", [0, 0, float("nan")]), ("top", "abc"),
                                   ("top", [[0, 0, 1]]), ("top", [0, None, 1])])
def test_wrong_forces_and_velocities_are_refused(top, words):
    sim = polhode.Simulation(top)
    for act in (sim.apply_force, sim.set_velocity):
        with pytest.raises((KeyError, TypeError, ValueError)):
            act(*words)
    sim.step()


def test_wrong_counts_are_refused(top):
    sim = polhode.Simulation(top)
    for wrong in (-1, 1.5, "1", None):
        with pytest.raises((TypeError, ValueError)):
            sim.step(wrong)
    assert sim.steps_done == 0


def test_a_step_that_fails_says_where(pendulum):
    from test_simulate import winch

    sim = polhode.Simulation(winch(pendulum))
    with pytest.raises(polhode.SimulationError) as caught:
        while True:
            sim.step()
    assert caught.value.step == sim.steps_done + 1 and caught.value.time == pytest.approx(sim.time, rel=1e-5) and sim.done
    gc.collect()


def test_the_error_is_estimated_of_the_model_alone(top):
    sim = polhode.Simulation(top)
    sim.apply_force("top", [100, 0, 0])
    with pytest.raises(ValueError, match="apply nothing before it"):
        sim.run(estimate_error=True)


def test_a_checkpoint_of_other_steps_is_refused(top):
    saved = polhode.Simulation(top, step=1e-3).save()
    with pytest.raises(ValueError, match="step 0.001 s"):
        polhode.Simulation(top, step=2e-3).restore(saved)


def pendulum(length=1.0, mass=1.0, **more):
    return polhode.Model(
        gravity=[0, 0, -9.81],
        bodies=[polhode.Body("bob", mass=mass, inertia=[0.1, 0.1, 0.1], position=[length, 0, 0])],
        joints=[polhode.joints.Revolute("hinge", between=["ground", "bob"], at=[0, 0, 0], axis=[0, 1, 0])],
        **more,
    )


@pytest.mark.parametrize("other", [pendulum(length=2), pendulum(mass=1 + 2**-52), pendulum(forces=[polhode.forces.Force("f", body="bob", vector=[0, 0, 1])])])
def test_a_checkpoint_of_another_model_is_refused(other):
    """Also one that has the same sizes: its motion would go on with joints that are open."""
    saved, sim = polhode.Simulation(pendulum(), step=1e-3).save(), polhode.Simulation(other, step=1e-3)
    before = sim.state.positions
    with pytest.raises(ValueError, match="another model"):
        sim.restore(saved)
    sim.step()
    assert sim.steps_done == 1 and np.allclose(sim.state.positions, before, atol=1e-4)


def test_a_checkpoint_fits_an_equal_model():
    """Names of the whole, threads and what is recorded make no difference."""
    first = polhode.Simulation(pendulum(name="first"), step=1e-3, end_time=1, output_step=0.1)
    first.step(20)
    saved = first.save()
    second = polhode.Simulation(polhode.Model.from_json(pendulum(name="second").to_json()), step=1e-3, end_time=1, threads=2)
    second.restore(saved)
    first.step(30), second.step(30)
    assert np.array_equal(first.state.positions, second.state.positions)


def test_a_checkpoint_of_other_tolerances_is_refused():
    saved = polhode.Simulation(pendulum(), step=1e-3, newton={"tolerance": 1e-8}).save()
    with pytest.raises(ValueError, match="newton"):
        polhode.Simulation(pendulum(), step=1e-3).restore(saved)
    with pytest.raises(TypeError, match="save"):
        polhode.Simulation(pendulum(), step=1e-3).restore("saved")


def test_a_checkpoint_with_a_load_is_restored():
    load = lambda *_: [0, 0, 1]  # noqa: E731
    sim = polhode.Simulation(pendulum(forces=[polhode.forces.Load("l", body="bob", function=load)]), step=1e-3)
    saved = sim.save()
    sim.step(10)
    once = sim.state.positions
    sim.restore(saved)
    sim.step(10)
    assert np.array_equal(once, sim.state.positions)
