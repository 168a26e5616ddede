"""Every result says what made it, and its run can be repeated from the result alone."""

import hashlib
import json
import re
import subprocess

import h5py
import pytest

from command import BAD_INPUT, MODELS, NOT_MET, OK, PENDULUM, ROOT, changed, polhode, written


@pytest.fixture
def folder(tmp_path):
    written(tmp_path / "m.json", PENDULUM)
    assert polhode("run", "m.json", "-q", "--step", "0.005", "-o", "r.h5", cwd=tmp_path).returncode == OK
    return tmp_path


def test_a_result_says_what_made_it(folder):
    with h5py.File(folder / "r.h5") as file:
        provenance, model = json.loads(file["provenance"][()]), file["model"][()]
    assert f"polhode {provenance['polhode']}" == polhode("--version").stdout.strip()
    assert re.fullmatch(r"(gcc|clang) \d+\.\d+\.\d+", provenance["compiler"]) and provenance["instructions"] and provenance["library"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", provenance["date"])
    assert provenance["model_sha256"] == hashlib.sha256(model.rstrip(b"\0")).hexdigest()
    git = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True)
    if git.returncode == 0:
        assert re.fullmatch(r"[0-9a-f]{12,40}(-dirty)?", provenance["commit"])


@pytest.mark.parametrize("size", [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000])
def test_the_hash_is_sha256(tmp_path, size):
    model = written(tmp_path / "m.json", changed(PENDULUM, description="x" * size))
    assert polhode("run", model, "-q", "-o", tmp_path / "r.h5").returncode == OK
    with h5py.File(tmp_path / "r.h5") as file:
        assert json.loads(file["provenance"][()])["model_sha256"] == hashlib.sha256(file["model"][()].rstrip(b"\0")).hexdigest()


def test_reports_and_exports_say_it_too(folder):
    with h5py.File(folder / "r.h5") as file:
        provenance = json.loads(file["provenance"][()])
    assert polhode("export", "r.h5", "--to", "gltf", "-q", "-o", "r.gltf", cwd=folder).returncode == OK
    generator = json.loads((folder / "r.gltf").read_text())["asset"]["extras"]["computed_by"]
    assert provenance["compiler"] in generator and provenance["date"] in generator and provenance["commit"] in generator


@pytest.mark.parametrize("words", [(), ("--threads", "2"), ("-o", "again.h5")])
def test_a_run_repeats_bit_by_bit_from_its_result(folder, words):
    done = polhode("run", "--from", "r.h5", *words, cwd=folder)
    assert done.returncode == OK, done.stderr
    assert "The bits agree with r.h5: 101 samples" in done.stdout or "The bits agree with r.h5: 201 samples" in done.stdout
    if "-o" in words:
        with h5py.File(folder / "r.h5") as one, h5py.File(folder / "again.h5") as other:
            assert one["bodies/position"][()].tobytes() == other["bodies/position"][()].tobytes()
            assert json.loads(one["options"][()])["step"] == 0.005 == json.loads(other["options"][()])["step"]


@pytest.mark.parametrize("method", ["energy-momentum", "generalized-alpha", "rattlie"])
def test_every_kind_of_method_repeats(tmp_path, method):
    run = polhode("run", MODELS / "heavy_top.json", "-q", "--end-time", "0.05", "--integrator.name", method, "-o", "r.h5", cwd=tmp_path)
    assert run.returncode == OK, run.stderr
    assert polhode("run", "--from", "r.h5", "-q", cwd=tmp_path).returncode == OK


def test_a_bit_that_differs_is_found(folder):
    with h5py.File(folder / "r.h5", "r+") as file:
        position = file["bodies/position"]
        one = position[40, 0, 2]
        position[40, 0, 2] = one * (1 + 2.0**-52)
    done = polhode("run", "--from", "r.h5", cwd=folder)
    assert done.returncode == NOT_MET and "bodies/position" in done.stderr and "sample 40" in done.stderr and "polhode" in done.stderr


def test_an_interrupted_result_repeats_as_far_as_it_goes(folder):
    with h5py.File(folder / "r.h5", "r+") as file:
        file["progress"][()] = 17
    done = polhode("run", "--from", "r.h5", cwd=folder)
    assert done.returncode == OK and "17 samples" in done.stdout


def test_a_run_is_of_a_model_or_of_a_result(folder):
    for words in ((), ("m.json", "--from", "r.h5"), ("--from", "r.h5", "-o", "r.h5")):
        done = polhode("run", *words, cwd=folder)
        assert done.returncode == BAD_INPUT and done.stderr, words
    assert polhode("run", "--from", "m.json", cwd=folder).returncode != OK
