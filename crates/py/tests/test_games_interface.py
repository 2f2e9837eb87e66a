"""Gymnasium's interface of cubes and board games: checks, arrays, seeds, threads, masks, errors."""

import sys
import threading
import time

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from helpers import assert_equal_runs, check_the_order_of_calls, make_vec, reset_where, run
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from vivarium_ml._core import game_infos
from vivarium_ml.envs import BOARD_GAME_TASKS, CUBE_TASKS

TASKS = [*CUBE_TASKS, *BOARD_GAME_TASKS]


def options_of(task):
    """Returns the keyword arguments with which every action is allowed."""
    return {"illegal_action": "loss"} if task in BOARD_GAME_TASKS else {}


def legal_actions(envs, rng):
    """Returns a random legal action of each environment; 0 if none is legal."""
    masks = envs._native.action_masks()
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


def test_every_native_game_is_a_task():
    tasks = {**CUBE_TASKS, **BOARD_GAME_TASKS}
    assert {task.game for task in tasks.values()} == {info["name"] for info in game_infos()}


@pytest.mark.parametrize("task", TASKS)
def test_gymnasium_accepts_the_single_environment(task):
    check_env(gymnasium.make(f"vivarium_ml/{task}", **options_of(task)).unwrapped)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("task", TASKS)
def test_the_vector_environment_has_gymnasiums_interface(task, mode):
    count = 5
    envs = make_vec(task, count, mode, max_episode_steps=20, **options_of(task))
    assert isinstance(envs, gymnasium.vector.VectorEnv) and envs.unwrapped is envs
    assert envs.metadata["autoreset_mode"] is mode and envs.spec.id == f"vivarium_ml/{task}"
    assert batch_space(envs.single_observation_space, count) == envs.observation_space
    assert batch_space(envs.single_action_space, count) == envs.action_space
    assert gymnasium.make(f"vivarium_ml/{task}").observation_space == envs.single_observation_space
    envs.action_space.seed(1)
    observations, infos = envs.reset(seed=1)
    assert envs.np_random_seed == 1 and bool(infos) == (task in BOARD_GAME_TASKS)
    ends = 0
    for _ in range(50):
        assert observations in envs.observation_space and observations.dtype == np.uint8
        observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
        assert rewards.shape == terminations.shape == truncations.shape == (count,)
        assert rewards.dtype == np.float32 and terminations.dtype == truncations.dtype == bool
        ended = terminations | truncations
        ends += ended.sum()
        assert ("final_obs" in infos) == (mode is AutoresetMode.SAME_STEP and ended.any())
        if mode is AutoresetMode.DISABLED and ended.any():
            observations, _ = envs.reset(options={"reset_mask": ended})
    assert ends > count
    envs.close()
    envs.close()


@pytest.mark.parametrize("task", TASKS)
def test_results_depend_on_the_seed_alone(task):
    count = 200
    runs = [
        run(make_vec(task, count, max_episode_steps=15, num_threads=threads, copy=copy), legal_actions)
        for threads, copy in [(1, True), (2, True), (3, False)]
    ]
    assert_equal_runs(runs)
    if task != "ConnectFour-v0":
        assert not np.array_equal(runs[0][0], make_vec(task, count).reset(seed=10)[0])


@pytest.mark.parametrize("task", [task for task in TASKS if task != "ConnectFour-v0"])
def test_a_reset_without_seed_begins_other_episodes(task):
    a, b = make_vec(task, 20), make_vec(task, 20)
    assert not np.array_equal(a.reset()[0], b.reset()[0])
    first, second = a.reset(seed=4)[0], a.reset()[0]
    assert not np.array_equal(first, second)
    b.reset(seed=4)
    np.testing.assert_array_equal(b.reset()[0], second)


@pytest.mark.parametrize("task", TASKS)
def test_copy_false_reuses_arrays(task):
    envs = make_vec(task, 4, copy=False)
    first, _ = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    second, third = (envs.step(legal_actions(envs, rng)) for _ in range(2))
    assert first is second[0]
    assert all(a is b for a, b in zip(second[:4], third[:4], strict=True))
    envs = make_vec(task, 4)
    second, third = envs.reset(seed=1)[0], envs.step(legal_actions(envs, rng))[0]
    assert not np.shares_memory(second, third)


@pytest.mark.parametrize("task", TASKS)
def test_dlpack_shares_the_memory(task):
    envs = make_vec(task, 4)
    envs.reset(seed=1)
    for array in envs.step(legal_actions(envs, np.random.default_rng(1)))[:4]:
        assert np.shares_memory(np.from_dlpack(array), array)


@pytest.mark.parametrize("task", TASKS)
def test_the_order_of_calls(task):
    envs = make_vec(task, 2, **options_of(task))
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        envs.step(np.array([0, 0]))
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        envs.reset(options={"reset_mask": np.ones(2, bool)})
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="seed is 2; allowed with options"):
        envs.reset(seed=2, options={"reset_mask": np.ones(2, bool)})
    envs.close()
    for call in (lambda: envs.step(np.array([0, 0])), envs.reset, envs.render):
        with pytest.raises(ClosedEnvironmentError):
            call()
    env = gymnasium.make(f"vivarium_ml/{task}").unwrapped
    check_the_order_of_calls(env, 10_000, env.render)


def counted_during(function):
    """Returns how many times another Python thread counts while `function` runs. The main thread keeps the interpreter
    lock meanwhile, unless native code releases the lock."""
    count, is_done = 0, False

    def count_up():
        nonlocal count
        while not is_done:
            count += 1
            # Yields, so that the main thread can continue.
            time.sleep(0)

    thread = threading.Thread(target=count_up)
    interval = sys.getswitchinterval()
    # The main thread keeps the lock until it releases the lock itself.
    sys.setswitchinterval(1000)
    try:
        thread.start()
        before = count
        function()
        return count - before
    finally:
        is_done = True
        sys.setswitchinterval(interval)
        thread.join()


@pytest.mark.parametrize(("task", "num_envs"), [("CartPole-v1", 1 << 18), ("Cube3-v0", 1 << 17), ("Backgammon-v0", 4096)])
def test_a_step_releases_the_interpreter_lock(task, num_envs):
    envs = make_vec(task, num_envs, num_threads=1, **options_of(task))
    envs.reset(seed=1)
    actions = np.zeros(num_envs, np.int64)
    assert counted_during(lambda: sum(range(1_000_000))) == 0
    # The operating system may not run the other thread during a step.
    assert any(counted_during(lambda: envs._native.step(actions)) > 0 for _ in range(100))


@settings(deadline=None, max_examples=100)
@given(
    st.sampled_from(TASKS),
    arrays.arrays(
        st.one_of(arrays.integer_dtypes(), arrays.floating_dtypes(), arrays.boolean_dtypes()),
        arrays.array_shapes(min_dims=0, max_dims=2, max_side=4),
    ),
)
def test_any_actions(task, actions):
    envs = make_vec(task, 3, **options_of(task))
    first, _ = envs.reset(seed=1)
    count = int(envs.single_action_space.n)
    is_valid = actions.shape == (3,) and actions.dtype.kind in "iu" and ((actions >= 0) & (actions < count)).all()
    try:
        observations, *_ = envs.step(actions)
        assert is_valid and observations in envs.observation_space
    except (ValueError, TypeError) as error:
        assert not is_valid and "action" in str(error)
        np.testing.assert_array_equal(
            first, np.array([envs._native.observation_of(index, envs._native.players()[index]) for index in range(3)])
        )


ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(-3, 1100), st.floats(), st.text(max_size=3))


@settings(deadline=None)
@given(
    st.sampled_from(TASKS),
    st.dictionaries(st.sampled_from(["reset_mask", "scramble_length", ""]), ANYTHING, max_size=2),
    st.one_of(ANYTHING, st.integers()),
)
def test_any_options_and_seeds(task, options, seed):
    envs = make_vec(task, 3)
    envs.reset(seed=1)
    is_valid = options == {} or (task in CUBE_TASKS and options.keys() == {"scramble_length"})
    try:
        envs.reset(seed=seed, options=options)
        assert is_valid and (seed is None or (type(seed) is int and 0 <= seed < 2**64))
        assert all(1 <= length <= 1000 for length in options.values())
    except (ValueError, TypeError) as error:
        assert any(name in str(error) for name in ("seed", "options", "reset_mask", "scramble_length"))


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(TASKS),
    st.lists(st.lists(st.booleans(), min_size=4, max_size=4), max_size=12),
    st.sampled_from(AutoresetMode),
    st.integers(0, 2**64 - 1),
)
def test_any_masks_in_a_run(task, masks, mode, seed):
    envs = make_vec(task, 4, mode, max_episode_steps=5)
    observations, _ = envs.reset(seed=seed)
    rng = np.random.default_rng(1)
    ended = np.zeros(4, bool)
    age = np.zeros(4, int)
    for mask in masks:
        mask, reset = reset_where(envs, np.array(mask), ended, observations)
        assert reset in envs.observation_space
        ended, age = ended & ~mask, np.where(mask, 0, age)
        observations, rewards, terminations, truncations, _ = envs.step(legal_actions(envs, rng))
        if mode is AutoresetMode.NEXT_STEP:
            # The step after the end of an episode resets.
            assert not (terminations | truncations)[ended].any() and not rewards[ended].any()
            age = np.where(ended, 0, age + 1)
        else:
            age = np.where(ended, 1, age + 1)
        np.testing.assert_array_equal(truncations, age == 5)
        ended = terminations | truncations
        if mode is AutoresetMode.SAME_STEP:
            age, ended = np.where(ended, 0, age), np.zeros(4, bool)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("task", TASKS)
def test_wrappers_of_gymnasium_accept_the_vector_environment(task, mode):
    envs = make_vec(task, 3, mode, max_episode_steps=10)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    shape = envs.single_observation_space.shape
    if mode is AutoresetMode.NEXT_STEP:
        # Gymnasium's wrappers of observations refuse the mode SAME_STEP.
        wrapped, shape = gymnasium.wrappers.vector.FlattenObservation(wrapped), (np.prod(shape),)
    wrapped.reset(seed=1)
    rng = np.random.default_rng(1)
    lengths = []
    for _ in range(40):
        observations, *_, infos = wrapped.step(legal_actions(envs, rng))
        assert observations.shape == (3, *shape)
        if "episode" in infos:
            lengths.extend(infos["episode"]["l"][infos["_episode"]])
    assert len(lengths) >= 9 and max(lengths) == 10
