"""Requests beyond what there is: the command says which and what to ask for, at once, and does not crash or fill the memory.

POLHODE_BUILD names the folder of the build, build/release unless set.
"""

import resource
import subprocess

import pytest

from command import BAD_INPUT, PENDULUM, POLHODE, changed, polhode, written


def within(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


def test_threads_that_the_system_does_not_start_are_an_error(tmp_path):
    bodies = [dict(PENDULUM["bodies"][0], name=f"b{k}") for k in range(300)]
    model = written(tmp_path / "many.json", changed(PENDULUM, bodies=bodies, joints=[], simulation={"end_time": 0.01}))
    done = subprocess.run(
        [POLHODE, "run", model, "-q", "-o", "none", "--threads", "64"], capture_output=True, text=True, preexec_fn=within(300), timeout=120
    )
    assert done.returncode > 0, done.returncode  # not killed by a signal
    assert "fewer threads" in done.stderr


@pytest.mark.parametrize("words, said", [(("--points", 2000000000), "take 2 to 100000"), (("--from", 1, "--to", "inf"), "both finite")])
def test_a_spectrum_without_end_is_refused(words, said):
    done = subprocess.run(
        [POLHODE, "spectrum", "--integrator", "energy-momentum", "--json", *map(str, words)],
        capture_output=True,
        text=True,
        preexec_fn=within(1000),
        timeout=20,
    )
    assert done.returncode == BAD_INPUT and said in done.stderr, done.stderr


@pytest.mark.parametrize("step", ["1e-20", "1e-300"])
def test_more_steps_than_can_be_counted_are_refused(step, tmp_path):
    model = written(tmp_path / "pendulum.json", PENDULUM)
    done = polhode("run", model, "-o", "none", "--step", step, "--require", "energy=1e-12")
    assert done.returncode == BAD_INPUT and "a run has at most 9e+15; try a larger step" in done.stderr, done.stderr
