"""Steps of Vivarium's environments, compared with steps of Gymnasium's classes from the same states."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers import (
    CONTINUOUS_STATES,
    TASKS,
    make_vec,
    random_actions,
    random_states,
    set_gymnasium_state,
)

TOLERANCE = {"rtol": 2e-5, "atol": 2e-5}


def deterministic(task):
    """Returns the keyword arguments of Gymnasium and of Vivarium with which a step is deterministic."""
    return ({"is_slippery": False}, {"success_rate": 1.0}) if task.startswith("FrozenLake") else ({}, {})


@pytest.mark.parametrize("task", TASKS)
def test_spaces_and_limits_are_those_of_gymnasium(task):
    ours, theirs = gymnasium.make(f"vivarium_ml/{task}"), gymnasium.make(task)
    assert ours.action_space == theirs.action_space
    space, expected = ours.observation_space, theirs.observation_space
    if isinstance(expected, gymnasium.spaces.Discrete):
        assert space == expected
    else:
        assert space.dtype == expected.dtype
        np.testing.assert_allclose(space.low, expected.low, rtol=1e-6)
        np.testing.assert_allclose(space.high, expected.high, rtol=1e-6)
    assert ours.spec.max_episode_steps == theirs.spec.max_episode_steps
    assert ours.spec.reward_threshold == theirs.spec.reward_threshold


@pytest.mark.parametrize("task", TASKS)
def test_one_step_from_the_same_state(task):
    rng = np.random.default_rng(1)
    their_options, our_options = deterministic(task)
    theirs = gymnasium.make(task, **their_options)
    count = 300
    ours = make_vec(task, count, **our_options)
    ours.reset(seed=1)
    states, actions = random_states(task, count, rng), random_actions(ours, rng)
    for index, state in enumerate(states):
        ours.set_state(index, state)
    observations, rewards, terminations, truncations, _ = ours.step(actions)
    assert not truncations.any()
    for index, (state, action) in enumerate(zip(states, actions, strict=True)):
        theirs.reset(seed=index)
        set_gymnasium_state(theirs, task, state)
        observation, reward, terminated, _, _ = theirs.step(action if action.ndim else int(action))
        np.testing.assert_allclose(observations[index], observation, **TOLERANCE, err_msg=str(state))
        np.testing.assert_allclose(rewards[index], reward, **TOLERANCE)
        assert terminations[index] == terminated, state
    if task != "Pendulum-v1":
        assert 0 < terminations.sum() < count


@pytest.mark.parametrize("task", TASKS)
def test_one_step_of_a_single_environment(task):
    rng = np.random.default_rng(2)
    their_options, our_options = deterministic(task)
    ours, theirs = gymnasium.make(f"vivarium_ml/{task}", **our_options), gymnasium.make(task, **their_options)
    for state in random_states(task, 30, rng):
        ours.reset(seed=1), theirs.reset(seed=1)
        ours.unwrapped.set_state(state)
        set_gymnasium_state(theirs, task, state)
        ours.action_space.seed(int(rng.integers(1000)))
        action = ours.action_space.sample()
        got, expected = ours.step(action), theirs.step(action)
        np.testing.assert_allclose(got[0], expected[0], **TOLERANCE)
        np.testing.assert_allclose(got[1], expected[1], **TOLERANCE)
        assert got[2:4] == expected[2:4]
        assert [type(part) for part in got[1:]] == [float, bool, bool, dict]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("task", CONTINUOUS_STATES)
def test_a_run_with_autoreset(task, mode):
    """Compares a run with Gymnasium, whose environments are set to Vivarium's states before each step."""
    count, limit, steps = 7, 17, 60
    options = {"num_envs": count, "max_episode_steps": limit}
    theirs = gymnasium.make_vec(
        task, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **options
    )
    ours = make_vec(task, count, mode, max_episode_steps=limit)
    assert ours.max_episode_steps == limit
    rng = np.random.default_rng(3)
    first, _ = ours.reset(seed=3)
    theirs.reset(seed=3)
    space = ours.single_observation_space
    before = np.zeros(count, bool)
    ends = 0
    assert first.shape == (count, *space.shape)
    for _ in range(steps):
        if mode is AutoresetMode.DISABLED and before.any():
            reset, infos = ours.reset(options={"reset_mask": before.copy()})
            theirs.reset(options={"reset_mask": before.copy()})
            assert infos == {} and not np.array_equal(reset, observations)
            np.testing.assert_array_equal(reset[~before], observations[~before])
            before[:] = False
        for env, state in zip(theirs.envs, ours.states(), strict=True):
            set_gymnasium_state(env, task, state)
        actions = random_actions(ours, rng)
        if rng.random() < 0.2:
            # Brings one environment to a terminal state, or close to it.
            index = int(rng.integers(count))
            if not before[index]:
                state = random_states(task, 1, rng)[0]
                ours.set_state(index, state)
                set_gymnasium_state(theirs.envs[index], task, state)
        observations, rewards, terminations, truncations, infos = ours.step(actions)
        expected = theirs.step(actions)
        np.testing.assert_allclose(rewards, expected[1], **TOLERANCE)
        np.testing.assert_array_equal(terminations, expected[2])
        np.testing.assert_array_equal(truncations, expected[3])
        ended = terminations | truncations
        was_reset = ended if mode is AutoresetMode.SAME_STEP else before
        np.testing.assert_allclose(observations[~was_reset], expected[0][~was_reset], **TOLERANCE)
        assert infos.keys() == expected[4].keys()
        if "final_obs" in infos:
            assert infos["final_obs"].dtype == object and infos["final_info"] == expected[4]["final_info"]
            for key in ("_final_obs", "_final_info"):
                np.testing.assert_array_equal(infos[key], expected[4][key])
            for got, final in zip(infos["final_obs"], expected[4]["final_obs"], strict=True):
                assert (got is None) == (final is None)
                if got is not None:
                    np.testing.assert_allclose(got, final, **TOLERANCE)
        before = ended if mode is not AutoresetMode.SAME_STEP else np.zeros(count, bool)
        ends += int(ended.sum())
    assert ends >= 2 * count


@pytest.mark.parametrize("task", ["FrozenLake-v1", "FrozenLake8x8-v1"])
def test_slipping_has_the_probabilities_of_gymnasium(task):
    table = gymnasium.make(task).unwrapped.P
    size = 8 if "8x8" in task else 4
    count = 30_000
    ours = make_vec(task, count)
    ours.reset(seed=5)
    tile, action = size + 2, 1
    for index in range(count):
        ours.set_state(index, [tile % size, tile // size])
    observations, *_ = ours.step(np.full(count, action))
    expected = np.zeros(size * size)
    for probability, following, _, _ in table[tile][action]:
        expected[following] += probability
    frequencies = np.bincount(observations, minlength=size * size) / count
    # The tolerance is five standard deviations.
    np.testing.assert_allclose(frequencies, expected, atol=5 * np.sqrt(0.25 / count))


@pytest.mark.parametrize("task", TASKS)
def test_initial_states_have_the_distribution_of_gymnasium(task):
    ours, theirs = make_vec(task, 4000), gymnasium.make(task)
    got, _ = ours.reset(seed=6)
    expected = np.array([theirs.reset(seed=seed)[0] for seed in range(2000)])
    got, expected = got.astype(float), expected.astype(float)
    deviation = np.maximum(expected.std(axis=0), 1e-6)
    assert (np.abs(got.mean(axis=0) - expected.mean(axis=0)) < 0.15 * deviation + 1e-6).all()
    assert (np.abs(got.std(axis=0) - expected.std(axis=0)) < 0.1 * deviation + 1e-6).all()


def test_parameters_change_the_dynamics():
    gravity = 1.6
    ours, theirs = make_vec("CartPole-v1", 1, gravity=gravity), gymnasium.make("CartPole-v1")
    theirs.reset(seed=1), ours.reset(seed=1)
    theirs.unwrapped.gravity = gravity
    state = np.array([0.1, 0.2, 0.15, -0.3], np.float32)
    set_gymnasium_state(theirs, "CartPole-v1", state)
    ours.set_state(0, state)
    np.testing.assert_allclose(ours.step(np.array([1]))[0][0], theirs.step(1)[0], **TOLERANCE)
