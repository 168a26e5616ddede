"""Outputs: a command destroys nothing that it reads, nothing older unless the new one is whole, and says what became of its own."""

import json
import os
import resource
import signal
import subprocess
import time
import xml.dom.minidom

import h5py
import pytest

from command import BAD_INPUT, OK, PENDULUM, POLHODE, RUN_FAILED, changed, polhode, samples, written


@pytest.fixture
def folder(tmp_path):
    written(tmp_path / "m.json", PENDULUM)
    assert polhode("run", "m.json", "-q", "-o", "r.h5", cwd=tmp_path).returncode == OK
    return tmp_path


@pytest.mark.parametrize("words", [
    ("run", "m.json", "-o", "m.json"), ("run", "m.json", "-o", "x.h5", "--csv", "m.json"), ("run", "m.json", "-o", "x.h5", "--csv", "x.h5"),
    ("run", "m.json", "-o", "link.json"), ("run", "m.json", "-o", "hard.json"), ("run", "m.json", "-o", "./sub/../m.json"),
    ("report", "r.h5", "-o", "r.h5"), ("report", "r.h5", "-o", "hard.h5"), ("export", "r.h5", "--to", "csv", "-o", "r.h5"),
    ("export", "r.h5", "--to", "gltf", "-o", "link.h5"), ("export", "r.pvd", "--to", "vtk", "-o", "r.pvd"),
    ("compare", "m.json", "--csv", "m.json"), ("converge", "m.json", "--svg", "m.json"), ("converge", "m.json", "--csv", "x", "--svg", "x"),
    ("converge", "m.json", "--reference", "known.json", "--csv", "known.json"), ("spectrum", "--csv", "x", "--svg", "./x")])
def test_an_output_that_is_an_input_is_refused(folder, words):
    (folder / "sub").mkdir()
    written(folder / "known.json", {"source": "rest", "motion": []})
    (folder / "r.pvd").write_bytes((folder / "r.h5").read_bytes())
    for name in ("m.json", "r.h5"):
        os.symlink(name, folder / name.replace("m.", "link.").replace("r.", "link."))
        os.link(folder / name, folder / name.replace("m.", "hard.").replace("r.", "hard."))
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = polhode(*words, cwd=folder)
    assert done.returncode == BAD_INPUT and words[-1] in done.stderr, done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit then fails, as on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))


@pytest.mark.parametrize("words", [
    ("report", "r.h5", "-o", "old"), ("export", "r.h5", "--to", "csv", "-o", "old"), ("export", "r.h5", "--to", "gltf", "-o", "old"),
    ("export", "r.h5", "--to", "vtk", "-o", "old.pvd"), ("run", "m.json", "-o", "old"), ("spectrum", "--csv", "old"), ("spectrum", "--svg", "old")])
def test_an_older_file_stays_if_the_new_one_does_not_fit(folder, words):
    old = folder / words[-1]
    old.write_text("the older one")
    done = subprocess.run([POLHODE, *words], cwd=folder, capture_output=True, text=True, preexec_fn=small_files)
    assert done.returncode == RUN_FAILED and "File too large" in done.stderr, done.stderr
    assert old.read_text() == "the older one" and not list(folder.glob("**/*.new"))


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_a_link(folder):
    (folder / "table.csv").write_text("older")
    (folder / "table.csv").chmod(0o640)
    os.symlink("table.csv", folder / "link.csv")
    os.symlink("elsewhere.h5", folder / "link.h5")
    os.symlink("circle.h5", folder / "circle.h5")
    assert polhode("run", "m.json", "-q", "-o", "link.h5", "--csv", "link.csv", cwd=folder).returncode == OK
    assert (folder / "link.csv").is_symlink() and (folder / "link.h5").is_symlink()
    assert (folder / "table.csv").stat().st_mode & 0o777 == 0o640 and (folder / "table.csv").read_text().startswith("time,")
    assert samples(folder / "elsewhere.h5") == 101
    circle = polhode("run", "m.json", "-q", "-o", "circle.h5", cwd=folder)
    assert circle.returncode == RUN_FAILED and "circle.h5" in circle.stderr and "link" in circle.stderr


def test_a_pipe_is_written_to_as_it_stands(folder):
    done = polhode("export", "r.h5", "--to", "csv", "-q", "-o", "/dev/stdout", cwd=folder)
    assert done.returncode == OK and done.stdout.startswith("time,") and done.stdout.count("\n") == 102


def test_what_cannot_be_written_is_said_before_the_run(folder):
    (folder / "long.json").write_text(json.dumps(changed(PENDULUM, simulation={"step": 1e-6, "end_time": 1e4})))
    for words in (["--csv", "no/x.csv"], ["-o", "no/x.h5"], ["-o", "x.h5", "--csv", "."]):
        done = polhode("run", "long.json", *words, cwd=folder)
        assert done.returncode != OK and words[-1].rstrip(".") in done.stderr and "folder" in done.stderr, done.stderr


def long_run(folder, name, end_time=20):
    written(folder / "long.json", changed(PENDULUM, simulation={"step": 1e-5, "end_time": end_time, "output_step": 0.01}))
    process = subprocess.Popen([POLHODE, "run", "long.json", "-o", name, "--csv", "mine.csv"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while samples(folder / name) < 2:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process


def test_a_result_that_is_being_written_is_left_to_its_run(folder):
    process = long_run(folder, "same.h5")
    second = polhode("run", "m.json", "-q", "-o", "same.h5", cwd=folder)
    running = process.poll() is None
    out, err = process.communicate(timeout=120)
    assert running and second.returncode == RUN_FAILED and "same.h5: another run is writing to it" in second.stderr
    assert process.returncode == OK and samples(folder / "same.h5") == 2001, err
    assert (folder / "mine.csv").read_text().count("\n") == 2002
    assert polhode("run", "m.json", "-q", "-o", "same.h5", cwd=folder).returncode == OK  # it is free again


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_result_that_loses_its_place_is_kept_and_said(folder, how):
    process = long_run(folder, "mine.h5")
    other = (folder / "r.h5").read_bytes()
    if how == "removed":
        (folder / "mine.h5").unlink()
    else:
        (folder / "other.h5").write_bytes(other)
        (folder / "other.h5").rename(folder / "mine.h5")
    out, err = process.communicate(timeout=120)
    assert process.returncode == RUN_FAILED and f"mine.h5: was {how}" in err
    kept = folder / f"mine.kept-{process.pid}.h5"
    assert str(kept.name) in err
    with h5py.File(kept) as file:
        assert file["progress"][()] == 2001 and file["complete"][()] == 1
    assert "energy" in out and "Result:" not in out and not (folder / "mine.csv").exists()  # the certificate is told all the same
    if how == "replaced":
        assert (folder / "mine.h5").read_bytes() == other


def test_any_name_makes_a_series_for_vtk_that_is_xml(folder):
    for name in ('a&b.pvd', 'a"b.pvd', "a<b>.pvd"):
        assert polhode("export", "r.h5", "-q", "--to", "vtk", "--frames", "2", "-o", name, cwd=folder).returncode == OK
        sets = xml.dom.minidom.parse(str(folder / name)).getElementsByTagName("DataSet")
        assert sets and all((folder / one.getAttribute("file")).is_file() for one in sets)
