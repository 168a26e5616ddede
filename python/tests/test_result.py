"""Results: views that copy nothing, files, tables."""

import copy
import gc
import hashlib
import pickle

import numpy as np
import pytest

import polhode


@pytest.fixture
def result(top):
    return polhode.simulate(top)


def test_arrays_look_at_the_same_memory(result):
    x = result.position("top")
    assert x.shape == (101, 3) and not x.flags.owndata
    assert np.shares_memory(x, result["bodies/position"]) and np.shares_memory(result.position("top"), x)
    assert np.shares_memory(result.energy.kinetic, result["energy/kinetic"])
    assert np.shares_memory(result.reaction("tip"), result["joints/reaction"])


def test_arrays_outlive_their_result(top):
    x = polhode.simulate(top).position("top")
    gc.collect()
    assert np.allclose(np.linalg.norm(x, axis=1), 1, atol=1e-12)


def test_quantities_are_what_they_say(result):
    R = result.rotation_matrices("top")
    assert R.shape == (101, 3, 3)
    assert np.abs(R @ np.swapaxes(R, 1, 2) - np.eye(3)).max() < 1e-14
    assert np.abs(result.position("top") - R @ [0, 1, 0]).max() < 1e-13
    assert np.abs(result.point("top", [0, -1, 0])).max() < 1e-13  # the tip
    assert np.ptp(result.energy.total) < 1e-9 * result.energy.total[0]
    assert np.ptp(result.angular_momentum[:, 2]) < 1e-11 * np.abs(result.angular_momentum).max()
    v = np.gradient(result.position("top"), result.time, axis=0)
    assert np.abs(v - result.velocity("top"))[1:-1].max() < 0.05  # differences, and velocities of second order
    assert np.allclose(np.linalg.norm(result.quaternion("top"), axis=1), 1)


def test_accelerations_belong_to_the_velocities_beside_them(top, result):
    instant = polhode.simulate(top, reactions="instant")
    assert instant.options["reactions"] == "instant" and result.options["reactions"] == "step"
    a, v = instant.acceleration("top"), instant.velocity("top")
    assert a.shape == instant.angular_acceleration("top").shape == v.shape
    # R is a body's axes and 1 its arm: a = dOmega/dt x r + Omega x (Omega x r), Newton's law for the reaction in space
    R, r, W = instant.rotation_matrices("top"), np.array([0.0, 1.0, 0.0]), instant.angular_velocity("top")
    exact = np.cross(instant.angular_acceleration("top"), r) + np.cross(W, np.cross(W, r))
    assert np.abs(a - (R @ exact[:, :, None])[:, :, 0]).max() < 1e-9 * np.abs(a).max()
    with pytest.raises(ValueError, match='reactions="instant"'):
        result.acceleration("top")


def test_the_certificate_is_a_mapping_and_a_text(result):
    c = result.certificate
    assert c["energy"]["balance_error"] == c.energy.balance_error < 1e-12
    assert c.status == result.status == "complete" and result.complete and result.warnings == []
    assert 0 < c.resolution.turn < 0.5 and c.resolution.turn_body == "top"
    assert "balance" in str(c) and c.bodies.top.position == list(result.position("top")[-1])
    with pytest.raises(AttributeError, match="it has: model"):
        c.energie
    assert set(c) >= {"model", "integrator", "step", "end_time", "steps", "seconds", "status", "newton", "energy", "momentum", "constraints", "bodies"}


def test_unknown_names_are_refused_with_the_nearest(result):
    for ask, name in ((result.position, "tops"), (result.reaction, "tpi")):
        with pytest.raises(KeyError, match="did you mean"):
            ask(name)
    with pytest.raises(KeyError, match="bodies/position"):
        result["bodies/postion"]


def test_a_result_is_read_back_as_it_was(result, tmp_path):
    result.save(tmp_path / "r.h5")
    again = polhode.read_result(tmp_path / "r.h5")
    assert again.bodies == ["top"] and again.joints == ["tip"] and again.complete
    assert np.array_equal(again.time, result.time) and np.array_equal(again["multipliers"], result["multipliers"])
    assert again.certificate.to_dict() == result.certificate.to_dict()
    assert again.model == result.model and again.options == result.options


def test_h5py_reads_the_same(result, tmp_path):
    h5py = pytest.importorskip("h5py")
    result.save(tmp_path / "r.h5")
    with h5py.File(tmp_path / "r.h5") as file:
        assert np.array_equal(file["bodies/position"][:, 0], result.position("top"))
        assert file["complete"][()] == 1 and file["progress"][()] == 101


def test_files_that_are_none_are_refused(tmp_path, result):
    (tmp_path / "text.h5").write_text("no")
    for path in (tmp_path / "text.h5", tmp_path / "nothing.h5", tmp_path):
        with pytest.raises(polhode.ResultError, match=str(path)):
            polhode.read_result(path)
    with pytest.raises(polhode.ResultError):
        result.save(tmp_path / "no/such/folder.h5")


def test_tables(result):
    pandas = pytest.importorskip("pandas")
    table = result.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == 101 and table.index.name == "time"
    assert np.array_equal(table["top.position.x"], result.position("top")[:, 0])
    assert np.array_equal(table["tip.reaction.fz"], result.reaction("tip")[:, 2])
    assert np.array_equal(table["energy.kinetic"], result.energy.kinetic)


def test_columns_are_those_of_the_commands_table(result, command, top, tmp_path):
    top.save(tmp_path / "top.json")
    assert command("run", "top.json", "-q", "--csv", "t.csv", cwd=tmp_path).returncode == 0
    header = (tmp_path / "t.csv").read_text().splitlines()[0].split(",")
    assert list(result.columns()) == header


def test_datasets(result):
    xarray = pytest.importorskip("xarray")
    data = result.to_xarray()
    assert isinstance(data, xarray.Dataset)
    last = data["bodies_position"].sel(body="top", xyz="z").isel(time=-1)
    assert float(last) == result.position("top")[-1, 2] and last.attrs["units"] == "m"
    assert data["joints_reaction"].dims == ("time", "joint", "wrench")


def test_forces_show_what_they_do(tmp_path):
    bob = polhode.Particle("bob", mass=1, position=[1, 0, 0], velocity=[0, 0.5, 0])
    spring = polhode.forces.SpringDamper("spring", between=["ground", "bob"], at_a=[0, 0, 0], stiffness=50, damping=2, length=0.8)
    result = polhode.simulate(polhode.Model(bodies=[bob], forces=[spring]), step=1e-2, end_time=1, output=tmp_path / "spring.h5")
    assert result.outputs == {"spring.length": "m", "spring.rate": "m/s", "spring.force": "N"}
    x, v = result.position("bob"), result.velocity("bob")
    length = np.linalg.norm(x, axis=1)
    rate = (x * v).sum(axis=1) / length
    assert np.abs(result.output("spring.force") - 50 * (length - 0.8) - 2 * rate).max() < 1e-12
    assert np.array_equal(polhode.read_result(tmp_path / "spring.h5").output("spring.force"), result.output("spring.force"))
    assert np.array_equal(result.columns()["spring.length"], result.output("spring.length"))
    with pytest.raises(KeyError, match='did you mean "spring.force"'):
        result.output("spring.forec")


def test_a_bushing_takes_a_matrix():
    block = polhode.Body("block", mass=1, inertia=[1, 1, 1])
    K = np.diag([100.0, 200, 300, 5, 6, 7])
    K[0, 4] = K[4, 0] = 3
    model = polhode.Model(bodies=[block], forces=[polhode.forces.Bushing(between=["ground", "block"], at=[0, 0, 0], stiffness=K)])
    assert polhode.Model.from_json(model.to_json()).forces[0].stiffness[0] == [100, 0, 0, 0, 3, 0]
    K[0, 4] = 2
    model.forces[0].stiffness = K
    with pytest.raises(polhode.ModelError, match="not symmetric"):
        model.check()


def test_every_quantity_comes_back_from_a_file(top, tmp_path):
    """D7: what is recorded is written as it is, whatever quantities there are."""
    result = polhode.simulate(top, output_step=0.01, output=tmp_path / "run.h5")
    result.save(tmp_path / "saved.h5")
    run, saved = polhode.read_result(tmp_path / "run.h5"), polhode.read_result(tmp_path / "saved.h5")
    for dataset, *_ in polhode._core.result_fields():
        assert np.array_equal(result[dataset], run[dataset]) and np.array_equal(result[dataset], saved[dataset]), dataset
    assert run.certificate.to_dict() == saved.certificate.to_dict() == result.certificate.to_dict()


def test_arrays_cannot_be_written_to(result):
    """The certificate speaks of the numbers as they were computed."""
    for dataset, *_ in polhode._core.result_fields():
        with pytest.raises(ValueError, match="read-only"):
            result[dataset][...] = 7
    with pytest.raises(ValueError, match="read-only"):
        result.position("top")[0] = 7
    mine = result.position("top").copy()
    mine[:] = 7
    assert not np.any(result.position("top") == 7)


def test_a_result_is_pickled_and_copied(result):
    for same in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert same.status == result.status and same.options == result.options and same.bodies == result.bodies
        assert same.certificate.to_dict() == result.certificate.to_dict()
        for dataset, *_ in polhode._core.result_fields():
            assert same[dataset].tobytes() == result[dataset].tobytes(), dataset


def test_a_name_with_nul_is_no_file(top, tmp_path):
    for act in (lambda path: polhode.simulate(top, output=path), polhode.read_result):
        with pytest.raises(polhode.ResultError):
            act(str(tmp_path / "a\0b"))
    assert not list(tmp_path.iterdir())


def test_a_result_says_what_made_it(result, tmp_path):
    made = result.provenance
    assert made["polhode"] == polhode.__version__ and made["compiler"] and made["date"].endswith("Z")
    assert made["model_sha256"] == hashlib.sha256(result._recording.model_json.encode()).hexdigest()
    result.save(tmp_path / "r.h5")
    assert polhode.read_result(tmp_path / "r.h5").provenance == made  # of the run, not of the saving
