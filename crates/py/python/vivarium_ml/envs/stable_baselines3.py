"""Adapter for Stable-Baselines3. Needs the extra `sb3`: `pip install ".[sb3]"`.

>>> import gymnasium
>>> from vivarium_ml.envs.stable_baselines3 import SB3VecEnv
>>> from stable_baselines3 import PPO
>>> envs = gymnasium.make_vec("vivarium_ml/CartPole-v1", num_envs=64, autoreset_mode="SameStep")
>>> PPO("MlpPolicy", SB3VecEnv(envs)).learn(100_000)
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from vivarium_ml.envs.base import NativeBatchEnv

try:
    from stable_baselines3.common.vec_env import VecEnv  # type: ignore[import-not-found, unused-ignore]

    _IS_INSTALLED = True
except ImportError:
    VecEnv = object  # type: ignore[assignment, misc, unused-ignore]
    _IS_INSTALLED = False

__all__ = ["SB3VecEnv"]

Indices = int | Iterable[int] | None


class SB3VecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """`VecEnv` of Stable-Baselines3 over one of this package's vector environments, in the autoreset mode `SAME_STEP`.

    The info of an ended episode has `terminal_observation`, the final observation, and `TimeLimit.truncated`, which is
    set if the time limit ended the episode and not a terminal state. The infos of board games have `action_mask` and
    `player`; algorithms with action masking can call `env_method("action_masks")`.

    All environments share one object: an attribute has the same value for each environment, and can be set for all
    environments together only.

    Args:
        envs: vector environment, such as
            `gymnasium.make_vec("vivarium_ml/CartPole-v1", num_envs=64, autoreset_mode="SameStep")`.

    Raises:
        ImportError: if Stable-Baselines3 is not installed.
        TypeError: if `envs` is not a vector environment of this package.
        ValueError: if `envs` has another autoreset mode.
    """

    def __init__(self, envs: NativeBatchEnv[Any]) -> None:
        if not _IS_INSTALLED:
            raise ImportError(
                "SB3VecEnv needs Stable-Baselines3, which cannot be imported; install it with "
                "pip install 'stable-baselines3>=2.9'"
            )
        if not isinstance(envs, NativeBatchEnv):
            raise TypeError(
                f"envs is {envs!r} ({type(envs).__name__}); expected a vector environment of vivarium_ml, as "
                "gymnasium.make_vec returns it"
            )
        if envs.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError(
                f"autoreset_mode is {envs.autoreset_mode.value!r}; allowed is 'SameStep', the mode of Stable-Baselines3"
            )
        self.envs = envs
        self._actions: NDArray[Any] | None = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> NDArray[Any]:
        """Begins an episode in every environment, with the seed and the options that were set before.

        Returns:
            Observations of all environments; their infos are in `reset_infos`.

        Raises:
            ValueError: if `set_options` has set different options for some environments.
        """
        options = self._options[0]
        if any(other != options for other in self._options):
            raise ValueError("the environments have different options; set the same options for all of them")
        observations, infos = self.envs.reset(seed=self._seeds[0], options=options)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._info_list(infos)
        return observations.copy()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Stores the actions with which `step_wait` steps the environments."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Steps every environment with the stored actions.

        Returns:
            Observations, rewards, flags of ended episodes, and a list of infos.

        Raises:
            RuntimeError: without stored actions.
        """
        if self._actions is None:
            raise RuntimeError("there are no actions; call step_async() before step_wait()")
        actions, self._actions = self._actions, None
        observations, rewards, terminations, truncations, infos = self.envs.step(actions)
        ended = terminations | truncations
        final_infos = infos.pop("final_info", {})
        finals = {name: infos.pop(name, None) for name in ("final_obs", "_final_obs", "_final_info")}
        info_list = self._info_list(infos)
        if ended.any():
            final_info_list = self._info_list(final_infos)
            for index in np.flatnonzero(ended):
                info_list[index] = {
                    **final_info_list[index],
                    "terminal_observation": finals["final_obs"][index],
                    "TimeLimit.truncated": bool(truncations[index] and not terminations[index]),
                }
        # Learners keep the observations of the last step; with `copy=False` the environments overwrite them.
        return observations.copy(), rewards.copy(), ended, info_list

    def _info_list(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the info of each environment, given the infos of the vector environment."""
        names = [name for name in infos if not name.startswith("_")]
        return [
            {name: infos[name][index] for name in names if infos[f"_{name}"][index]} for index in range(self.num_envs)
        ]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Sets the seed of the next reset. One seed determines all random numbers: the first of the returned list."""
        seeds: Sequence[int | None] = super().seed(seed)
        return seeds

    def close(self) -> None:
        """Closes the environments."""
        self.envs.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Returns a picture of each environment."""
        return self.envs.render() or [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Returns the value of an attribute of the vector environment, once for each index.

        Raises:
            AttributeError: for an unknown attribute.
        """
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets an attribute of the vector environment.

        Raises:
            ValueError: if `indices` does not contain all environments.
        """
        self._check_all("set_attr", indices)
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> list[Any]:
        """Calls a method of the vector environment. Returns its results for the environments `indices`.

        The method must return a sequence with one element per environment, such as `action_masks`, `states` or
        `render`.

        Raises:
            AttributeError: for an unknown method.
            TypeError: if the method returns something else.
        """
        results = getattr(self.envs, method_name)(*method_args, **method_kwargs)
        if not hasattr(results, "__len__") or len(results) != self.num_envs:
            raise TypeError(
                f"{method_name} returns no sequence with one element per environment; call it on the attribute envs"
            )
        return [results[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Returns `False` for each index: the environments have no wrappers of single environments."""
        return [False for _ in self._get_indices(indices)]

    def _check_all(self, name: str, indices: Indices) -> None:
        chosen = sorted(set(self._get_indices(indices)))
        if chosen != list(range(self.num_envs)):
            raise ValueError(
                f"{name} has the indices {chosen}; allowed is None, since the environments share their attributes"
            )
