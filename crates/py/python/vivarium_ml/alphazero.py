"""Self-play and learning of AlphaZero in separate processes.

A `Learner` trains a network on samples, and a `SelfPlay` plays games with its weights; any number of them can run in
other processes or on other machines:

>>> learner = Learner("connect-four")
>>> self_play = SelfPlay("connect-four", learner.config)
>>> for _ in range(100):
...     self_play.set_weights(learner.weights(), games=learner.games, samples=learner.samples)
...     learner.add(self_play.play(samples=4096))
...     learner.update()

`vivarium_ml.ray` runs this loop on a cluster.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vivarium_ml._core import NativeReplayLearner, NativeSelfPlay
from vivarium_ml.arguments import MAX_SEED, checked_fields, whole_number
from vivarium_ml.configured import Configured
from vivarium_ml.experiment import MAX_SEED as MAX_RUN_SEED

MAX_COUNT = 2**63 - 1


@dataclass(frozen=True)
class Samples:
    """Training samples of finished games; pickled as they are.

    Attributes:
        data: the samples, for `Learner.add`: about 100 bytes each.
        num_games: number of games.
        num_samples: number of samples: one for each decision and each roll of dice.
    """

    data: bytes
    num_games: int
    num_samples: int


class SelfPlay:
    """Self-play: games that a network plays against itself.

    The results depend on config, seed and weights alone, not on the number of threads. Use an object in one thread at a
    time; a second one gets a `RuntimeError`. `play` releases the interpreter lock.

    Args:
        game: `backgammon` or `connect-four`.
        config: fields that differ from the defaults, as for `vivarium_ml.Experiment`. `self_play.workers` groups of
            `self_play.games` games are played at the same time; a thread plays a group.
        seed: seed of dice, noise and sampled moves, from 0 to 2⁶⁴ − 1. Every `SelfPlay` of a run needs a seed of its own.
        num_threads: number of threads, from 1 to 1,024.

    Raises:
        ValueError: for an unknown game or field, or a value that is not allowed.
        TypeError: for an argument of the wrong type.
    """

    def __init__(
        self, game: str, config: Mapping[str, Any] | None = None, seed: int = 1, num_threads: int = 1
    ) -> None:
        self._native = NativeSelfPlay(
            game,
            checked_fields("config", config),
            whole_number("seed", seed, 0, MAX_SEED),
            whole_number("num_threads", num_threads, 1, 1024),
        )

    @property
    def num_weights(self) -> int:
        """Length of the network's weights. Zeros between parameters align them."""
        return self._native.num_weights

    def set_weights(self, weights: NDArray[np.float32], *, games: int = 0, samples: int = 0) -> None:
        """Replaces the weights of the network, also for the games in progress.

        Args:
            weights: weights of `Learner.weights`, `float32`, shape `(num_weights,)`.
            games: number of games of the run so far, on which `search.games_before_search` depends.
            samples: number of samples of the run so far, on which λ of the value targets depends.

        Raises:
            ValueError: for another shape, or weights that are not finite.
            TypeError: for another dtype.
        """
        array = np.asarray(weights)
        if array.dtype != np.float32:
            raise TypeError(f"weights has the dtype {array.dtype}; expected float32")
        if array.ndim != 1:
            raise ValueError(f"weights has the shape {array.shape}; expected ({self.num_weights},)")
        self._native.set_weights(
            np.ascontiguousarray(array),
            whole_number("games", games, 0, MAX_COUNT),
            whole_number("samples", samples, 0, MAX_COUNT),
        )

    def play(self, samples: int) -> Samples:
        """Plays until games with at least this number of samples have finished, and returns the samples.

        Games in progress continue in the next call. Ctrl-C interrupts the call; the next one returns the samples of the
        games that had finished.

        Raises:
            ValueError: if `samples` is not from 1 to 2²⁶.
            RuntimeError: if another thread uses the object, or this process was forked after the threads started.
        """
        return Samples(*self._native.play(whole_number("samples", samples, 1, 2**26)))


class Learner(Configured[NativeReplayLearner]):
    """Learner without self-play: replay buffer, gradient steps, averaged weights, promotion matches.

    The weights depend on config, seed, and the samples in the order of the calls alone. Use an object in one thread at a
    time; a second one gets a `RuntimeError`. `add`, `update`, `save` and `load` release the interpreter lock.

    Args:
        game: `backgammon` or `connect-four`.
        config: fields that differ from the defaults, as for `vivarium_ml.Experiment`.
        seed: seed of initial weights, minibatches and matches, from 0 to 2⁵³ − 1.

    Raises:
        ValueError: for an unknown game or field, or a value that is not allowed.
        TypeError: for an argument of the wrong type.
    """

    def __init__(self, game: str, config: Mapping[str, Any] | None = None, seed: int = 1) -> None:
        fields = checked_fields("config", config)
        self._native = NativeReplayLearner(game, fields, whole_number("seed", seed, 0, MAX_RUN_SEED))

    @classmethod
    def from_bytes(cls, checkpoint: bytes) -> "Learner":
        """Restores a learner from a checkpoint of `save`, of `vivarium train` or of `vivarium_ml.Experiment`.

        The replay buffer is empty. Gradient steps resume once it holds two minibatches.

        Raises:
            ValueError: for a damaged or incompatible checkpoint.
        """
        self = cls.__new__(cls)
        self._native = NativeReplayLearner.from_bytes(checkpoint)
        return self

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Learner":
        """Restores a learner from a checkpoint file; see `from_bytes`.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a damaged or incompatible checkpoint.
        """
        return cls.from_bytes(Path(path).read_bytes())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the state without the replay buffer to a checkpoint file. An existing file is replaced in one step.

        The file is a checkpoint of the experiment: `vivarium play`, `vivarium_ml.load` and `vivarium_ml.Experiment.load`
        read it.

        Raises:
            OSError: if the file cannot be written.
        """
        self._native.save(path)

    def to_bytes(self) -> bytes:
        """Returns the contents of the file that `save` writes."""
        return self._native.to_bytes()

    def add(self, samples: Samples) -> bool:
        """Adds the samples of finished games to the replay buffer.

        Returns:
            Whether the samples are new. Samples that were added before are ignored, so that games count once. So are
            samples that their `SelfPlay` returned more than 63 calls before the last ones that were added.

        Raises:
            ValueError: for samples of another game, or damaged samples.
            TypeError: for another type.
        """
        if not isinstance(samples, Samples):
            raise TypeError(f"samples is {samples!r} ({type(samples).__name__}); expected the Samples of SelfPlay.play")
        return self._native.add(samples.data)

    def update(self) -> dict[str, Any] | None:
        """Takes all due gradient steps: new samples × `learning.replay_ratio` ÷ `learning.minibatch`.

        Ctrl-C interrupts the call; the next one continues.

        Returns:
            The metrics of the generation if it ended, after the promotion match if one is due: `steps`, the number of
            decisions, and the metrics by name. `None` if the generation, `self_play.generation` samples, has not ended.

        Raises:
            RuntimeError: if training diverged; restore a checkpoint with a lower learning rate.
        """
        return self._native.update()

    def weights(self) -> NDArray[np.float32]:
        """Returns a copy of the weights for self-play, shape `(num_weights,)`: the average of the trained weights."""
        return self._native.weights()

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._native.game

    @property
    def games(self) -> int:
        """Number of finished games whose samples were added."""
        return self._native.counters["games"]

    @property
    def samples(self) -> int:
        """Number of samples that were added."""
        return self._native.counters["samples"]

    @property
    def updates(self) -> int:
        """Number of gradient steps."""
        return self._native.counters["updates"]

    @property
    def generations(self) -> int:
        """Number of finished generations."""
        return self._native.counters["generations"]

    @property
    def promotions(self) -> int:
        """Number of promotions of the newest network to the best network."""
        return self._native.counters["promotions"]

    def __repr__(self) -> str:
        return f"Learner({self.game!r}, seed={self.seed}, games={self.games}, updates={self.updates})"
