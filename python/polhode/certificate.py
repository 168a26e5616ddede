"""What a run kept and what it lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["Certificate"]


class Certificate(Mapping[str, Any]):
    """The certificate of a run: the same words as ``polhode run --json``, by key or as attributes.

    ``certificate.energy.balance_error`` is ``certificate["energy"]["balance_error"]``; printed, it is the text of the command.
    See docs/certificate.md for what each figure means.
    """

    def __init__(self, data: Mapping[str, Any], text: str = ""):
        self._data = dict(data)
        self._text = text

    @classmethod
    def from_json(cls, text: str, words: str = "") -> Certificate:
        return cls(json.loads(text) if text else {}, words)

    def __getitem__(self, key: str) -> Any:
        value = self._data[key]
        return Certificate(value) if isinstance(value, dict) else value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f'a certificate has no "{name}"; it has: {", ".join(self._data)}') from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def to_dict(self) -> dict[str, Any]:
        return self._data

    def __str__(self) -> str:
        return self._text or json.dumps(self._data, indent=2)

    def __repr__(self) -> str:
        return str(self)
