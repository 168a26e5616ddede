"""What can go wrong: exceptions that say where, what, by how much and what to try."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result

__all__ = ["Finding", "ModelError", "ResultError", "SimulationError", "SimulationInterrupted"]

_PLACE = re.compile(r'(?:(?P<where>.*?): )?(?P<place>(?:bodies|joints|drives|forces)\[\d+\]|simulation|model)(?: "(?P<name>[^"]*)")?'
                    r"(?P<inside>[.\w\[\]]*): (?P<message>.*)", re.DOTALL)
_KEY = re.compile(r"((?:[a-z_]+)(?:\[\d+\]|\.[a-z_]+)*)(?=: | is | has | holds | names )")


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a model."""

    text: str
    """the whole line"""
    path: str
    """where: ``joints[2].axis_a``, ``simulation.step``; empty if it is about the whole model"""
    name: str
    """the name of the element, if it has one"""
    suggestion: str
    """what to try; may be empty"""

    @staticmethod
    def of(line: str, place: str, field: str, name: str, text: str) -> Finding:
        """From the library's own parts of a finding."""
        if not place:
            return Finding.parse(line)
        path = ".".join(part for part in ("" if place == "model" else place, field) if part)
        return Finding(line, path, name, _suggestion(text))

    @staticmethod
    def parse(text: str) -> Finding:
        match = _PLACE.match(text)
        if not match:
            return Finding(text, "", "", _suggestion(text))
        place = "" if match["place"] == "model" else match["place"]
        key = _KEY.match(match["message"])
        inside = match["inside"] or (key[1] if key else "")
        path = ".".join(part for part in (place, inside.lstrip(".")) if part)
        return Finding(text, path, match["name"] or "", _suggestion(match["message"]))


def _suggestion(message: str) -> str:
    return message.split("; ", 1)[1] if "; " in message else ""


class ModelError(ValueError):
    """A model that makes no sense, or an integrator that cannot serve it.

    All that is wrong is said at once: ``findings``. ``path``, ``suggestion`` are those of the first.
    """

    def __init__(self, findings: Sequence[str | tuple[str, str, str, str, str]] | str):
        lines = [findings] if isinstance(findings, str) else list(findings)
        self.findings = [Finding.parse(line) if isinstance(line, str) else Finding.of(*line) for line in lines]
        super().__init__("\n".join(finding.text for finding in self.findings))

    @property
    def path(self) -> str:
        return self.findings[0].path if self.findings else ""

    @property
    def suggestion(self) -> str:
        return self.findings[0].suggestion if self.findings else ""


class ResultError(OSError):
    """A result file that cannot be read or written."""


class SimulationError(RuntimeError):
    """A run that cannot go on. ``result`` holds what was computed until then, or is None if nothing was recorded."""

    def __init__(self, message: str, result: Result | None = None):
        super().__init__(message)
        self.result = result

    def _find(self, pattern: str) -> str | None:
        match = re.search(pattern, str(self))
        return match[1] if match else None

    @property
    def time(self) -> float | None:
        """where it stopped [s]"""
        found = self._find(r"t = (\S+) s")
        return float(found) if found else None

    @property
    def step(self) -> int | None:
        """the number of the step that failed"""
        found = self._find(r"step (\d+):")
        return int(found) if found else None

    @property
    def joint(self) -> str | None:
        """the joint with the largest residual, if joints are to blame"""
        return self._find(r'joint "([^"]*)"')


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C. ``result`` holds what was computed until then."""

    def __init__(self, message: str, result: Result):
        super().__init__(message)
        self.result = result
