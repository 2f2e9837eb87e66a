"""Classic-control environments in native code: a vector environment and a single environment of Gymnasium."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from vivarium_ml._core import NativeVectorEnv
from vivarium_ml.arguments import checked_render_mode, checked_step_limit, find_task
from vivarium_ml.envs.base import NativeBatchEnv, NativeEnv
from vivarium_ml.envs.scenes import control_picture
from vivarium_ml.envs.tasks import CONTROL_TASKS, ControlTask

# Waking a thread takes about as long as stepping this many environments.
_ENVS_PER_THREAD = 16_384


class ControlVectorEnv(NativeBatchEnv[NativeVectorEnv]):
    """Batch of classic-control environments that are stepped in native code with SIMD.

    Observations are `float32` of shape `(num_envs, n)`, and `int64` of shape `(num_envs,)` for FrozenLake. Rewards are
    `float32` of shape `(num_envs,)`; `terminations` and `truncations` are `bool` of shape `(num_envs,)`. Actions are
    integers of shape `(num_envs,)`, and floating-point numbers of shape `(num_envs, 1)` for Pendulum.

    A seed determines all random numbers: results do not depend on `num_threads`. The interpreter lock is released while
    environments step.

    Args:
        task: name of the task, such as `CartPole-v1`; see `CONTROL_TASKS`.
        num_envs: number of environments.
        max_episode_steps: time limit in steps; by default the time limit of the task.
        autoreset_mode: when an environment is reset after the end of an episode; a
            `gymnasium.vector.AutoresetMode` or its value.
        copy: whether each step returns new arrays. With `copy=False`, each step returns the same arrays with new
            contents, which saves their allocation.
        num_threads: maximum number of threads that step the environments; by default one per 16,384 environments, at
            most one per CPU.
        render_mode: `None`, or `"rgb_array"`, with which `render()` returns a picture of each environment.
        **params: physical parameters, such as `gravity=1.6`; see `ControlTask.parameters`.

    Raises:
        ValueError: for an unknown task, or a value that is out of range.
        TypeError: for an unknown parameter, or a value of the wrong type.
    """

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
        self.task: ControlTask = find_task(task, CONTROL_TASKS)
        self._prepare(num_envs, autoreset_mode, render_mode)
        self._native = NativeVectorEnv(
            self.task.world,
            params,
            self.num_envs,
            self.autoreset_mode.value,
            checked_step_limit(max_episode_steps),
            self._threads(num_threads, _ENVS_PER_THREAD),
            bool(copy),
        )
        self._params = params
        self._set_spaces(self.task.observation_space(), self.task.action_space())

    def states(self) -> NDArray[np.float32]:
        """Returns the states of all environments, shape `(num_envs, n)`; `ControlTask.state_names` has their names."""
        self._check_open()
        return self._native.states()

    def set_state(self, index: int, state: Any) -> None:
        """Sets the state of environment `index`. The episode keeps its number of steps; a pending reset is canceled."""
        self._check_open()
        self._native.set_state(index, state)

    def _finals(self, indices: NDArray[np.int64], ended: NDArray[np.bool_]) -> tuple[NDArray[Any], dict[str, Any]]:
        return self._native.final_observations(indices), {}

    def _frames(self) -> tuple[NDArray[np.uint8], ...]:
        return tuple(control_picture(self.task, state, self._params) for state in self._native.states())


class ControlEnv(NativeEnv[NativeVectorEnv]):
    """Single classic-control environment in native code. `ControlVectorEnv` is far faster for many environments.

    `gymnasium.make` adds the time limit. After the end of an episode, `step` raises an error until `reset`.

    Args:
        task: name of the task, such as `CartPole-v1`; see `CONTROL_TASKS`.
        render_mode: `None`, or `"rgb_array"`, with which `render()` returns a picture.
        **params: physical parameters, such as `gravity=1.6`; see `ControlTask.parameters`.

    Raises:
        ValueError: for an unknown task, or a value that is out of range.
        TypeError: for an unknown parameter, or a value of the wrong type.
    """

    def __init__(self, task: str, *, render_mode: str | None = None, **params: Any) -> None:
        self.task: ControlTask = find_task(task, CONTROL_TASKS)
        self.render_mode = checked_render_mode(render_mode)
        self.observation_space = self.task.observation_space()
        self.action_space = self.task.action_space()
        self._params = params
        self._native = NativeVectorEnv(
            self.task.world, params, 1, AutoresetMode.DISABLED.value, 2**32 - 1
        )

    def state(self) -> NDArray[np.float32]:
        """Returns the state, shape `(n,)`; `ControlTask.state_names` has the names of its values."""
        self._check_open()
        return self._native.states().reshape(-1)

    def set_state(self, state: Any) -> None:
        """Sets the state of the environment."""
        self._check_open()
        self._native.set_state(0, state)

    def _frame(self) -> NDArray[np.uint8]:
        return control_picture(self.task, self._native.states()[0], self._params)
