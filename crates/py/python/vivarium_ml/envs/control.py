"""Classic-control environments in native code: a vector environment and a single environment of Gymnasium."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from vivarium_ml._core import NativeVectorEnv
from vivarium_ml.envs.arguments import checked_options, checked_seed, default_num_threads, whole_number
from vivarium_ml.envs.tasks import ControlTask, find_task

_MAX_ENVS = 1 << 24
# A thread is woken in about the time in which another thread steps this many environments.
_ENVS_PER_THREAD = 16_384


def _no_render_mode(render_mode: str | None) -> None:
    if render_mode is not None:
        raise ValueError(f"render_mode is {render_mode!r}; allowed is None")


class ControlVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Batch of classic-control environments that are stepped in native code with SIMD.

    Observations are `float32` of shape `(num_envs, n)`, and `int64` of shape `(num_envs,)` for FrozenLake. Rewards are
    `float32` of shape `(num_envs,)`; `terminations` and `truncations` are `bool` of shape `(num_envs,)`. Actions are
    integers of shape `(num_envs,)`, and floating-point numbers of shape `(num_envs, 1)` for Pendulum.

    A seed determines all random numbers: results do not depend on `num_threads`. The interpreter lock is released while
    environments step.

    Args:
        task: name of the task, such as `CartPole-v1`; see `CONTROL_TASKS`.
        num_envs: number of environments.
        max_episode_steps: time limit in steps; by default that of the task.
        autoreset_mode: when an environment is reset after the end of an episode; a
            `gymnasium.vector.AutoresetMode` or its value.
        copy: whether each step returns new arrays. With `copy=False`, each step returns the same arrays with new
            contents, which saves their allocation.
        num_threads: largest number of threads that step the environments; by default one per 16,384 environments, at
            most one per CPU.
        render_mode: `None`.
        **params: physical parameters, such as `gravity=1.6`; see `ControlTask.parameters`.

    Raises:
        ValueError: for an unknown task, or a value that is out of range.
        TypeError: for an unknown parameter, or a value of the wrong type.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int | None = None,
        render_mode: str | None = None,
        **params: Any,
    ) -> None:
        self.task: ControlTask = find_task(task)
        self.num_envs = whole_number("num_envs", num_envs, 1, _MAX_ENVS)
        _no_render_mode(render_mode)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        if max_episode_steps is not None:
            max_episode_steps = whole_number("max_episode_steps", max_episode_steps, 1, 2**31 - 1)
        if num_threads is None:
            num_threads = default_num_threads(self.num_envs, _ENVS_PER_THREAD)
        self._native = NativeVectorEnv(
            self.task.world,
            params,
            self.num_envs,
            self.autoreset_mode.value,
            max_episode_steps,
            whole_number("num_threads", num_threads, 1, 1024),
            bool(copy),
        )
        self.single_observation_space = self.task.observation_space()
        self.single_action_space = self.task.action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._is_same_step = self.autoreset_mode is AutoresetMode.SAME_STEP

    @property
    def num_threads(self) -> int:
        """Largest number of threads that step the environments."""
        return self._native.num_threads

    @property
    def max_episode_steps(self) -> int:
        """Time limit in steps: longer episodes are truncated."""
        return self._native.step_limit

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins an episode in every environment, or in those of `options["reset_mask"]`.

        Args:
            seed: seed of all random numbers from now on, from 0 to 2⁶⁴ − 1. By default the environments begin their
                next episodes; the first reset draws a random seed.
            options: `reset_mask`, a `bool` array of shape `(num_envs,)`: the environments to reset. It cannot be
                combined with `seed`.

        Returns:
            Observations of all environments, and an empty dictionary.

        Raises:
            ValueError: for a negative seed, an unknown option, or a mask of the wrong shape or without a set flag.
            TypeError: for a seed that is not an integer, or a mask that is not a `bool` array.
        """
        self._check_open()
        seed = checked_seed(seed)
        options = checked_options(options, ("reset_mask",))
        if "reset_mask" in options:
            if seed is not None:
                raise ValueError(
                    f"seed is {seed}; allowed with options['reset_mask'] is None, since a seed is for all environments"
                )
            return self._native.reset_where(options["reset_mask"]), {}
        super().reset(seed=seed)
        if seed is None and not self._native.is_reset:
            seed = int(self.np_random.integers(2**63))
        return self._native.reset(seed), {}

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
            ValueError: for actions of the wrong shape or outside of the action space.
            TypeError: for actions of the wrong dtype.
            gymnasium.error.ResetNeeded: before the first reset, and in the mode `DISABLED` if an episode has ended.
            gymnasium.error.ClosedEnvironmentError: after `close()`.
        """
        if self.closed:
            self._check_open()
        observations, rewards, terminations, truncations = self._native.step(actions)
        infos = self._final_infos(terminations | truncations) if self._is_same_step else {}
        return observations, rewards, terminations, truncations, infos

    def _final_infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        indices = np.flatnonzero(ended)
        if len(indices) == 0:
            return {}
        final_obs = np.full(self.num_envs, None, dtype=object)
        for index, observation in zip(indices, self._native.final_observations(indices), strict=True):
            final_obs[index] = observation
        return {"final_obs": final_obs, "_final_obs": ended, "final_info": {}, "_final_info": ended.copy()}

    def states(self) -> NDArray[np.float32]:
        """Returns the states of all environments, shape `(num_envs, n)`; `ControlTask.state_names` has their names."""
        self._check_open()
        return self._native.states()

    def set_state(self, index: int, state: Any) -> None:
        """Sets the state of environment `index`. The episode keeps its number of steps; a pending reset is canceled."""
        self._check_open()
        self._native.set_state(index, state)

    def close_extras(self, **kwargs: Any) -> None:
        """Releases nothing: the environments are released with this object."""

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environments are closed; create new ones")


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(mode.value for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}; allowed is one of {allowed}") from None


class ControlEnv(gymnasium.Env[Any, Any]):
    """Single classic-control environment in native code. `ControlVectorEnv` is far faster for many environments.

    `gymnasium.make` adds the time limit. After the end of an episode, `step` raises an error until `reset`.

    Args:
        task: name of the task, such as `CartPole-v1`; see `CONTROL_TASKS`.
        render_mode: `None`.
        **params: physical parameters, such as `gravity=1.6`; see `ControlTask.parameters`.

    Raises:
        ValueError: for an unknown task, or a value that is out of range.
        TypeError: for an unknown parameter, or a value of the wrong type.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, task: str, *, render_mode: str | None = None, **params: Any) -> None:
        self.task: ControlTask = find_task(task)
        _no_render_mode(render_mode)
        self.render_mode = render_mode
        self.observation_space = self.task.observation_space()
        self.action_space = self.task.action_space()
        space = self.action_space
        # The number of discrete actions, or `None` for continuous actions.
        self._num_actions = int(space.n) if isinstance(space, gymnasium.spaces.Discrete) else None
        self._native = NativeVectorEnv(
            self.task.world, params, 1, AutoresetMode.DISABLED.value, 2**32 - 1
        )
        self._is_closed = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode.

        Args:
            seed: seed of all random numbers from now on, from 0 to 2⁶⁴ − 1. By default the next episode begins; the
                first reset draws a random seed.
            options: no option is allowed.

        Returns:
            The first observation, and an empty dictionary.

        Raises:
            ValueError: for a negative seed or an unknown option.
            TypeError: for a seed that is not an integer.
        """
        self._check_open()
        seed = checked_seed(seed)
        checked_options(options, ())
        super().reset(seed=seed)
        if seed is None and not self._native.is_reset:
            seed = int(self.np_random.integers(2**63))
        return self._first(self._native.reset(seed)), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Steps the environment.

        Args:
            action: an integer, or for Pendulum an array of shape `(1,)`, which is clipped to the action space.

        Returns:
            Observation, reward, terminated, truncated (`False`: `gymnasium.make` adds the time limit), and an empty
            dictionary.

        Raises:
            ValueError: for an action that is not in the action space.
            TypeError: for an action of the wrong type.
            gymnasium.error.ResetNeeded: before the first reset, and after the end of an episode.
            gymnasium.error.ClosedEnvironmentError: after `close()`.
        """
        self._check_open()
        if self._num_actions is not None:
            actions = np.array([whole_number("action", action, 0, self._num_actions - 1)])
        else:
            actions = np.asarray(action)[np.newaxis]
        observations, rewards, terminations, _ = self._native.step(actions)
        return self._first(observations), float(rewards[0]), bool(terminations[0]), False, {}

    def _first(self, observations: NDArray[Any]) -> Any:
        return observations[0] if observations.ndim == 2 else int(observations[0])

    def state(self) -> NDArray[np.float32]:
        """Returns the state, shape `(n,)`; `ControlTask.state_names` has the names of its values."""
        self._check_open()
        return self._native.states().reshape(-1)

    def set_state(self, state: Any) -> None:
        """Sets the state of the environment."""
        self._check_open()
        self._native.set_state(0, state)

    def close(self) -> None:
        """Closes the environment. Later calls of other methods raise `ClosedEnvironmentError`."""
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise ClosedEnvironmentError("the environment is closed; create a new one")
