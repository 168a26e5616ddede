"""Studies: many runs of one model, or of the methods themselves."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence, Union

import numpy as np

from . import _core
from .certificate import Certificate
from .element import Floats
from .integrator import Integrator, integrator_from
from .model import Model, ModelLike, as_model
from .progress import Bar, somebody_looks

if TYPE_CHECKING:
    import pandas

__all__ = ["Check", "Comparison", "Convergence", "MethodConvergence", "Spectra", "Spectrum", "StudyRun", "check", "compare", "converge", "serving",
           "spectrum"]

AnyIntegrator = Union[Integrator, str, Mapping[str, Any]]


class StudyRun(Mapping[str, Any]):
    """One run of a study, a row of its table: integrator, step, errors, what it kept, seconds; ``failure`` if there was no run."""

    def __init__(self, data: Mapping[str, Any]):
        self._data = {key: math.nan if value is None and key != "failure" else value for key, value in data.items()}

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_data"][name]
        except KeyError:
            raise AttributeError(f'a run has no "{name}"; it has: {", ".join(self.__dict__.get("_data", {}))}') from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return f"<{self._data.get('integrator')}, step {self._data.get('step')}>"


class _Study:
    """A text for people, and the runs."""

    runs: list[StudyRun]

    def __init__(self, text: str):
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def to_pandas(self) -> pandas.DataFrame:
        """The runs as a table. Needs pandas."""
        import pandas

        return pandas.DataFrame([{key: value for key, value in run.items() if not isinstance(value, dict)} for run in self.runs])


class Comparison(_Study):
    """Several integrators on one model: how far each is from the motion, what each keeps, what each costs."""

    def __init__(self, text: str, data: Mapping[str, Any]):
        super().__init__(text)
        self.model: str = data["model"]
        self.end_time: float = data["end_time"]
        self.reference: dict[str, Any] = data["reference"]
        self.runs = [StudyRun(run) for run in data["runs"]]


class MethodConvergence:
    """One method of a convergence study. ``orders["position"]["order"]`` is the observed order of positions."""

    def __init__(self, data: Mapping[str, Any]):
        self.integrator: str = data["integrator"]
        self.orders: dict[str, dict[str, float]] = data["orders"]
        self.stopped: str | None = data["stopped"]
        self.runs = [StudyRun(run) for run in data["runs"]]

    def order(self, of: str = "position") -> float:
        """The observed order of "position", "angle", "velocity", "angular_velocity", "force" or "moment"; NaN if there is none."""
        return self.orders[of]["order"] if of in self.orders else math.nan

    def column(self, key: str) -> Floats:
        """A figure of all complete runs, from the largest step to the smallest."""
        return np.array([run[key] for run in self.runs if not run.get("failure")], dtype=float)


class Convergence(_Study):
    """Error against step, for each method."""

    def __init__(self, text: str, data: Mapping[str, Any]):
        super().__init__(text)
        self.model: str = data["model"]
        self.end_time: float = data["end_time"]
        self.reference: dict[str, Any] = data["reference"]
        self.methods = [MethodConvergence(method) for method in data["methods"]]
        self.runs = [run for method in self.methods for run in method.runs]


class Spectrum:
    """What one step does to a linear oscillator, over the step h by the period T. NaN where there is no oscillation left."""

    def __init__(self, data: Mapping[str, Any]):
        def column(key: str) -> Floats:
            return np.array([math.nan if point[key] is None else point[key] for point in data["points"]], dtype=float)

        self.integrator: str = data["integrator"]
        self.note: str = data["note"]
        self.h_over_T = column("h_over_t")
        self.radius = column("spectral_radius")
        self.period_error = column("period_error")
        self.damping = column("damping_ratio")
        self.roots = [[complex(*root) for root in point["roots"]] for point in data["points"]]


class Spectra(list[Spectrum]):
    """Spectra of several methods; printed, a table."""

    def __init__(self, text: str, spectra: Sequence[Spectrum]):
        super().__init__(spectra)
        self._text = text

    def __str__(self) -> str:
        return self._text


class Check(Certificate):
    """What ``check`` found: the words of ``polhode check --json``, by key or as attributes; printed, the text of the command."""


def check(model: ModelLike) -> Check:
    """Looks at a model without simulating it: degrees of freedom, redundant equations, how far the joints are off at the start, what it
    conserves, its fastest spring and spin, and advice on the step.

    Raises:
        ModelError: the model makes no sense, or its integrator cannot serve it
    """
    text, data = _core.check(as_model(model)._handle())
    return Check(json.loads(data), text)


def serving(model: ModelLike) -> dict[str, str | None]:
    """Every method, with the reason why it cannot serve the model; None if it can."""
    return dict(_core.services(as_model(model)._handle()))


def compare(
    model: ModelLike,
    integrators: Sequence[AnyIntegrator] | None = None,
    *,
    steps: Sequence[float] | Floats | None = None,
    end_time: float | None = None,
    reference: str | None = None,
    repetitions: int = 1,
    progress: bool | None = None,
) -> Comparison:
    """Runs several integrators on one model, and measures each against the motion.

    Args:
        model: a Model, or its file
        integrators: default: all that can serve the model
        steps: each with every integrator [s]; default that of the model
        end_time: [s]; default that of the model
        reference: file of the exact motion, or "computed"; default the file that the model names, else computed
        repetitions: of each run, for its time: the quickest counts
        progress: True, False; None: where somebody looks
    """
    own = _prepared(model, end_time)
    handle = own._handle()
    texts = None if integrators is None else _texts(integrators)
    with _Shown(progress) as bar:
        text, data = _core.compare(handle, texts, _steps(steps, own), reference or "", _folder(own), int(repetitions), bar)
    return Comparison(text, json.loads(data))


def converge(
    model: ModelLike,
    integrators: Sequence[AnyIntegrator] | AnyIntegrator | None = None,
    *,
    steps: Sequence[float] | Floats | None = None,
    halvings: int = 5,
    end_time: float | None = None,
    reference: str | None = None,
    repetitions: int = 1,
    progress: bool | None = None,
) -> Convergence:
    """Error against step, and the observed order, of each integrator.

    Args:
        model: a Model, or its file
        integrators: one or several; default that of the model
        steps: [s]; default that of the model, halved ``halvings`` times
        end_time, reference, repetitions, progress: as for ``compare``
    """
    own = _prepared(model, end_time)
    if integrators is None:
        integrators = [own.simulation.integrator or "energy-momentum"]
    elif isinstance(integrators, (Integrator, str, Mapping)):
        integrators = [integrators]
    if steps is None:
        if halvings < 1:
            raise ValueError(f"halvings is {halvings}; expected at least 1")
        steps = [_steps(None, own)[0] * 0.5**k for k in range(halvings + 1)]
    with _Shown(progress) as bar:
        text, data = _core.converge(own._handle(), _texts(integrators), _steps(steps, own), reference or "", _folder(own), int(repetitions), bar)
    return Convergence(text, json.loads(data))


def spectrum(integrators: Sequence[AnyIntegrator] | AnyIntegrator | None = None, h_over_T: Sequence[float] | Floats | None = None) -> Spectra:
    """Spectral radius, error of the period and algorithmic damping of methods, found by stepping them.

    Args:
        integrators: one or several; default all
        h_over_T: steps over the period; default 61 from 0.01 to 10
    """
    if integrators is None:
        integrators = _core.method_names()
    elif isinstance(integrators, (Integrator, str, Mapping)):
        integrators = [integrators]
    places = np.geomspace(0.01, 10, 61) if h_over_T is None else np.atleast_1d(np.asarray(h_over_T, dtype=float))
    if not np.all(places > 0) or not np.all(np.isfinite(places)):
        raise ValueError("h_over_T must be greater than 0")
    text, data = _core.spectrum(_texts(integrators), [float(x) for x in places])
    return Spectra(text, [Spectrum(entry) for entry in json.loads(data)])


def _prepared(model: ModelLike, end_time: float | None) -> Model:
    own = as_model(model)
    if end_time is not None:
        path = own._path
        own = own.copy(end_time=end_time)
        own._path = path
    return own


def _texts(integrators: Sequence[AnyIntegrator]) -> list[str]:
    return [str(integrator_from(choice)) for choice in integrators]


def _steps(steps: Sequence[float] | Floats | None, model: Model) -> list[float]:
    if steps is None:
        return [float(model.simulation.step if model.simulation.step is not None else 1e-3)]
    out = [float(step) for step in steps]
    if not out or not all(step > 0 and math.isfinite(step) for step in out):
        raise ValueError(f"steps are {out}; expected at least one, each greater than 0")
    return out


def _folder(model: Model) -> str | None:
    """Where the model's own reference is looked for."""
    return None if model._path is None else str(model._path.parent)


class _Shown:
    def __init__(self, progress: bool | None) -> None:
        self._bar = Bar() if progress or (progress is None and somebody_looks()) else None

    def __enter__(self) -> Any:
        if self._bar is None:
            return None
        bar = self._bar
        return lambda what, fraction, time: bar(fraction, time)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
