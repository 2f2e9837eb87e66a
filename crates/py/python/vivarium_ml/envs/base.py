"""Base classes of all environments: resets, steps, autoreset, info dictionaries, rendering and closing."""

from typing import Any, ClassVar, Generic, TypeVar

import gymnasium
import numpy as np
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from vivarium_ml._core import NativeGameVectorEnv, NativeVectorEnv
from vivarium_ml.arguments import (
    checked_autoreset_mode,
    checked_options,
    checked_render_mode,
    checked_seed,
    default_num_threads,
    whole_number,
)

MAX_ENVS = 1 << 24

# Class of the native batch of environments.
Native = TypeVar("Native", bound=NativeVectorEnv | NativeGameVectorEnv)


class NativeBatchEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]], Generic[Native]):
    """Vector environment whose batch is stepped in native code. `ControlVectorEnv`, `CubeVectorEnv` and
    `BoardGameVectorEnv` are its subclasses; they create the batch."""

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "render_fps": 30,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }
    _native: Native
    # Names of the options that `reset` accepts in addition to `reset_mask`.
    _option_names: ClassVar[tuple[str, ...]] = ()

    def _prepare(
        self, num_envs: int, autoreset_mode: AutoresetMode | str, render_mode: str | None
    ) -> None:
        """Checks and sets the attributes of Gymnasium's interface that do not depend on the native batch: number of
        environments, autoreset mode, render mode."""
        self.num_envs = whole_number("num_envs", num_envs, 1, MAX_ENVS)
        self.render_mode = checked_render_mode(render_mode)
        self.autoreset_mode = checked_autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}

    def _set_spaces(self, observation: gymnasium.Space[Any], action: gymnasium.Space[Any]) -> None:
        """Sets the observation and action spaces of a single environment and of the batch. `observation` and `action`
        are the spaces of a single environment."""
        self.single_observation_space = observation
        self.single_action_space = action
        self.observation_space = batch_space(observation, self.num_envs)
        self.action_space = batch_space(action, self.num_envs)

    def _threads(self, num_threads: int | None, envs_per_thread: int) -> int:
        """Returns the number of threads that step the environments: `num_threads` after a range check. If it is `None`,
        the default is one thread per `envs_per_thread` environments, at most one per CPU."""
        if num_threads is None:
            return default_num_threads(self.num_envs, envs_per_thread)
        return whole_number("num_threads", num_threads, 1, 1024)

    @property
    def num_threads(self) -> int:
        """Maximum number of threads that step the environments."""
        return self._native.num_threads

    @property
    def max_episode_steps(self) -> int | None:
        """Time limit in steps: longer episodes are truncated. `None` if there is no limit."""
        return self._native.step_limit

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins an episode in every environment, or only in the environments that `options["reset_mask"]` selects.

        Args:
            seed: seed of all later random numbers, from 0 to 2⁶⁴ − 1. `None` (default) continues the current random
                sequence; the first reset draws a random seed.
            options: `reset_mask`, a `bool` array of shape `(num_envs,)`: the environments to reset. The mask cannot be
                combined with `seed`. Cubes also accept `scramble_length`, the number of random turns of this and all
                later scrambles.

        Returns:
            Observations of all environments, and a dictionary, which is empty except for board games.

        Raises:
            ValueError: for a negative seed, an unknown option, or a mask of the wrong shape or without a set flag.
            TypeError: for a seed that is not an integer, or a mask that is not a `bool` array.
        """
        self._check_open()
        seed = checked_seed(seed)
        options = checked_options(options, ("reset_mask", *self._option_names))
        if "reset_mask" in options:
            if seed is not None:
                raise ValueError(
                    f"seed is {seed}; allowed with options['reset_mask'] is None, since a seed is for all environments"
                )
            mask = options["reset_mask"]
            return self._native.reset_where(mask, **self._reset_arguments(options)), self._infos()
        arguments = self._reset_arguments(options)
        super().reset(seed=seed)
        if seed is None and not self._native.is_reset:
            seed = int(self.np_random.integers(2**63))
        return self._native.reset(seed, **arguments), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Steps every environment.

        Args:
            actions: integers of shape `(num_envs,)`, or floating-point numbers of shape `(num_envs, 1)`, which are
                clipped to the action space.

        Returns:
            Observations, rewards, terminations, truncations, and a dictionary. In the mode `SAME_STEP`, the dictionary
            has `final_obs`, an object array of the final observations of ended episodes, `final_info`, and their masks
            `_final_obs` and `_final_info`, if an episode ended.

        Raises:
            ValueError: for actions of the wrong shape, outside of the action space, or illegal in a board game.
            TypeError: for actions of the wrong dtype.
            gymnasium.error.ResetNeeded: before the first reset, and in the mode `DISABLED` if an episode has ended.
            gymnasium.error.ClosedEnvironmentError: after `close()`.
        """
        if self.closed:
            self._check_open()
        observations, rewards, terminations, truncations = self._native.step(actions)
        infos = self._infos()
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos.update(self._final_infos(terminations | truncations))
        return observations, rewards, terminations, truncations, infos

    def _final_infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        indices = np.flatnonzero(ended)
        if len(indices) == 0:
            return {}
        final_obs = np.full(self.num_envs, None, dtype=object)
        observations, final_info = self._finals(indices, ended)
        for index, observation in zip(indices, observations, strict=True):
            final_obs[index] = observation
        return {"final_obs": final_obs, "_final_obs": ended, "final_info": final_info, "_final_info": ended.copy()}

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Returns a picture of each environment, `uint8` of shape `(height, width, 3)`, or `None` without
        `render_mode="rgb_array"`.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset.
            gymnasium.error.ClosedEnvironmentError: after `close()`.
        """
        self._check_open()
        return None if self.render_mode is None else self._frames()

    def close_extras(self, **kwargs: Any) -> None:
        """Does nothing: the native environments are freed together with this object."""

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environments are closed; create new ones")

    def _reset_arguments(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the keyword arguments of the native batch's `reset`, given the options other than `reset_mask`."""
        return {}

    def _infos(self) -> dict[str, Any]:
        """Returns the info dictionary of the current states; empty except for board games."""
        return {}

    def _finals(self, indices: NDArray[np.int64], ended: NDArray[np.bool_]) -> tuple[NDArray[Any], dict[str, Any]]:
        """Returns the final observations of the environments `indices`, whose episodes have ended, and the info
        dictionary of these states. `ended` is the mask of these environments, `bool` of shape `(num_envs,)`."""
        raise NotImplementedError

    def _frames(self) -> tuple[NDArray[np.uint8], ...]:
        """Returns a picture of each environment."""
        raise NotImplementedError


class NativeEnv(gymnasium.Env[Any, Any], Generic[Native]):
    """Single environment that is stepped in native code. `ControlEnv`, `CubeEnv` and `BoardGameEnv` are its
    subclasses; they create the batch of one environment."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}
    _native: Native
    # Names of the options that `reset` accepts.
    _option_names: ClassVar[tuple[str, ...]] = ()
    _is_closed = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode.

        Args:
            seed: seed of all later random numbers, from 0 to 2⁶⁴ − 1. `None` (default) continues the current random
                sequence; the first reset draws a random seed.
            options: for cubes `scramble_length`, the number of random turns of this and all later scrambles. Other
                environments have no option.

        Returns:
            The first observation, and a dictionary, which is empty except for board games.

        Raises:
            ValueError: for a negative seed or an unknown option.
            TypeError: for a seed that is not an integer.
        """
        self._check_open()
        seed = checked_seed(seed)
        arguments = self._reset_arguments(checked_options(options, self._option_names))
        super().reset(seed=seed)
        if seed is None and not self._native.is_reset:
            seed = int(self.np_random.integers(2**63))
        return self._first(self._native.reset(seed, **arguments)), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Steps the environment.

        Args:
            action: an integer, or for Pendulum an array of shape `(1,)`, which is clipped to the action space.

        Returns:
            Observation, reward, terminated, truncated (`False`: `gymnasium.make` adds the time limit), and a
            dictionary, which is empty except for board games.

        Raises:
            ValueError: for an action that is not in the action space, or illegal in a board game.
            TypeError: for an action of the wrong type.
            gymnasium.error.ResetNeeded: before the first reset, and after the end of an episode.
            gymnasium.error.ClosedEnvironmentError: after `close()`.
        """
        self._check_open()
        space = self.action_space
        if isinstance(space, gymnasium.spaces.Discrete):
            actions = np.array([whole_number("action", action, 0, int(space.n) - 1)])
        else:
            actions = np.asarray(action)[np.newaxis]
        observations, rewards, terminations, _ = self._native.step(actions)
        return self._first(observations), float(rewards[0]), bool(terminations[0]), False, self._info()

    def _first(self, observations: NDArray[Any]) -> Any:
        return observations[0] if observations.ndim > 1 else int(observations[0])

    def render(self) -> Any:
        """Returns a picture, `uint8` of shape `(height, width, 3)`, or `None` without `render_mode="rgb_array"`.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset.
            gymnasium.error.ClosedEnvironmentError: after `close()`.
        """
        self._check_open()
        return None if self.render_mode is None else self._frame()

    def close(self) -> None:
        """Closes the environment. Later calls of other methods raise `ClosedEnvironmentError`."""
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise ClosedEnvironmentError("the environment is closed; create a new one")

    def _reset_arguments(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the keyword arguments of the native batch's `reset`, derived from the options."""
        return {}

    def _info(self) -> dict[str, Any]:
        """Returns the info dictionary of the current state; empty except for board games."""
        return {}

    def _frame(self) -> NDArray[np.uint8]:
        """Returns a picture of the environment."""
        raise NotImplementedError
