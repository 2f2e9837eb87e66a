"""Connect Four and backgammon as environments of Gymnasium. One agent acts for the player to move."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from vivarium_ml._core import NativeGameVectorEnv
from vivarium_ml.arguments import checked_render_mode, checked_step_limit, find_task, whole_number
from vivarium_ml.envs.base import NativeBatchEnv, NativeEnv
from vivarium_ml.envs.game_tasks import BOARD_GAME_TASKS, GameTask, game_spaces
from vivarium_ml.envs.scenes import board_game_picture

_ENVS_PER_THREAD = 2048


def _illegal_loses(illegal_action: str) -> bool:
    if illegal_action not in ("error", "loss"):
        raise ValueError(f"illegal_action is {illegal_action!r}; allowed is 'error' or 'loss'")
    return illegal_action == "loss"


def _picture(task: GameTask, native: NativeGameVectorEnv, index: int) -> NDArray[np.uint8]:
    player = int(native.players()[index])
    return board_game_picture(task, native.observation_of(index, 0), player)


class BoardGameVectorEnv(NativeBatchEnv[NativeGameVectorEnv]):
    """Batch of games of Connect Four or backgammon. One agent acts for the player to move, 0 or 1.

    Observations are `uint8` from the view of the player to move. After the end of a game, the opponent of the
    player who moved last counts as the player to move; after an illegal action, the player who acted.

    - Connect Four: shape `(num_envs, 6, 7, 2)`, row 0 at the top; 1 for each stone of the player to move in the first
      plane, and of the opponent in the second one. The action is the column, 0 to 6.
    - Backgammon: shape `(num_envs, 55)`. Values 0 to 25 are the checkers of the player to move: borne off, on the points
      1 to 24 in the player's numbering, on the bar. Values 26 to 51 are the checkers of the opponent in the opponent's
      numbering, whose point p is point 25 − p of the player. Then come the higher die, the lower die, and 1 in the second
      half of a double. After the end of the game, these three are 0. The action is 26 · (source of the higher die) +
      source of the lower die. A source is a point from 1 to 24, the bar (25), or 0 if the die is not played. A double is
      two successive actions of the same player, of up to two moves each, whose first source is not lower than the second.
      If no checker can move, the only legal action is 0. Actions that lead to the same position as another one are not
      legal: each position has one action.

    The reward is that of the player who acted: 0 until the end of the game, then in Connect Four 1 for a win and 0 for a
    draw, in backgammon 1 for a win, 2 for a gammon, 3 for a backgammon (cubeless money play). The opponent's reward is
    the negated one. The game terminates when it is over.

    The infos have `action_mask`, `int8` of shape `(num_envs, actions)`, 1 for each legal action, and `player`, `int64`
    of shape `(num_envs,)`, the player to move. No action is legal after the end of a game. The `final_info` of the mode
    `SAME_STEP` has both entries too. Player 0 begins in Connect Four; the opening roll decides in backgammon.

    Args:
        task: `ConnectFour-v0` or `Backgammon-v0`; see `BOARD_GAME_TASKS`.
        num_envs: number of environments.
        illegal_action: effect of an illegal action. `"error"`: `step` raises a `ValueError` and steps no environment.
            `"loss"`: the action terminates the game with the reward −1 in Connect Four, −3 in backgammon; the state
            remains.
        max_episode_steps: time limit in steps; by default none.
        autoreset_mode: when an environment is reset after the end of an episode; a
            `gymnasium.vector.AutoresetMode` or its value.
        copy: whether each step returns new observations, rewards and flags. With `copy=False`, each step returns the
            same arrays with new contents, which saves their allocation.
        num_threads: maximum number of threads that step the environments; by default one per 2,048 environments, at
            most one per CPU.
        render_mode: `None`, or `"rgb_array"`, with which `render()` returns a picture of each game.

    Raises:
        ValueError: for an unknown task, or a value that is out of range.
        TypeError: for a value of the wrong type.
    """

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        *,
        illegal_action: str = "error",
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.task: GameTask = find_task(task, BOARD_GAME_TASKS)
        self._prepare(num_envs, autoreset_mode, render_mode)
        self._native = NativeGameVectorEnv(
            self.task.game,
            self.num_envs,
            self.autoreset_mode.value,
            checked_step_limit(max_episode_steps),
            self._threads(num_threads, _ENVS_PER_THREAD),
            bool(copy),
            _illegal_loses(illegal_action),
        )
        self._set_spaces(*game_spaces(self.task, self._native))

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal, `bool` of shape `(num_envs, actions)`."""
        self._check_open()
        return self._native.action_masks().astype(bool)

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, dtype=bool)
        return {
            "action_mask": self._native.action_masks(),
            "_action_mask": every,
            "player": self._native.players(),
            "_player": every.copy(),
        }

    def _finals(self, indices: NDArray[np.int64], ended: NDArray[np.bool_]) -> tuple[NDArray[Any], dict[str, Any]]:
        observations, masks, players = self._native.finals(indices)
        all_masks = np.zeros((self.num_envs, self.task.num_actions), dtype=np.int8)
        all_players = np.zeros(self.num_envs, dtype=np.int64)
        all_masks[indices], all_players[indices] = masks, players
        return observations, {
            "action_mask": all_masks,
            "_action_mask": ended.copy(),
            "player": all_players,
            "_player": ended.copy(),
        }

    def _frames(self) -> tuple[NDArray[np.uint8], ...]:
        return tuple(_picture(self.task, self._native, index) for index in range(self.num_envs))


class BoardGameEnv(NativeEnv[NativeGameVectorEnv]):
    """Single game of Connect Four or backgammon; see `BoardGameVectorEnv`, which is far faster for many games.

    The info has `action_mask`, `int8` of shape `(actions,)`, and `player`, 0 or 1. After the end of an episode, `step`
    raises an error until `reset`.

    Args:
        task: `ConnectFour-v0` or `Backgammon-v0`; see `BOARD_GAME_TASKS`.
        illegal_action: `"error"` or `"loss"`; see `BoardGameVectorEnv`.
        render_mode: `None`, or `"rgb_array"`, with which `render()` returns a picture.

    Raises:
        ValueError: for an unknown task, or a value that is not allowed.
    """

    def __init__(self, task: str, *, illegal_action: str = "error", render_mode: str | None = None) -> None:
        self.task: GameTask = find_task(task, BOARD_GAME_TASKS)
        self.render_mode = checked_render_mode(render_mode)
        self._native = NativeGameVectorEnv(
            self.task.game,
            1,
            AutoresetMode.DISABLED.value,
            illegal_loses=_illegal_loses(illegal_action),
        )
        self.observation_space, self.action_space = game_spaces(self.task, self._native)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal, `bool` of shape `(actions,)`."""
        self._check_open()
        mask: NDArray[np.int8] = self._native.action_masks()[0]
        return mask.astype(bool)

    def observe(self, player: int) -> NDArray[np.uint8]:
        """Returns the observation from the view of `player`, 0 or 1.

        Raises:
            ValueError: for another player.
            TypeError: for a player that is not an integer.
        """
        self._check_open()
        return self._native.observation_of(0, whole_number("player", player, 0, 1))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._native.action_masks()[0], "player": int(self._native.players()[0])}

    def _frame(self) -> NDArray[np.uint8]:
        return _picture(self.task, self._native, 0)
