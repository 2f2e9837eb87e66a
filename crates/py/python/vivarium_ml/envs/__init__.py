"""Environments for Gymnasium.

`ControlVectorEnv` steps a batch of classic-control environments in native code; `ControlEnv` is a single one. Both are
registered: `gymnasium.make_vec("vivarium_ml/CartPole-v1", num_envs=4096)`, `gymnasium.make("vivarium_ml/CartPole-v1")`.
`CONTROL_TASKS` lists them.
"""

from vivarium_ml.envs.control import ControlEnv, ControlVectorEnv
from vivarium_ml.envs.tasks import CONTROL_TASKS, ControlTask
from vivarium_ml.envs.registration import register_envs

__all__ = ["CONTROL_TASKS", "ControlEnv", "ControlTask", "ControlVectorEnv", "register_envs"]

register_envs()
