"""Results as others read them, with h5py: finished, while they are written, and after the writer was killed.

POLHODE_BUILD names the folder of the build, build/dev unless set.
"""

import json
import os
import pathlib
import signal
import subprocess

import h5py
import numpy
import pytest

ROOT = pathlib.Path(__file__).parent.parent
WRITER = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/dev")).absolute() / "tests/polhode-write-slowly"


@pytest.fixture
def start():
    """Starts a writer and waits until it has written so many samples."""
    writers = []

    def start_writer(path, samples, pause, *words, until):
        writer = subprocess.Popen([WRITER, path, str(samples), str(pause), *words], stdout=subprocess.PIPE, text=True)
        writers.append(writer)
        for _ in range(until):
            assert writer.stdout.readline()
        return writer

    yield start_writer
    for writer in writers:
        writer.kill()
        writer.wait()
        writer.stdout.close()


def expect_circle(file, n):
    """The first n samples are the motion, to the last bit but for the two libraries' sines; those behind are NaN."""
    t = numpy.arange(n)
    x = file["bodies/position"][:]
    assert numpy.array_equal(file["time"][:n], t)
    assert numpy.allclose(x[:n, 0], numpy.stack([numpy.cos(t), numpy.sin(t), 0 * t], axis=1), rtol=0, atol=1e-15)
    assert numpy.all(file["energy/kinetic"][:n] == 0.5)
    assert numpy.all(numpy.isnan(x[n:])) and numpy.all(numpy.isnan(file["time"][n:]))


def test_a_finished_result_tells_all_about_itself(tmp_path, start):
    assert start(tmp_path / "circle.h5", 20, 0, "finish", until=20).wait() == 0
    with h5py.File(tmp_path / "circle.h5", "r") as file:
        assert file["progress"][()] == 20 and file["complete"][()] == 1
        assert file["status"].asstr()[()] == "completed"
        assert json.loads(file["certificate"][()]) == {"status": "completed"}
        assert json.loads(file["model"].asstr()[()])["name"] == "Kreis – circle"
        assert file.attrs["format"].decode() == "polhode result" and file.attrs["format_version"] == 1
        position = file["bodies/position"]
        assert position.shape == (20, 2, 3)
        assert position.attrs["unit"].decode() == "m" and position.attrs["frame"].decode() == "space"
        assert list(file[position.attrs["names"].decode()].asstr()) == ["particle", "other"]
        assert file["joints/reaction"].shape == (20, 0, 6)
        expect_circle(file, 20)


def test_it_is_readable_while_it_is_written(tmp_path, start):
    writer = start(tmp_path / "circle.h5", 50, 0.02, until=1)
    seen = []
    while not seen or seen[-1] < 50:
        with h5py.File(tmp_path / "circle.h5", "r") as file:
            assert file["complete"][()] == 0
            n = int(file["progress"][()])
            expect_circle_up_to(file, n)
            seen.append(n)
    assert seen == sorted(seen) and len(set(seen)) > 3  # it was seen to grow
    assert writer.wait() == 0
    with h5py.File(tmp_path / "circle.h5", "r") as file:
        assert file["status"].asstr()[()] == "interrupted"
        assert json.loads(file["certificate"][()])["reason"].startswith("ended without a certificate")


def expect_circle_up_to(file, n):
    t = numpy.arange(n)
    assert numpy.array_equal(file["time"][:n], t)
    assert numpy.allclose(file["bodies/position"][:n, 0, 0], numpy.cos(t), rtol=0, atol=1e-15)


def test_killed_it_keeps_its_samples(tmp_path, start):
    writer = start(tmp_path / "circle.h5", 50, 30, until=1)  # in its first pause, of half a minute
    writer.send_signal(signal.SIGKILL)
    assert writer.wait() == -signal.SIGKILL
    with h5py.File(tmp_path / "circle.h5", "r") as file:
        assert file["progress"][()] == 1 and file["complete"][()] == 0
        assert file["status"].asstr()[()] == "running"
        expect_circle(file, 1)
