"""Trained policies of classic control."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vivarium_ml._core import NativePolicy
from vivarium_ml.arguments import MAX_SEED, whole_number
from vivarium_ml.models.base import TrainedModel


class Policy(TrainedModel):
    """Trained policy of a classic-control experiment: a PPO policy or the greedy policy of DQN.

    Observations have the form of `vivarium_ml.envs` and Gymnasium: a batch of shape `(n, values)`, for FrozenLake integers of
    shape `(n,)`; or the observation of a single environment.
    """

    _native: NativePolicy
    _native_class = NativePolicy

    def __call__(
        self, observations: ArrayLike, *, deterministic: bool = True, seed: int | None = None, step: int = 0
    ) -> Any:
        """Returns an action for each observation.

        Args:
            observations: see `Policy`.
            deterministic: whether to return the most probable action (for a continuous action, the mean); otherwise the
                action is sampled from the policy, as in training. A DQN policy has no distribution and is always greedy.
            seed: seed of the sampled actions; random by default.
            step: number of the environment step. A sampled action depends only on the seed, the step and the index of
                the observation.

        Returns:
            `int64` of shape `(n,)` for discrete actions, `float32` of shape `(n, 1)` for continuous ones; for a single
            observation, an `int`, or an array of shape `(1,)`.

        Raises:
            ValueError: for observations of the wrong shape, or that are not finite.
        """
        rows, is_single = self._rows(observations)
        if deterministic:
            seed = None
        elif seed is None:
            seed = int(np.random.default_rng().integers(2**63))
        else:
            seed = whole_number("seed", seed, 0, MAX_SEED)
        actions = self._native.act(rows, seed, whole_number("step", step, 0, 2**32 - 1))
        if self._native.num_actions is None:
            return actions if is_single else actions[:, np.newaxis]
        return int(actions[0]) if is_single else actions.astype(np.int64)

    def probabilities(self, observations: ArrayLike) -> NDArray[np.float32]:
        """Returns the probability of each action, shape `(n, actions)`; for a single observation, shape `(actions,)`.

        A DQN policy gives its greedy action the probability 1.

        Raises:
            ValueError: for observations of the wrong shape, or a policy with a continuous action.
        """
        if self._native.num_actions is None:
            raise ValueError(f"{self.experiment} has a continuous action, which has no probabilities")
        rows, is_single = self._rows(observations)
        probabilities = self._native.policy_and_value(rows)[0]
        return probabilities[0] if is_single else probabilities

    def values(self, observations: ArrayLike) -> Any:
        """Returns the expected discounted return of each observation, shape `(n,)`; for a single one, a `float`.

        Raises:
            ValueError: for observations of the wrong shape.
        """
        rows, is_single = self._rows(observations)
        values = self._native.policy_and_value(rows)[1]
        return float(values[0]) if is_single else values

    def _rows(self, observations: ArrayLike) -> tuple[NDArray[np.float32], bool]:
        """Converts `observations` to a batch of vectors, shape `(n, values)`. Also returns whether the argument was a
        single observation."""
        array = np.asarray(observations)
        width = self._native.observation_len
        if self._native.is_tile and array.dtype.kind in "iu" and array.ndim < 2:
            if array.size and not (0 <= array.min() and array.max() < width):
                refused = array[(array < 0) | (array >= width)].flat[0]
                raise ValueError(f"observations contain {refused}; allowed is 0 to {width - 1}")
            return np.eye(width, dtype=np.float32)[array.reshape(-1)], array.ndim == 0
        if array.dtype.kind not in "iuf":
            raise TypeError(f"observations have the dtype {array.dtype}; expected numbers")
        if array.ndim not in (1, 2) or array.shape[-1] != width:
            raise ValueError(f"observations have the shape {array.shape}; expected (n, {width}) or ({width},)")
        return np.atleast_2d(array).astype(np.float32), array.ndim == 1
