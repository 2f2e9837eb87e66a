"""The 2×2×2 and the 3×3×3 cube as environments of Gymnasium."""

from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from vivarium_ml._core import NativeGameVectorEnv
from vivarium_ml.arguments import (
    MAX_EPISODE_STEPS,
    checked_render_mode,
    checked_step_limit,
    find_task,
    whole_number,
)
from vivarium_ml.envs.base import NativeBatchEnv, NativeEnv
from vivarium_ml.envs.game_tasks import CUBE_TASKS, GameTask, game_spaces
from vivarium_ml.envs.scenes import cube_picture

_ENVS_PER_THREAD = 4096
_MAX_SCRAMBLE_LENGTH = 1000


class _Cube:
    """Base class of the vector environment and the single environment: the reset option `scramble_length`."""

    _option_names: ClassVar[tuple[str, ...]] = ("scramble_length",)
    _native: NativeGameVectorEnv
    task: GameTask

    def _reset_arguments(self, options: dict[str, Any]) -> dict[str, Any]:
        if "scramble_length" not in options:
            return {}
        return {"scramble_length": _checked_scramble_length(options["scramble_length"])}

    @property
    def scramble_length(self) -> int:
        """Number of random turns of a scramble, from 1 to 1000."""
        return self._native.scramble_length


def _checked_scramble_length(length: Any) -> int:
    return whole_number("scramble_length", length, 1, _MAX_SCRAMBLE_LENGTH)


def _is_one_hot(observation: str) -> bool:
    if observation not in ("colors", "one_hot"):
        raise ValueError(f"observation is {observation!r}; allowed is 'colors' or 'one_hot'")
    return observation == "one_hot"


def _colors(observation: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the sticker colors of one cube, `[stickers]`. `observation` holds the colors, `[stickers]`, or their
    one-hot vectors, `[stickers, 6]`."""
    return observation if observation.ndim == 1 else observation.argmax(axis=1).astype(np.uint8)


class CubeVectorEnv(_Cube, NativeBatchEnv[NativeGameVectorEnv]):
    """Batch of cubes: the 2×2×2 cube (Pocket Cube) or the 3×3×3 cube (Rubik's Cube).

    Actions are the quarter turns U, U', R, R', F, F', D, D', L, L', B, B' in this order. The 2×2×2 cube has the first
    six, since its down-back-left corner is fixed. `task.action_names` has their names.

    Observations are the colors of the stickers, `uint8` of shape `(num_envs, 24)` or `(num_envs, 54)`: face by face in
    the order U, R, F, D, L, B, each row by row, as seen from outside with U on top (B on top for U, F on top for D). A
    color is the number of its face in this order. With `observation="one_hot"`, they have the shape
    `(num_envs, 24, 6)` or `(num_envs, 54, 6)`.

    Each turn has the reward −1, except that the turn that solves the cube has the reward 0 and terminates the episode.
    An episode begins with the solved cube after `scramble_length` random quarter turns. No turn undoes the previous
    turn; all other turns have the same probability. A scramble that leads back to the solved cube is drawn again.

    Args:
        task: `Cube2-v0` or `Cube3-v0`; see `CUBE_TASKS`.
        num_envs: number of environments.
        scramble_length: number of random turns of a scramble, from 1 to 1000; by default 14 or 26, the largest distance
            of any state from the solved cube in quarter turns.
        observation: `"colors"` or `"one_hot"`.
        max_episode_steps: time limit in steps; by default 50 or 100.
        autoreset_mode: when an environment is reset after the end of an episode; a
            `gymnasium.vector.AutoresetMode` or its value.
        copy: whether each step returns new arrays. With `copy=False`, each step returns the same arrays with new
            contents, which saves their allocation.
        num_threads: maximum number of threads that step the environments; by default one per 4,096 environments, at
            most one per CPU.
        render_mode: `None`, or `"rgb_array"`, with which `render()` returns a picture of each cube.

    Raises:
        ValueError: for an unknown task, or a value that is out of range.
        TypeError: for a value of the wrong type.
    """

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        *,
        scramble_length: int | None = None,
        observation: str = "colors",
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.task = find_task(task, CUBE_TASKS)
        self._prepare(num_envs, autoreset_mode, render_mode)
        self._native = NativeGameVectorEnv(
            self.task.game,
            self.num_envs,
            self.autoreset_mode.value,
            checked_step_limit(max_episode_steps),
            self._threads(num_threads, _ENVS_PER_THREAD),
            bool(copy),
            scramble_length=None if scramble_length is None else _checked_scramble_length(scramble_length),
            one_hot=_is_one_hot(observation),
        )
        self._set_spaces(*game_spaces(self.task, self._native))

    def _finals(self, indices: NDArray[np.int64], ended: NDArray[np.bool_]) -> tuple[NDArray[Any], dict[str, Any]]:
        return self._native.finals(indices)[0], {}

    def _frames(self) -> tuple[NDArray[np.uint8], ...]:
        observations = (self._native.observation_of(index, 0) for index in range(self.num_envs))
        return tuple(cube_picture(_colors(observation)) for observation in observations)


class CubeEnv(_Cube, NativeEnv[NativeGameVectorEnv]):
    """Single cube; see `CubeVectorEnv`, which is far faster for many cubes.

    `gymnasium.make` adds the time limit. After the end of an episode, `step` raises an error until `reset`.

    Args:
        task: `Cube2-v0` or `Cube3-v0`; see `CUBE_TASKS`.
        scramble_length: number of random turns of a scramble, from 1 to 1000; by default 14 or 26.
        observation: `"colors"` or `"one_hot"`.
        render_mode: `None`, or `"rgb_array"`, with which `render()` returns a picture.

    Raises:
        ValueError: for an unknown task, or a value that is out of range.
        TypeError: for a value of the wrong type.
    """

    def __init__(
        self,
        task: str,
        *,
        scramble_length: int | None = None,
        observation: str = "colors",
        render_mode: str | None = None,
    ) -> None:
        self.task = find_task(task, CUBE_TASKS)
        self.render_mode = checked_render_mode(render_mode)
        self._native = NativeGameVectorEnv(
            self.task.game,
            1,
            AutoresetMode.DISABLED.value,
            MAX_EPISODE_STEPS,
            scramble_length=None if scramble_length is None else _checked_scramble_length(scramble_length),
            one_hot=_is_one_hot(observation),
        )
        self.observation_space, self.action_space = game_spaces(self.task, self._native)

    def _frame(self) -> NDArray[np.uint8]:
        return cube_picture(_colors(self._native.observation_of(0, 0)))
