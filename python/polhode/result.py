"""The samples of a run as NumPy arrays, not copied; the same file as the command's."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .certificate import Certificate
from .element import Floats
from .model import Model

if TYPE_CHECKING:
    import pandas
    import xarray

__all__ = ["Energy", "Result", "read_result"]


@dataclasses.dataclass(frozen=True)
class Energy:
    """Energies [J] at each sample, or now."""

    kinetic: Any
    gravitational: Any
    strain: Any
    """stored in springs, bushings and potentials"""
    work: Any
    """of loads and drives since the start"""
    dissipated: Any
    """taken by dampers since the start"""
    algorithmic: Any
    """lost to the integrator since the start"""

    @property
    def total(self) -> Any:
        return self.kinetic + self.gravitational + self.strain


class Result:
    """What a run computed: N samples in time, of every body and joint. Arrays look at the run's own memory, which they cannot change.

    ``result["bodies/position"]`` gives any quantity of a result file by its place there.
    """

    def __init__(self, recording: _core.Recording):
        self._recording = recording

    def __getitem__(self, dataset: str) -> Floats:
        values: Floats = self._recording.view(dataset)
        values.flags.writeable = False  # the recording is what the certificate speaks of; .copy() can be changed
        return values

    def __len__(self) -> int:
        return self._recording.samples

    def __repr__(self) -> str:
        end = f", t = {self.time[-1]:g} s" if len(self) else ""
        return f"<polhode.Result: {len(self)} samples of {len(self.bodies)} bodies{end}; {self.status}>"

    # ---- what was run ----

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return self._recording.bodies

    @property
    def joints(self) -> list[str]:
        """Names of joints, then couplings, then drives that stand alone."""
        return self._recording.joints

    @property
    def outputs(self) -> dict[str, str]:
        """What springs, bushings and joint forces show of themselves, with units: ``{"spring.force": "N", ...}``."""
        return {name: unit for name, unit, _ in self._recording.outputs}

    @property
    def status(self) -> str:
        """"complete", "complete with warnings", "failed", "interrupted", or "running"; ``certificate.reason`` says why."""
        return self._recording.status

    @property
    def complete(self) -> bool:
        """The run came to its end, with warnings or without."""
        return self._recording.complete

    @property
    def warnings(self) -> list[str]:
        """What the certificate warns of: a sentence each, with what to try."""
        return list(self.certificate.get("warnings", []))

    @property
    def certificate(self) -> Certificate:
        """What the run kept and what it lost."""
        return Certificate.from_json(self._recording.certificate_json, self._recording.certificate_text)

    @property
    def options(self) -> dict[str, Any]:
        """Integrator with all its options, step, end time, Newton's options."""
        return dict(json.loads(self._recording.options_json))

    @property
    def provenance(self) -> dict[str, Any]:
        """What made it: polhode, commit, compiler, instructions, library of C, date, SHA-256 of the model; empty if the file does not say."""
        return dict(json.loads(self._recording.provenance_json or "{}"))

    @property
    def model(self) -> Model:
        """The model that was run."""
        return Model.from_json(self._recording.model_json)

    # ---- samples ----

    @property
    def time(self) -> Floats:
        """[s]; (N,)"""
        return self["time"]

    def position(self, body: str) -> Floats:
        """Origin of the body frame, in space [m]; (N, 3)."""
        return self._of_body("bodies/position", body)

    def quaternion(self, body: str) -> Floats:
        """Orientation w, x, y, z: takes body to space components; (N, 4)."""
        return self._of_body("bodies/quaternion", body)

    def velocity(self, body: str) -> Floats:
        """Of the origin of the body frame, in space [m/s]; (N, 3)."""
        return self._of_body("bodies/velocity", body)

    def angular_velocity(self, body: str) -> Floats:
        """In the axes of the body [rad/s]; (N, 3)."""
        return self._of_body("bodies/angular_velocity", body)

    def acceleration(self, body: str) -> Floats:
        """Of the origin of the body frame, in space [m/s^2]; (N, 3). Of runs with ``reactions="instant"``."""
        return self._of_body("bodies/acceleration", body)

    def angular_acceleration(self, body: str) -> Floats:
        """In the axes of the body [rad/s^2]; (N, 3). Of runs with ``reactions="instant"``."""
        return self._of_body("bodies/angular_acceleration", body)

    def rotation_matrices(self, body: str) -> Floats:
        """R, which takes body to space components, v_S = R v_B; (N, 3, 3), computed from the quaternions."""
        return rotation_matrices(self.quaternion(body))

    def point(self, body: str, at: Any) -> Floats:
        """Where a point of the body frame is, in space [m]; (N, 3)."""
        out: Floats = self.position(body) + self.rotation_matrices(body) @ np.asarray(at, dtype=float)
        return out

    def reaction(self, joint: str) -> Floats:
        """Force and torque of the joint on body b at b's anchor, in the joint frame fixed to a [N, N m]; (N, 6)."""
        out: Floats = self["joints/reaction"][:, _index(self.joints, joint, "joint")]
        return out

    def output(self, name: str) -> Floats:
        """What a force shows of itself, such as ``"spring.force"``; (N,). ``outputs`` names them with their units."""
        out: Floats = self["outputs"][:, _index(list(self.outputs), name, "output")]
        return out

    @property
    def energy(self) -> Energy:
        """Energies [J], each (N,)."""
        return Energy(*(self[f"energy/{field.name}"] for field in dataclasses.fields(Energy)))

    @property
    def linear_momentum(self) -> Floats:
        """In space [kg m/s]; (N, 3)."""
        return self["momentum/linear"]

    @property
    def angular_momentum(self) -> Floats:
        """About the origin of space, in space [kg m^2/s]; (N, 3)."""
        return self["momentum/angular"]

    def _of_body(self, dataset: str, body: str) -> Floats:
        index = _index(self.bodies, body, "body")
        array = self[dataset]
        if array.shape[1] == 0:
            raise ValueError(f'this result has no {dataset}: run with reactions="instant"')
        out: Floats = array[:, index]
        return out

    # ---- elsewhere ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the HDF5 file that the command writes (docs/results.md)."""
        self._recording.write(os.fspath(path))

    def __copy__(self) -> Result:
        return Result(self._recording)

    def __deepcopy__(self, memo: dict[int, Any]) -> Result:
        return Result(self._recording)  # nothing of it can be changed

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the file that ``save`` writes."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "result.h5")
            self.save(path)
            return _from_file, (path.read_bytes(),)

    def columns(self) -> dict[str, Floats]:
        """Every number by its name, as in the command's CSV: ``top.position.x``, ``energy.kinetic``."""
        out: dict[str, Floats] = {}
        for dataset, per, components, *_ in _core.result_fields():
            values = self[dataset]
            if per != "sample" and values.shape[1] == 0:
                continue
            words = dataset.split("/")
            if per == "sample":
                prefixes = [".".join(words)]
                values = values.reshape(len(self), 1, -1)
            else:
                items = {"body": self.bodies, "joint": self.joints, "row": self._recording.rows, "output": list(self.outputs)}[per]
                prefixes = [item if per == "output" else f"multipliers.{item}" if per == "row" else f"{item}.{words[-1]}" for item in items]
                values = values.reshape(len(self), len(items), -1)
            for k, prefix in enumerate(prefixes):
                for j, end in enumerate(components or [""]):
                    out[f"{prefix}.{end}" if end else prefix] = values[:, k, j]
        return out

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a column for every number, over time. Needs pandas."""
        import pandas

        columns = self.columns()
        time = columns.pop("time")
        return pandas.DataFrame(columns, index=pandas.Index(time, name="time"))

    def to_xarray(self) -> xarray.Dataset:
        """A dataset with coordinates time, body, joint, and units as attributes. Needs xarray."""
        import xarray

        axes = {"body": self.bodies, "joint": self.joints, "row": self._recording.rows, "output": list(self.outputs)}
        coordinates: dict[str, Any] = {"time": self.time, **{key: names for key, names in axes.items() if names}}
        variables: dict[str, Any] = {}
        for dataset, per, components, unit, frame, meaning in _core.result_fields():
            if dataset == "time" or (per != "sample" and self[dataset].shape[1] == 0):
                continue
            dimensions = ["time"] + ([per] if per != "sample" else [])
            if components:
                axis = {3: "xyz", 4: "wxyz", 6: "wrench"}[len(components)]
                coordinates[axis] = list(components)
                dimensions.append(axis)
            attributes = {"units": unit, "long_name": meaning, **({"frame": frame} if frame else {})}
            if per == "output":
                coordinates["unit"] = ("output", list(self.outputs.values()))
            variables[dataset.replace("/", "_")] = (dimensions, self[dataset], attributes)
        return xarray.Dataset(variables, coordinates, {"status": self.status})


def read_result(path: str | os.PathLike[str]) -> Result:
    """Reads a result file, finished or not."""
    return Result(_core.read_result(os.fspath(path)))


def _from_file(content: bytes) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "result.h5")
        path.write_bytes(content)
        return read_result(path)


def rotation_matrices(quaternions: Floats) -> Floats:
    """Of unit quaternions w, x, y, z in the last axis."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def _index(names: list[str], name: str, kind: str) -> int:
    if name in names:
        return names.index(name)
    guess = _core.nearest(str(name), names)
    raise KeyError(f'there is no {kind} "{name}"' + (f'; did you mean "{guess}"?' if guess else f"; there are: {', '.join(names)}"))
