"""The scenes of benchmarks/: sound models, and told to peers as they are.

POLHODE_BUILD names the folder of the build, build/release unless set.
"""

import json
import os
import pathlib
import subprocess
import sys

import h5py
import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "benchmarks/peers")]
import flat  # noqa: E402
import scenes  # noqa: E402

SMALL = [("heavy_top",), ("chain_spherical", 5), ("chain_revolute", 5), ("straight_chain", 5), ("binary_tree", 7), ("four_bar", 3),
         ("grid_of_loops", 2), ("andrews",), ("bricard",), ("flyball",), ("lattice", 2)]


@pytest.fixture(params=SMALL, ids=lambda scene: " ".join(map(str, scene)))
def model(request):
    return scenes.model(*request.param)


def test_every_scene_is_tried():
    assert {scene[0] for scene in SMALL} == set(scenes.SCENES)


def test_what_peers_are_told_has_polhodes_energy_and_closed_joints(model, tmp_path):
    file = tmp_path / "model.json"
    file.write_text(json.dumps(model))
    run = subprocess.run([POLHODE, "run", file, "--json", "--step", "1e-6", "--end-time", "1e-6", "--output-step", "1e-6"], cwd=tmp_path, capture_output=True, text=True, check=True)
    energy = json.loads(run.stdout)["energy"]
    scene = flat.flatten(model)
    physics, start = flat.Physics(scene), flat.start_state(scene)
    kinetic, gravitational, strain = physics.energy(start)
    size = kinetic + abs(gravitational) + strain + sum(b["mass"] for b in scene["bodies"])
    assert abs(kinetic + gravitational + strain - energy["initial"]) < 1e-13 * size  # sums of rounded numbers
    assert physics.joint_error(start) < 1e-14


def test_the_spanning_tree_reaches_every_body_once_and_parents_first(model):
    scene = flat.flatten(model)
    assert sorted(scene["order"]) == list(range(len(scene["bodies"])))
    place = {body: k for k, body in enumerate(scene["order"])}
    for body, joint in enumerate(scene["parent_joint"]):
        if joint < 0: continue
        assert scene["joints"][joint]["b"] == body
        parent = scene["joints"][joint]["a"]
        assert parent < 0 or place[parent] < place[body]
    used = [k for k in scene["parent_joint"] if k >= 0]
    assert sorted(used + scene["loops"]) == list(range(len(scene["joints"])))


def test_energy_and_joint_errors_see_what_they_should():
    """A top lifted by 1 m gains m g and leaves its joint by 1 m; one turned about its joint by a right angle gains what its centre rises."""
    scene = flat.flatten(scenes.model("heavy_top"))
    physics, state = flat.Physics(scene), flat.start_state(scene)
    lifted = state.copy()
    lifted[0, 2] += 1
    assert physics.total_energy(lifted) - physics.total_energy(state) == pytest.approx(15 * 9.81, rel=1e-13)
    assert physics.joint_error(lifted) == pytest.approx(1, rel=1e-13)
    upright = state.copy()
    upright[0, :3] = 0, 0, 1
    upright[0, 3:7] = numpy.sqrt(0.5), numpy.sqrt(0.5), 0, 0
    assert physics.joint_error(upright) < 1e-15
    assert physics.total_energy(upright) - physics.total_energy(state) == pytest.approx(15 * 9.81, rel=1e-13)


@pytest.mark.parametrize("scene", [("chain_spherical", 1000), ("lattice", 6)], ids=lambda scene: scene[0])
def test_a_large_scene_has_room_for_its_certificate(scene, tmp_path):
    """The certificate tells of every body, joint and force; its place in the file is made before the run."""
    file = tmp_path / "model.json"
    file.write_text(json.dumps(scenes.model(*scene)))
    run = subprocess.run([POLHODE, "run", file, "--step", "1e-3", "--end-time", "2e-3", "--output-step", "1e-3", "-q", "-o", "result.h5"], cwd=tmp_path,
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    with h5py.File(tmp_path / "result.h5") as result:
        assert result["complete"][()] == 1
        assert len(json.loads(result["certificate"][()])["bodies"]) == scene[1] ** (3 if scene[0] == "lattice" else 1)
