"""`polhode report`, `view` and `export` as commands: what they write, what they refuse. What the page shows is tested in web/tests."""

import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import urllib.request

import h5py
import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"
OK, RUN_FAILED, BAD_INPUT = 0, 1, 2


def polhode(*words, cwd=None):
    return subprocess.run([POLHODE, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("view")
    assert polhode("run", ROOT / "models/bricard.json", "-q", "--end-time", "0.5", cwd=folder).returncode == OK
    return folder


def test_a_report_is_one_file_that_asks_for_nothing(folder):
    done = polhode("report", "bricard.h5", cwd=folder)
    assert done.returncode == OK and "Report: bricard.html" in done.stdout, done.stderr
    html = (folder / "bricard.html").read_text()
    assert html.startswith("<!doctype html>") and len(html) < 2e6
    assert not re.search(r'(src|href)\s*=\s*"?(https?:)?//', html)  # nothing is loaded from elsewhere
    assert "default-src 'none'" in html
    assert re.search(r'id="polhode-data">[A-Za-z0-9+/]{1000,}={0,2}</script>', html)


def test_what_is_no_result_is_refused(folder, tmp_path):
    (tmp_path / "text.h5").write_text("no result")
    for words in (["report"], ["view", "--no-browser"], ["export", "--to", "gltf"]):
        for result in ("missing.h5", "text.h5"):
            done = polhode(*words, result, cwd=tmp_path)
            assert done.returncode == RUN_FAILED and result in done.stderr and done.stdout == ""
    assert not list(tmp_path.glob("*.html")) and not list(tmp_path.glob("*.glb"))


@pytest.mark.parametrize("words", [("report",), ("report", "bricard.h5", "--frames", "1"), ("export", "bricard.h5"),
                                   ("export", "bricard.h5", "--to", "obj"), ("export", "bricard.h5", "--to", "vtk", "-o", "x.vtp"),
                                   ("export", "bricard.h5", "--to", "gltf", "--channels", "energy"),
                                   ("export", "bricard.h5", "--to", "csv", "--frames", "10"), ("run", "m.json", "--view", "-o", "none")])
def test_what_makes_no_sense_is_refused(words, folder):
    (folder / "m.json").write_text((ROOT / "models/pendulum.json").read_text())
    done = polhode(*words, cwd=folder)
    assert done.returncode == BAD_INPUT and done.stderr + done.stdout


def test_a_table_has_the_recorded_numbers_to_the_last_bit(folder):
    done = polhode("export", "bricard.h5", "--to", "csv", "--channels", "rod3.position,energy", cwd=folder)
    assert done.returncode == OK and "bricard.csv" in done.stdout
    with open(folder / "bricard.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with h5py.File(folder / "bricard.h5") as result:
        n = int(result["progress"][()])
        assert len(rows) == n
        assert [float(rows[-1][f"rod3.position.{c}"]) for c in "xyz"] == list(result["bodies/position"][n - 1, 2])
    wrong = polhode("export", "bricard.h5", "--to", "csv", "--channels", "rod7", cwd=folder)
    assert wrong.returncode == BAD_INPUT and "rod7" in wrong.stderr


def test_both_forms_of_gltf_hold_the_same(folder):
    for name in ("b.glb", "b.gltf"):
        assert polhode("export", "bricard.h5", "--to", "gltf", "--frames", "20", "-o", name, "-q", cwd=folder).returncode == OK
    binary = (folder / "b.glb").read_bytes()
    assert binary[:4] == b"glTF" and int.from_bytes(binary[8:12], "little") == len(binary)
    length = int.from_bytes(binary[12:16], "little")
    inside, text = json.loads(binary[20:20 + length]), json.loads((folder / "b.gltf").read_text())
    assert text["buffers"][0].pop("uri").startswith("data:application/octet-stream;base64,")
    assert inside == text
    assert {"rod1", "rod2", "rod3", "rod4", "rod5"} <= {node.get("name") for node in inside["nodes"]}


def test_the_viewer_serves_the_recorded_numbers_and_ends_when_told(folder):
    process = subprocess.Popen([POLHODE, "view", "bricard.h5", "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        address = process.stdout.readline().split()[0]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        status = json.load(urllib.request.urlopen(address + "status"))
        data = urllib.request.urlopen(address + "data").read()
        assert data[:4] == b"PLHV"
        length = int.from_bytes(data[8:12], "little")
        header = json.loads(data[16:16 + length])
        place = header["runs"][0]["frames"]["position"]
        start = (16 + length + 7) // 8 * 8 + place["offset"]
        position = numpy.frombuffer(data[start:start + 4 * place["count"]], dtype="<f4").reshape(-1, 5, 3)
        with h5py.File(folder / "bricard.h5") as result:
            n = int(result["progress"][()])
            assert status == [{"samples": n, "planned": n, "complete": True, "running": False, "status": "complete"}]
            assert numpy.array_equal(position, result["bodies/position"][:n].astype("<f4"))
        taken = polhode("view", "bricard.h5", "--no-browser", "--port", re.search(r":(\d+)/", address).group(1), cwd=folder)
        assert taken.returncode == RUN_FAILED and "in use" in taken.stderr
    finally:
        process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == OK
