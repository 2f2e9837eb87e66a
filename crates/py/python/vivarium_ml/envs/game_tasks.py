"""Table of the cubes and board games."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from vivarium_ml._core import NativeGameVectorEnv, game_infos


@dataclass(frozen=True)
class GameTask:
    """Description of a puzzle or a board game.

    Attributes:
        name: name of the task, such as `ConnectFour-v0`.
        game: name of the native game, such as `connect-four`.
        num_actions: number of actions.
        num_players: number of players, 1 or 2.
        max_episode_steps: time limit in steps, or `None` for no limit.
        scramble_length: number of random turns of a scramble by default, or `None` if the task is not a cube.
        largest_reward: largest reward of a player. An illegal action that loses the game has the negated reward.
        action_names: name of each action, such as `R'`; empty for board games.
    """

    name: str
    game: str
    num_actions: int
    num_players: int
    max_episode_steps: int | None
    scramble_length: int | None
    largest_reward: float
    action_names: tuple[str, ...]


_INFOS: dict[str, dict[str, Any]] = {info["name"]: info for info in game_infos()}


def _task(name: str, game: str) -> GameTask:
    info = _INFOS[game]
    return GameTask(
        name=name,
        game=game,
        num_actions=info["actions"],
        num_players=info["players"],
        max_episode_steps=info["step_limit"],
        scramble_length=info["scramble_length"],
        largest_reward=info["largest_reward"],
        action_names=tuple(info["action_names"]),
    )


CUBE_TASKS: dict[str, GameTask] = {
    task.name: task for task in (_task("Cube2-v0", "cube2"), _task("Cube3-v0", "cube3"))
}
"""Table of the cubes: the task of each name, such as `Cube2-v0`."""

BOARD_GAME_TASKS: dict[str, GameTask] = {
    task.name: task
    for task in (_task("ConnectFour-v0", "connect-four"), _task("Backgammon-v0", "backgammon"))
}
"""Table of the board games: the task of each name, such as `ConnectFour-v0`."""



def game_spaces(task: GameTask, native: NativeGameVectorEnv) -> tuple[spaces.Box, spaces.Discrete]:
    """Returns the observation space and the action space of a single environment."""
    shape = tuple(native.observation_shape)
    return spaces.Box(0, native.observation_high, shape, np.uint8), spaces.Discrete(task.num_actions)
