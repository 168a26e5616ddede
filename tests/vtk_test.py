"""The VTK series of `polhode export --to vtk`, read by VTK itself; skipped where the package vtk is not installed."""

import json
import os
import pathlib
import subprocess
import xml.etree.ElementTree

import h5py
import numpy
import pytest

reading = pytest.importorskip("vtkmodules.vtkIOXML")
from vtkmodules.util.numpy_support import vtk_to_numpy  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"


def read(path):
    reader = reading.vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData())


def turn(q, v):
    w, u = q[0], q[1:]
    return v + 2 * numpy.cross(u, numpy.cross(u, v) + w * v)


@pytest.fixture(scope="module")
def series(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vtk")
    for words in (["run", ROOT / "models/bricard.json", "-q", "--end-time", "1", "-o", "b.h5"], ["export", "b.h5", "--to", "vtk", "--frames", "11", "-q"]):
        subprocess.run([POLHODE, *words], check=True, cwd=folder)
    return folder


def test_the_list_names_every_time_and_every_file_reads(series):
    entries = xml.etree.ElementTree.parse(series / "b.pvd").getroot().findall("Collection/DataSet")
    times = sorted({float(e.get("timestep")) for e in entries})
    assert len(times) == 11 and times[0] == 0 and times[-1] == pytest.approx(1)
    assert len(entries) == 3 * len(times)
    for entry in entries:
        data = read(series / entry.get("file"))
        assert data.GetNumberOfPoints() > 0 and data.GetNumberOfCells() > 0
        assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == pytest.approx(float(entry.get("timestep")), abs=1e-12)


def test_centres_and_reactions_are_the_recorded_ones(series):
    with h5py.File(series / "b.h5") as result:
        n = int(result["progress"][()])
        x, q, reaction = result["bodies/position"][n - 1], result["bodies/quaternion"][n - 1], result["joints/reaction"][n - 1]
        model = json.loads(result["model"].asstr()[()])
    centres, joints = read(series / "b/centres_000010.vtp"), read(series / "b/joints_000010.vtp")
    assert points(centres) == pytest.approx(x, abs=1e-6)  # its frames lie in the centres of mass; single precision
    assert vtk_to_numpy(centres.GetPointData().GetArray("quaternion")) == pytest.approx(q, abs=1e-12)
    force = vtk_to_numpy(joints.GetPointData().GetArray("reaction_force"))
    assert numpy.linalg.norm(force, axis=1) == pytest.approx(numpy.linalg.norm(reaction[:, :3], axis=1), rel=1e-12)
    place = points(joints)
    for k, joint in enumerate(model["joints"]):  # the anchor of b, wherever it has moved
        b = next((i for i, body in enumerate(model["bodies"]) if body["name"] == joint["between"][1]), None)
        at = numpy.array(joint["at"])
        if b is not None:
            q0 = numpy.array(model["bodies"][b].get("orientation", [1, 0, 0, 0])) * [1, -1, -1, -1]
            at = x[b] + turn(q[b], turn(q0, at - numpy.array(model["bodies"][b]["position"])))
        assert place[k] == pytest.approx(at, abs=1e-6)


def test_surfaces_are_closed_and_as_large_as_the_bodies(series):
    """The volume inside the surfaces, by the divergence theorem, is that of the cylinders with the rods' inertia, and each edge has two sides."""
    data = read(series / "b/bodies_000000.vtp")
    body = vtk_to_numpy(data.GetCellData().GetArray("body"))
    triangles = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    a, b, c = (points(data)[triangles[:, k]].astype(float) for k in range(3))
    m, along, across = 1, 0.00166666666666667, 0.0841666666666667
    r2, length = 2 * along / m, ((12 * across - 6 * along) / m) ** 0.5
    sides = 24  # of the polygon that stands for a circle
    expected = 0.5 * sides * numpy.sin(2 * numpy.pi / sides) * r2 * length
    for k in range(5):
        own = body == k
        volume = numpy.sum(a[own] * numpy.cross(b[own], c[own])) / 6
        assert volume == pytest.approx(expected, rel=1e-3)  # outward, so positive
