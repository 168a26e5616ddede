"""Checkpoints: where a simulation was, and what it was a simulation of."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

from . import _core
from .errors import ModelError
from .model import Model

__all__ = ["Checkpoint"]


@dataclasses.dataclass(frozen=True)
class Origin:
    """What a simulation is of. The method and its steps are compared by the simulation itself."""

    model: str
    """SHA-256 of the model in canonical form, without texts about it and without its simulation block"""
    newton: str
    """options of Newton's method, as JSON"""

    @classmethod
    def of(cls, model: Model, handle: _core.ModelHandle) -> Origin:
        try:
            document: dict[str, Any] = json.loads(handle.text())
        except ModelError:  # loads and energies in Python have no text: their places are compared
            document = model._document()
        simulation = document.get("simulation") or {}
        other = {key: value for key, value in document.items() if key not in ("simulation", "name", "description", "source", "reference")}
        text = json.dumps(other, sort_keys=True)
        return cls(hashlib.sha256(text.encode()).hexdigest(), json.dumps(simulation.get("newton") or {}, sort_keys=True))


class Checkpoint:
    """All that a run depends on, to be put back by ``Simulation.restore``: of the same model, method and steps alone."""

    def __init__(self, saved: _core.Checkpoint, origin: Origin):
        self._saved, self._origin = saved, origin

    def for_origin(self, own: Origin) -> _core.Checkpoint:
        """What was saved; ValueError with what differs if the simulation is another one."""
        if self._origin.model != own.model:
            raise ValueError(
                f"the checkpoint is of another model: SHA-256 {self._origin.model[:12]} of its bodies, joints and forces, here {own.model[:12]}"
            )
        if self._origin.newton != own.newton:
            raise ValueError(f"the checkpoint is of a run with newton {self._origin.newton}; this one has {own.newton}")
        return self._saved
