"""Table of the classic-control tasks, with the names, spaces and reward thresholds of Gymnasium."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import Space, spaces

from vivarium_ml._core import world_infos


@dataclass(frozen=True)
class ControlTask:
    """Description of a classic-control task.

    Attributes:
        name: name in Gymnasium, such as `CartPole-v1`.
        world: name of the native environment, such as `cartpole`.
        max_episode_steps: time limit in steps.
        reward_threshold: mean return at which Gymnasium counts the task as solved, or `None`.
        state_names: names of the values of a state.
        parameters: default value of each physical parameter, by name.
        parameter_ranges: description of the allowed values of each physical parameter, by name.
    """

    name: str
    world: str
    max_episode_steps: int
    reward_threshold: float | None
    state_names: tuple[str, ...]
    parameters: dict[str, float | str]
    parameter_ranges: dict[str, str]

    def observation_space(self) -> Space[Any]:
        """Returns the observation space of a single environment, equal to `observation_space` of Gymnasium's class."""
        observation = _INFOS[self.world]["observation"]
        if self.world.startswith("frozen-lake"):
            return spaces.Discrete(len(observation))
        low = np.array([low for _, _, low, _ in observation], dtype=np.float32)
        high = np.array([high for _, _, _, high in observation], dtype=np.float32)
        if self.world == "cartpole":
            # The bounds are twice the termination thresholds, so that the space contains final observations;
            # velocities are unbounded.
            low, high = low * np.float32(2), high * np.float32(2)
            low[[1, 3]], high[[1, 3]] = -np.inf, np.inf
        return spaces.Box(low, high, dtype=np.float32)

    def action_space(self) -> Space[Any]:
        """Returns the action space of a single environment, equal to `action_space` of Gymnasium's class."""
        actions = _INFOS[self.world]["actions"]
        if isinstance(actions, int):
            return spaces.Discrete(actions)
        low, high = actions
        return spaces.Box(low, high, shape=(1,), dtype=np.float32)


_INFOS: dict[str, dict[str, Any]] = {info["name"]: info for info in world_infos()}


def _task(name: str, world: str, reward_threshold: float | None) -> ControlTask:
    info = _INFOS[world]
    return ControlTask(
        name=name,
        world=world,
        max_episode_steps=info["step_limit"],
        reward_threshold=reward_threshold,
        state_names=tuple(name for name, *_ in info["state"]),
        parameters={name: default for name, default, _ in info["parameters"]},
        parameter_ranges={name: allowed for name, _, allowed in info["parameters"]},
    )


CONTROL_TASKS: dict[str, ControlTask] = {
    task.name: task
    for task in (
        _task("CartPole-v1", "cartpole", 475.0),
        _task("MountainCar-v0", "mountain-car", -110.0),
        _task("Pendulum-v1", "pendulum", None),
        _task("Acrobot-v1", "acrobot", -100.0),
        _task("FrozenLake-v1", "frozen-lake", 0.70),
        _task("FrozenLake8x8-v1", "frozen-lake-8x8", 0.85),
    )
}
"""Table of the classic-control tasks: the task of each name in Gymnasium, such as `CartPole-v1`."""
