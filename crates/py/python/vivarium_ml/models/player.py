"""Trained players of board games."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vivarium_ml._core import NativePlayer
from vivarium_ml.arguments import MAX_SEED, whole_number
from vivarium_ml.models.base import MAX_COUNT, TrainedModel

_OUTCOMES = {
    "backgammon": ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"),
    "connect-four": ("win", "lose"),
}


class Player(TrainedModel):
    """Trained player of Backgammon or Connect Four.

    A position of Backgammon is the position ID of GNU Backgammon, such as `4HPwATDgc/ABMA`, for the player on roll. A
    position of Connect Four is the list of the columns from 1 to 7 in which the players have put stones, such as `4453`.

    The player uses the best network of the checkpoint: the winner of the last promotion match, or the newest network if
    no match has been won yet.
    """

    _native: NativePlayer
    _native_class = NativePlayer

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Names of the outcome probabilities that `evaluate` returns."""
        return _OUTCOMES[self.experiment]

    def best_move(
        self, position: str, dice: tuple[int, int] | None = None, *, simulations: int = 200, seed: int = 1
    ) -> str:
        """Returns the best move.

        Args:
            position: see `Player`.
            dice: the roll, required in Backgammon.
            simulations: number of simulations of the tree search. With 0, the network evaluates the position after each
                legal move, and the move with the best evaluation is returned.
            seed: seed for random choices between equally good moves; equal arguments give equal moves.

        Returns:
            In Backgammon a play such as `24/18 13/11`; in Connect Four the column. An empty string if no checker can move.

        Raises:
            ValueError: for a position that cannot be read, is over, or needs dice.
        """
        rolls = None if dice is None else [dice]
        return self.best_moves([position], rolls, simulations=simulations, seed=seed)[0]

    def best_moves(
        self,
        positions: Sequence[str],
        dice: Sequence[tuple[int, int]] | None = None,
        *,
        simulations: int = 200,
        seed: int = 1,
    ) -> list[str]:
        """Returns the best move in each position, with one roll for each; see `best_move`."""
        rolls = None if dice is None else [tuple(roll) for roll in dice]
        simulations = whole_number("simulations", simulations, 0, MAX_COUNT)
        return self._native.best_turns(list(positions), rolls, simulations, whole_number("seed", seed, 0, MAX_SEED))

    def evaluate(
        self, positions: Sequence[str], *, simulations: int = 0
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates positions for the player to move, in Backgammon before the roll.

        Args:
            positions: see `Player`.
            simulations: number of simulations of the tree search for the equity; 0 evaluates by the network alone.

        Returns:
            The outcome probabilities of the network, shape `(n, len(outcomes))`, and the equities, shape `(n,)`: expected
            points.

        Raises:
            ValueError: for a position that cannot be read.
        """
        return self._native.evaluate(list(positions), whole_number("simulations", simulations, 0, MAX_COUNT))
