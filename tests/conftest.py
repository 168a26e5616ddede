"""What tests of the command are given: a model in a file of its own, and a long run in the background."""

import subprocess
import time

import pytest

from command import PENDULUM, POLHODE, changed, samples, written


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
