"""The published schema against the models that come with the code, and against documents that are no models.

The schema checks form: words, types, what each kind needs. What needs more than one place of the document (that a name
exists, that a mass is regular) is for the program to say.
"""

import copy
import json
import re
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "schema" / "model.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
MODELS = sorted((ROOT / "models").glob("*.json"))

TEXT_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def read(text):
    """JSON with comments."""
    return json.loads(TEXT_OR_COMMENT.sub(lambda found: found.group(1) or "", text))


def sound():
    """A model with one of each kind of list, to be broken in one place at a time."""
    return {
        "polhode": 1,
        "gravity": [0, 0, -9.81],
        "bodies": [
            {"name": "arm", "mass": 1, "inertia": [1, 1, 1], "orientation": [1, 0, 0, 0]},
            {"name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 0]},
            {"name": "top", "type": "fixed-point", "mass": 1, "inertia": [1, 1, 1], "inertia_about": "pivot"},
            {"name": "cart", "type": "scalar", "mass": 1, "axis": [1, 0, 0]},
        ],
        "joints": [
            {"name": "hinge", "type": "revolute", "between": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 0, 1]},
            {"type": "rod", "between": ["arm", "bob"], "length": 1},
            {"type": "screw", "between": ["ground", "top"], "axis": [0, 0, 1], "pitch": 0.1},
            {"type": "universal", "between": ["arm", "top"], "axis_a": [1, 0, 0], "axis_b": [0, 1, 0]},
            {"type": "point-on-line", "between": ["arm", "bob"], "axis_a": [1, 0, 0]},
            {"type": "gear", "joints": ["hinge", "other"], "ratio": 2},
            {"type": "rack", "joints": ["slide", "hinge"], "radius": 0.5},
        ],
        "drives": [
            {"joint": "hinge", "motion": {"type": "harmonic", "amplitude": 1, "angular_frequency": 2}},
            {"type": "length", "between": ["ground", "bob"], "motion": 1},
        ],
        "forces": [
            {"type": "spring-damper", "between": ["arm", "bob"], "stiffness": 1},
            {"type": "force", "body": "arm", "vector": [0, 0, 1]},
            {"type": "force", "body": "arm", "function": [0, 0, {"type": "sum", "functions": [1, 2]}]},
            {"type": "joint-force", "joint": "hinge", "function": {"type": "table", "times": [0, 1], "values": [0, 1]}},
        ],
        "simulation": {
            "integrator": {"name": "generalized-alpha", "rho_inf": 0.8, "update": "exp1"},
            "step": 0.001,
            "newton": {"tolerance": 1e-12},
        },
    }


MISSING = object()

BROKEN = [
    ("/polhode", MISSING),
    ("/polhode", 2),
    ("/bodies", MISSING),
    ("/bodies", []),
    ("/bodys", []),
    ("/gravity", [0, 0]),
    ("/gravity", -9.81),
    ("/bodies/0/name", MISSING),
    ("/bodies/0/name", "ground"),
    ("/bodies/0/name", "a/b"),
    ("/bodies/0/mass", 0),
    ("/bodies/0/mass", "heavy"),
    ("/bodies/0/mass", MISSING),
    ("/bodies/0/inertia", MISSING),
    ("/bodies/0/inertia", [1, 2]),
    ("/bodies/0/inertia_about", "pivot"),
    ("/bodies/0/inertia_about", "centre"),
    ("/bodies/0/type", "solid"),
    ("/bodies/0/pivot", [0, 0, 0]),
    ("/bodies/0/orientation", [1, 0, 0]),
    ("/bodies/0/orientation", {"axis": [0, 0, 1]}),
    ("/bodies/0/orientation", {"axis": [0, 0, 0], "angle": 1}),
    ("/bodies/0/orientation", {"rotation_vector": [0, 0, 1], "angle": 1}),
    ("/bodies/1/inertia", [1, 1, 1]),
    ("/bodies/1/angular_velocity", [0, 0, 1]),
    ("/bodies/2/velocity", [0, 0, 1]),
    ("/bodies/3/axis", [0, 0, 0]),
    ("/bodies/3/velocity", [0, 0, 0]),
    ("/joints/0/type", "hinge"),
    ("/joints/0/type", MISSING),
    ("/joints/0/between", ["ground"]),
    ("/joints/0/between", ["arm", "arm"]),
    ("/joints/0/between", MISSING),
    ("/joints/0/axis", MISSING),
    ("/joints/0/axis", [0, 0, 0]),
    ("/joints/0/axis_a", [0, 0, 1]),
    ("/joints/0/at_b", [0, 0, 1]),
    ("/joints/0/pitch", 1),
    ("/joints/1/axis", [0, 0, 1]),
    ("/joints/1/length", 0),
    ("/joints/2/pitch", MISSING),
    ("/joints/3/axis", [0, 0, 1]),
    ("/joints/3/axis_b", MISSING),
    ("/joints/4/axis_b", [1, 0, 0]),
    ("/joints/5/ratio", MISSING),
    ("/joints/5/ratio", 0),
    ("/joints/5/between", ["ground", "arm"]),
    ("/joints/6/ratio", 1),
    ("/drives/0/motion", MISSING),
    ("/drives/0/motion", "fast"),
    ("/drives/0/motion/type", "sine"),
    ("/drives/0/motion/amplitude", MISSING),
    ("/drives/0/motion/value", 1),
    ("/drives/0/joint", MISSING),
    ("/drives/0/between", ["ground", "arm"]),
    ("/drives/1/axis", [0, 0, 1]),
    ("/drives/1/type", MISSING),
    ("/drives/1/type", "angle"),
    ("/forces/0/between", MISSING),
    ("/forces/0/length", -1),
    ("/forces/0/body", "arm"),
    ("/forces/1/body", "ground"),
    ("/forces/1/vector", MISSING),
    ("/forces/1/function", [1, 2]),
    ("/forces/2/vector", [0, 0, 1]),
    ("/forces/3/function", MISSING),
    ("/forces/3/function/functions", [1]),
    ("/simulation/step", 0),
    ("/simulation/end_time", -1),
    ("/simulation/assembly", "loose"),
    ("/simulation/integrator", "energy-momentum"),
    ("/simulation/integrator/name", MISSING),
    ("/simulation/integrator/order", [2]),
    ("/simulation/newton/max_iterations", 0),
    ("/simulation/newton/tolerence", 1e-12),
    ("/simulation/loop_tolerance", 0),
    ("/simulation/threads", 0),
]


def broken(pointer, value):
    document = copy.deepcopy(sound())
    *way, last = [int(key) if key.isdigit() else key for key in pointer.split("/")[1:]]
    place = document
    for key in way:
        place = place[key]
    if value is MISSING:
        del place[last]
    else:
        place[last] = value
    return document


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_there_are_models():
    assert MODELS


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_every_model_fits(path):
    VALIDATOR.validate(read(path.read_text()))


def test_the_sound_document_fits():
    VALIDATOR.validate(sound())


@pytest.mark.parametrize("pointer, value", BROKEN, ids=lambda x: "missing" if x is MISSING else json.dumps(x))
def test_a_broken_document_does_not_fit(pointer, value):
    assert not VALIDATOR.is_valid(broken(pointer, value))


def test_comments_are_taken_off_outside_texts_only():
    assert read('{"a": "x // y /* z */", /* b */ "c": 1 // d\n}') == {"a": "x // y /* z */", "c": 1}
