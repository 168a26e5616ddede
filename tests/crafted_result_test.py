"""Results from strangers: what is crafted to reach outside the file, or to claim more than it has, is refused by every verb."""

import json
import os

import h5py
import numpy
import pytest

from command import OK, PENDULUM, polhode, written

VERBS = {
    "csv": ("export", "--to", "csv", "-o", "out.csv"),
    "gltf": ("export", "--to", "gltf", "-o", "out.glb"),
    "vtk": ("export", "--to", "vtk", "-o", "out.pvd"),
    "report": ("report", "-o", "out.html"),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    model = written(folder / "model.json", PENDULUM)
    assert polhode("run", model, "-q", "-o", folder / "good.h5").returncode == OK
    return (folder / "good.h5").read_bytes()


def texts(file, name, value):
    del file[name]
    file[name] = numpy.array(value, dtype=f"S{max(1, len(value))}")


def model_with(file, change):
    model = json.loads(file["model"][()].split(b"\0")[0])
    change(model)
    texts(file, "model", json.dumps(model).encode())


def external(name, dtype):
    def spoil(file):
        shape = file[name].shape
        del file[name]
        size = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
        with open("secret.txt", "w") as secret:
            secret.write("SECRET OF THIS MACHINE".ljust(size))
        file.create_dataset(name, shape=shape, dtype=dtype, external=[(os.path.abspath("secret.txt"), 0, size)])
    return spoil


def linked(name, link):
    def spoil(file):
        with h5py.File("other.h5", "w") as other:
            file.copy(name, other, name)
        del file[name]
        file[name] = link(name)
    return spoil


def virtual(file):
    with h5py.File("other.h5", "w") as other:
        other["time"] = file["time"][()]
    layout = h5py.VirtualLayout(shape=file["time"].shape, dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "time", shape=file["time"].shape)
    del file["time"]
    file.create_virtual_dataset("time", layout)


def replaced(name, **how):
    def spoil(file):
        del file[name]
        file.create_dataset(name, **how)
    return spoil


def late(name, shape, kind=h5py.h5t.IEEE_F64LE):
    """A dataset of any size that takes nothing on the disk."""
    def spoil(file):
        del file[name]
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plan.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE)
        h5py.h5d.create(file.id, name.encode(), kind, h5py.h5s.create_simple(shape), plan)
    return spoil


def compact(name, value):
    """A dataset in its own header, where HDF5 trusts its size."""
    def spoil(file):
        del file[name]
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plan.set_layout(h5py.h5d.COMPACT)
        kind = h5py.h5t.C_S1.copy()
        kind.set_size(len(value))
        h5py.h5d.create(file.id, name.encode(), kind, h5py.h5s.create_simple((1,)), plan).write(h5py.h5s.ALL, h5py.h5s.ALL, numpy.array([value]), kind)
    return spoil


def one_byte_text():
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(1)
    return kind


REFUSED_BY_ALL = {
    "format as a list": (lambda f: f.attrs.create("format", numpy.array([b"A" * 8] * 20)), "format"),
    "format of variable length": (lambda f: f.attrs.create("format", "polhode result", dtype=h5py.string_dtype()), "format"),
    "version as a list": (lambda f: f.attrs.create("polhode_version", numpy.array([b"B" * 64] * 9)), "polhode_version"),
    "another format": (lambda f: f.attrs.__setitem__("format_version", 99), "format_version is 99"),
    "no format": (lambda f: f.attrs.__delitem__("format_version"), "format_version"),
    "names elsewhere": (external("names/bodies", "S512"), "another file"),
    "time elsewhere": (external("time", "<f8"), "another file"),
    "names by an external link": (linked("names/bodies", lambda name: h5py.ExternalLink("other.h5", name)), "link"),
    "a group by an external link": (linked("names", lambda name: h5py.ExternalLink("other.h5", name)), "link"),
    "a soft link": (linked("model", lambda name: h5py.SoftLink("/options")), "link"),
    "virtual times": (virtual, "in pieces"),
    "compressed times": (replaced("time", data=numpy.zeros(101), chunks=(10,), compression="gzip"), "h5repack"),
    "compact names": (compact("names/bodies", b"bob"), "in pieces"),
    "times of single precision": (replaced("time", data=numpy.zeros(101, dtype="f4")), "double precision"),
    "big-endian times": (replaced("time", data=numpy.zeros(101, dtype=">f8")), "double precision"),
    "times without storage": (late("time", (101,)), "not in the file"),
    "1e9 samples": (late("time", (10**9,)), "claims 8e+09 bytes"),
    "1e9 names": (late("names/bodies", (10**9,), one_byte_text()), "claims 1e+09 bytes"),
    "2e19 names": (late("names/bodies", (2**31, 2**31), one_byte_text()), "claims"),
    "more progress than room": (lambda f: f["progress"].__setitem__((), 2**62), "progress"),
    "progress as text": (lambda f: texts(f, "progress", b"many"), "progress"),
    "no status": (lambda f: f.__delitem__("status"), "status: is missing"),
    "names as numbers": (replaced("names/bodies", data=numpy.zeros(1)), "names/bodies"),
}
REFUSED_BY_PICTURES = {
    "more bodies": (lambda f: model_with(f, lambda m: m.update(joints=[], bodies=[dict(m["bodies"][0], name=f"x{k}") for k in range(2000)])), "2000 bodies"),
    "more joints": (lambda f: model_with(f, lambda m: m["joints"].extend(dict(m["joints"][0], name=f"x{k}") for k in range(500))), "501 joints"),
    "another body": (lambda f: model_with(f, lambda m: (m.update(joints=[]), m["bodies"][0].update(name="ball"))), ""),
    "positions of two bodies": (replaced("bodies/position", data=numpy.zeros((101, 2, 3))), "bodies/position"),
    "positions as texts": (replaced("bodies/position", data=numpy.zeros((101, 1, 3), dtype="S8")), "bodies/position"),
}
REFUSED_BY_REPORT = {
    "options nested deep": (lambda f: texts(f, "options", b"[" * 200000 + b"]" * 200000), "nested more than 64 deep"),
    "certificate nested deep": (lambda f: texts(f, "certificate", b"[" * 200000 + b"]" * 200000), "nested more than 64 deep"),
}


def outcome(good, spoil, verb, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "crafted.h5").write_bytes(good)
    with h5py.File("crafted.h5", "r+") as file:
        spoil(file)
    words = VERBS[verb]
    done = polhode(words[0], "crafted.h5", *words[1:], cwd=folder)
    made = [path for path in folder.glob("out*") if path.is_file()]
    assert not any(b"SECRET" in path.read_bytes() for path in made)
    return done, made


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("case", REFUSED_BY_ALL)
def test_a_crafted_result_is_refused(good, case, verb, tmp_path, monkeypatch):
    spoil, word = REFUSED_BY_ALL[case]
    done, made = outcome(good, spoil, verb, tmp_path, monkeypatch)
    assert done.returncode in (1, 2) and "crafted.h5" in done.stderr and word in done.stderr, (done.returncode, done.stderr)
    assert not made


@pytest.mark.parametrize("verb", ["gltf", "vtk", "report"])
@pytest.mark.parametrize("case", REFUSED_BY_PICTURES)
def test_a_model_of_other_bodies_than_the_samples_is_refused(good, case, verb, tmp_path, monkeypatch):
    spoil, word = REFUSED_BY_PICTURES[case]
    done, made = outcome(good, spoil, verb, tmp_path, monkeypatch)
    assert done.returncode in (1, 2) and "crafted.h5" in done.stderr and word in done.stderr, (done.returncode, done.stderr)
    assert not made


@pytest.mark.parametrize("case", REFUSED_BY_REPORT)
def test_deep_texts_have_no_report(good, case, tmp_path, monkeypatch):
    spoil, word = REFUSED_BY_REPORT[case]
    done, made = outcome(good, spoil, "report", tmp_path, monkeypatch)
    assert done.returncode in (1, 2) and "crafted.h5" in done.stderr and word in done.stderr and not made


@pytest.mark.parametrize("verb", VERBS)
def test_a_certificate_with_a_figure_that_is_no_number_is_shown(good, verb, tmp_path, monkeypatch):
    def spoil(file):
        certificate = json.loads(file["certificate"][()].split(b"\0")[0])
        certificate["energy"]["scale"] = None
        texts(file, "certificate", json.dumps(certificate).encode())
    done, made = outcome(good, spoil, verb, tmp_path, monkeypatch)
    assert done.returncode == OK and made, done.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_of_another_version_is_read_and_said(good, verb, tmp_path, monkeypatch):
    done, made = outcome(good, lambda f: f.attrs.__setitem__("polhode_version", numpy.bytes_("9.8.7")), verb, tmp_path, monkeypatch)
    assert done.returncode == OK and made
    assert "crafted.h5: computed by polhode 9.8.7; this is polhode" in done.stderr
