"""Runs: to the end, or step by step."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from .arguments import given_options, takes_run_options
from .certificate import Certificate
from .checkpoint import Checkpoint, Origin
from .element import Floats, Vector
from .errors import SimulationError, SimulationInterrupted
from .model import ModelLike, as_model
from .progress import Bar, Progress, somebody_looks
from .result import Energy, Result, _index, rotation_matrices

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import RunOptions

__all__ = ["Simulation", "Snapshot", "simulate"]


@takes_run_options
def simulate(
    model: ModelLike,
    *,
    output: str | os.PathLike[str] | None = None,
    estimate_error: bool = False,
    progress: Progress = None,
    **options: Unpack[RunOptions],
) -> Result:
    """Simulates a model to its end.

    Options that are given replace those of ``model.simulation``, as on the command line: ``simulate(model, step=1e-3,
    integrator=polhode.EnergyMomentum(order=4))``.

    Args:
        model: a Model, a model file, or a dictionary with the words of the format
        output: also write a result file, whole at every instant, as the command does
        estimate_error: a second run at half the step estimates the error of the trajectory: ``certificate.trajectory_error``
        progress: None shows a bar if the output is a terminal; True, False; or a function of the fraction done and the time reached
        options: those of ``SimulationOptions``

    Returns:
        the samples and the certificate

    Raises:
        ModelError: the model makes no sense, or the integrator cannot serve it
        SimulationError: a step fails; it names time, step and joint, and its ``result`` holds what was computed
        SimulationInterrupted: Ctrl-C; its ``result`` holds what was computed
    """
    given_options("simulate", options)
    return Simulation(model, **options).run(output=output, estimate_error=estimate_error, progress=progress)


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """The motion at one instant. Arrays have a row for each body or joint, in the order of ``bodies``, ``joints``."""

    time: float
    """[s]"""
    bodies: list[str]
    joints: list[str]
    positions: Floats
    """of the origins of the body frames, in space [m]"""
    quaternions: Floats
    """w, x, y, z; take body to space components"""
    velocities: Floats
    """of the origins, in space [m/s]"""
    angular_velocities: Floats
    """in the bodies [rad/s]"""
    accelerations: Floats
    """of the origins, in space [m/s^2]; no rows without ``reactions="instant"``"""
    angular_accelerations: Floats
    """in the bodies [rad/s^2]"""
    reactions: Floats
    """force and torque on b at b's anchor, in the joint frame fixed to a [N, N m]"""
    energy: Energy
    """[J]"""
    linear_momentum: Floats
    """in space [kg m/s]"""
    angular_momentum: Floats
    """about the origin of space [kg m^2/s]"""

    def position(self, body: str) -> Floats:
        return self._row(self.positions, body)

    def quaternion(self, body: str) -> Floats:
        return self._row(self.quaternions, body)

    def rotation_matrix(self, body: str) -> Floats:
        return rotation_matrices(self.quaternion(body))

    def velocity(self, body: str) -> Floats:
        return self._row(self.velocities, body)

    def angular_velocity(self, body: str) -> Floats:
        return self._row(self.angular_velocities, body)

    def reaction(self, joint: str) -> Floats:
        out: Floats = self.reactions[_index(self.joints, joint, "joint")]
        return out

    def _row(self, array: Floats, body: str) -> Floats:
        out: Floats = array[_index(self.bodies, body, "body")]
        return out


class Simulation:
    """A run, step by step: for control and co-simulation, or to look at the motion in between.

        sim = polhode.Simulation(model, step=1e-3)
        while sim.time < 2:
            sim.apply_force("cart", [gain * (1 - sim.state.position("cart")[0]), 0, 0])
            sim.step()

    Takes the options of ``simulate``. Steps may go on beyond ``end_time``. One thread at a time may use it.
    """

    @takes_run_options
    def __init__(self, model: ModelLike, **options: Unpack[RunOptions]) -> None:
        """The start of a run.

        Args:
            model: a Model, a model file, or a dictionary with the words of the format
            options: those of ``SimulationOptions``
        """
        given = given_options("Simulation", options)
        own = as_model(model)
        if given:
            path = own._path
            own = dataclasses.replace(own, simulation=own.simulation.copy(**given))
            own._path = path
        handle = own._handle()
        self._origin = Origin.of(own, handle)
        self._run = _core.Run(handle)
        # the step of a run is its hot path: the bound method, without looking it up each time
        self._step = self._run.step

    def __repr__(self) -> str:
        return f"<polhode.Simulation: t = {self.time:g} s, step {self.steps_done} of {self.steps}>"

    def step(self, count: int = 1) -> None:
        """Takes a step, or several. SimulationError if one fails."""
        if not self._step(count):
            raise SimulationError(self._run.failure)

    def run(self, *, output: str | os.PathLike[str] | None = None, estimate_error: bool = False, progress: Progress = None) -> Result:
        """Runs on to the end and returns the samples taken by ``run``, also those before an interruption; a result file gets the same.
        Arguments as for ``simulate``."""
        bar = Bar() if progress is True or (progress is None and somebody_looks()) else None
        function = bar if bar is not None else progress if callable(progress) else None
        try:
            interrupted = self._run.run(function, None if output is None else os.fspath(output), estimate_error)
        finally:
            if bar is not None:
                bar.close()
        result = Result(self._run.recording)
        if interrupted:
            raise SimulationInterrupted(result.certificate.reason, result)
        if self._run.failure:
            raise SimulationError(self._run.failure, result)
        return result

    # ---- where it is ----

    @property
    def time(self) -> float:
        """[s]"""
        return self._run.time

    @property
    def steps_done(self) -> int:
        return self._run.steps_done

    @property
    def steps(self) -> int:
        """steps to ``end_time``"""
        return self._run.steps

    @property
    def done(self) -> bool:
        """True at ``end_time``, and after a failure"""
        return self._run.done

    @property
    def freedoms(self) -> int:
        """degrees of freedom"""
        return self._run.freedoms

    @property
    def bodies(self) -> list[str]:
        return self._run.bodies

    @property
    def state(self) -> Snapshot:
        """The motion now; a copy."""
        s = self._run.sample()
        return Snapshot(s["time"], self.bodies, self._run.joints, s["position"], s["quaternion"], s["velocity"], s["angular_velocity"],
                        s["acceleration"], s["angular_acceleration"], s["reaction"], Energy(*s["energy"]), s["linear_momentum"], s["angular_momentum"])

    @property
    def energy(self) -> Energy:
        """Energies now [J]."""
        return Energy(*self._run.sample()["energy"])

    @property
    def certificate(self) -> Certificate:
        """What the run kept and what it lost until now."""
        return Certificate.from_json(*self._run.certificate())

    @property
    def node_state(self) -> _core.State:
        """The state as integrators see it: of the centres of mass, for ``polhode.System``."""
        return self._run.state()

    # ---- what is done to it ----

    def apply_force(self, body: str, force: Vector | None = None, *, torque: Vector | None = None, at: Vector | None = None) -> None:
        """A force [N] at a point ``at`` of the body frame [m] and a torque [N m], both in space, in all steps from now on, in place of what
        was applied to that body before; nothing takes it away. Its work goes into the certificate as "(applied)"."""
        self._run.apply(body, _three(force, "force"), _three(torque, "torque"), _three(at, "at"))

    def set_velocity(self, body: str, velocity: Vector | None = None, *, angular_velocity: Vector | None = None) -> None:
        """A new velocity of the origin of the body frame, in space [m/s], and angular velocity, in the body [rad/s]; the velocities of all
        bodies then change by the least that the joints ask for."""
        self._run.set_velocity(body, _three(velocity, "velocity"), _three(angular_velocity, "angular_velocity"))

    def save(self) -> Checkpoint:
        """All that the run depends on, for ``restore``: motion, applied forces, certificate, samples recorded. Saving changes nothing."""
        return Checkpoint(self._run.save(), self._origin)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to where ``save`` was called: from there it goes on as it did before, bit by bit, with the same figures. ValueError for a
        checkpoint of another model, method or step."""
        if not isinstance(checkpoint, Checkpoint):
            raise TypeError(f"restore takes what save has returned, not {type(checkpoint).__name__}")
        self._run.restore(checkpoint.for_origin(self._origin))


def _three(vector: Vector | None, name: str) -> tuple[float, float, float] | None:
    if vector is None:
        return None
    try:
        array = np.asarray(vector, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {vector!r}; expected three numbers") from None
    if array.shape != (3,):
        raise ValueError(f"{name} has the shape {array.shape}; expected three numbers")
    return (float(array[0]), float(array[1]), float(array[2]))
