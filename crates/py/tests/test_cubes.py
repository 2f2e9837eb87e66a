"""Cubes: turns compared with rotations of sticker coordinates, scrambles, rewards, options."""

import itertools

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers import make_vec
from hypothesis import given, settings
from hypothesis import strategies as st

from vivarium_ml.envs import CUBE_TASKS, CubeEnv, CubeVectorEnv

CUBES = list(CUBE_TASKS)
SIZES = {"Cube2-v0": 2, "Cube3-v0": 3}
# Axis of each face U, R, F, D, L, B and its direction; x to the right, y up, z to the front.
AXES = [(1, 1), (0, 1), (2, 1), (1, -1), (0, -1), (2, -1)]
# Direction of the columns and of the rows of each face, as seen from outside.
COLUMNS = [(1, 0, 0), (0, 0, -1), (1, 0, 0), (1, 0, 0), (0, 0, 1), (-1, 0, 0)]
ROWS = [(0, 0, 1), (0, -1, 0), (0, -1, 0), (0, 0, -1), (0, -1, 0), (0, -1, 0)]


def sticker_places(size):
    """Returns the position of each sticker, `[stickers, 3]`. The edge of a cubelet is 2 units long."""
    places = []
    for (axis, sign), column, row in zip(AXES, COLUMNS, ROWS, strict=True):
        normal = np.eye(3, dtype=int)[axis] * sign
        for below, across in itertools.product(range(size), repeat=2):
            offset = np.array(column) * (2 * across - size + 1) + np.array(row) * (2 * below - size + 1)
            places.append(normal * (size + 1) + offset)
    return np.array(places)


def rotation(axis, sign):
    """Returns the matrix of a clockwise quarter turn, as seen from the end of an axis."""
    matrix = np.zeros((3, 3), dtype=int)
    matrix[axis, axis] = 1
    first, second = (axis + 1) % 3, (axis + 2) % 3
    # Clockwise from outside is a negative rotation about the outward normal.
    matrix[second, first], matrix[first, second] = -sign, sign
    return matrix


def turn_permutations(size, num_actions):
    """Returns the permutation of each action, `[actions, stickers]`: the index from which a sticker gets its color."""
    places = sticker_places(size)
    index = {tuple(place): number for number, place in enumerate(places)}
    permutations = []
    for axis, sign in AXES[: num_actions // 2]:
        matrix = rotation(axis, sign)
        source = np.arange(len(places))
        for number, place in enumerate(places):
            if place[axis] * sign > size - 2:
                source[index[tuple(matrix @ place)]] = number
        permutations += [source, np.argsort(source)]
    return np.array(permutations)


@pytest.fixture(scope="module", params=CUBES)
def task(request):
    return CUBE_TASKS[request.param]


@pytest.fixture(scope="module")
def permutations(task):
    return turn_permutations(SIZES[task.name], task.num_actions)


def solved(task):
    """Returns the colors of the solved cube."""
    return np.repeat(np.arange(6), SIZES[task.name] ** 2).astype(np.uint8)


def test_turns_rotate_the_stickers_of_a_layer(task, permutations):
    envs = make_vec(task.name, 200, AutoresetMode.DISABLED)
    before, _ = envs.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(10):
        actions = rng.integers(0, task.num_actions, 200)
        expected = np.take_along_axis(before, permutations[actions], axis=1)
        after, rewards, terminations, *_ = envs.step(actions)
        np.testing.assert_array_equal(after, expected)
        is_solved = (after == solved(task)).all(axis=1)
        np.testing.assert_array_equal(terminations, is_solved)
        np.testing.assert_array_equal(rewards, np.where(is_solved, 0, -1))
        if is_solved.any():
            after, _ = envs.reset(options={"reset_mask": terminations})
        before = after


def test_the_names_of_actions(task):
    names = ["U", "U'", "R", "R'", "F", "F'", "D", "D'", "L", "L'", "B", "B'"]
    assert task.action_names == tuple(names[: task.num_actions])


def test_one_turn_solves_a_scramble_of_one_turn(task):
    env = CubeEnv(task.name, scramble_length=1)
    for seed in range(20):
        solutions = 0
        for action in range(task.num_actions):
            env.reset(seed=seed)
            _, reward, terminated, truncated, info = env.step(action)
            assert (reward, truncated, info) == (0 if terminated else -1, False, {})
            solutions += terminated
        assert solutions == 1


@pytest.mark.parametrize("length", [1, 2, 3])
def test_scrambles_have_the_given_length(task, permutations, length):
    """Scrambles reach exactly the states of all walks of this length in which no turn undoes the previous turn."""
    num_actions = task.num_actions
    walks = [
        walk
        for walk in itertools.product(range(num_actions), repeat=length)
        if all(a != b ^ 1 for a, b in itertools.pairwise(walk))
    ]
    expected = set()
    for walk in walks:
        colors = solved(task)
        for action in walk:
            colors = colors[permutations[action]]
        if (colors != solved(task)).any():
            expected.add(colors.tobytes())
    envs = make_vec(task.name, 40_000, scramble_length=length)
    assert envs.scramble_length == length
    got = {row.tobytes() for row in envs.reset(seed=4)[0]}
    assert got == expected


def test_every_color_is_on_as_many_stickers_as_in_the_solved_cube(task):
    observations, _ = make_vec(task.name, 500).reset(seed=5)
    np.testing.assert_array_equal(np.sort(observations, axis=1), np.tile(solved(task), (500, 1)))
    assert len({row.tobytes() for row in observations}) > 490


def test_the_scramble_length_is_an_option_of_reset(task, permutations):
    envs = make_vec(task.name, 8, AutoresetMode.SAME_STEP, max_episode_steps=1)
    assert envs.scramble_length == task.scramble_length
    one_turn = {solved(task)[permutation].tobytes() for permutation in permutations}
    assert not {row.tobytes() for row in envs.reset(seed=1)[0]} & one_turn
    observations, _ = envs.reset(options={"scramble_length": 1})
    assert envs.scramble_length == 1
    for _ in range(5):
        # The time limit of one step ends all episodes; the next episodes begin with scrambles of one turn too.
        assert {row.tobytes() for row in observations} <= one_turn
        observations, _, _, truncations, _ = envs.step(np.zeros(8, np.int64))
        assert truncations.all()
    mask = np.zeros(8, bool)
    mask[2] = True
    envs.reset(options={"scramble_length": 9, "reset_mask": mask})
    assert envs.scramble_length == 9
    with pytest.raises(TypeError, match="reset_mask must be"):
        envs.reset(options={"scramble_length": 3, "reset_mask": None})
    assert envs.scramble_length == 9
    env = CubeEnv(task.name, scramble_length=3)
    env.reset(seed=1, options={"scramble_length": 2})
    assert env.scramble_length == 2


def test_one_hot_observations(task):
    colors, _ = make_vec(task.name, 50).reset(seed=8)
    envs = make_vec(task.name, 50, observation="one_hot")
    one_hot, _ = envs.reset(seed=8)
    assert one_hot in envs.observation_space and one_hot.dtype == np.uint8
    np.testing.assert_array_equal(one_hot, np.eye(6, dtype=np.uint8)[colors])
    env = gymnasium.make(f"vivarium_ml/{task.name}", observation="one_hot")
    assert env.reset(seed=8)[0] in env.observation_space


def test_the_time_limit_truncates(task):
    envs = make_vec(task.name, 4, AutoresetMode.NEXT_STEP, max_episode_steps=3)
    envs.reset(seed=1)
    flags = [envs.step(np.arange(4))[3].tolist() for _ in range(4)]
    assert flags == [[False] * 4, [False] * 4, [True] * 4, [False] * 4]
    assert make_vec(task.name, 4).max_episode_steps == task.max_episode_steps
    assert gymnasium.make(f"vivarium_ml/{task.name}").spec.max_episode_steps == task.max_episode_steps


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"scramble_length": 0}, ValueError, r"scramble_length is 0; allowed is a whole number from 1 to 1000"),
        ({"scramble_length": 1001}, ValueError, r"scramble_length is 1001"),
        ({"scramble_length": 2.0}, TypeError, r"scramble_length is 2.0 \(float\)"),
        ({"observation": "rgb"}, ValueError, r"observation is 'rgb'; allowed is 'colors' or 'one_hot'"),
        ({"render_mode": "human"}, ValueError, r"render_mode is 'human'; allowed is None or 'rgb_array'"),
    ],
)
def test_arguments(options, error, message):
    for create in (CubeEnv, CubeVectorEnv):
        with pytest.raises(error, match=message):
            create("Cube2-v0", **options)
    if "scramble_length" in options:
        for env in (CubeEnv("Cube2-v0"), CubeVectorEnv("Cube2-v0", 2)):
            with pytest.raises(error, match=message):
                env.reset(options=options)
    with pytest.raises(ValueError, match=r"no task 'Cube4-v0'; allowed is one of Cube2-v0, Cube3-v0"):
        CubeVectorEnv("Cube4-v0")


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 5), max_size=30), st.integers(1, 30))
def test_a_sequence_of_turns_can_be_undone(seed, turns, length):
    for name in CUBES:
        env = CubeEnv(name, scramble_length=length)
        first, _ = env.reset(seed=seed)
        made = []
        for turn in turns:
            observation, _, terminated, *_ = env.step(turn)
            made.append(turn)
            if terminated:
                break
        else:
            for turn in reversed(made):
                observation, _, terminated, *_ = env.step(turn ^ 1)
            np.testing.assert_array_equal(observation if made else first, first)
