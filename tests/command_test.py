"""The command as people and scripts use it: what it prints, what it returns, what it leaves behind.

POLHODE_BUILD names the folder of the build, build/release unless set.
"""

import csv
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import time
import xml.etree.ElementTree

import h5py
import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"
MODELS = ROOT / "models"
OK, RUN_FAILED, BAD_INPUT, NOT_MET, INTERRUPTED = 0, 1, 2, 3, 130

PENDULUM = {
    "polhode": 1,
    "name": "pendulum",
    "gravity": [0, 0, -9.81],
    "bodies": [{"name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 0]}],
    "joints": [{"name": "string", "type": "rod", "between": ["ground", "bob"]}],
    "simulation": {"step": 0.01, "end_time": 1},
}


def polhode(*words, cwd=None):
    return subprocess.run([POLHODE, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=120)


def written(path, model):
    path.write_text(model if isinstance(model, str) else json.dumps(model))
    return path


def changed(model, **keys):
    model = json.loads(json.dumps(model))
    model.update(keys)
    return model


@pytest.fixture
def model(tmp_path):
    return written(tmp_path / "model.json", PENDULUM)


@pytest.fixture
def start(tmp_path):
    """Starts a long run in the background and waits until its result has samples."""
    running = []

    def start_run(*words):
        path = written(tmp_path / "long.json", changed(PENDULUM, simulation={"step": 1e-4, "end_time": 1e4, "output_step": 0.1}))
        process = subprocess.Popen([POLHODE, "run", path, "-o", tmp_path / "long.h5", *words], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        running.append(process)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and samples(tmp_path / "long.h5") < 3:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        return process, tmp_path / "long.h5"

    yield start_run
    for process in running:
        process.kill()
        process.communicate()


def samples(path):
    try:
        with h5py.File(path, "r") as file:
            return int(file["progress"][()])
    except (OSError, KeyError):  # not there yet
        return 0


# ---------------------------------------------------------------------------------------------------------- run


def test_run_prints_a_certificate_and_writes_a_result(model, tmp_path):
    done = polhode("run", model, cwd=tmp_path)
    assert done.returncode == OK and done.stderr == ""
    for word in ["Certificate", "energy", "momentum", "constraints", "reaction", "complete", "Result: model.h5"]:
        assert word in done.stdout
    with h5py.File(tmp_path / "model.h5", "r") as file:
        assert file["complete"][()] == 1 and file["progress"][()] == len(file["time"]) == 101
        assert numpy.allclose(file["time"], numpy.arange(101) / 100, rtol=0, atol=1e-15)
        certificate = json.loads(file["certificate"].asstr()[()])
        assert certificate["status"] == "complete"
        end = certificate["bodies"]["bob"]["position"]
        assert numpy.array_equal(file["bodies/position"][-1, 0], end)
        assert json.loads(file["model"].asstr()[()])["name"] == "pendulum"


# The names are a promise to scripts: none of these may go or be renamed. New ones may come.
PROMISED = {
    "": ["model", "integrator", "step", "end_time", "steps", "seconds", "status", "newton", "energy", "momentum", "constraints", "bodies"],
    "newton": ["iterations", "halved_steps"],
    "energy": ["initial", "final", "max_relative_error", "balance_error", "algorithmic_dissipation", "work"],
    "momentum": ["linear_error", "angular_error"],
    "constraints": ["position", "velocity"],
}


def test_json_has_the_promised_names(tmp_path):
    done = polhode("run", MODELS / "heavy_top.json", "--json", "-o", "none", "--end-time", "0.1", cwd=tmp_path)
    assert done.returncode == OK
    figures = json.loads(done.stdout)  # one object, and nothing else on standard output
    for place, names in PROMISED.items():
        missing = set(names) - set((figures[place] if place else figures).keys())
        assert not missing, f"{place}: {missing}"
    assert list(figures["bodies"]) == ["top"]
    assert set(figures["bodies"]["top"]) == {"position", "quaternion", "velocity", "angular_velocity"}
    assert figures["status"] == "complete" and figures["steps"] == 100 and figures["step"] == 0.001 and figures["end_time"] == 0.1
    assert figures["integrator"].startswith("energy-momentum")
    assert 100 <= figures["newton"]["iterations"] <= 500 and figures["newton"]["halved_steps"] == 0
    assert figures["energy"]["max_relative_error"] <= 1e-11 and figures["constraints"]["position"] <= 1e-12
    assert not list(tmp_path.iterdir())  # -o none


def test_json_tells_where_the_bodies_are_at_the_end(tmp_path):
    references = json.loads((ROOT / "models/references/heavy_top.json").read_text())["motion"]
    exact = next(row for row in references if row["time"] == 1)
    done = polhode("run", MODELS / "heavy_top.json", "--json", "-o", "none", "--end-time", "1", "--integrator.order", "4", cwd=tmp_path)
    top = json.loads(done.stdout)["bodies"]["top"]
    assert numpy.allclose(top["position"], exact["position"], rtol=0, atol=1e-6)
    assert numpy.isclose(abs(numpy.dot(top["quaternion"], exact["quaternion"])), 1, rtol=0, atol=1e-6)  # w, x, y, z
    # velocities across a joint are of second order in the step: 2e-2 of 150 rad/s at 0.15 rad a step
    assert numpy.allclose(top["angular_velocity"], exact["angular_velocity"], rtol=0, atol=0.05)
    assert numpy.isclose(numpy.dot(top["position"], top["velocity"]), 0, rtol=0, atol=0.05)  # it moves on a sphere


def test_options_replace_the_simulation_block(model, tmp_path):
    words = ["--step", "0.02", "--end-time=0.5", "--integrator.name", "generalized-alpha", "--integrator.rho_inf=0.7",
             "--integrator.index", "2", "--output-step", "0.1"]
    done = polhode("run", model, "--json", *words, cwd=tmp_path)
    assert done.returncode == OK, done.stderr
    figures = json.loads(done.stdout)
    assert figures["steps"] == 25 and figures["step"] == 0.02
    for word in ["generalized-alpha", "rho_inf 0.7", "index 2"]:
        assert word in figures["integrator"]
    with h5py.File(tmp_path / "model.h5", "r") as file:
        assert numpy.allclose(file["time"], numpy.arange(6) / 10, rtol=0, atol=1e-15)
        used = json.loads(file["model"].asstr()[()])["simulation"]  # the result tells what was run
        assert used["step"] == 0.02 and used["integrator"]["rho_inf"] == 0.7


def test_another_method_does_not_inherit_the_options_of_the_files_method(tmp_path):
    simulation = {"step": 0.01, "end_time": 0.1, "integrator": {"name": "generalized-alpha", "rho_inf": 0.5}}
    path = written(tmp_path / "m.json", changed(PENDULUM, simulation=simulation))
    assert polhode("run", path, "-q", "-o", "none", "--integrator.name", "energy-momentum").returncode == OK


def test_require_makes_a_figure_an_exit_status(model, tmp_path):
    met = polhode("run", model, "-q", "-o", "none", "--require", "energy=1e-10,position=1e-10")
    assert met.returncode == OK and met.stderr == ""
    lossy = ["--integrator.name", "generalized-alpha", "--integrator.rho_inf", "0.5"]
    missed = polhode("run", model, "-q", "-o", "none", "--require", "energy=1e-10", "--require", "position=1e-10", *lossy)
    assert missed.returncode == NOT_MET
    assert re.search(r"energy is \S+, required 1e-10", missed.stderr) and "position" not in missed.stderr
    for wrong in ["enrgy=1", "energy", "energy=", "energy=x", "energy=-1", "energy=nan"]:
        refused = polhode("run", model, "-q", "-o", "none", "--require", wrong)
        assert refused.returncode == BAD_INPUT and "--require" in refused.stderr, wrong
    assert "energy" in polhode("run", model, "-o", "none", "--require", "enrgy=1").stderr


def test_options_before_the_model_leave_the_model_alone(model):
    done = polhode("run", "--require", "energy=1e-10", model, "-q", "-o", "none")
    assert done.returncode == OK, done.stderr
    assert polhode("run", "--quiet", "--step", "0.02", "-o", "none", model).returncode == OK


def test_estimate_error_tells_the_error(model):
    def end(step):
        return json.loads(polhode("run", model, "--json", "-o", "none", "--step", step, "--estimate-error").stdout)

    coarse, fine = end(0.02), end(0.000625)
    error = numpy.linalg.norm(numpy.subtract(coarse["bodies"]["bob"]["position"], fine["bodies"]["bob"]["position"]))
    assert 0.8 < coarse["trajectory_error"]["position"] / error < 1.25  # it is an estimate, right to leading order
    assert fine["trajectory_error"]["position"] < 0.01 * coarse["trajectory_error"]["position"]


def test_quiet_prints_nothing(model, tmp_path):
    done = polhode("run", model, "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (OK, "", "")
    assert (tmp_path / "model.h5").exists()


def test_no_escape_sequences_where_nobody_looks(model, start):
    done = polhode("run", model, "-o", "none", "--step", "1e-5")  # long enough for a bar
    assert "\x1b" not in done.stdout + done.stderr and "\r" not in done.stdout + done.stderr


def test_csv_has_the_channels_asked_for(model, tmp_path):
    done = polhode("run", model, "--csv", "table.csv", "--channels", "bob.position,energy", cwd=tmp_path)
    assert done.returncode == OK and "table.csv" in done.stdout
    with open(tmp_path / "table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 101
    assert list(rows[0])[:4] == ["time", "bob.position.x", "bob.position.y", "bob.position.z"]
    assert all(name.startswith(("time", "bob.position.", "energy.")) for name in rows[0])
    with h5py.File(tmp_path / "model.h5", "r") as file:
        for k in (0, 50, 100):
            read = [float(rows[k][f"bob.position.{axis}"]) for axis in "xyz"]
            assert numpy.array_equal(read, file["bodies/position"][k, 0])  # to the last bit


def test_csv_has_everything_if_nothing_is_asked(model, tmp_path):
    assert polhode("run", model, "-q", "--csv", "all.csv", cwd=tmp_path).returncode == OK
    header = (tmp_path / "all.csv").read_text().splitlines()[0].split(",")
    for name in ["time", "bob.position.x", "bob.velocity.z", "energy.kinetic"]:
        assert name in header


# ------------------------------------------------------------------------------------------------ check, integrators


def test_check_tells_freedoms_redundancy_and_what_is_conserved():
    done = polhode("check", MODELS / "planar_four_bar.json")
    assert done.returncode == OK
    assert "1 degree of freedom" in done.stdout and "3 that the other equations imply" in done.stdout
    figures = json.loads(polhode("check", MODELS / "planar_four_bar.json", "--json").stdout)
    assert figures["freedoms"] == 1 and figures["redundant"] == len(figures["redundancies"]) == 3
    assert all(r["joint"] and ("moment" in r["direction"] or "force" in r["direction"]) for r in figures["redundancies"])
    figures = json.loads(polhode("check", MODELS / "heavy_top.json", "--json").stdout)
    assert figures["conserved_linear_momenta"] == 0 and figures["conserved_angular_momenta"] == 1
    assert math.isclose(figures["fastest_spin"], math.hypot(150, 4.61538), rel_tol=1e-9)


def test_check_accepts_every_model_of_the_tree():
    for path in sorted(MODELS.glob("*.json")):
        done = polhode("check", path)
        assert done.returncode == OK, path
        assert "the model is sound" in done.stdout


def test_check_names_a_joint_that_is_open(tmp_path):
    far = changed(PENDULUM, joints=[{"name": "string", "type": "rod", "between": ["ground", "bob"], "length": 0.9}])
    path = written(tmp_path / "far.json", far)
    done = polhode("check", path)
    assert done.returncode == BAD_INPUT and "string" in done.stderr and "project" in done.stderr
    assert polhode("check", path, "--assembly", "project").returncode == OK


def test_integrators_lists_and_explains():
    listed = polhode("integrators")
    assert listed.returncode == OK
    names = [method["name"] for method in json.loads(polhode("integrators", "--json").stdout)]
    assert {"energy-momentum", "generalized-alpha"} <= set(names)
    for name in names:
        assert name in listed.stdout
        told = polhode("integrators", name)
        assert told.returncode == OK
        for word in ["order", "conserves", "source", "options"]:
            assert word in told.stdout
    wrong = polhode("integrators", "generalised-alpha")
    assert wrong.returncode == BAD_INPUT and 'did you mean "generalized-alpha"' in wrong.stderr


def test_help_and_version():
    for words in (["--help"], ["run", "--help"], ["check", "--help"], ["integrators", "--help"], ["--version"]):
        assert polhode(*words).returncode == OK
    assert re.fullmatch(r"polhode \d+\.\d+\.\d+\S*\n", polhode("--version").stdout)
    for words in ([], ["simulate"], ["run"]):
        assert polhode(*words).returncode == BAD_INPUT


# ---------------------------------------------------------------------------------------------------- bad input


DEEP = '{"polhode": 1, "bodies": ' + "[" * 100000 + "]" * 100000 + "}"
BAD_MODELS = {
    "malformed": ('{"polhode": 1, "bodies" []}', "line 1, column"),
    "truncated": (json.dumps(PENDULUM)[:-40], "line 1, column"),
    "empty": ("", ""),
    "not an object": ("[1, 2]", ""),
    "deeply nested": (DEEP, "deep"),
    "NaN": (json.dumps(changed(PENDULUM, gravity=[0, 0, math.nan])), ""),
    "Infinity": (json.dumps(changed(PENDULUM, gravity=[0, 0, -math.inf])), ""),
    "too large a number": ('{"polhode": 1, "gravity": [0, 0, 1e999], "bodies": []}', ""),
    "a text for a number": (changed(PENDULUM, bodies=[{"name": "bob", "type": "particle", "mass": "1"}]), "mass"),
    "a number for a list": (changed(PENDULUM, bodies=3), "bodies"),
    "a vector of two": (changed(PENDULUM, gravity=[0, 1]), "gravity"),
    "an unknown word": (changed(PENDULUM, gravitiy=[0, 0, 1]), "gravity"),
    "an unknown body": (changed(PENDULUM, joints=[{"type": "rod", "between": ["ground", "bop"]}]), "bob"),
    "another version": (changed(PENDULUM, polhode=99), "99"),
    "bytes": ("\x00\x01\x02", ""),
}


@pytest.mark.parametrize("what", BAD_MODELS)
def test_a_bad_model_is_refused_with_its_place(what, tmp_path):
    text, words = BAD_MODELS[what]
    path = written(tmp_path / "bad.json", text)
    for verb in ("run", "check"):
        done = polhode(verb, path, cwd=tmp_path)
        assert done.returncode == BAD_INPUT, done.stderr
        assert done.stdout == ""
        assert "bad.json" in done.stderr and words in done.stderr
        assert len(done.stderr) < 5000 and "terminate called" not in done.stderr
    assert not (tmp_path / "bad.h5").exists()


def test_a_missing_file_or_a_folder_is_refused(tmp_path):
    for path in (tmp_path / "nothing.json", tmp_path):
        done = polhode("run", path)
        assert done.returncode == BAD_INPUT and str(path) in done.stderr


def test_all_that_is_wrong_is_said_at_once(tmp_path):
    two = changed(PENDULUM, bodies=[{"name": "bob", "type": "particle", "mass": -1, "position": [1, 0, 0]}], gravitiy=[0, 0, 1])
    done = polhode("check", written(tmp_path / "two.json", two))
    assert done.returncode == BAD_INPUT
    assert "mass" in done.stderr and "gravitiy" in done.stderr and len(done.stderr.splitlines()) >= 2


@pytest.mark.parametrize(
    "words, said",
    [
        (["--stepp", "1"], 'did you mean "--step"'),
        (["--step", "zero"], "step"),
        (["--step", "-1"], "step"),
        (["--step", "0"], "step"),
        (["--step", "nan"], "step"),
        (["--end-time", "inf"], "end_time"),
        (["--output-step", "0.015"], "output_step"),
        (["--assembly", "loose"], "assembly"),
        (["--newton.tolerance", "-1"], "tolerance"),
        (["--newton.max_iterations", "0"], "max_iterations"),
        (["--threads", "0"], "threads is 0; give 1"),
        (["--threads", "two"], "threads"),
        (["--integrator.name", "energy-momentun"], 'did you mean "energy-momentum"'),
        (["--integrator.orded", "2"], 'did you mean "order"'),
        (["--integrator.order", "3"], "2 or 4"),
        (["--integrator.order", "two"], "order"),
        (["--integrator.order"], "missing"),
        (["--integrator.name", "generalized-alpha", "--integrator.rho_inf", "1.01"], "between 0 and 1"),
        (["--integrator.name", "generalized-alpha", "--integrator.rho_inf", "-0.01"], "between 0 and 1"),
        (["another.json"], "another.json"),
    ],
)
def test_a_bad_option_is_refused(words, said, model, tmp_path):
    done = polhode("run", model, *words, cwd=tmp_path)
    assert done.returncode == BAD_INPUT, done.stdout + done.stderr
    assert said in done.stderr
    assert not (tmp_path / "model.h5").exists()


def test_contradictory_outputs_are_refused_before_the_run(model, tmp_path):
    long = ["--step", "1e-6", "--end-time", "1e5"]  # would take a day
    for words in (["--csv", "t.csv", "-o", "none"], ["--csv", "t.csv", "--channels", "bop.position"]):
        done = subprocess.run([POLHODE, "run", model, *words, *long], capture_output=True, text=True, cwd=tmp_path, timeout=20)
        assert done.returncode == BAD_INPUT, words


# ------------------------------------------------------------------------------------------- what is left behind


def test_an_output_that_cannot_be_written_is_an_error(model, tmp_path):
    (tmp_path / "folder.h5").mkdir()
    for output in (tmp_path / "no/such/folder.h5", tmp_path / "folder.h5"):
        done = polhode("run", model, "-q", "-o", output)
        assert done.returncode == RUN_FAILED and str(output) in done.stderr


def test_a_failed_start_leaves_the_old_result(model, tmp_path):
    assert polhode("run", model, "-q", "-o", "r.h5", cwd=tmp_path).returncode == OK
    before = (tmp_path / "r.h5").read_bytes()
    broken = changed(PENDULUM, joints=[{"name": "string", "type": "rod", "between": ["ground", "bob"], "length": 0.5}])
    for words in (["--step", "-1"], ["--integrator.name", "none"], ["--output-step", "0.015"]):
        assert polhode("run", model, "-q", "-o", "r.h5", *words, cwd=tmp_path).returncode == BAD_INPUT
    assert polhode("run", written(tmp_path / "broken.json", broken), "-q", "-o", "r.h5", cwd=tmp_path).returncode == BAD_INPUT
    assert (tmp_path / "r.h5").read_bytes() == before


def test_a_run_that_cannot_go_on_keeps_its_samples(tmp_path):
    # the drive pulls the bob farther than the string reaches
    impossible = changed(PENDULUM, drives=[{"name": "winch", "type": "length", "between": ["ground", "bob"], "at_a": [3, 0, 0.5],
                                            "motion": {"type": "polynomial", "coefficients": [math.hypot(2, 0.5), 5]}}])
    done = polhode("run", written(tmp_path / "m.json", impossible), "--json", cwd=tmp_path)
    assert done.returncode == RUN_FAILED
    assert "m.json: t = " in done.stderr and "Newton" in done.stderr and "m.h5" in done.stderr
    figures = json.loads(done.stdout)
    assert figures["status"].startswith("t = ") and figures["newton"]["halved_steps"] >= 1
    with h5py.File(tmp_path / "m.h5", "r") as file:
        n = int(file["progress"][()])
        assert file["complete"][()] == 0 and n == figures["steps"] + 1 > 1
        assert numpy.all(numpy.isfinite(file["bodies/position"][:n]))
        assert file["status"].asstr()[()] == figures["status"]


def test_interrupted_it_keeps_what_it_has(start):
    process, path = start("--json")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert "interrupted at t = " in err
    figures = json.loads(out)
    assert figures["status"].startswith("interrupted") and 0 < figures["time"] < figures["end_time"]
    with h5py.File(path, "r") as file:
        n = int(file["progress"][()])
        assert file["complete"][()] == 0 and n >= 3
        assert "interrupted" in file["status"].asstr()[()]
        assert json.loads(file["certificate"].asstr()[()])["steps"] == figures["steps"]
        assert numpy.allclose(numpy.linalg.norm(file["bodies/position"][:n, 0], axis=1), 1, rtol=0, atol=1e-12)


def test_killed_it_leaves_a_readable_result(start):
    process, path = start()
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    with h5py.File(path, "r") as file:
        n = int(file["progress"][()])
        assert file["complete"][()] == 0 and n >= 3
        assert file["status"].asstr()[()] == "running"
        assert numpy.allclose(file["time"][:n], 0.1 * numpy.arange(n), rtol=0, atol=1e-12)
        assert numpy.allclose(numpy.linalg.norm(file["bodies/position"][:n, 0], axis=1), 1, rtol=0, atol=1e-12)


def test_the_same_run_twice_is_the_same_to_the_last_bit(model, tmp_path):
    figures = []
    for name in ("a.h5", "b.h5"):
        figures.append(json.loads(polhode("run", model, "--json", "-o", name, cwd=tmp_path).stdout))
        del figures[-1]["seconds"]
    assert figures[0] == figures[1]
    with h5py.File(tmp_path / "a.h5") as a, h5py.File(tmp_path / "b.h5") as b:
        for dataset in ("bodies/position", "bodies/velocity", "joints/reaction"):
            assert numpy.array_equal(a[dataset], b[dataset])


def test_spectrum_tells_radius_period_and_damping(tmp_path):
    run = polhode("spectrum", "--integrator", "generalized-alpha rho_inf=0.8", "--integrator", "rattlie", "--h-over-t", "0.1,0.5",
                  "--csv", "s.csv", "--svg", "s.svg", cwd=tmp_path)
    assert run.returncode == OK and "0.999904" in run.stdout and "real" in run.stdout
    rows = list(csv.DictReader((tmp_path / "s.csv").open()))
    assert [row["integrator"] for row in rows] == ["generalized-alpha rho_inf=0.8"] * 2 + ["rattlie"] * 2
    assert float(rows[0]["spectral_radius"]) == pytest.approx(0.9999044214, abs=1e-10)  # closed form of Chung and Hulbert
    assert rows[3]["period_error"] == "" and float(rows[3]["spectral_radius"]) > 1  # beyond the limit of an explicit method
    drawing = xml.etree.ElementTree.parse(tmp_path / "s.svg").getroot()
    assert len(drawing.findall("{http://www.w3.org/2000/svg}g")) == 3
    again = json.loads(polhode("spectrum", "--json", "--points", "3").stdout)
    methods = json.loads(polhode("integrators", "--json").stdout)
    assert [entry["integrator"] for entry in again] == [method["name"] for method in methods]
    assert all(entry["note"] == "" and [p["h_over_t"] for p in entry["points"]] == pytest.approx([0.01, 10**-0.5, 10]) for entry in again)


@pytest.mark.parametrize("words", [("--integrator", "rattle"), ("--integrator", "rattlie rho_inf"), ("--h-over-t", "-1"),
                                   ("--from", "2", "--to", "1"), ("--points", "1", "--json"), ("--integrator", "generalized-alpha rho_inf=2")])
def test_spectrum_refuses_what_makes_no_sense(words):
    run = polhode("spectrum", *words)
    assert run.returncode == BAD_INPUT and run.stderr and not run.stdout


# ---------------------------------------------------------------------------------------- compare, converge, reproduce


def shown_rows(text):
    """The rows of a study's table as printed: {(integrator, step): {heading: text}}; headings hold single spaces."""
    lines = text.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("  integrator "))
    headings = re.split(r" {2,}", lines[first].strip())
    rows = {}
    for line in lines[first + 1:]:
        cells = re.split(r" {2,}", line.strip())
        if len(cells) != len(headings):
            break
        row = dict(zip(headings, cells))
        rows[row["integrator"], float(row["step [s]"])] = row
    return rows


COLUMNS = {"position_error": "position [m]", "velocity_error": "velocity [m/s]", "energy_balance_error": "energy",
           "constraint_velocity": "their rates", "iterations_per_step": "iterations"}


def test_compare_says_the_same_as_table_json_and_csv(model, tmp_path):
    words = ["compare", model, "--steps", "0.02,0.01", "--integrator", "energy-momentum", "--integrator", "generalized-alpha rho_inf=0.8"]
    table = polhode(*words, "--csv", "t.csv", cwd=tmp_path)
    assert table.returncode == OK and table.stderr == ""
    figures = json.loads(polhode(*words, "--json").stdout)
    rows = list(csv.DictReader((tmp_path / "t.csv").open()))
    shown = shown_rows(table.stdout)
    names = [(name, step) for name in ("energy-momentum", "generalized-alpha rho_inf=0.8") for step in (0.02, 0.01)]
    assert [(run["integrator"], run["step"]) for run in figures["runs"]] == names == [(row["integrator"], float(row["step"])) for row in rows] == list(shown)
    assert figures["model"] == "pendulum" and figures["end_time"] == 1 and figures["reference"]["source"] and figures["reference"]["times"]
    assert figures["reference"]["source"] in table.stdout and figures["reference"]["error"] in table.stdout
    for run, row, name in zip(figures["runs"], rows, names):
        assert run["failure"] is None and row["failure"] == ""
        for key, heading in COLUMNS.items():
            assert float(row[key]) == pytest.approx(run[key], rel=1e-8)
            assert float(shown[name][heading]) == pytest.approx(run[key], rel=6e-3)
    best, damped = figures["runs"][1], figures["runs"][3]
    assert best["energy_balance_error"] < 1e-13 < 1e-7 < damped["energy_balance_error"]
    assert figures["runs"][0]["position_error"] / best["position_error"] == pytest.approx(4, rel=0.1)  # order 2


def test_compare_takes_all_methods_that_serve_and_says_which_do_not(model):
    done = polhode("compare", model, "--end-time", "0.1")
    assert done.returncode == OK
    methods = [method["name"] for method in json.loads(polhode("integrators", "--json").stdout)]
    left_out = re.findall(r"left out: ([a-z-]+): ", done.stderr)
    assert left_out and "rattlie" in done.stderr  # what to use instead
    assert [name for name, _ in shown_rows(done.stdout)] == [name for name in methods if name not in left_out]
    assert polhode("compare", model, "--end-time", "0.1", "--quiet").stderr == ""


def test_compare_measures_against_the_reference_that_it_is_told(model, tmp_path):
    exact = {"source": "a test", "motion": [{"time": 1, "body": "bob", "point": [0, 0, 0], "position": [1, 0, 0.5], "accuracy": 1e-9}]}
    path = written(tmp_path / "reference.json", exact)
    run = json.loads(polhode("compare", model, "--integrator", "rattlie", "--json", "--reference", path).stdout)
    end = json.loads(polhode("run", model, "--json", "-o", "none", "--integrator.name", "rattlie").stdout)["bodies"]["bob"]["position"]
    assert run["reference"]["source"].startswith("a test")
    assert run["runs"][0]["position_error"] == pytest.approx(math.dist(end, [1, 0, 0.5]), rel=1e-9)
    computed = json.loads(polhode("compare", model, "--integrator", "rattlie", "--json", "--reference", "computed").stdout)
    assert "extrapolation" in computed["reference"]["source"] and computed["runs"][0]["position_error"] < 1e-3


def test_compare_tells_of_a_method_that_cannot_serve():
    done = polhode("compare", MODELS / "heavy_top.json", "--end-time", "0.1", "--integrator", "staggered", "--integrator", "rattlie")
    assert done.returncode == OK and "no result" in done.stdout and "use rattlie" in done.stdout
    alone = polhode("compare", MODELS / "heavy_top.json", "--end-time", "0.1", "--integrator", "staggered", "--json")
    assert alone.returncode == RUN_FAILED and "constraints" in json.loads(alone.stdout)["runs"][0]["failure"]


def test_converge_finds_the_order_in_table_json_csv_and_figure(model, tmp_path):
    words = ["converge", model, "--step", "0.02", "--halvings", "3", "--integrator", "rattlie", "--integrator", "energy-momentum order=4"]
    table = polhode(*words, "--csv", "c.csv", "--svg", "c.svg", cwd=tmp_path)
    assert table.returncode == OK
    figures = json.loads(polhode(*words, "--json").stdout)
    assert [method["integrator"] for method in figures["methods"]] == ["rattlie", "energy-momentum order=4"]
    slow, fast = figures["methods"]
    assert slow["orders"]["position"]["order"] == pytest.approx(2, abs=0.05)
    assert fast["orders"]["position"]["order"] == pytest.approx(4, abs=0.3)
    assert fast["orders"]["velocity"]["order"] == pytest.approx(2, abs=0.1)  # with joints
    assert [run["step"] for run in slow["runs"]] == [0.02, 0.01, 0.005, 0.0025]
    for method in (slow, fast):
        assert re.search(rf"{method['integrator']} +position {method['orders']['position']['order']:.2f}", table.stdout)
    rows = list(csv.DictReader((tmp_path / "c.csv").open()))
    runs = slow["runs"] + fast["runs"]
    assert [(row["integrator"], float(row["step"])) for row in rows] == [(run["integrator"], run["step"]) for run in runs]
    for run, row in zip(runs, rows):
        assert float(row["position_error"]) == pytest.approx(run["position_error"], rel=1e-8)
    assert len(xml.etree.ElementTree.parse(tmp_path / "c.svg").getroot().findall("{http://www.w3.org/2000/svg}g")) >= 2


def test_converge_stops_at_the_floor_and_says_so(model):
    method = json.loads(polhode("converge", model, "--step", "0.01", "--halvings", "12", "--integrator", "energy-momentum order=4", "--json").stdout)["methods"][0]
    assert method["stopped"] and len(method["runs"]) < 13


@pytest.mark.parametrize("verb", ["compare", "converge"])
@pytest.mark.parametrize(
    "words, said",
    [
        (["--integrator", "energy-momentun"], 'did you mean "energy-momentum"'),
        (["--integrator", "generalized-alpha rho_if=0.8"], 'did you mean "rho_inf"'),
        (["--integrator", "generalized-alpha rho_inf=2"], "between 0 and 1"),
        (["--stepps", "0.01"], 'did you mean "--steps"'),
        (["--steps", "0.01,zero"], "--steps"),
        (["--steps=-0.01"], "above 0"),
        (["--steps", "0"], "above 0"),
        (["--steps", "nan"], "above 0"),
        (["--repeat", "0"], "--repeat"),
        (["--reference", "no_such_file.json"], "no_such_file.json"),
    ],
)
def test_a_study_refuses_what_makes_no_sense(verb, words, said, model):
    done = polhode(verb, model, "--quiet", *words)
    assert done.returncode == BAD_INPUT and done.stdout == "" and said in done.stderr, done.stderr
    assert len(done.stderr) < 500


@pytest.mark.parametrize("words", [["compare", "--csv"], ["converge", "--csv"], ["converge", "--svg"]])
def test_a_study_that_cannot_be_written_is_refused_before_it_runs(words, model, tmp_path):
    long = ["--step", "1e-6", "--end-time", "1e5", "--integrator", "energy-momentum"]  # would take a day
    for path in (tmp_path / "no/such/file", tmp_path):
        done = subprocess.run([POLHODE, words[0], model, words[1], path, *long], capture_output=True, text=True, timeout=20)
        assert done.returncode == RUN_FAILED and str(path) in done.stderr


PAPERS = sorted(path.name for path in (ROOT / "docs/papers").iterdir() if path.is_dir())


def test_reproduce_writes_a_page_with_its_figures_tables_and_models(tmp_path):
    done = polhode("reproduce", "nielsen-krenk", "--output", tmp_path)
    assert done.returncode == OK and "nielsen-krenk: " in done.stdout and "confirmed" in done.stdout
    folder = tmp_path / "nielsen-krenk"
    assert [path.name for path in tmp_path.iterdir()] == ["nielsen-krenk"]
    page = (folder / "README.md").read_text()
    linked = set(re.findall(r"\]\(([\w./-]+\.(?:csv|svg|json))\)", page))
    assert linked == {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"README.md"}
    for name in linked:
        if name.endswith(".svg"):
            assert xml.etree.ElementTree.parse(folder / name).getroot().tag.endswith("svg")
        elif name.endswith(".json"):
            assert polhode("check", folder / name).returncode == OK
        else:  # a table: as many cells in each row, and the same ones on the page
            rows = list(csv.reader((folder / name).open()))
            assert len({len(row) for row in rows}) == 1 and len(rows) > 1
            for row in rows:
                assert f"| {' | '.join(row)} |" in page


def test_reproduce_refuses_a_paper_that_it_does_not_know(tmp_path):
    done = polhode("reproduce", "nielsen-crenk", "--output", tmp_path)
    assert done.returncode == BAD_INPUT and 'did you mean "nielsen-krenk"' in done.stderr and not list(tmp_path.iterdir())
    assert all(paper in done.stderr for paper in PAPERS)
    wrong = polhode("reproduce", "--outputt", tmp_path)
    assert wrong.returncode == BAD_INPUT and 'did you mean "--output"' in wrong.stderr


def test_reproduce_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    done = polhode("reproduce", "nielsen-krenk", "--output", tmp_path / "file")
    assert done.returncode == RUN_FAILED and "file" in done.stderr


def test_help_tells_what_each_study_does():
    for verb, words in {
        "compare": ["--integrator", "--steps", "--reference", "--csv", "--json", "default: all that serve", "Examples:", "--end-time"],
        "converge": ["--integrator", "--steps", "--halvings", "--svg", "default: the model's own", "Examples:"],
        "reproduce": ["--output", "all", "docs/papers", *PAPERS],
    }.items():
        done = polhode(verb, "--help")
        assert done.returncode == OK and done.stderr == ""
        for word in words:
            assert word in done.stdout, f"{verb}: {word}"
    for verb, line in re.findall(r"  polhode (compare|converge) (.*)", polhode("compare", "--help").stdout + polhode("converge", "--help").stdout):
        assert (ROOT / line.split()[0]).exists()  # examples name models that are there
