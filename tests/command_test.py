"""The command as people and scripts use it: what it prints, what it returns, what it leaves behind."""

import csv
import json
import math
import re
import signal
import subprocess

import h5py
import numpy
import pytest

from command import BAD_INPUT, INTERRUPTED, MODELS, NOT_MET, OK, PENDULUM, POLHODE, ROOT, RUN_FAILED, changed, polhode, written

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


def test_warnings_come_first_and_a_run_with_warnings_is_done(tmp_path):
    locked = ["run", MODELS / "slider_crank.json", "-o", "none", "--integrator.index", "3", "--step", "0.025", "--end-time", "30"]
    done = polhode(*locked)
    assert done.returncode == OK and done.stderr == ""
    assert re.match(r'.*\nWarning: velocities across the joints hold .* use energy-momentum with "index": 2', done.stdout)
    assert "status        complete with warnings" in done.stdout
    figures = json.loads(polhode(*locked, "--json").stdout)
    assert figures["status"] == "complete with warnings" and figures["energy"]["balance_error"] < 1e-11
    assert figures["warnings"][0].startswith("velocities across the joints") and figures["resolution"]["across_joints"] > 0.1
    assert polhode(*locked, "-q", "--require", "across_joints=0.01").returncode == NOT_MET
    assert polhode(*locked, "-q", "--require", "halved=0.01,energy=1e-10").returncode == OK


def test_a_run_that_blows_up_or_overflows_fails(tmp_path):
    linkage = ROOT / "tests/data/models/parallelogram.json"
    blown = polhode("run", linkage, "--step", "0.02", "--end-time", "4", "--integrator.name", "generalized-alpha", "--integrator.index", "3",
                    "--integrator.rho_inf", "0.9", cwd=tmp_path)
    assert blown.returncode == RUN_FAILED and "blown up" in blown.stderr and "t = 4 s" in blown.stderr
    with h5py.File(tmp_path / "parallelogram.h5", "r") as file:
        assert file["complete"][()] == 0 and file["status"].asstr()[()] == "failed" and file["progress"][()] == len(file["time"])
    body = {"name": "a", "mass": 1, "inertia": [1, 1, 1], "velocity": [1e160, 0, 0]}
    model = {"polhode": 1, "bodies": [body], "simulation": {"step": 0.01, "end_time": 1}}
    endless = written(tmp_path / "endless.json", model)
    infinite = polhode("run", endless, "--require", "energy=1e-12", cwd=tmp_path)
    assert infinite.returncode == RUN_FAILED and "the kinetic energy [J] is inf" in infinite.stderr
    many = polhode("run", MODELS / "pendulum.json", "-o", "none", "--step", "1e-20", "--require", "energy=1e-12")
    assert many.returncode == BAD_INPUT and "simulation.step" in many.stderr
    assert polhode("report", "endless.h5", "-o", "r.html", cwd=tmp_path).returncode == OK


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
    assert figures["status"] == "failed" and figures["reason"].startswith("t = ") and figures["newton"]["halved_steps"] >= 1
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
    assert "interrupted by SIGINT at t = " in err
    figures = json.loads(out)
    assert figures["status"] == "interrupted" and figures["reason"].startswith("interrupted by SIGINT at t = ")
    assert 0 < figures["time"] < figures["end_time"]
    with h5py.File(path, "r") as file:
        n = int(file["progress"][()])
        assert file["complete"][()] == 0 and n >= 3
        assert file["status"].asstr()[()] == "interrupted"
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


def test_a_result_has_accelerations_if_they_were_asked_for(model, tmp_path):
    polhode("run", model, "--reactions", "instant", "-o", "a.h5", cwd=tmp_path)
    polhode("run", model, "-o", "b.h5", cwd=tmp_path)
    with h5py.File(tmp_path / "a.h5") as a, h5py.File(tmp_path / "b.h5") as b:
        assert a["bodies/acceleration"].shape == a["bodies/velocity"].shape and "bodies/acceleration" not in b
        assert numpy.all(numpy.isfinite(a["bodies/angular_acceleration"][:]))
        assert a["bodies/acceleration"].attrs["unit"].decode() == "m/s^2"
    assert polhode("export", "a.h5", "--to", "csv", cwd=tmp_path).returncode == OK
    assert ".acceleration.x" in (tmp_path / "a.csv").read_text().splitlines()[0]


def test_the_same_run_twice_is_the_same_to_the_last_bit(model, tmp_path):
    figures = []
    for name in ("a.h5", "b.h5"):
        figures.append(json.loads(polhode("run", model, "--json", "-o", name, cwd=tmp_path).stdout))
        del figures[-1]["seconds"]
    assert figures[0] == figures[1]
    with h5py.File(tmp_path / "a.h5") as a, h5py.File(tmp_path / "b.h5") as b:
        for dataset in ("bodies/position", "bodies/velocity", "joints/reaction"):
            assert numpy.array_equal(a[dataset], b[dataset])
