"""Connect Four and backgammon: comparison with reference implementations of the rules, and Gymnasium's interface."""

import gymnasium
import numpy as np
import pytest
from game_references import ConnectFourReference, after_action, decisions, points
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from helpers import make_vec
from hypothesis import given, settings
from hypothesis import strategies as st

from vivarium_ml.envs import BOARD_GAME_TASKS, BoardGameEnv, BoardGameVectorEnv

GAMES = list(BOARD_GAME_TASKS)


def random_legal(mask, rng):
    """Returns a random legal action of one environment, or of each environment; 0 if none is legal."""
    if mask.ndim == 2:
        return np.array([random_legal(row, rng) for row in mask])
    legal = np.flatnonzero(mask)
    return int(rng.choice(legal)) if len(legal) else 0


def planes(reference):
    """Returns the observation of the player to move in a game of Connect Four."""
    observation = np.zeros((6, 7, 2), np.uint8)
    for plane, player in enumerate((reference.player, 1 - reference.player)):
        for column, row in reference.stones[player]:
            observation[5 - row, column, plane] = 1
    return observation


def test_connect_four_beside_a_second_implementation():
    env = gymnasium.make("vivarium_ml/ConnectFour-v0")
    rng = np.random.default_rng(1)
    results = []
    for game in range(300):
        reference = ConnectFourReference()
        observation, info = env.reset(seed=game)
        terminated = False
        while not terminated:
            np.testing.assert_array_equal(observation, planes(reference))
            assert np.flatnonzero(info["action_mask"]).tolist() == reference.legal()
            assert info["player"] == reference.player
            action = int(rng.choice(reference.legal()))
            observation, reward, terminated, truncated, info = env.step(action)
            assert (reward, terminated) == reference.play(action) and not truncated
        assert not info["action_mask"].any()
        np.testing.assert_array_equal(observation, planes(reference))
        results.append(reward)
    assert 0.9 < np.mean(results) <= 1


def test_a_full_board_is_a_draw():
    env = BoardGameEnv("ConnectFour-v0")
    env.reset()
    # Pairs of columns in which neither player gets four in a row.
    moves = [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3]
    moves += [4, 5, 4, 5, 5, 4, 5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6, 6]
    reference = ConnectFourReference()
    for move in moves[:-1]:
        assert env.step(move)[1:3] == (0, False) == reference.play(move)
    assert env.step(moves[-1])[1:3] == (0, True) == reference.play(moves[-1])


def split(observation):
    """Returns the position and the dice (higher, lower, second half) of an observation of backgammon."""
    values = [int(value) for value in observation]
    return (tuple(values[:26]), tuple(values[26:52])), tuple(values[52:])


def test_backgammon_beside_a_second_implementation():
    env = gymnasium.make("vivarium_ml/Backgammon-v0")
    rng = np.random.default_rng(2)
    checked = doubles = passes = 0
    wins = []
    for game in range(12):
        observation, info = env.reset(seed=game)
        position, (high, low, second) = split(observation)
        assert high > low and not second
        terminated = False
        while not terminated:
            position, (high, low, second) = split(observation)
            assert high >= low and (not second or high == low)
            legal = np.flatnonzero(info["action_mask"])
            ends = {after_action(position, int(action), high, low) for action in legal}
            # The search of the reference is slow for doubles with many movable checkers.
            if high != low or second or rng.random() < 0.3:
                assert ends == decisions(position, high, low, bool(second))
                assert len(legal) == len(ends)
                checked, doubles = checked + 1, doubles + (high == low)
            passes += legal.tolist() == [0]
            action, player = random_legal(info["action_mask"], rng), info["player"]
            expected = after_action(position, action, high, low)
            observation, reward, terminated, truncated, info = env.step(action)
            got, dice = split(observation)
            assert not truncated
            if info["player"] == player:
                assert got == expected and dice == (high, low, 1) and not second and high == low
            else:
                assert got == expected[::-1]
            assert sum(got[0]) == sum(got[1]) == 15
            assert terminated == (expected[0][0] == 15)
            assert reward == (points(expected[1]) if terminated else 0)
        assert dice == (0, 0, 0) and not info["action_mask"].any()
        wins.append(reward)
    assert checked > 500 and doubles > 50 and passes > 10
    assert {1, 2} <= set(wins)


def test_the_dice_are_fair():
    envs = make_vec("Backgammon-v0", 3000)
    observations, infos = envs.reset(seed=3)
    # The opening has 15 equally frequent rolls, and each player begins half of the games.
    assert (observations[:, 52] > observations[:, 53]).all()
    assert abs(infos["player"].mean() - 0.5) < 0.05
    rng = np.random.default_rng(3)
    observations, *_ = envs.step(random_legal(infos["action_mask"], rng))
    rolls = observations[:, 52].astype(int) * 7 + observations[:, 53]
    values, counts = np.unique(rolls, return_counts=True)
    assert len(values) == 21
    expected = np.where(values // 7 == values % 7, 1, 2) / 36
    np.testing.assert_allclose(counts / 3000, expected, atol=5 * np.sqrt(0.06 / 3000))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_run_is_that_of_gymnasiums_vector_environment(mode):
    """Connect Four has no random numbers: Gymnasium's vector environment of single games must give equal results."""
    count, limit = 5, 13
    options = {"num_envs": count, "max_episode_steps": limit, "illegal_action": "loss"}
    name = "vivarium_ml/ConnectFour-v0"
    theirs = gymnasium.make_vec(name, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **options)
    ours = gymnasium.make_vec(name, autoreset_mode=mode, **options)
    got, expected = ours.reset(seed=1), theirs.reset(seed=1)
    np.testing.assert_array_equal(got[0], expected[0])
    compare_infos(got[1], expected[1])
    rng = np.random.default_rng(4)
    ends = np.zeros(2, int)
    for _ in range(200):
        actions = rng.integers(0, 7, count)
        got, expected = ours.step(actions), theirs.step(actions)
        for a, b in zip(got[:4], expected[:4], strict=True):
            np.testing.assert_array_equal(a, b)
        assert got[4].keys() == expected[4].keys()
        compare_infos(got[4], expected[4])
        ends += got[2].sum(), got[3].sum()
        ended = got[2] | got[3]
        if mode is AutoresetMode.DISABLED and ended.any():
            got = ours.reset(options={"reset_mask": ended.copy()})
            expected = theirs.reset(options={"reset_mask": ended.copy()})
            np.testing.assert_array_equal(got[0], expected[0])
            for key in ("action_mask", "player"):
                np.testing.assert_array_equal(got[1][key][ended], expected[1][key][ended])
    assert (ends > 0).all()


def compare_infos(got, expected):
    """Compares the infos of a vector environment with those of Gymnasium's."""
    for key, value in expected.items():
        if isinstance(value, dict):
            assert got[key].keys() == value.keys()
            compare_infos(got[key], value)
        elif value.dtype == object:
            for a, b in zip(got[key], value, strict=True):
                assert (a is None) == (b is None)
                if a is not None:
                    np.testing.assert_array_equal(a, b)
        else:
            assert got[key].dtype == value.dtype, key
            np.testing.assert_array_equal(got[key], value, err_msg=key)


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_action_is_an_error_that_steps_no_environment(game):
    envs = make_vec(game, 3)
    observations, infos = envs.reset(seed=1)
    while infos["action_mask"][1].all():
        actions = random_legal(infos["action_mask"], np.random.default_rng(5))
        actions[1] = 0
        observations, _, _, _, infos = envs.step(actions)
    rng = np.random.default_rng(5)
    actions = random_legal(infos["action_mask"], rng)
    illegal = int(np.flatnonzero(infos["action_mask"][1] == 0)[0])
    legal = ", ".join(str(action) for action in np.flatnonzero(infos["action_mask"][1])[:12])
    wrong = actions.copy()
    wrong[1] = illegal
    with pytest.raises(ValueError, match=f"the action {illegal} of environment 1 is illegal; legal is one of {legal}"):
        envs.step(wrong)
    np.testing.assert_array_equal(envs.action_masks(), infos["action_mask"])
    envs.step(actions)


@pytest.mark.parametrize(("game", "loss"), [("ConnectFour-v0", -1), ("Backgammon-v0", -3)])
def test_an_illegal_action_can_lose_the_game(game, loss):
    env = BoardGameEnv(game, illegal_action="loss")
    observation, info = env.reset(seed=1)
    while info["action_mask"].all():
        observation, *_, info = env.step(0)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, terminated, truncated, last = env.step(illegal)
    assert (reward, terminated, truncated) == (loss, True, False)
    np.testing.assert_array_equal(after, observation)
    assert last["player"] == info["player"] and not last["action_mask"].any()
    with pytest.raises(ResetNeeded):
        env.step(illegal)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mode", AutoresetMode)
def test_runs_in_each_autoreset_mode(game, mode):
    count, limit = 6, 60
    envs = make_vec(game, count, mode, max_episode_steps=limit)
    rng = np.random.default_rng(6)
    observations, infos = envs.reset(seed=6)
    before = np.zeros(count, bool)
    ends = 0
    for _ in range(150):
        assert observations in envs.observation_space
        assert infos["action_mask"].dtype == np.int8 and infos["player"].dtype == np.int64
        assert infos["_action_mask"].all() and infos["_player"].all()
        np.testing.assert_array_equal(infos["action_mask"].any(axis=1), ~before | (mode is AutoresetMode.SAME_STEP))
        observations, rewards, terminations, truncations, infos = envs.step(random_legal(infos["action_mask"], rng))
        assert (rewards >= 0).all() and not rewards[~terminations].any()
        if mode is AutoresetMode.NEXT_STEP:
            assert not (terminations | truncations)[before].any() and infos["action_mask"][before].any(axis=1).all()
        ended = terminations | truncations
        ends += ended.sum()
        if mode is AutoresetMode.SAME_STEP:
            assert ("final_obs" in infos) == ended.any()
            if ended.any():
                final = infos["final_info"]
                np.testing.assert_array_equal(final["_action_mask"], ended)
                np.testing.assert_array_equal(final["action_mask"].any(axis=1), ended & ~terminations)
                assert all(infos["final_obs"][index] in envs.single_observation_space for index in np.flatnonzero(ended))
        # A truncated game still has legal actions.
        before = terminations
        if mode is AutoresetMode.DISABLED and ended.any():
            with pytest.raises(ResetNeeded, match=f"environment {np.flatnonzero(ended)[0]} has ended"):
                envs.step(np.zeros(count, np.int64))
            observations, infos = envs.reset(options={"reset_mask": ended})
            before = np.zeros(count, bool)
    assert ends > count


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"illegal_action": "ignore"}, ValueError, r"illegal_action is 'ignore'; allowed is 'error' or 'loss'"),
        ({"render_mode": "ansi"}, ValueError, r"render_mode is 'ansi'"),
        ({"task": "Chess-v0"}, ValueError, r"no task 'Chess-v0'; allowed is one of ConnectFour-v0, Backgammon-v0"),
    ],
)
def test_arguments(options, error, message):
    for create in (BoardGameEnv, BoardGameVectorEnv):
        with pytest.raises(error, match=message):
            create(**{"task": "ConnectFour-v0", **options})


def test_an_unknown_option_of_reset():
    for env in (BoardGameEnv("ConnectFour-v0"), BoardGameVectorEnv("ConnectFour-v0", 2)):
        with pytest.raises(ValueError, match="options has the key 'scramble_length'"):
            env.reset(options={"scramble_length": 3})


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(-2, 8), max_size=45))
def test_any_columns(moves):
    env, reference = BoardGameEnv("ConnectFour-v0"), ConnectFourReference()
    env.reset(seed=1)
    is_over = False
    for move in moves:
        is_allowed = not is_over and move in reference.legal()
        try:
            observation, reward, terminated, *_ = env.step(move)
            assert is_allowed
            expected = reference.play(move)
            is_over = expected[1]
            assert (reward, terminated) == expected
            np.testing.assert_array_equal(observation, planes(reference))
        except (ValueError, ResetNeeded) as error:
            assert not is_allowed and ("action" in str(error) or is_over)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 2**32), min_size=1, max_size=80))
def test_backgammon_conserves_checkers_and_pips(seed, choices):
    env = BoardGameEnv("Backgammon-v0")
    observation, info = env.reset(seed=seed)
    for choice in choices:
        (mine, theirs), (high, low, _) = split(observation)
        legal = np.flatnonzero(info["action_mask"])
        action = int(legal[choice % len(legal)])
        after, _, terminated, _, following = env.step(action)
        other = following["player"] != info["player"]
        ours, opponents = split(after)[0][:: -1 if other else 1]
        assert sum(ours) == sum(opponents) == 15
        played = sum(die for source, die in ((action // 26, high), (action % 26, low)) if source)
        pips = [sum(place * count for place, count in enumerate(side)) for side in (mine, ours)]
        assert 0 <= pips[0] - pips[1] <= played
        if ours[0] == mine[0]:
            # Only a checker that is borne off can use fewer pips than its die.
            assert pips[0] - pips[1] == played
        if terminated:
            break
        observation, info = after, following
