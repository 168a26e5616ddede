"""What the tests share. They run on the installed package, or on a build: PYTHONPATH=build/release/python."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import polhode

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = sorted((ROOT / "models").glob("*.json"))


def command_path():
    """The command of the same installation, or of the build that POLHODE_BUILD names."""
    beside = pathlib.Path(sys.executable).parent / "polhode"
    if "POLHODE_BUILD" in os.environ:
        return ROOT / os.environ["POLHODE_BUILD"] / "polhode"
    return beside if beside.exists() else pathlib.Path(shutil.which("polhode") or ROOT / "build/release/polhode")


@pytest.fixture
def command():
    def run(*words, **options):
        return subprocess.run([command_path(), *map(str, words)], capture_output=True, text=True, timeout=300, **options)

    return run


@pytest.fixture
def top():
    """A heavy top, quick to run."""
    return polhode.Model(
        name="top",
        gravity=[0, 0, -9.81],
        bodies=[polhode.Body("top", mass=15, inertia=[0.234375, 0.46875, 0.234375], position=[0, 1, 0], angular_velocity=[0, 150, -4.61538])],
        joints=[polhode.joints.Spherical("tip", between=["ground", "top"], at=[0, 0, 0])],
        simulation=polhode.SimulationOptions(step=1e-3, end_time=0.1),
    )


@pytest.fixture
def pendulum():
    return polhode.Model(
        name="pendulum",
        gravity=[0, 0, -9.81],
        bodies=[polhode.Particle("bob", mass=1, position=[1, 0, 0])],
        joints=[polhode.joints.Rod("string", between=["ground", "bob"])],
        simulation=polhode.SimulationOptions(step=0.01, end_time=1),
    )
