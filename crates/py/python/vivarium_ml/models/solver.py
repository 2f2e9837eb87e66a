"""Trained solvers of the cubes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vivarium_ml._core import NativeSolver
from vivarium_ml.arguments import whole_number
from vivarium_ml.models.base import MAX_COUNT, TrainedModel


class Solver(TrainedModel):
    """Trained solver of the 2×2×2 or the 3×3×3 cube."""

    _native: NativeSolver
    _native_class = NativeSolver

    @property
    def turns(self) -> list[str]:
        """Names of the turns that count as one move, in the order in which `values` returns their values."""
        return self._native.turns

    def solve(self, scramble: str = "", *, stickers: str | None = None, beam_width: int = 1024) -> list[str] | None:
        """Solves a cube.

        The 3×3×3 cube is solved by a beam search. The 2×2×2 cube is solved without a search, by the turn with the highest
        value in each state.

        Args:
            scramble: turns, such as `R U2 F'`, that are applied to the cube first.
            stickers: stickers of the cube before the scramble, 24 or 54 letters of faces or colors: U, R, F, D, L, B row by
                row. The default is the solved cube.
            beam_width: number of states that the beam search keeps after each move, 1 to 262,144.

        Returns:
            The turns that solve the cube, or `None` if the network finds no solution.

        Raises:
            ValueError: for invalid turns, stickers of an impossible cube, or a beam width out of range.
        """
        return self._native.solve(scramble, stickers, whole_number("beam_width", beam_width, 0, MAX_COUNT))

    def values(self, scrambles: Sequence[str]) -> NDArray[np.float32]:
        """Returns the value of each turn of scrambled 2×2×2 cubes, shape `(n, len(turns))`.

        Raises:
            ValueError: for the 3×3×3 cube, whose network has no values, or for invalid turns.
        """
        return self._native.values(list(scrambles))
