"""Gymnasium's interface: registration, checks, arrays, seeds, threads, processes."""

import os
import threading

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from helpers import TASKS, assert_equal_runs, make_vec, random_actions, run

from vivarium_ml._core import world_infos
from vivarium_ml.envs import CONTROL_TASKS


def test_every_native_environment_is_a_task():
    assert {task.world for task in CONTROL_TASKS.values()} == {info["name"] for info in world_infos()}


@pytest.mark.parametrize("task", TASKS)
def test_gymnasium_accepts_the_single_environment(task):
    check_env(gymnasium.make(f"vivarium_ml/{task}").unwrapped)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("task", TASKS)
def test_the_vector_environment_has_gymnasiums_interface(task, mode):
    count = 5
    envs = make_vec(task, count, mode)
    assert isinstance(envs, gymnasium.vector.VectorEnv) and envs.unwrapped is envs
    assert envs.metadata["autoreset_mode"] is mode and envs.spec.id == f"vivarium_ml/{task}"
    for single, batch in [
        (envs.single_observation_space, envs.observation_space),
        (envs.single_action_space, envs.action_space),
    ]:
        assert batch_space(single, count) == batch
    envs.action_space.seed(1)
    observations, infos = envs.reset(seed=1)
    assert envs.np_random_seed == 1 and infos == {}
    for _ in range(30):
        assert observations in envs.observation_space
        observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
        assert rewards.shape == terminations.shape == truncations.shape == (count,)
        assert rewards.dtype == np.float32 and terminations.dtype == truncations.dtype == bool
        assert isinstance(infos, dict)
        ended = terminations | truncations
        if mode is AutoresetMode.DISABLED and ended.any():
            observations, _ = envs.reset(options={"reset_mask": ended})
    envs.close()
    envs.close()


def test_wrappers_of_gymnasium_accept_the_vector_environment():
    envs = make_vec("CartPole-v1", 3, AutoresetMode.SAME_STEP)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs.reset(seed=1)
    lengths = []
    for _ in range(100):
        *_, infos = envs.step(np.ones(3, np.int64))
        if "episode" in infos:
            lengths.extend(infos["episode"]["l"][infos["_episode"]])
            assert all(final.shape == (4,) for final in infos["final_obs"] if final is not None)
    assert len(lengths) >= 20 and max(lengths) <= 12
    envs = gymnasium.wrappers.vector.NormalizeObservation(make_vec("CartPole-v1", 3))
    envs = gymnasium.wrappers.vector.FlattenObservation(envs)
    envs.reset(seed=1)
    assert np.isfinite(envs.step(np.ones(3, np.int64))[0]).all()


@pytest.mark.parametrize("task", TASKS)
def test_results_depend_on_the_seed_alone(task):
    count = 1100
    runs = [
        run(make_vec(task, count, num_threads=threads, copy=copy), random_actions)
        for threads, copy in [(1, True), (2, True), (3, False), (1, False)]
    ]
    assert_equal_runs(runs)
    if not task.startswith("FrozenLake"):
        assert not np.array_equal(runs[0][0], make_vec(task, count).reset(seed=10)[0])


def test_a_reset_without_seed_begins_other_episodes():
    a, b = make_vec("CartPole-v1", 4), make_vec("CartPole-v1", 4)
    assert not np.array_equal(a.reset()[0], b.reset()[0])
    first, second = a.reset(seed=4)[0], a.reset()[0]
    assert not np.array_equal(first, second)
    b.reset(seed=4)
    np.testing.assert_array_equal(b.reset()[0], second)


def test_a_mask_resets_its_environments_only():
    envs = make_vec("CartPole-v1", 6)
    envs.reset(seed=2)
    observations = envs.step(np.ones(6, np.int64))[0]
    mask = np.array([True, False, False, True, False, False])
    after, _ = envs.reset(options={"reset_mask": mask})
    np.testing.assert_array_equal(after[~mask], observations[~mask])
    assert (after[mask] != observations[mask]).all() and (np.abs(after[mask]) <= 0.05).all()


@pytest.mark.parametrize("task", ["CartPole-v1", "FrozenLake-v1"])
def test_copy_false_reuses_arrays(task):
    envs = make_vec(task, 4, copy=False)
    first, _ = envs.reset(seed=1)
    actions = np.ones(4, np.int64)
    second, third = envs.step(actions), envs.step(actions)
    assert first is second[0]
    assert all(a is b for a, b in zip(second[:4], third[:4], strict=True))
    envs = make_vec(task, 4)
    second, third = envs.reset(seed=1)[0], envs.step(actions)[0]
    assert not np.shares_memory(second, third)


def test_a_buffer_that_is_not_writable_is_an_error():
    envs = make_vec("CartPole-v1", 4, copy=False)
    observations, _ = envs.reset(seed=1)
    observations.setflags(write=False)
    with pytest.raises(Exception, match="writ"):
        envs.step(np.ones(4, np.int64))


def test_dlpack_shares_the_memory():
    envs = make_vec("CartPole-v1", 4)
    envs.reset(seed=1)
    for array in envs.step(np.ones(4, np.int64))[:4]:
        assert np.shares_memory(np.from_dlpack(array), array)


def test_torch_takes_arrays_without_a_copy():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    envs = make_vec("CartPole-v1", 4, copy=False)
    observations, _ = envs.reset(seed=1)
    tensor = torch.from_dlpack(observations)
    envs.step(np.ones(4, np.int64))
    np.testing.assert_array_equal(tensor.numpy(), observations)


@pytest.mark.parametrize("name", ["CartPole-v1", "FrozenLake-v1", "ConnectFour-v0"])
@pytest.mark.parametrize("copy", [True, False])
def test_the_data_of_arrays_are_aligned(name, copy):
    envs = make_vec(name, 65, copy=copy)
    envs.reset(seed=1)
    for array in envs.step(np.ones(65, np.int64))[:4]:
        assert array.ctypes.data % 64 == 0
        assert array.flags.carray


def test_jax_takes_arrays_without_a_copy():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    envs = make_vec("CartPole-v1", 1024, copy=False)
    envs.reset(seed=1)
    for array in envs.step(np.ones(1024, np.int64))[:4]:
        taken = jax.dlpack.from_dlpack(array)
        assert taken.unsafe_buffer_pointer() == array.ctypes.data
        np.testing.assert_array_equal(np.asarray(taken), array)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_after_threads_started_is_an_error():
    actions = np.zeros(2048, np.int64)

    def status_of_forked(envs):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                envs.step(actions)
                status = 2
            except RuntimeError as error:
                status = 3 if "fork" in str(error) and "num_threads=1" in str(error) else 1
            finally:
                os._exit(status)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    envs = make_vec("CartPole-v1", 2048, num_threads=2)
    envs.reset(seed=1)
    envs.step(actions)
    assert status_of_forked(envs) == 3
    envs.step(actions)
    single = make_vec("CartPole-v1", 2048, num_threads=1)
    single.reset(seed=1)
    assert status_of_forked(single) == 2


def test_two_threads_that_step_the_same_environments_get_an_error_at_most():
    envs = make_vec("CartPole-v1", 4096)
    envs.reset(seed=1)
    unexpected = []

    def step():
        for _ in range(200):
            try:
                envs.step(np.ones(4096, np.int64))
            except RuntimeError as error:
                if "another thread" not in str(error):
                    unexpected.append(error)
            except BaseException as error:
                unexpected.append(error)

    threads = [threading.Thread(target=step) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert unexpected == []
