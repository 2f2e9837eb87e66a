"""The adapter for Stable-Baselines3, with the real package. Without it, since it needs PyTorch, most tests are skipped."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers import make_vec

from vivarium_ml.envs.stable_baselines3 import SB3VecEnv

try:
    import stable_baselines3 as sb3
except ImportError:
    sb3 = None

needs_sb3 = pytest.mark.skipif(sb3 is None, reason="Stable-Baselines3 is not installed")


def make(task, num_envs=3, **options):
    """Returns the adapter over a vector environment."""
    return SB3VecEnv(make_vec(task, num_envs, AutoresetMode.SAME_STEP, **options))


@pytest.mark.skipif(sb3 is not None, reason="Stable-Baselines3 is installed")
def test_the_adapter_names_the_missing_package():
    with pytest.raises(ImportError, match="pip install 'stable-baselines3"):
        make("CartPole-v1")


@needs_sb3
def test_a_run_is_that_of_dummy_vec_env():
    """Connect Four has no random numbers: `DummyVecEnv` of Stable-Baselines3 must give equal results."""
    name, limit = "vivarium_ml/ConnectFour-v0", 9
    ours = make("ConnectFour-v0", illegal_action="loss", max_episode_steps=limit)

    def single():
        return gymnasium.make(name, illegal_action="loss", max_episode_steps=limit)

    theirs = sb3.common.vec_env.DummyVecEnv([single] * 3)
    for env in (ours, theirs):
        env.seed(1)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    compare_infos(ours.reset_infos, theirs.reset_infos)
    rng = np.random.default_rng(1)
    truncated = 0
    for _ in range(200):
        actions = rng.integers(0, 7, 3)
        got, expected = ours.step(actions), theirs.step(actions)
        for a, b in zip(got[:3], expected[:3], strict=True):
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype
        compare_infos(got[3], expected[3])
        truncated += sum(info.get("TimeLimit.truncated", False) for info in got[3])
    assert truncated > 3


def compare_infos(got, expected):
    for ours, theirs in zip(got, expected, strict=True):
        ended = "terminal_observation" in theirs
        # DummyVecEnv also adds TimeLimit.truncated to the infos of steps that end no episode.
        theirs = {name: value for name, value in theirs.items() if ended or name != "TimeLimit.truncated"}
        assert ours.keys() == theirs.keys()
        for name, value in theirs.items():
            np.testing.assert_array_equal(ours[name], value)


@needs_sb3
def test_seeds_and_options():
    envs = make("Cube2-v0")
    assert envs.seed(7) == [7, 8, 9]
    envs.set_options({"scramble_length": 2})
    first = envs.reset()
    assert envs.get_attr("scramble_length", [0, 2]) == [2, 2]
    assert not np.array_equal(envs.reset(), first)
    envs.seed(7)
    np.testing.assert_array_equal(envs.reset(), first)
    envs.set_options([{"scramble_length": 2}, {}, {}])
    with pytest.raises(ValueError, match="different options"):
        envs.reset()


@needs_sb3
def test_attributes_and_methods():
    envs = make("ConnectFour-v0", render_mode="rgb_array")
    envs.reset()
    assert envs.has_attr("task") and not envs.has_attr("board")
    assert [task.name for task in envs.get_attr("task", 1)] == ["ConnectFour-v0"]
    masks = envs.env_method("action_masks", indices=[0, 1])
    assert len(masks) == 2 and all(mask.all() for mask in masks)
    with pytest.raises(TypeError, match="reset returns no sequence"):
        envs.env_method("reset")
    envs.set_attr("note", 3)
    assert envs.get_attr("note") == [3, 3, 3]
    with pytest.raises(ValueError, match=r"set_attr has the indices \[1\]; allowed is None"):
        envs.set_attr("note", 3, indices=1)
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    assert envs.render().dtype == np.uint8 and len(envs.get_images()) == 3
    with pytest.raises(RuntimeError, match="call step_async"):
        envs.step_wait()
    envs.close()


@needs_sb3
def test_observations_stay_valid_without_copies():
    envs = make("CartPole-v1", copy=False)
    first = envs.reset()
    kept = first.copy()
    second, rewards, *_ = envs.step(np.ones(3, np.int64))
    np.testing.assert_array_equal(first, kept)
    envs.step(np.ones(3, np.int64))
    assert (rewards == 1).all() and not np.shares_memory(first, second)


@needs_sb3
def test_other_environments_are_errors():
    with pytest.raises(TypeError, match="expected a vector environment of vivarium_ml"):
        SB3VecEnv(gymnasium.make("CartPole-v1"))
    with pytest.raises(ValueError, match="autoreset_mode is 'NextStep'; allowed is 'SameStep'"):
        SB3VecEnv(make_vec("CartPole-v1", 2))


@needs_sb3
def test_ppo_learns_cartpole():
    import torch

    torch.set_num_threads(1)
    envs = sb3.common.vec_env.VecMonitor(make("CartPole-v1", 16))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = sb3.PPO("MlpPolicy", envs, seed=1, n_steps=128, batch_size=256, learning_rate=1e-3, device="cpu")
        model.learn(20_480)
    returns = [episode["r"] for episode in model.ep_info_buffer]
    # A random policy has a mean return of 22.
    assert np.mean(returns) > 60


@needs_sb3
def test_wrappers_of_stable_baselines3():
    envs = sb3.common.vec_env.VecNormalize(make("Pendulum-v1", 4))
    envs.reset()
    observations, rewards, _, _ = envs.step(np.zeros((4, 1), np.float32))
    assert np.isfinite(observations).all() and np.isfinite(rewards).all()
