"""Errors: class of the exception, and a message with the argument, its value and the allowed values."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode
from helpers import check_the_order_of_calls, make_vec, reset_where
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from vivarium_ml.envs import ControlEnv, ControlVectorEnv

ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.lists(st.integers(), max_size=2)
)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"gravity": 31}, ValueError, r"gravity = 31: it must be a number from 0 to 30"),
        ({"gravity": float("nan")}, ValueError, r"gravity = nan: .*0 to 30"),
        ({"gravity": "strong"}, TypeError, r"gravity = 'strong': .*0 to 30"),
        ({"gravity": True}, TypeError, r"gravity = True"),
        ({"gravity": None}, TypeError, r"gravity = None"),
        ({"gravityy": 1}, TypeError, r"cartpole has no parameter \"gravityy\"; its parameters are gravity, force"),
        ({"num_envs": 0}, ValueError, r"num_envs is 0; allowed is .*1 to 16777216"),
        ({"num_envs": 2.0}, TypeError, r"num_envs is 2.0 \(float\); expected"),
        ({"num_threads": 0}, ValueError, r"num_threads is 0"),
        ({"max_episode_steps": 0}, ValueError, r"max_episode_steps is 0; allowed"),
        ({"max_episode_steps": "9"}, TypeError, r"max_episode_steps is '9'"),
        ({"autoreset_mode": "Never"}, ValueError, r"autoreset_mode is 'Never'; allowed is one of NextStep, SameStep"),
        ({"render_mode": "human"}, ValueError, r"render_mode is 'human'"),
    ],
)
def test_arguments_of_the_vector_environment(options, error, message):
    with pytest.raises(error, match=message):
        ControlVectorEnv("CartPole-v1", **{"num_envs": 2, **options})


def test_an_unknown_task():
    for create in (ControlVectorEnv, ControlEnv):
        with pytest.raises(ValueError, match=r"no task 'CartPole-v9'; allowed is one of CartPole-v1, "):
            create("CartPole-v9")


def test_a_map_of_frozen_lake():
    envs = make_vec("FrozenLake-v1", 2, map="SFFF/FFFF/FFFF/FFFG", success_rate=1)
    assert (envs.reset(seed=1)[0] == 0).all()
    with pytest.raises(ValueError, match="map = "):
        make_vec("FrozenLake-v1", 2, map="SFFF")
    with pytest.raises(TypeError, match="map = 3"):
        make_vec("FrozenLake-v1", 2, map=3)


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (np.array([0, 2]), ValueError, r"environment 1 is 2; allowed is a whole number from 0 to 1"),
        (np.array([-1, 0]), ValueError, r"environment 0 is -1; allowed"),
        (np.array([0, 2**40]), ValueError, r"environment 1 is 1099511627776; allowed"),
        (np.array([0, 1, 0]), ValueError, r"shape \(3,\); expected \(2,\)"),
        (np.array([[0, 1]]), ValueError, r"shape \(1, 2\); expected \(2,\)"),
        (np.array([0.0, 1.0]), TypeError, r"dtype float64; expected an integer dtype"),
        (np.array([True, False]), TypeError, r"dtype bool; expected an integer dtype"),
        (1, ValueError, r"shape \(\); expected \(2,\)"),
        (["left", "right"], TypeError, r"expected an integer dtype"),
        (None, ValueError, r"shape \(\); expected \(2,\)"),
    ],
)
def test_discrete_actions(actions, error, message):
    envs = make_vec("CartPole-v1", 2)
    first, _ = envs.reset(seed=1)
    with pytest.raises(error, match=message):
        envs.step(actions)
    np.testing.assert_array_equal(envs.states(), first)


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (np.array([0.0, 1.0]), ValueError, r"shape \(2,\); expected \(2, 1\)"),
        (np.array([[0], [1]]), TypeError, r"dtype int64; expected a floating-point dtype"),
        (np.array([[0.0], [np.nan]], np.float32), ValueError, r"environment 1 is nan"),
    ],
)
def test_continuous_actions(actions, error, message):
    envs = make_vec("Pendulum-v1", 2)
    envs.reset(seed=1)
    with pytest.raises(error, match=message):
        envs.step(actions)


@pytest.mark.parametrize("actions", [[0, 1], (0, 1), np.array([0, 1], np.uint8), np.arange(4)[::2] // 2])
def test_actions_of_other_types_are_converted(actions):
    a, b = make_vec("CartPole-v1", 2), make_vec("CartPole-v1", 2)
    a.reset(seed=1), b.reset(seed=1)
    np.testing.assert_array_equal(a.step(actions)[0], b.step(np.array([0, 1]))[0])


@pytest.mark.parametrize("create", [lambda: make_vec("CartPole-v1", 2), lambda: ControlEnv("CartPole-v1")])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seed": -1}, ValueError, r"seed is -1; allowed is a whole number from 0 to 18446744073709551615"),
        ({"seed": 2**64}, ValueError, r"seed is 18446744073709551616; allowed"),
        ({"seed": 1.5}, TypeError, r"seed is 1.5 \(float\); expected a whole number"),
        ({"seed": [1, 2]}, TypeError, r"seed is \[1, 2\] \(list\)"),
        ({"options": {"low": 1}}, ValueError, r"options has the key 'low'; allowed is"),
        ({"options": 3}, TypeError, r"options is 3 \(int\); expected a dictionary"),
    ],
)
def test_arguments_of_reset(create, arguments, error, message):
    with pytest.raises(error, match=message):
        create().reset(**arguments)


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (np.zeros(3, bool), ValueError, r"no flag that is set"),
        (np.ones(4, bool), ValueError, r"shape \(4,\); expected \(3,\)"),
        (np.ones((3, 1), bool), TypeError, r"bool and shape \(num_envs,\); got .*bool and shape \(3, 1\)"),
        (np.ones(3), TypeError, r"got an array of dtype float64 and shape \(3,\)"),
        ([True, False, True], TypeError, r"got \[True, False, True\]"),
        (None, TypeError, r"got None"),
    ],
)
def test_masks(mask, error, message):
    envs = make_vec("CartPole-v1", 3, AutoresetMode.DISABLED)
    envs.reset(seed=1)
    with pytest.raises(error, match=message):
        envs.reset(options={"reset_mask": mask})


def test_a_mask_and_a_seed_exclude_each_other():
    envs = make_vec("CartPole-v1", 3)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="seed is 2; allowed with options"):
        envs.reset(seed=2, options={"reset_mask": np.ones(3, bool)})


def test_the_order_of_calls():
    envs = make_vec("CartPole-v1", 2)
    for call in (
        lambda: envs.step(np.array([0, 1])),
        lambda: envs.states(),
        lambda: envs.set_state(0, [0, 0, 0, 0]),
        lambda: envs.reset(options={"reset_mask": np.ones(2, bool)}),
    ):
        with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
            call()
    envs.reset(seed=1)
    envs.close()
    for call in (lambda: envs.step(np.array([0, 1])), lambda: envs.reset(), lambda: envs.states()):
        with pytest.raises(ClosedEnvironmentError, match="closed"):
            call()
    env = ControlEnv("CartPole-v1")
    check_the_order_of_calls(env, 2, env.state)


def test_an_ended_episode_must_be_reset():
    env = ControlEnv("CartPole-v1")
    env.reset(seed=1)
    while not env.step(1)[2]:
        pass
    with pytest.raises(ResetNeeded, match="episode of environment 0 has ended"):
        env.step(1)
    env.reset()
    env.step(1)
    envs = make_vec("CartPole-v1", 3, AutoresetMode.DISABLED)
    envs.reset(seed=1)
    envs.set_state(1, [3, 0, 0, 0])
    actions = np.zeros(3, np.int64)
    assert envs.step(actions)[2].tolist() == [False, True, False]
    with pytest.raises(ResetNeeded, match="environment 1 has ended"):
        envs.step(actions)
    with pytest.raises(ResetNeeded):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
        envs.step(actions)
    envs.set_state(1, [0, 0, 0, 0])
    envs.step(actions)


@pytest.mark.parametrize(
    ("index", "state", "error"),
    [
        (2, [0, 0, 0, 0], IndexError),
        (-1, [0, 0, 0, 0], IndexError),
        (0, [0, 0, 0], ValueError),
        (0, [0, 0, 0, np.nan], ValueError),
        (0, [0, 0, 0, 1e300], ValueError),
        (0, "state", TypeError),
        (0, None, TypeError),
        (0.5, [0, 0, 0, 0], TypeError),
    ],
)
def test_states(index, state, error):
    envs = make_vec("CartPole-v1", 2)
    envs.reset(seed=1)
    with pytest.raises(error):
        envs.set_state(index, state)


@settings(deadline=None, max_examples=200)
@given(
    arrays.arrays(
        st.one_of(arrays.integer_dtypes(), arrays.floating_dtypes(), arrays.boolean_dtypes()),
        arrays.array_shapes(min_dims=0, max_dims=2, max_side=4),
    )
)
def test_any_actions(actions):
    envs = make_vec("CartPole-v1", 3)
    first, _ = envs.reset(seed=1)
    is_valid = actions.shape == (3,) and actions.dtype.kind in "iu" and ((actions == 0) | (actions == 1)).all()
    try:
        observations, *_ = envs.step(actions)
        assert is_valid and observations in envs.observation_space
    except (ValueError, TypeError) as error:
        assert not is_valid and "action" in str(error)
        np.testing.assert_array_equal(envs.states(), first)


@settings(deadline=None)
@given(ANYTHING)
def test_any_seed(seed):
    envs = make_vec("CartPole-v1", 3)
    try:
        envs.reset(seed=seed)
        assert seed is None or (type(seed) is int and 0 <= seed < 2**64)
        envs.step(np.zeros(3, np.int64))
    except (ValueError, TypeError) as error:
        assert "seed" in str(error)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["reset_mask", "low", ""]), ANYTHING, max_size=2))
def test_any_options(options):
    envs = make_vec("CartPole-v1", 3)
    envs.reset(seed=1)
    try:
        envs.reset(options=options)
        assert options == {}
    except (ValueError, TypeError) as error:
        assert "options" in str(error) or "reset_mask" in str(error)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["gravity", "force", "pole_mass", "mass"]), ANYTHING, max_size=2))
def test_any_parameters(params):
    try:
        envs = ControlVectorEnv("CartPole-v1", 2, **params)
        envs.reset(seed=1)
        envs.step(np.zeros(2, np.int64))
    except (ValueError, TypeError) as error:
        assert any(name in str(error) for name in params)


@settings(deadline=None)
@given(
    st.sampled_from(["CartPole-v1", "MountainCar-v0", "Pendulum-v1", "Acrobot-v1", "FrozenLake-v1"]),
    st.lists(st.floats(width=32), min_size=1, max_size=5),
    st.sampled_from(AutoresetMode),
)
def test_any_state(task, state, mode):
    envs = make_vec(task, 2, mode)
    envs.reset(seed=1)
    actions = envs.action_space.sample()
    try:
        envs.set_state(1, state)
    except ValueError:
        assert len(state) != len(envs.task.state_names) or not np.isfinite(state).all()
    envs.step(actions)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.lists(st.booleans(), min_size=4, max_size=4), max_size=8),
    st.sampled_from(AutoresetMode),
    st.integers(0, 2**64 - 1),
)
def test_any_masks_in_a_run(masks, mode, seed):
    envs = make_vec("CartPole-v1", 4, mode, max_episode_steps=9)
    observations, _ = envs.reset(seed=seed)
    ended = np.zeros(4, bool)
    for mask in masks:
        mask, reset = reset_where(envs, np.array(mask), ended, observations)
        assert (np.abs(reset[mask]) <= 0.05).all()
        ended &= ~mask
        observations, rewards, terminations, truncations, _ = envs.step(np.ones(4, np.int64))
        if mode is AutoresetMode.NEXT_STEP:
            np.testing.assert_array_equal(rewards == 0, ended)
        ended = terminations | truncations


def test_gymnasium_reports_the_errors_of_the_constructor():
    with pytest.raises(TypeError, match="no parameter"):
        gymnasium.make("vivarium_ml/CartPole-v1", gravityy=1)
