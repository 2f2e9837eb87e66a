"""Pictures of the environments, and drawing of shapes."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from helpers import make_vec
from hypothesis import given, settings
from hypothesis import strategies as st

from vivarium_ml.envs import BOARD_GAME_TASKS, CONTROL_TASKS, CUBE_TASKS
from vivarium_ml.envs.drawing import Canvas

TASKS = [*CONTROL_TASKS, *CUBE_TASKS, *BOARD_GAME_TASKS]
POINTS = st.tuples(st.floats(10, 90), st.floats(10, 90))


def area(draw):
    """Returns the area of a drawn shape in pixels; a partly covered pixel counts as its covered fraction."""
    canvas = Canvas(100, 100, "#000000")
    draw(canvas)
    image = canvas.image()
    assert image.shape == (100, 100, 3) and image.dtype == np.uint8
    assert (image[..., :1] == image).all()
    return image[..., 0].sum() / 255


@settings(deadline=None)
@given(POINTS, st.floats(2, 60))
def test_the_area_of_a_circle(center, radius):
    visible = area(lambda canvas: canvas.circle(center, radius, "#ffffff"))
    # The edge is approximate: less than a tenth of a pixel.
    expected, error = np.pi * radius**2, 0.08 * 2 * np.pi * radius
    if radius <= min(*center, 100 - center[0], 100 - center[1]) - 1:
        assert visible == pytest.approx(expected, abs=error)
    else:
        assert 0 < visible <= expected + error


@settings(deadline=None)
@given(st.lists(POINTS, min_size=3, max_size=3))
def test_the_area_of_a_triangle(points):
    (ax, ay), (bx, by), (cx, cy) = points
    expected = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
    edges = sum(np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in zip(points, [*points[1:], points[0]], strict=True))
    got = [area(lambda canvas, order=order: canvas.polygon(order, "#ffffff")) for order in (points, points[::-1])]
    # Both orientations are the same shape. The corners are approximate.
    assert got[0] == pytest.approx(got[1], abs=0.1 + 0.01 * edges)
    if expected > 50:
        assert got[0] == pytest.approx(expected, abs=2 + 0.08 * edges)


def test_the_areas_of_lines_and_rectangles():
    line = area(lambda canvas: canvas.line((20.5, 30), (70.5, 30), 10, "#ffffff"))
    assert line == pytest.approx(50 * 10 + np.pi * 25, rel=0.01)
    assert area(lambda canvas: canvas.rectangle(10, 20, 40, 60, "#ffffff")) == pytest.approx(30 * 40, rel=1e-3)
    rounded = area(lambda canvas: canvas.rectangle(10, 20, 40, 60, "#ffffff", 5))
    assert rounded == pytest.approx(30 * 40 - (4 - np.pi) * 25, rel=0.01)
    assert area(lambda canvas: canvas.area_below(np.full(100, 60.5), "#ffffff")) == pytest.approx(3950, rel=1e-3)
    assert area(lambda canvas: canvas.ring((50, 50), 30, 4, "#ffffff")) == pytest.approx(2 * np.pi * 30 * 4, rel=0.01)
    assert area(lambda canvas: canvas.circle((200, -50), 20, "#ffffff")) == 0


@pytest.mark.parametrize("task", TASKS)
def test_pictures_show_the_state(task):
    env = gymnasium.make(f"vivarium_ml/{task}", render_mode="rgb_array", disable_env_checker=True)
    env.action_space.seed(1)
    env.reset(seed=1)
    first = env.render()
    assert first.dtype == np.uint8 and first.ndim == 3 and first.shape[2] == 3 and min(first.shape[:2]) >= 256
    np.testing.assert_array_equal(env.render(), first)
    for _ in range(3):
        mask = env.unwrapped.action_masks() if task in BOARD_GAME_TASKS else None
        action = int(np.flatnonzero(mask)[-1]) if mask is not None else env.action_space.sample()
        if env.step(action)[2]:
            break
    else:
        if not task.startswith("FrozenLake"):
            assert not np.array_equal(env.render(), first)
    assert gymnasium.make(f"vivarium_ml/{task}").unwrapped.render_mode is None


@pytest.mark.parametrize("task", TASKS)
def test_a_vector_environment_returns_a_picture_of_each_environment(task):
    envs = make_vec(task, 2, AutoresetMode.DISABLED, render_mode="rgb_array")
    envs.reset(seed=1)
    frames = envs.render()
    assert isinstance(frames, tuple) and len(frames) == 2
    assert frames[0].shape == frames[1].shape and frames[0].dtype == np.uint8
    plain = make_vec(task, 2)
    plain.reset(seed=1)
    assert plain.render() is None
    if task in CONTROL_TASKS:
        single = gymnasium.make(f"vivarium_ml/{task}", render_mode="rgb_array", disable_env_checker=True)
        single.reset(seed=2)
        single.unwrapped.set_state(envs.states()[1])
        np.testing.assert_array_equal(single.render(), frames[1])


@pytest.mark.parametrize("task", CONTROL_TASKS)
@settings(deadline=None, max_examples=20)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=4, max_size=4))
def test_any_state_has_a_picture(task, state):
    env = gymnasium.make(f"vivarium_ml/{task}", render_mode="rgb_array", disable_env_checker=True)
    env.reset(seed=1)
    env.unwrapped.set_state(state[: len(CONTROL_TASKS[task].state_names)])
    assert env.render().dtype == np.uint8


def test_the_colors_of_a_solved_cube_and_of_stones():
    env = gymnasium.make("vivarium_ml/ConnectFour-v0", render_mode="rgb_array", disable_env_checker=True)
    env.reset()
    env.step(0)
    env.step(6)
    image = env.render().astype(int)
    # The first player has red stones, the second player yellow stones; both stones are in the lowest row.
    red, yellow = image[440 + 17, 55 + 8], image[440 + 17, 475 + 8]
    assert red[0] > 180 > 100 > red[1] and yellow[0] > 180 < yellow[1] and yellow[2] < 100


def test_a_taller_pole_is_drawn_longer():
    images = []
    for half_length in (0.25, 0.5):
        env = gymnasium.make(
            "vivarium_ml/CartPole-v1", render_mode="rgb_array", pole_half_length=half_length, disable_env_checker=True
        )
        env.reset(seed=1)
        env.unwrapped.set_state([0, 0, 0, 0])
        images.append(env.render())
    changed = np.flatnonzero((images[0] != images[1]).any(axis=(1, 2)))
    assert 40 < len(changed) < 80
