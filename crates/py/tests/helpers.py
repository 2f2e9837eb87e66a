"""Helpers of the tests: environments of Vivarium, and states of Gymnasium's environments."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode

import vivarium_ml
from vivarium_ml.envs import CONTROL_TASKS, ControlVectorEnv

TASKS = list(CONTROL_TASKS)
CONTINUOUS_STATES = [name for name in TASKS if not name.startswith("FrozenLake")]

# Maximum absolute values of random states. A step from such a state may or may not end the episode.
STATE_RANGES = {
    "CartPole-v1": [2.5, 3.0, 0.22, 3.0],
    "MountainCar-v0": [0.9, 0.07],
    "Pendulum-v1": [np.pi, 8.0],
    "Acrobot-v1": [np.pi, np.pi, 4.0, 9.0],
}


def make_vec(task: str, num_envs: int, mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any) -> Any:
    """Returns Vivarium's vector environment."""
    envs = gymnasium.make_vec(f"vivarium_ml/{task}", num_envs=num_envs, autoreset_mode=mode, **options)
    assert isinstance(envs, vivarium_ml.envs.base.NativeBatchEnv)
    return envs


def random_states(task: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """Returns random states, shape `(count, n)`."""
    if task.startswith("FrozenLake"):
        size = 8 if "8x8" in task else 4
        return rng.integers(0, size, (count, 2)).astype(np.float32)
    bounds = np.array(STATE_RANGES[task])
    states = rng.uniform(-bounds, bounds, (count, len(bounds)))
    if task == "MountainCar-v0":
        states[:, 0] -= 0.3
    return states.astype(np.float32)


def set_gymnasium_state(env: gymnasium.Env, task: str, state: np.ndarray) -> None:
    """Sets the state of an environment of Gymnasium."""
    unwrapped = env.unwrapped
    if task.startswith("FrozenLake"):
        column, row = state.astype(int)
        unwrapped.s = int(row * unwrapped.ncol + column)
    elif task == "MountainCar-v0":
        unwrapped.state = tuple(state.astype(np.float64))
    else:
        unwrapped.state = state.astype(np.float64)
    if task == "CartPole-v1":
        unwrapped.steps_beyond_terminated = None


def random_actions(envs: ControlVectorEnv, rng: np.random.Generator) -> np.ndarray:
    """Returns random actions of a batch."""
    if isinstance(envs.single_action_space, gymnasium.spaces.Discrete):
        return rng.integers(0, int(envs.single_action_space.n), envs.num_envs)
    return rng.uniform(-2.5, 2.5, (envs.num_envs, 1)).astype(np.float32)


def run(envs: Any, choose_actions: Callable[[Any, np.random.Generator], np.ndarray], steps: int = 40) -> list[np.ndarray]:
    """Returns all observations, rewards and flags of a run with the actions `choose_actions(envs, rng)`."""
    seed = 9
    rng = np.random.default_rng(seed)
    results = [envs.reset(seed=seed)[0].copy()]
    for _ in range(steps):
        results.extend(array.copy() for array in envs.step(choose_actions(envs, rng))[:4])
    return results


def reset_where(
    envs: Any, mask: np.ndarray, ended: np.ndarray, observations: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Resets the environments of `mask`, and in the mode `DISABLED` the `ended` ones, which must be reset before the next
    step. Checks that all others keep their `observations`. Returns the mask and the observations of the reset."""
    if envs.autoreset_mode is AutoresetMode.DISABLED:
        mask = mask | ended
    if not mask.any():
        return mask, observations
    reset, _ = envs.reset(options={"reset_mask": mask})
    np.testing.assert_array_equal(reset[~mask], observations[~mask])
    return mask, reset


def assert_equal_runs(runs: list[list[np.ndarray]]) -> None:
    """Checks that all results of `run` are equal."""
    for other in runs[1:]:
        for a, b in zip(runs[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def check_the_order_of_calls(env: gymnasium.Env, outside: int, query: Callable[[], Any]) -> None:
    """Checks the errors of a new environment: a step before a reset, invalid actions such as `outside`, and calls after
    `close`, also of its method `query`."""
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    for action, error in [(outside, ValueError), (-1, ValueError), (0.5, TypeError), ("0", TypeError)]:
        with pytest.raises(error, match="action is"):
            env.step(action)
    env.close()
    for call in (lambda: env.step(0), env.reset, query):
        with pytest.raises(ClosedEnvironmentError):
            call()
