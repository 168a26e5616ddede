"""Models in Python say what model files say: the same words, the same checks, nothing lost on the way."""

import copy
import dataclasses
import json
import math

import numpy as np
import pytest
from conftest import MODELS, ROOT

import polhode
from polhode import bodies, drives, forces, functions, joints


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_model_of_the_tree_goes_through_python_without_loss(path):
    model = polhode.Model.load(path)
    text = model.to_json()
    again = polhode.Model.from_json(text)
    assert again == model
    assert again.to_json() == text
    assert polhode._core.read_model(str(path)).text() == text  # what the library writes of the file itself
    assert polhode.Model.from_dict(model.to_dict()) == model


def test_saving_and_loading(tmp_path, top):
    top.save(tmp_path / "top.json")
    again = polhode.Model.load(tmp_path / "top.json")
    assert again.to_json() == top.to_json()
    assert again.body("top").mass == 15


# ---- no word of the schema is missing ----


def schema():
    return json.loads((ROOT / "schema/model.schema.json").read_text())


def words_of(definition):
    """The words of each type in the schema."""
    out = {}
    for variant in definition["oneOf"]:
        if variant.get("type") != "object":
            continue
        kind = variant["properties"].get("type", {})
        for word in kind.get("enum", [kind.get("const")]):
            out.setdefault(word, set()).update(set(variant["properties"]) - {"type"})
    return out


@pytest.mark.parametrize("key, classes", [("body", bodies.BY_TYPE), ("joint", joints.BY_TYPE), ("force", forces.BY_TYPE), ("function", functions.BY_TYPE)])
def test_every_word_of_the_schema_has_its_field(key, classes):
    in_schema = words_of(schema()["$defs"][key])
    in_python = {word: {field.rstrip("_") for field in cls._fields()} for word, cls in classes.items()}
    assert in_python == in_schema


def test_drives_simulation_and_model_have_all_words():
    definitions = schema()["$defs"]
    assert set(drives.Drive._fields()) == set(definitions["drive"]["properties"])
    assert set(polhode.SimulationOptions._fields()) == set(definitions["simulation"]["properties"])
    assert set(polhode.Model._fields()) == set(schema()["properties"]) - {"$schema", "polhode"}


def test_every_method_of_the_table_has_its_class():
    for entry in json.loads(polhode._core.describe())["integrators"]:
        chosen = polhode.integrator.integrator_from(entry["word"])
        assert chosen.method == entry["word"]
        assert {name: getattr(chosen, name) for name in chosen._fields()} == {option["word"]: option["default"] for option in entry["fields"]}
        assert entry["summary"].split()[0] in type(chosen).__doc__
        assert type(chosen).__name__ in polhode.__all__


def test_classes_explain_themselves():
    for cls in [*bodies.BY_TYPE.values(), *joints.BY_TYPE.values(), *forces.BY_TYPE.values(), forces.Load, forces.Potential, drives.Drive]:
        for field in cls._fields():
            assert field in cls.__doc__, (cls, field)


# ---- errors are those of the reader, with places and suggestions ----


def error_of(change, model):
    model = copy.deepcopy(model)
    change(model)
    with pytest.raises(polhode.ModelError) as caught:
        model.check()
    return caught.value


def test_errors_carry_path_and_suggestion(top, tmp_path, command):
    error = error_of(lambda m: setattr(m.body("top"), "mass", -1), top)
    assert error.path == "bodies[0].mass" and error.findings[0].name == "top"
    top_json = json.loads(top.to_json())
    top_json["bodies"][0]["mass"] = -1
    (tmp_path / "bad.json").write_text(json.dumps(top_json))
    said = command("check", tmp_path / "bad.json").stderr.splitlines()[0]
    assert said.split(": ", 1)[1] == str(error).split(": ", 1)[1]  # the same words, after the name of the file

    error = error_of(lambda m: setattr(m.joint("tip"), "between", ["ground", "tpo"]), top)
    assert 'did you mean "top"' in error.suggestion and error.path == "joints[0].between[1]"
    error = error_of(lambda m: setattr(m.simulation, "step", 0), top)
    assert error.path == "simulation.step" and "0.001" in error.suggestion


def test_all_that_is_wrong_is_said_at_once(top):
    def break_it(model):
        model.body("top").mass = "heavy"
        model.joint("tip").at = [0, 0]
        model.simulation.end_time = -1

    error = error_of(break_it, top)
    paths = {finding.path for finding in error.findings}
    assert {"bodies[0].mass", "joints[0].at"} <= paths


@pytest.mark.parametrize("value", [math.nan, math.inf, "1", None, [1], {"a": 1}, object(), 1j, b"1", lambda: 1])
def test_a_number_that_is_none_is_refused(top, value):
    error = error_of(lambda m: setattr(m.body("top"), "mass", value), top)
    assert error.path.startswith("bodies[0]") and "mass" in str(error)


def test_misspelt_names_are_refused_with_the_nearest():
    with pytest.raises(TypeError, match='did you mean "length"'):
        joints.Rod(between=["ground", "a"], lenght=1)
    rod = joints.Rod(between=["ground", "a"], length=1)
    with pytest.raises(AttributeError, match='did you mean "length"'):
        rod.lenght = 2
    with pytest.raises(TypeError, match='did you mean "length"'):
        rod.copy(lenght=2)
    with pytest.raises(polhode.ModelError, match='did you mean "energy-momentum"'):
        polhode.simulate(polhode.Model(), integrator="energy-momentun")
    with pytest.raises(TypeError, match='did you mean "rho_inf"'):
        polhode.GeneralizedAlpha(rho_ifn=0.8)
    with pytest.raises(KeyError, match='did you mean "top"'):
        polhode.Model(bodies=[polhode.Particle("top", mass=1)]).body("tpo")


def test_options_out_of_range_are_refused(top):
    for integrator in [polhode.EnergyMomentum(order=3), polhode.GeneralizedAlpha(rho_inf=1.5), "generalized-alpha rho_inf=-1"]:
        with pytest.raises(polhode.ModelError):
            polhode.simulate(top, integrator=integrator)


def test_warnings_are_warnings(top):
    top.body("top").inertia = [1, 1, 5]
    with pytest.warns(polhode.ModelWarning):
        top.check()


# ---- copies and variations ----


def test_copies_share_nothing(top):
    other = top.copy(step=1e-4, name="other")
    other.body("top").mass = 1
    other.bodies.append(polhode.Particle("more", mass=1))
    assert top.body("top").mass == 15 and len(top.bodies) == 1 and top.simulation.step == 1e-3
    assert other.simulation.step == 1e-4 and other.simulation.end_time == 0.1 and other.name == "other"
    with pytest.raises(TypeError, match='did you mean "step"'):
        top.copy(stpe=1)


def test_arrays_become_plain_numbers(top):
    top.body("top").position = np.array([0, 1, 0])
    top.body("top").mass = np.float64(15)
    assert top.body("top").position == [0, 1, 0] and type(top.body("top").mass) is float
    assert dataclasses.replace(top.joint("tip"), name="other").name == "other"


def test_functions_nest():
    motion = functions.Sum([functions.Harmonic(1, 2), functions.Piecewise([0, 1], [0.5, functions.Ramp(0, 1, 0, 1, smooth=True)])])
    model = polhode.Model(
        bodies=[polhode.Body("a", mass=1, inertia=[1, 1, 1])],
        joints=[joints.Revolute("hinge", between=["ground", "a"], axis=[0, 0, 1])],
        drives=[polhode.Drive("motor", joint="hinge", motion=motion)],
        forces=[forces.Force("push", body="a", function=[functions.Constant(1), 0, functions.Polynomial([0, 1])])],
        simulation=polhode.SimulationOptions(assembly="project"),
    )
    again = polhode.Model.from_json(model.to_json())
    assert again.drive("motor").motion.functions[1].functions[1].smooth is True
    assert again.to_json() == model.to_json()
    assert isinstance(again.force("push").function[2], functions.Polynomial)
