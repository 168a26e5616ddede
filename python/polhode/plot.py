"""Plots for papers and notebooks, with matplotlib. Every function draws into given axes or makes a figure, and returns the axes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import numpy as np

from .result import Result
from .study import Comparison, Convergence, Spectra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["certificate", "convergence", "energy", "phase", "spectrum", "style", "work_precision"]

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"]  # Okabe & Ito: told apart by all eyes
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
STYLE: Any = {
    "font.size": 9, "axes.labelsize": 9, "legend.fontsize": 8, "xtick.labelsize": 8, "ytick.labelsize": 8, "axes.titlesize": 9,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.3, "grid.linewidth": 0.5, "lines.linewidth": 1.2,
    "lines.markersize": 4, "legend.frameon": False, "figure.constrained_layout.use": True, "savefig.bbox": "tight", "pdf.fonttype": 42,
    "mathtext.fontset": "cm", "axes.axisbelow": True,
}
WIDTH = 3.4  # inches: a column of a paper


@contextlib.contextmanager
def style() -> Iterator[None]:
    """The look of these plots, for one's own: ``with polhode.plot.style(): ...``"""
    import matplotlib.pyplot as plt
    from cycler import cycler

    with plt.rc_context({**STYLE, "axes.prop_cycle": cycler(color=COLOURS)}):
        yield


def _axes(axes: Axes | None, height: float = 0.75) -> Axes:
    if axes is not None:
        return axes
    import matplotlib.pyplot as plt

    _, made = plt.subplots(figsize=(WIDTH, height * WIDTH))
    return made


def _results(results: Result | Sequence[Result], labels: Sequence[str] | None) -> list[tuple[Result, str]]:
    many = [results] if isinstance(results, Result) else list(results)
    names = list(labels) if labels is not None else [str(result.certificate.get("integrator", "")) for result in many]
    if len(names) != len(many):
        raise ValueError(f"{len(names)} labels for {len(many)} results")
    return list(zip(many, names))


def energy(result: Result, axes: Axes | None = None) -> Axes:
    """Kinetic, gravitational, strain and total energy over time; work and dissipation where there are any."""
    with style():
        own = _axes(axes)
        e = result.energy
        for label, values in (("kinetic", e.kinetic), ("gravitational", e.gravitational), ("strain", e.strain), ("work", e.work),
                              ("dissipated", e.dissipated)):
            if np.any(values != 0):
                own.plot(result.time, values, label=label)
        own.plot(result.time, e.total, color="black", label="total")
        own.set(xlabel="time [s]", ylabel="energy [J]")
        own.legend()
    return own


def certificate(results: Result | Sequence[Result], axes: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
    """What was kept: the size of the energy balance's error, relative, over time, for one run or several."""
    with style():
        own = _axes(axes)
        floor = 1e-17
        for result, label in _results(results, labels):
            scale = float(result.certificate["energy"]["scale"]) or 1.0
            own.semilogy(result.time, np.maximum(np.abs(result.energy.algorithmic) / scale, floor), label=label)
        own.axhline(np.finfo(float).eps, color="0.6", linewidth=0.8, linestyle=":")
        own.set(xlabel="time [s]", ylabel="error of the energy balance [-]")
        own.legend()
    return own


def phase(results: Result | Sequence[Result], body: str, axes: Axes | None = None, *, component: str = "x", angular: bool = False,
          labels: Sequence[str] | None = None) -> Axes:
    """Velocity over position of a body's origin, along one axis of space; or two components of the angular velocity in the body."""
    k = "xyz".find(component)
    if k < 0 or len(component) != 1:
        raise ValueError(f'component is "{component}"; expected x, y or z')
    with style():
        own = _axes(axes, 0.9)
        for result, label in _results(results, labels):
            if angular:
                omega = result.angular_velocity(body)
                own.plot(omega[:, k], omega[:, (k + 1) % 3], label=label)
            else:
                own.plot(result.position(body)[:, k], result.velocity(body)[:, k], label=label)
        after = "xyz"[(k + 1) % 3]
        if angular:
            own.set(xlabel=rf"$\Omega_{component}$ [rad/s]", ylabel=rf"$\Omega_{after}$ [rad/s]")
        else:
            own.set(xlabel=f"{component} [m]", ylabel=rf"$\dot {component}$ [m/s]")
        own.legend()
    return own


def convergence(study: Convergence, axes: Axes | None = None, *, of: str = "position") -> Axes:
    """Error against step, with the observed orders in the legend and slopes to compare with.

    Args:
        of: "position" [m], "angle" [rad], "velocity", "angular_velocity", "force" or "moment"
    """
    unit = {"position": "m", "angle": "rad", "velocity": "m/s", "angular_velocity": "rad/s", "force": "N", "moment": "N m"}
    if of not in unit:
        raise ValueError(f'of is "{of}"; there are: {", ".join(unit)}')
    with style():
        own = _axes(axes, 0.9)
        for k, method in enumerate(study.methods):
            order = f", order {method.order(of):.2f}" if of in method.orders else ""
            own.loglog(method.column("step"), method.column(f"{of}_error"), marker=MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)],
                       label=method.integrator + order)
        _slopes(own, study, of)
        own.set(xlabel="step $h$ [s]", ylabel=f"error of {of.replace('_', ' ')} [{unit[of]}]")
        _above(own)
    return own


def _slopes(axes: Axes, study: Convergence, of: str) -> None:
    """A dashed line of each whole order below the first curve that has it, and a tick for each step."""
    from matplotlib.ticker import NullFormatter

    drawn: set[int] = set()
    for method in study.methods:
        if of not in method.orders or round(method.order(of)) in drawn:
            continue
        order = round(method.order(of))
        drawn.add(order)
        steps, errors = method.column("step"), method.column(f"{of}_error")
        line = 0.4 * errors[0] * (steps / steps[0]) ** order
        axes.loglog(steps, line, color="0.6", linestyle="--", linewidth=0.8, zorder=0)
        axes.annotate(f"$h^{order}$", (float(steps[-1]), float(line[-1])), color="0.4", fontsize=7, textcoords="offset points", xytext=(2, -9))
    ticks = sorted({float(run["step"]) for run in study.runs})
    if len(ticks) <= 6:
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.xaxis.set_minor_formatter(NullFormatter())


def _above(axes: Axes) -> None:
    """The legend above the curves, where it hides none."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.3)


def work_precision(study: Convergence | Comparison, axes: Axes | None = None, *, of: str = "position") -> Axes:
    """Error against time of computation: farther down and to the left is better."""
    with style():
        own = _axes(axes, 0.9)
        runs: dict[str, list[tuple[float, float]]] = {}
        for run in study.runs:
            if not run.get("failure"):
                runs.setdefault(str(run["integrator"]), []).append((float(run["seconds"]), float(run[f"{of}_error"])))
        for k, (label, points) in enumerate(runs.items()):
            seconds, errors = np.array(points).T
            own.loglog(seconds, errors, marker=MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)], label=label)
        own.set(xlabel="time of computation [s]", ylabel=f"error of {of.replace('_', ' ')}")
        _above(own)
    return own


def spectrum(spectra: Spectra, axes: Axes | None = None, *, of: str = "radius") -> Axes:
    """Spectral "radius", "period_error" or "damping" over h/T."""
    words = {"radius": "spectral radius [-]", "period_error": "error of the period [-]", "damping": "damping ratio [-]"}
    if of not in words:
        raise ValueError(f'of is "{of}"; there are: {", ".join(words)}')
    with style():
        own = _axes(axes)
        for one in spectra:
            own.plot(one.h_over_T, getattr(one, of), label=one.integrator)
        own.set(xscale="log", xlabel="$h/T$ [-]", ylabel=words[of])
        if of != "radius":
            own.set_yscale("symlog", linthresh=1e-4)
        own.legend()
    return own
