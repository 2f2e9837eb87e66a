"""Registration of the environments with Gymnasium."""

import gymnasium

from vivarium_ml.envs.tasks import CONTROL_TASKS


def register_envs() -> None:
    """Registers the environments as `vivarium_ml/CartPole-v1` and so on, if they are not registered yet."""
    for name, task in CONTROL_TASKS.items():
        env_id = f"vivarium_ml/{name}"
        if env_id in gymnasium.registry:
            continue
        gymnasium.register(
            id=env_id,
            entry_point="vivarium_ml.envs:ControlEnv",
            vector_entry_point="vivarium_ml.envs:ControlVectorEnv",
            max_episode_steps=task.max_episode_steps,
            reward_threshold=task.reward_threshold,
            kwargs={"task": name},
        )
