"""The signals of a turn's candidates as a table, a row for each candidate, and their distances from the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

BEHIND = ".behind"
"""Ends the name of a signal that says how far a candidate is behind the best one of its turn."""


@dataclass(frozen=True, slots=True)
class SignalTable:
    """Signals of candidates: `values` has the shape (candidates, names), NaN where a candidate lacks a signal."""

    names: tuple[str, ...]
    values: Matrix

    @classmethod
    def of(cls, every: Sequence[Mapping[str, float]]) -> SignalTable:
        """Return the signals of each candidate as they are."""
        known: dict[str, float] = {}
        for signals in every:
            known.update(signals)
        rows = [[signals.get(name, nan) for name in known] for signals in every]
        return cls(tuple(known), np.array(rows, np.float64).reshape(len(every), len(known)))

    def beside_the_best(self) -> SignalTable:
        """Return the table with how far each candidate is behind the highest value of each signal (0 or less)."""
        behind = self.values - np.fmax.reduce(self.values, axis=0, initial=-np.inf)
        names = (*self.names, *(f"{name}{BEHIND}" for name in self.names))
        return SignalTable(names, np.concatenate((self.values, behind), axis=1))

    def of_some(self, places: Sequence[int]) -> SignalTable:
        """Return the table of the candidates at some places."""
        return SignalTable(self.names, self.values[list(places)])

    def columns(self, names: Sequence[str]) -> Matrix:
        """Return the values of the signals `names`, shape (candidates, names); NaN for one that nobody has."""
        place = {name: at for at, name in enumerate(self.names)}
        found = [place.get(name, -1) for name in names]
        padded = np.concatenate((self.values, np.full((len(self.values), 1), nan)), axis=1)
        return padded[:, found]

    def rows(self) -> list[dict[str, float]]:
        """Return the signals that each candidate has."""
        every = (zip(self.names, row, strict=True) for row in self.values.tolist())
        return [{name: value for name, value in row if not isnan(value)} for row in every]
