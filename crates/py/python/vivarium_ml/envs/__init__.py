"""Environments for Gymnasium.

- `ControlVectorEnv` and `ControlEnv`: classic control, in native code with SIMD. `CONTROL_TASKS` lists the tasks.
- `CubeVectorEnv` and `CubeEnv`: the 2×2×2 and the 3×3×3 cube. `CUBE_TASKS` lists the tasks.
- `BoardGameVectorEnv` and `BoardGameEnv`: Connect Four and backgammon. `BOARD_GAME_TASKS` lists the tasks.

All environments are registered with Gymnasium: `gymnasium.make_vec("vivarium_ml/CartPole-v1", num_envs=4096)`,
`gymnasium.make("vivarium_ml/CartPole-v1")`.

Two modules need further packages and are imported by name: `vivarium_ml.envs.pettingzoo` has the board games for
PettingZoo, and `vivarium_ml.envs.stable_baselines3` has an adapter for Stable-Baselines3.
"""

from vivarium_ml.envs.board_games import BoardGameEnv, BoardGameVectorEnv
from vivarium_ml.envs.control import ControlEnv, ControlVectorEnv
from vivarium_ml.envs.cubes import CubeEnv, CubeVectorEnv
from vivarium_ml.envs.game_tasks import BOARD_GAME_TASKS, CUBE_TASKS, GameTask
from vivarium_ml.envs.registration import register_envs
from vivarium_ml.envs.tasks import CONTROL_TASKS, ControlTask

__all__ = [
    "BOARD_GAME_TASKS",
    "CONTROL_TASKS",
    "CUBE_TASKS",
    "BoardGameEnv",
    "BoardGameVectorEnv",
    "ControlEnv",
    "ControlTask",
    "ControlVectorEnv",
    "CubeEnv",
    "CubeVectorEnv",
    "GameTask",
    "register_envs",
]

register_envs()
