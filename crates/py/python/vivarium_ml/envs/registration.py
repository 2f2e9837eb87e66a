"""Registration of the environments with Gymnasium."""

import gymnasium

from vivarium_ml.envs.game_tasks import BOARD_GAME_TASKS, CUBE_TASKS
from vivarium_ml.envs.tasks import CONTROL_TASKS


def register_envs() -> None:
    """Registers the environments as `vivarium_ml/CartPole-v1` and so on, if they are not registered yet."""
    for name, task in CONTROL_TASKS.items():
        _register(name, "Control", task.max_episode_steps, task.reward_threshold)
    for name, cube in CUBE_TASKS.items():
        _register(name, "Cube", cube.max_episode_steps)
    for name, game in BOARD_GAME_TASKS.items():
        _register(name, "BoardGame", game.max_episode_steps)


def _register(name: str, kind: str, max_episode_steps: int | None, reward_threshold: float | None = None) -> None:
    """Registers the task `name` with the classes `{kind}Env` and `{kind}VectorEnv`."""
    env_id = f"vivarium_ml/{name}"
    if env_id in gymnasium.registry:
        return
    gymnasium.register(
        id=env_id,
        entry_point=f"vivarium_ml.envs:{kind}Env",
        vector_entry_point=f"vivarium_ml.envs:{kind}VectorEnv",
        max_episode_steps=max_episode_steps,
        reward_threshold=reward_threshold,
        kwargs={"task": name},
    )
