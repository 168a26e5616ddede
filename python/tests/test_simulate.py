"""Runs from Python are those of the command, to the last bit; they can be interrupted, and they say why they fail."""

import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import ROOT

import polhode

RUNS = [
    ("heavy_top", []),
    ("heavy_top", ["--integrator.order", "4"]),
    ("slider_crank", []),
    ("flyball_governor", ["--integrator.name", "generalized-alpha", "--integrator.rho_inf", "0.8"]),
    ("bricard", ["--integrator.name", "director"]),
    ("car_axis", []),
]


@pytest.mark.parametrize("name, words", RUNS, ids=lambda value: value if isinstance(value, str) else "_".join(value[1::2]) or "default")
def test_results_are_those_of_the_command_to_the_last_bit(name, words, command, tmp_path):
    path = ROOT / "models" / f"{name}.json"
    common = ["--step", "0.001", "--end_time", "0.05"]
    done = command("run", path, "--json", "-o", "command.h5", *common, *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    options = {word.removeprefix("--integrator."): value for word, value in zip(words[::2], words[1::2])}
    integrator = None
    if options:
        chosen = options.pop("name", "energy-momentum")
        integrator = {"name": chosen, **{key: float(value) for key, value in options.items()}}
    mine = polhode.simulate(path, integrator=integrator, step=0.001, end_time=0.05, output=tmp_path / "python.h5")
    theirs = polhode.read_result(tmp_path / "command.h5")
    written = polhode.read_result(tmp_path / "python.h5")
    mine.save(tmp_path / "saved.h5")
    saved = polhode.read_result(tmp_path / "saved.h5")
    for dataset, *_ in polhode._core.result_fields():
        for other in (theirs, written, saved):
            assert np.array_equal(mine[dataset], other[dataset]), dataset
    figures, own = json.loads(done.stdout), mine.certificate.to_dict()
    for certificate in (figures, own):
        del certificate["seconds"]
    assert own == figures
    assert written.options == theirs.options and written.model == theirs.model


def test_files_are_the_same_byte_by_byte_but_for_times(command, tmp_path, top):
    """All that the two files hold is equal, the seconds of the certificate left out."""
    h5py = pytest.importorskip("h5py")
    top.save(tmp_path / "top.json")
    assert command("run", "top.json", "-q", "-o", "a.h5", cwd=tmp_path).returncode == 0
    polhode.simulate(tmp_path / "top.json", output=tmp_path / "b.h5")
    with h5py.File(tmp_path / "a.h5") as a, h5py.File(tmp_path / "b.h5") as b:
        names = []
        a.visit(names.append)
        for name in names:
            if isinstance(a[name], h5py.Dataset) and name != "certificate":
                assert np.array_equal(a[name][()], b[name][()]), name
                assert dict(a[name].attrs).keys() == dict(b[name].attrs).keys()


def test_options_replace_those_of_the_model(top):
    result = polhode.simulate(top, step=2e-3, end_time=0.02, output_step=4e-3)
    assert np.allclose(result.time, np.arange(6) * 4e-3, rtol=0, atol=1e-15)
    assert result.certificate.step == 2e-3 and top.simulation.step == 1e-3
    assert result.options["integrator"] == {"name": "energy-momentum", "index": 3.0, "order": 2.0}


@pytest.mark.parametrize("options", [{"step": -1}, {"step": "a"}, {"step": float("nan")}, {"end_time": -1}, {"output_step": 1.5e-3}, {"assembly": "loose"},
                                     {"newton": {"tolerance": 2}}, {"newton": {"tolerence": 1e-9}}, {"integrator": "rk4"}, {"integrator": {"name": "energy-momentum", "order": 3}}])
def test_options_that_make_no_sense_are_refused(top, options):
    with pytest.raises(polhode.ModelError):
        polhode.simulate(top, **options)


def test_options_are_those_that_the_library_describes(top):
    described = {field["word"]: field for field in json.loads(polhode._core.describe())["simulation"]["fields"]}
    for function in (polhode.simulate, polhode.Simulation, polhode.Simulation.__init__):
        parameters = inspect.signature(function).parameters
        assert [name for name in parameters if name in described] == list(described)
        assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY and parameters[name].default is None for name in described)
    assert inspect.signature(polhode.simulate).parameters["threads"].annotation == "int | None"
    for function in (polhode.simulate, polhode.Simulation.__init__):
        told = " ".join(function.__doc__.split())
        assert all(f"{name}: {field['text']}".rstrip(" :") in told for name, field in described.items())
    for function in (polhode.simulate, polhode.Simulation):
        with pytest.raises(TypeError, match='did you mean "threads"'):
            function(top, thraeds=2)
        with pytest.raises(TypeError, match='did you mean "step"'):
            function(top, stepp=None)


def test_wrong_types_are_type_errors(top):
    for wrong in (3, None, [top]):
        with pytest.raises(TypeError):
            polhode.simulate(wrong)
    with pytest.raises(TypeError):
        polhode.simulate(top, integrator=3)
    with pytest.raises(polhode.ModelError, match="cannot be opened"):
        polhode.simulate("no/such/file.json")


def winch(pendulum):
    """A drive that pulls the bob farther than the string reaches."""
    pendulum.drives.append(polhode.Drive("winch", type="length", between=["ground", "bob"], at_a=[3, 0, 0.5],
                                         motion=polhode.functions.Polynomial([np.hypot(2, 0.5), 5])))
    return pendulum


def test_a_run_that_cannot_go_on_names_time_step_and_joint_and_keeps_its_samples(pendulum, tmp_path):
    with pytest.raises(polhode.SimulationError) as caught:
        polhode.simulate(winch(pendulum), output=tmp_path / "r.h5")
    error = caught.value
    assert error.joint in ("string", "winch") and error.time > 0 and error.step == len(error.result)
    assert not error.result.complete and error.result.status == "failed" and error.result.certificate.reason == str(error)
    assert np.all(np.isfinite(error.result.position("bob")))
    kept = polhode.read_result(tmp_path / "r.h5")
    assert len(kept) == len(error.result) and kept.status == "failed" and kept.certificate.reason == str(error)


LONG = """
import signal, sys, threading, polhode
model = polhode.Model.from_json('''%s''')
started = threading.Event()
try:
    polhode.simulate(model, step=1e-4, end_time=1e4, output_step=0.1, progress=lambda fraction, time: print("running", flush=True))
except polhode.SimulationInterrupted as stop:
    result = stop.result
    assert isinstance(stop, KeyboardInterrupt)
    assert len(result) > 1 and not result.complete and result.status == "interrupted", result
    assert result.certificate.status == "interrupted" and abs((result.position("bob") ** 2).sum(axis=1) - 1).max() < 1e-12
    print("kept", len(result))
"""


def test_a_run_beyond_its_bounds_is_complete_with_warnings(top):
    result = polhode.simulate(top, step=0.02, end_time=0.2)
    assert result.complete and result.status == "complete with warnings"
    assert any("turns by" in sentence and "take a step below" in sentence for sentence in result.warnings)
    assert str(result.certificate).startswith("Warning: ")


def test_ctrl_c_keeps_what_was_computed(pendulum):
    process = subprocess.Popen([sys.executable, "-c", LONG % pendulum.to_json()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("running"):
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            break
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "kept" in out and "leaked" not in err


def test_an_interrupted_simulation_can_go_on(pendulum):
    sim = polhode.Simulation(pendulum, step=1e-5, end_time=0.5, output_step=0.01)
    interrupted = 0
    while True:
        timer = threading.Timer(0.15, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        try:
            result = sim.run(progress=False)
            break
        except polhode.SimulationInterrupted as stop:
            interrupted += 1
            assert stop.result.complete is False
        except KeyboardInterrupt:  # it came while Python was at work
            pass
        finally:
            timer.cancel()
            try:
                timer.join()
            except KeyboardInterrupt:
                pass
    assert result.complete
    once = polhode.simulate(pendulum, step=1e-5, end_time=0.5, output_step=0.01)
    assert np.array_equal(result.position("bob"), once.position("bob"))


def test_the_interpreter_goes_on_while_c_computes(pendulum):
    """Python's own thread counts on while another one simulates: the lock is released."""
    running = threading.Thread(target=polhode.simulate, args=[pendulum], kwargs={"step": 1e-5, "end_time": 2, "progress": False})
    running.start()
    ticks = 0
    while running.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 10


def test_threads_run_simulations_beside_each_other(top, tmp_path):
    alone = polhode.simulate(top)
    results, errors = {}, []

    def work(k):
        try:
            results[k] = polhode.simulate(top, output=tmp_path / f"{k}.h5")
            polhode.read_result(tmp_path / f"{k}.h5")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=[k]) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    for result in results.values():
        assert np.array_equal(result["bodies/position"], alone["bodies/position"])


def test_one_simulation_in_two_threads_is_refused_not_broken(pendulum):
    sim = polhode.Simulation(pendulum, step=1e-6, end_time=1)
    outcomes = []

    def work():
        try:
            for _ in range(200):
                sim.step(50)
            outcomes.append("ok")
        except RuntimeError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 4
    assert all(text == "ok" or "at work already" in text for text in outcomes)


def test_progress_is_told_as_it_goes(pendulum):
    told = []
    polhode.simulate(pendulum, step=1e-5, end_time=2, progress=lambda fraction, t: told.append((fraction, t)))
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions) and all(0 < fraction <= 1 for fraction in fractions) and len(told) >= 1


def test_an_exception_in_the_progress_function_comes_through(pendulum):
    with pytest.raises(ZeroDivisionError):
        polhode.simulate(pendulum, step=1e-5, end_time=5, progress=lambda fraction, t: 1 / 0)
