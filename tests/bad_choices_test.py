"""Choices that cannot work: the command refuses each, with the reason and what to take instead.

POLHODE_BUILD names the folder of the build, build/release unless set.
"""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"
MODELS = ROOT / "models"
BAD_INPUT = 2
EXPLICIT = ["simo-wong", "predictor-corrector", "staggered", "park-chiou-downer"]

SPRING = {
    "polhode": 1,
    "bodies": [{"name": "mass", "type": "scalar", "mass": 1, "coordinate": 1}],
    "forces": [{"name": "spring", "type": "spring-damper", "between": ["ground", "mass"], "at_a": [-9, 0, 0], "stiffness": 100, "length": 9}],
}
DISC = {
    "polhode": 1,
    "bodies": [{"name": "disc", "type": "fixed-point", "mass": 1, "inertia": [1, 1, 1.8], "angular_velocity": [0, 0, 10]}],
}


def refused(tmp_path, *words):
    """What is said, once it is sure that nothing was run or written."""
    done = subprocess.run([POLHODE, *map(str, words)], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == BAD_INPUT, done.stderr
    assert done.stdout == "" and not list(tmp_path.glob("*.h5"))
    return done.stderr


@pytest.mark.parametrize("method", EXPLICIT)
@pytest.mark.parametrize("model, equations", [("heavy_top", 3), ("driven_revolute", 6), ("bricard", 30)])
def test_an_explicit_method_refuses_joints_and_drives(method, model, equations, tmp_path):
    for verb in ("run", "check"):
        said = refused(tmp_path, verb, MODELS / f"{model}.json", "--integrator.name", method)
        assert f"{method} is explicit and cannot hold the constraints" in said and f"the model has {equations} of them" in said
        assert "rattlie" in said and "energy-momentum" in said


@pytest.mark.parametrize("method", EXPLICIT)
def test_a_step_above_the_limit_of_a_spring_is_refused(method, tmp_path):
    (tmp_path / "spring.json").write_text(json.dumps(SPRING))  # 10 rad/s: 0.2 s
    for verb in ("run", "check"):
        said = refused(tmp_path, verb, "spring.json", "--integrator.name", method, "--step", "0.21", "--end-time", "1")
        assert f"0.21 s is above the stability limit of {method}, 0.2 s" in said
        assert "10 rad/s" in said and "energy-momentum" in said


@pytest.mark.parametrize("method, limit", [("simo-wong", 0.079), ("predictor-corrector", 0.1), ("staggered", 0.118), ("park-chiou-downer", 0.25)])
def test_a_step_above_the_limit_of_spin_is_refused(method, limit, tmp_path):
    (tmp_path / "disc.json").write_text(json.dumps(DISC))
    said = refused(tmp_path, "run", "disc.json", "--integrator.name", method, "--step", "0.26", "--end-time", "1")
    assert f"0.26 s is above the stability limit of {method}, {limit:g} s" in said and "spins with 10 rad/s" in said


@pytest.mark.parametrize("method", ["generalized-alpha", "energy-decaying"])
@pytest.mark.parametrize("rho_inf", ["-0.01", "1.01"])
def test_rho_inf_is_between_nothing_and_all(method, rho_inf, tmp_path):
    said = refused(tmp_path, "run", MODELS / "heavy_top.json", "--integrator.name", method, "--integrator.rho_inf", rho_inf)
    assert "rho_inf" in said and "between 0 and 1" in said


def test_hht_has_less_damping_to_offer(tmp_path):
    said = refused(tmp_path, "run", MODELS / "heavy_top.json", "--integrator.name", "generalized-alpha", "--integrator.settings", "hht",
                   "--integrator.rho_inf", "0.3")
    assert "0.5 to 1" in said and "settings generalized-alpha" in said


@pytest.mark.parametrize("verb", ["run", "check"])
def test_an_unknown_method_gets_the_list_and_the_nearest(verb, tmp_path):
    said = refused(tmp_path, verb, MODELS / "heavy_top.json", "--integrator.name", "stagered")
    assert 'no integrator "stagered"' in said and 'did you mean "staggered"' in said
    assert all(method in said for method in EXPLICIT)


@pytest.mark.parametrize("verb", ["compare", "converge"])
def test_studies_refuse_what_a_run_refuses(verb, tmp_path):
    for words, reason in (("stagered", 'did you mean "staggered"'), ("generalized-alpha rho_inf=2", "between 0 and 1"),
                          ("staggered impulse=middle", "midpoint or trapezoidal")):
        assert reason in refused(tmp_path, verb, MODELS / "heavy_top.json", "--integrator", words)


def test_an_impulse_is_one_of_two(tmp_path):
    said = refused(tmp_path, "run", MODELS / "fast_top.json", "--integrator.impulse", "middle")
    assert "midpoint or trapezoidal" in said
    said = refused(tmp_path, "run", MODELS / "fast_top.json", "--integrator.name", "park-chiou-downer", "--integrator.impulse", "midpoint")
    assert "park-chiou-downer" in said and "impulse" in said


def test_reproduce_knows_its_papers(tmp_path):
    said = refused(tmp_path, "reproduce", "hulbret")
    assert 'no paper "hulbret"' in said and 'did you mean "hulbert"' in said
    assert not (tmp_path / "papers").exists()
