"""A model: bodies, joints, drives, forces, and how to simulate them. The same words as in a model file."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import pathlib
import warnings
from typing import Any, ClassVar, Mapping, Sequence, TypeVar, Union

from . import _core, bodies, computed, forces, functions, joints, options
from .drives import Drive
from .element import Element, Vector, check_json, refuse
from .errors import ModelError
from .integrator import Integrator, integrator_from

__all__ = ["Model", "ModelLike", "ModelWarning", "SimulationOptions", "as_model"]

Named = TypeVar("Named", bound=Element)


class ModelWarning(UserWarning):
    """A model that runs, but may not be what was meant."""


class SimulationOptions(options.SimulationOptions):
    __doc__ = options.SimulationOptions.__doc__

    def to_dict(self) -> dict[str, Any]:
        out = super().to_dict()
        if self.integrator is not None:
            out["integrator"] = integrator_from(self.integrator).to_dict()
        return out


@dataclasses.dataclass(kw_only=True)
class Model(Element):
    """A multibody system and how to simulate it. Units are SI, angles in radians.

    Lists and fields can be changed at any time; the model is checked when it is used, or by ``check()``.

    Args:
        name, description, source: texts; ``source`` tells where the numbers come from
        reference: file of the exact motion, relative to the model's file
        gravity: [m/s^2]
        bodies, joints, drives, forces: lists of what is in the modules of these names
        simulation: options of a run
    """

    name: str | None = None
    description: str | None = None
    source: str | None = None
    reference: str | None = None
    gravity: Vector | None = None
    bodies: list[bodies.AnyBody] = dataclasses.field(default_factory=list)
    joints: list[joints.AnyJoint] = dataclasses.field(default_factory=list)
    drives: list[Drive] = dataclasses.field(default_factory=list)
    forces: list[forces.AnyForce] = dataclasses.field(default_factory=list)
    simulation: SimulationOptions = dataclasses.field(default_factory=SimulationOptions)

    _lists: ClassVar[tuple[str, ...]] = ("bodies", "joints", "drives", "forces")

    def __post_init__(self) -> None:
        self._path: pathlib.Path | None = None

    # ---- reading and writing ----

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file. ModelError tells all that is wrong with it."""
        handle = _core.read_model(os.fspath(path))
        _warn(handle)
        model = cls.from_dict(json.loads(handle.text()))
        model._path = pathlib.Path(path)
        return model

    @classmethod
    def from_json(cls, text: str) -> Model:
        """Reads a model from JSON text, comments allowed."""
        handle = _core.parse_model(text, '"model"')
        _warn(handle)
        return cls.from_dict(json.loads(handle.text()))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        """From words and values of the JSON format, which ``to_dict`` gives back."""
        fields = {key: value for key, value in data.items() if key not in ("polhode", "$schema")}
        for key, table in (("bodies", bodies.BY_TYPE), ("joints", joints.BY_TYPE), ("forces", forces.BY_TYPE)):
            fields[key] = [_element(entry, table, f"{key}[{k}]") for k, entry in enumerate(fields.get(key, []))]
        fields["drives"] = [Drive.from_dict({**entry, "motion": _function(entry.get("motion"))}) for entry in fields.get("drives", [])]
        chosen = dict(fields.get("simulation", {}))
        if "integrator" in chosen:
            chosen["integrator"] = integrator_from(chosen["integrator"])
        fields["simulation"] = SimulationOptions.from_dict(chosen)
        for name in fields:
            if name not in cls._fields():
                raise ModelError(refuse("model: a model", name, cls._fields()))
        return cls(**fields)

    def to_json(self) -> str:
        """The model as JSON text in canonical form, every number exact. ModelError if the model makes no sense."""
        return self._handle().text()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file."""
        text = self.to_json()
        pathlib.Path(path).write_text(text, encoding="utf-8")

    def to_dict(self) -> dict[str, Any]:
        """The words and values of the JSON format. Loads and energies in Python have none: ModelError."""
        for k, force in enumerate(self.forces):
            if isinstance(force, (forces.Load, forces.Potential)):
                raise ModelError(f"{self._place('forces', k)}: is computed by a program, which a file cannot hold; leave it out to write the model")
        return self._document()

    # ---- looking and changing ----

    def check(self) -> None:
        """ModelError with all that is wrong, if anything is; warnings for what is odd."""
        _warn(self._handle())

    def copy(self, **changes: Any) -> Model:
        """A copy that shares nothing with the original, with some fields changed; options of the simulation too: ``copy(step=1e-4)``."""
        own = {name: value for name, value in changes.items() if name in self._fields()}
        others = {name: value for name, value in changes.items() if name not in own}
        for name in others:
            if name not in SimulationOptions._fields():
                raise TypeError(refuse("Model", name, self._fields() + SimulationOptions._fields()))
        model = copy.deepcopy(self)
        for name, value in own.items():
            setattr(model, name, value)
        if others:
            model.simulation = model.simulation.copy(**others)
        return model

    def body(self, name: str) -> Any:
        """The body of that name, to be looked at or changed."""
        return _named(self.bodies, name, "body")

    def joint(self, name: str) -> Any:
        """The joint of that name."""
        return _named(self.joints, name, "joint")

    def drive(self, name: str) -> Drive:
        """The drive of that name."""
        return _named(self.drives, name, "drive")

    def force(self, name: str) -> Any:
        """The force of that name."""
        return _named(self.forces, name, "force")

    # ---- to C++ ----

    def _place(self, key: str, k: int) -> str:
        name = getattr(getattr(self, key)[k], "name", None)
        return f'{key}[{k}] "{name}"' if name else f"{key}[{k}]"

    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"polhode": 1}
        for key in ("name", "description", "source", "reference", "gravity"):
            if getattr(self, key) is not None:
                document[key] = getattr(self, key)
        for key in self._lists:
            elements = getattr(self, key)
            if not isinstance(elements, list):
                raise ModelError(f"model: {key} is {type(elements).__name__}; expected a list")
            entries = []
            for k, element in enumerate(elements):
                if isinstance(element, (forces.Load, forces.Potential)):
                    entries.append(computed.carrier(element, self._place(key, k)))
                elif isinstance(element, Element):
                    entries.append(element.to_dict())
                else:
                    raise ModelError(f"{key}[{k}]: is {type(element).__name__}; expected an element of polhode.{key}")
                check_json(entries[-1], self._place(key, k))
            if entries or key == "bodies":
                document[key] = entries
        if not isinstance(self.simulation, SimulationOptions):
            raise ModelError(f"model: simulation is {type(self.simulation).__name__}; expected polhode.SimulationOptions")
        document["simulation"] = self.simulation.to_dict()
        check_json({key: value for key, value in document.items() if key not in self._lists}, "model")
        return document

    def _handle(self) -> _core.ModelHandle:
        where = str(self._path) if self._path is not None else f'"{self.name or "model"}"'
        handle = _core.parse_model(json.dumps(self._document()), where)
        mine = [(k, force) for k, force in enumerate(self.forces) if isinstance(force, (forces.Load, forces.Potential))]
        for k, force in mine:
            computed.attach(handle, k, force, self._place("forces", k))
        if mine:
            handle.check(where)
        return handle


ModelLike = Union[Model, str, "os.PathLike[str]", Mapping[str, Any]]


def as_model(model: ModelLike) -> Model:
    """A model, from itself, its file, or the words and values of the format."""
    if isinstance(model, Model):
        return model
    if isinstance(model, Mapping):
        return Model.from_dict(model)
    if isinstance(model, (str, os.PathLike)):
        return Model.load(model)
    raise TypeError(f"model is {type(model).__name__}; expected a polhode.Model, a file or a dictionary")


def _element(entry: Any, table: Mapping[str, Any], place: str) -> Any:
    if not isinstance(entry, Mapping):
        raise ModelError(f"{place}: is {type(entry).__name__}; expected an object")
    word = entry.get("type", "rigid" if "rigid" in table else None)
    if word not in table:
        guess = _core.nearest(str(word), list(table)) if word is not None else None
        raise ModelError(f'{place}: type is "{word}"' + (f'; did you mean "{guess}"?' if guess else f"; there are: {', '.join(table)}"))
    fields = dict(entry)
    if "function" in fields:
        fields["function"] = _function(fields["function"])
    try:
        return table[word].from_dict(fields)
    except TypeError as error:
        raise ModelError(f"{place}: {error}") from None


def _function(data: Any) -> Any:
    """A function, or a list of three, from the values of the JSON format."""
    if isinstance(data, list):
        return [_function(entry) for entry in data]
    if not isinstance(data, Mapping):
        return data
    fields = dict(data)
    if "functions" in fields:
        fields["functions"] = [_function(entry) for entry in fields["functions"]]
    return functions.BY_TYPE[fields["type"]].from_dict(fields)


def _named(elements: Sequence[Named], name: str, kind: str) -> Named:
    names = [str(getattr(element, "name", None)) for element in elements]
    if name in names:
        return elements[names.index(name)]
    guess = _core.nearest(str(name), names)
    raise KeyError(f'there is no {kind} "{name}"' + (f'; did you mean "{guess}"?' if guess else f"; there are: {', '.join(names)}"))


def _warn(handle: _core.ModelHandle) -> None:
    for text in handle.warnings:
        warnings.warn(text, ModelWarning, stacklevel=3)
