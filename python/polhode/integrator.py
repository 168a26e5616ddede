"""What an integrator is to a model: the name of a method and its options."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, Mapping

from . import _core
from .element import Element
from .errors import ModelError

__all__ = ["Integrator", "integrator_from"]


@dataclasses.dataclass(kw_only=True)
class Integrator(Element):
    """A time integrator with its options. ``polhode.integrators`` lists them all; ``help(polhode.EnergyMomentum)`` explains one."""

    method: ClassVar[str] = ""

    if not TYPE_CHECKING:

        def __new__(cls, **options):
            self = super().__new__(cls, **options)
            object.__setattr__(self, "_given", set(options))  # what the user said: the rest keeps the library's defaults
            return self

    def __post_init__(self) -> None:
        object.__setattr__(self, "_made", True)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if self.__dict__.get("_made"):
            self.__dict__["_given"].add(name)

    def to_dict(self) -> dict[str, Any]:
        """The name, and the options that were given."""
        return {"name": self.method, **{name: value for name, value in super().to_dict().items() if name in self.__dict__["_given"]}}

    def __str__(self) -> str:
        """As on the command line and in legends: the name and the options that differ from their defaults."""
        defaults = {field.name: field.default for field in dataclasses.fields(self)}
        options = [f"{name}={getattr(self, name)}" for name in self._fields() if getattr(self, name) != defaults[name]]
        return " ".join([self.method, *options])


def integrator_from(choice: Integrator | str | Mapping[str, Any]) -> Integrator:
    """An integrator from its class, its name, or name and options as in JSON."""
    from . import integrators

    if isinstance(choice, Integrator):
        return choice
    if isinstance(choice, str):
        name, *words = choice.split() or [""]
        options: dict[str, Any] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals:
                raise ModelError(f'simulation.integrator: "{word}" is not of the form option=value')
            options[key] = _value(value)
    elif isinstance(choice, Mapping):
        options = dict(choice)
        name = options.pop("name", "")
    else:
        raise TypeError(f"integrator is {type(choice).__name__}; expected one such as polhode.EnergyMomentum(), or its name")
    classes: dict[str, type[Integrator]] = {cls.method: cls for cls in Integrator.__subclasses__() if cls.__module__ == integrators.__name__}
    unknown = {str(key): 0.0 for key in options if name not in classes or key not in classes[name]._fields()}
    if name not in classes or unknown:
        _core.check_integrator(str(name), unknown)  # says what there is
    return classes[name](**options)


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
