"""A bar with the remaining time: on terminals and in notebooks, for runs that last."""

from __future__ import annotations

import sys
import time
from typing import Callable, Union

Progress = Union[bool, None, Callable[[float, float], object]]
"""None: a bar where somebody looks; True, False: always, never; or a function of the fraction done and the time reached [s]."""


class Bar:
    def __init__(self, what: str = "") -> None:
        self._began = time.monotonic()
        self._drawn = False
        self._what = what

    def __call__(self, fraction: float, reached: float) -> None:
        elapsed = time.monotonic() - self._began
        if elapsed < 0.5 or fraction <= 0:
            return
        filled = int(30 * fraction)
        left = elapsed * (1 - fraction) / fraction
        sys.stderr.write(f"\r{self._what}[{'=' * filled}{' ' * (30 - filled)}] {100 * fraction:3.0f} %  t = {reached:.4g} s  {left:.0f} s left   ")
        sys.stderr.flush()
        self._drawn = True

    def close(self) -> None:
        if self._drawn:
            sys.stderr.write("\r" + " " * (70 + len(self._what)) + "\r")
            sys.stderr.flush()


def somebody_looks() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules
