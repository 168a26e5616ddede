"""The command as a process: signals, standard streams, limits, and what it prints of names that anybody may have written."""

import json
import os
import resource
import signal
import subprocess
import time

import h5py
import pytest

from command import BAD_INPUT, INTERRUPTED, MODELS, OK, PENDULUM, POLHODE, RUN_FAILED, changed, polhode, samples, written


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGXCPU"])
def test_a_signal_ends_a_run_that_keeps_what_it_has(start, name):
    process, result = start()
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED and f"interrupted by {name} at t = " in err
    with h5py.File(result) as file:
        assert file["status"].asstr()[()] == "interrupted"
        assert name in json.loads(file["certificate"].asstr()[()])["reason"]
        assert file["time"][int(file["progress"][()]) - 1] > 0 and file["certificate"][()]


def test_a_signal_that_was_ignored_stays_ignored(tmp_path):
    model = written(tmp_path / "model.json", changed(PENDULUM, simulation={"step": 1e-5, "end_time": 10}))
    process = subprocess.Popen(["nohup", POLHODE, "run", model, "-q", "-o", tmp_path / "x.h5"], cwd=tmp_path, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    while samples(tmp_path / "x.h5") < 2:
        time.sleep(0.01)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=120) == OK


def test_a_signal_as_soon_as_the_result_is_there_ends_the_run(tmp_path):
    model, result = written(tmp_path / "model.json", changed(PENDULUM, simulation={"step": 1e-5, "end_time": 1e3, "output_step": 1})), tmp_path / "x.h5"
    for _ in range(30):
        process = subprocess.Popen([POLHODE, "run", model, "-q", "-o", result, "--view"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(result):
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == INTERRUPTED
        with h5py.File(result) as file:
            assert file["status"].asstr()[()] == "interrupted" and "SIGTERM" in file["certificate"].asstr()[()]
        result.unlink()


def test_a_signal_while_room_is_taken_leaves_nothing(tmp_path):
    model = written(tmp_path / "model.json", changed(PENDULUM, simulation={"step": 1e-3, "output_step": 1e-3, "end_time": 4000}))
    process = subprocess.Popen([POLHODE, "run", model, "-q", "-o", tmp_path / "x.h5"])  # 1.3 GB
    while not list(tmp_path.glob("x.h5*")):
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) in (-signal.SIGTERM, INTERRUPTED)
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize("verb", ["compare", "converge"])
def test_a_study_that_is_interrupted_says_so(verb, model):
    process = subprocess.Popen([POLHODE, verb, model, "-q", "--end-time", "3000"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == INTERRUPTED


def test_ctrl_c_in_the_second_run_keeps_the_first(tmp_path):
    model = written(tmp_path / "model.json", changed(PENDULUM, simulation={"step": 1e-4, "end_time": 20, "output_step": 0.02}))
    process = subprocess.Popen([POLHODE, "run", model, "-o", tmp_path / "x.h5", "--estimate-error"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    last, since = 0, time.monotonic()
    while process.poll() is None and (last < 500 or time.monotonic() < since + 0.1):  # until nothing comes any more
        time.sleep(0.01)
        if (now := samples(tmp_path / "x.h5")) != last:
            last, since = now, time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    with h5py.File(tmp_path / "x.h5") as file:
        assert file["progress"][()] == 1001 and file["complete"][()] == 1 and file["status"].asstr()[()] == "complete"
    if process.returncode != OK:  # it was in time
        assert process.returncode == INTERRUPTED and "SIGINT ended the second run" in err


@pytest.mark.parametrize("words", [("run", "MODEL", "--json", "-o", "none"), ("run", "MODEL", "-o", "none"), ("check", "MODEL"), ("check", "MODEL", "--json"),
                                   ("integrators",), ("describe", "--schema"), ("--help",), ("--version",), ("spectrum", "--h-over-t", "0.1")])
def test_output_that_is_lost_is_a_failure(model, words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([POLHODE, *(model if word == "MODEL" else word for word in words)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == RUN_FAILED and "No space left" in done.stderr


def test_a_full_disk_of_messages_loses_no_result(model, tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run([POLHODE, "run", model, "-o", tmp_path / "x.h5"], stdout=full, stderr=full)
    assert done.returncode == RUN_FAILED
    with h5py.File(tmp_path / "x.h5") as file:
        assert file["complete"][()] == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", ">&- 2>&-"])
def test_closed_streams_do_not_spoil_the_result(tmp_path, closed):
    many = [dict(PENDULUM["bodies"][0], name=f"b{k}", position=[1 + k, 0, 0]) for k in range(40)]  # a certificate longer than the buffer
    written(tmp_path / "many.json", changed(PENDULUM, bodies=many, joints=[]))
    done = subprocess.run(f"exec '{POLHODE}' run many.json --json -o x.h5 {closed}", shell=True, cwd=tmp_path)
    assert done.returncode == OK
    with h5py.File(tmp_path / "x.h5") as file:
        assert file["complete"][()] == 1


def test_bad_input_with_closed_messages_is_bad_input(tmp_path):
    assert subprocess.run(f"exec '{POLHODE}' check absent.json 2>&-", shell=True, cwd=tmp_path).returncode == BAD_INPUT


def test_the_limit_of_file_size_is_an_error(model, tmp_path):
    done = subprocess.run([POLHODE, "run", model, "-q", "-o", tmp_path / "x.h5"], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
    assert done.returncode == RUN_FAILED and "File too large" in done.stderr
    assert not list(tmp_path.glob("x.h5*"))


ESCAPE = "\x1b]0;owned\x07\x9b31m"


@pytest.mark.parametrize("words", [("run", "-o", "none"), ("check",)])
def test_control_characters_of_a_model_do_not_reach_the_terminal(tmp_path, words):
    for name, change in (("good.json", {}), ("bad.json", {"joints": [dict(PENDULUM["joints"][0], name=ESCAPE, between=["ground", ESCAPE])]})):
        model = written(tmp_path / name, changed(PENDULUM, name=ESCAPE, **change))
        done = polhode(words[0], model, *words[1:])
        assert done.returncode == (OK if name == "good.json" else BAD_INPUT), done.stderr
        assert not set(done.stdout + done.stderr) & {"\x1b", "\x07", "\x9b"}
        if words[0] == "run" or name == "bad.json":
            assert "\\x1b]0;owned\\x07\\u009b31m" in done.stdout + done.stderr


def test_a_finding_after_reading_names_the_file(tmp_path):
    misfit = changed(PENDULUM, joints=[{"name": "string", "type": "rod", "between": ["ground", "bob"], "length": 2}])
    model = written(tmp_path / "misfit.json", misfit)
    for done in (polhode("check", model), polhode("run", model, "-o", "none"), polhode("run", model, "-o", "none", "--integrator.name", "no-such"),
                 polhode("compare", model)):
        assert done.returncode == BAD_INPUT and done.stderr.startswith(f"{model}: "), done.stderr


def test_a_requirement_is_given_once(model):
    done = polhode("run", model, "-o", "none", "--require", "energy=1e-12,energy=1")
    assert done.returncode == BAD_INPUT and "given twice" in done.stderr


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_the_viewer_of_a_run_ends_with_it(tmp_path, name):
    model = written(tmp_path / "model.json", changed(PENDULUM, simulation={"step": 1e-5, "end_time": 1e4, "output_step": 1}))
    run = subprocess.Popen([POLHODE, "run", model, "-q", "-o", "x.h5", "--view"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline().startswith("http://127.0.0.1:")
    children = open(f"/proc/{run.pid}/task/{run.pid}/children").read().split()
    assert len(children) == 1
    run.send_signal(getattr(signal, name))
    run.wait(timeout=60)
    deadline = time.monotonic() + 20
    while os.path.exists(f"/proc/{children[0]}") and open(f"/proc/{children[0]}/stat").read().split()[2] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("given", ["in the model", "as an option"])
def test_a_reference_without_end_is_refused(tmp_path, given):
    model = written(tmp_path / "model.json", changed(PENDULUM, **({"reference": "/dev/zero"} if given == "in the model" else {})))
    words = ("--reference", "/dev/zero") if given == "as an option" else ()
    done = subprocess.run([POLHODE, "compare", model, "-q", "--integrator", "rattlie", *words], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)))
    assert done.returncode == BAD_INPUT and "/dev/zero" in done.stderr, done.stderr
