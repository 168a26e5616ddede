"""The command for tests: where it is, what it returns, and a model for it.

POLHODE_BUILD names the folder of the build, build/release unless set.
"""

import json
import os
import pathlib
import subprocess

import h5py

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"
MODELS = ROOT / "models"
OK, RUN_FAILED, BAD_INPUT, NOT_MET, INTERRUPTED = 0, 1, 2, 3, 130

PENDULUM = {
    "polhode": 1,
    "name": "pendulum",
    "gravity": [0, 0, -9.81],
    "bodies": [{"name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 0]}],
    "joints": [{"name": "string", "type": "rod", "between": ["ground", "bob"]}],
    "simulation": {"step": 0.01, "end_time": 1},
}


def polhode(*words, cwd=None):
    return subprocess.run([POLHODE, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=120)


def written(path, model):
    path.write_text(model if isinstance(model, str) else json.dumps(model))
    return path


def changed(model, **keys):
    model = json.loads(json.dumps(model))
    model.update(keys)
    return model


def samples(path):
    try:
        with h5py.File(path, "r") as file:
            return int(file["progress"][()])
    except (OSError, KeyError):  # not there yet
        return 0
