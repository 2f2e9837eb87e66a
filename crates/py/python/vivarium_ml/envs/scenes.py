"""Drawing of environment states as pictures for `render()`."""

from collections.abc import Callable
from math import cos, hypot, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vivarium_ml.envs.drawing import Canvas, Color, Point
from vivarium_ml.envs.game_tasks import GameTask
from vivarium_ml.envs.tasks import ControlTask

_PAPER, _INK, _STEEL, _SHADE = "#f4f2ec", "#232733", "#8b93a3", "#dedad0"
_BLUE, _RED, _YELLOW, _GREEN, _ORANGE = "#2f6fd6", "#d8453b", "#f0bf2c", "#2f9a5b", "#ee8434"


def control_picture(task: ControlTask, state: NDArray[np.float32], params: dict[str, Any]) -> NDArray[np.uint8]:
    """Returns the picture of a classic-control environment with the given state and physical parameters."""
    values = [float(value) for value in state]
    return _CONTROL_SCENES[task.world](values, {**task.parameters, **params})


def _cartpole(state: list[float], params: dict[str, Any]) -> NDArray[np.uint8]:
    canvas = Canvas(600, 400, _PAPER)
    scale, track = 118.0, 300.0
    x, angle = 300 + scale * state[0], state[2]
    canvas.rectangle(0, track + 26, 600, 400, _SHADE)
    for limit in (-2.4, 2.4):
        canvas.line((300 + scale * limit, track + 12), (300 + scale * limit, track + 26), 3, _STEEL)
    canvas.line((0, track + 26), (600, track + 26), 3, _INK)
    for wheel in (-22, 22):
        canvas.circle((x + wheel, track + 16), 9, _INK)
    canvas.rectangle(x - 38, track - 16, x + 38, track + 14, _BLUE, 7)
    length = 2 * scale * float(params["pole_half_length"])
    tip = (x + length * sin(angle), track - 10 - length * cos(angle))
    canvas.line((x, track - 10), tip, 11, _ORANGE)
    canvas.circle((x, track - 10), 5, _PAPER)
    return canvas.image()


def _mountain_car(state: list[float], _: dict[str, Any]) -> NDArray[np.uint8]:
    canvas = Canvas(600, 400, _PAPER)
    scale = 600 / 1.8

    def ground(position: float) -> float:
        return 398 - scale * (0.45 * sin(3 * position) + 0.55)

    heights = [ground((column + 0.5) / scale - 1.2) for column in range(600)]
    canvas.area_below(heights, _SHADE)
    for column in range(0, 600, 4):
        start, end = column, min(column + 4, 599)
        canvas.line((start, heights[start]), (end, heights[end]), 3, _INK)
    flag = scale * (0.5 + 1.2)
    base = ground(0.5)
    canvas.line((flag, base), (flag, base - 55), 3, _INK)
    canvas.polygon([(flag + 1, base - 55), (flag + 30, base - 45), (flag + 1, base - 35)], _GREEN)
    position = state[0]
    slope = -3 * 0.45 * cos(3 * position)
    norm = hypot(1, slope)
    along, up = (1 / norm, slope / norm), (slope / norm, -1 / norm)
    foot = (scale * (position + 1.2), ground(position) - 1)

    def at(forward: float, above: float) -> Point:
        return foot[0] + forward * along[0] + above * up[0], foot[1] + forward * along[1] + above * up[1]

    canvas.polygon([at(-11, 20), at(9, 20), at(14, 15), at(-13, 15)], _STEEL, 3)
    canvas.polygon([at(-19, 9), at(19, 9), at(19, 14), at(-19, 14)], _BLUE, 4)
    for wheel in (-12, 12):
        canvas.circle(at(wheel, 7), 7, _INK)
        canvas.circle(at(wheel, 7), 2.5, _PAPER)
    return canvas.image()


def _pendulum(state: list[float], params: dict[str, Any]) -> NDArray[np.uint8]:
    canvas = Canvas(500, 500, _PAPER)
    angle = state[0]
    # A rod of the default length (1 m) or more is drawn 190 pixels long; shorter rods are drawn to scale.
    length = 190 * min(1.0, float(params["length"]))
    tip = (250 - length * sin(angle), 250 - length * cos(angle))
    canvas.ring((250, 250), length, 1.5, _SHADE)
    canvas.line((250, 250), tip, 26, _RED)
    canvas.circle((250, 250), 7, _INK)
    return canvas.image()


def _acrobot(state: list[float], _: dict[str, Any]) -> NDArray[np.uint8]:
    canvas = Canvas(500, 500, _PAPER)
    scale, pivot = 110.0, (250.0, 250.0)

    def end(start: Point, angle: float) -> Point:
        return start[0] + scale * sin(angle), start[1] + scale * cos(angle)

    for left in range(6, 500, 16):
        canvas.line((left, 250 - scale), (left + 7, 250 - scale), 2, _GREEN)
    elbow = end(pivot, state[0])
    tip = end(elbow, state[0] + state[1])
    canvas.line(pivot, elbow, 18, _BLUE)
    canvas.line(elbow, tip, 18, _ORANGE)
    for joint in (pivot, elbow):
        canvas.circle(joint, 5, _PAPER)
    return canvas.image()


def _frozen_lake(state: list[float], params: dict[str, Any]) -> NDArray[np.uint8]:
    rows = str(params["map"]).split("/")
    size = 512 // max(len(rows), len(rows[0]))
    canvas = Canvas(size * len(rows[0]), size * len(rows), "#c9dce8")
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            left, top = column * size, row * size
            middle = (left + size / 2, top + size / 2)
            canvas.rectangle(left + 1.5, top + 1.5, left + size - 1.5, top + size - 1.5, "#eaf3f8", size * 0.06)
            if tile == "H":
                canvas.circle(middle, size * 0.36, "#a9c6d8")
                canvas.circle((middle[0], middle[1] + size * 0.02), size * 0.33, "#1f4e79")
            elif tile == "S":
                canvas.rectangle(left + size * 0.3, top + size * 0.3, left + size * 0.7, top + size * 0.7, "#c9dce8", 4)
            elif tile == "G":
                pole = left + size * 0.36
                canvas.line((pole, top + size * 0.2), (pole, top + size * 0.8), size * 0.045, _INK)
                tip = (pole + size * 0.36, top + size * 0.34)
                canvas.polygon([(pole, top + size * 0.2), tip, (pole, top + size * 0.48)], _GREEN)
    x, y = (state[0] + 0.5) * size, (state[1] + 0.5) * size
    canvas.rectangle(x - size * 0.15, y - size * 0.02, x + size * 0.15, y + size * 0.28, _RED, size * 0.1)
    canvas.circle((x, y - size * 0.12), size * 0.12, _INK)
    return canvas.image()


_CONTROL_SCENES: dict[str, Callable[[list[float], dict[str, Any]], NDArray[np.uint8]]] = {
    "cartpole": _cartpole,
    "mountain-car": _mountain_car,
    "pendulum": _pendulum,
    "acrobot": _acrobot,
    "frozen-lake": _frozen_lake,
    "frozen-lake-8x8": _frozen_lake,
}

_STICKER_COLORS = ("#f7f7f2", "#c8302c", "#259b4e", "#f3cf2b", "#f07f23", "#2360c4")
# Top left corner, direction to the right and direction down of each face as seen from outside; x to the right, y up, z
# to the front.
_FACES = np.array(
    [
        [(-1, 1, -1), (2, 0, 0), (0, 0, 2)],
        [(1, 1, 1), (0, 0, -2), (0, -2, 0)],
        [(-1, 1, 1), (2, 0, 0), (0, -2, 0)],
        [(-1, -1, 1), (2, 0, 0), (0, 0, -2)],
        [(-1, 1, -1), (0, 0, 2), (0, -2, 0)],
        [(1, 1, -1), (-2, 0, 0), (0, -2, 0)],
    ],
    dtype=float,
)


def cube_picture(colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the picture of a cube with the sticker colors `[stickers]`: the faces U, F and R on the left, and the
    faces D, B and L on the right: the cube upside down, from the opposite corner."""
    canvas = Canvas(600, 340, _PAPER)
    width = round((len(colors) / 6) ** 0.5)
    for center, sign, faces in ((155.0, 1, (0, 2, 1)), (445.0, -1, (3, 5, 4))):
        for face in faces:
            corner, right, down = _FACES[face]

            def at(across: float, below: float) -> Point:
                x, y, z = corner + right * across + down * below
                return center + 86 * (x - z) / 2**0.5, 170 + 86 * sign * (x - 2 * y + z) / 6**0.5

            canvas.polygon([at(0, 0), at(1, 0), at(1, 1), at(0, 1)], _INK, 3)
            for sticker, color in enumerate(colors[face * width**2 :][: width**2]):
                row, column = divmod(sticker, width)
                near, far = 0.09, 0.91
                corners = [(near, near), (far, near), (far, far), (near, far)]
                points = [at((column + u) / width, (row + v) / width) for u, v in corners]
                canvas.polygon(points, _STICKER_COLORS[color], 1.5)
    return canvas.image()


def board_game_picture(task: GameTask, observation: NDArray[np.uint8], player: int) -> NDArray[np.uint8]:
    """Returns the picture of a board game, given the observation from the view of player 0 and the player to move."""
    if task.game == "connect-four":
        return _connect_four(observation, player)
    return _backgammon(observation, player)


_STONES = (_RED, _YELLOW)
_STONE_RIMS = ("#b5352d", "#cf9f17")


def _connect_four(stones: NDArray[np.uint8], player: int) -> NDArray[np.uint8]:
    cell, margin, head = 70, 20, 64
    rows, columns, _ = stones.shape
    canvas = Canvas(columns * cell + 2 * margin, rows * cell + 2 * margin + head, _PAPER)
    canvas.circle((margin + columns * cell / 2, margin + head / 2 - 8), 15, _STONES[player])
    top = margin + head - 12
    canvas.rectangle(margin - 8, top - 8, margin + columns * cell + 8, top + rows * cell + 8, "#1f4fa8", 18)
    for row in range(rows):
        for column in range(columns):
            center = (margin + (column + 0.5) * cell, top + (row + 0.5) * cell)
            canvas.circle(center, 30, "#183f88")
            taken = np.flatnonzero(stones[row, column])
            canvas.circle(center, 27, _STONES[taken[0]] if len(taken) else _PAPER)
            if len(taken):
                canvas.ring(center, 18, 3, _STONE_RIMS[taken[0]])
    return canvas.image()


_CHECKERS: tuple[Color, Color] = ("#f3ead7", "#2b2f3a")
_CHECKER_RIMS: tuple[Color, Color] = ("#b9a987", "#5b6374")
_WOOD, _FELT, _LIGHT_POINT, _DARK_POINT = "#5b3a26", "#2e6b57", "#d9c39a", "#a5452f"


def _backgammon(observation: NDArray[np.uint8], player: int) -> NDArray[np.uint8]:
    """Draws a backgammon board. Player 0 has the light checkers, moves from point 24 at the top right, and has the home
    board at the bottom right."""
    mine, theirs, dice = observation[:26], observation[26:52], observation[52:]
    cell, bar, edge, height = 44, 44, 18, 420
    half = 6 * cell
    width = 2 * edge + 2 * half + bar + 52
    canvas = Canvas(width, height + 2 * edge, _WOOD)
    for left in (edge, edge + half + bar):
        canvas.rectangle(left, edge, left + half, edge + height, _FELT)
    tray = edge + 2 * half + bar + 8
    canvas.rectangle(tray, edge, tray + 36, edge + height, "#40281a")

    def column(point: int) -> float:
        """Returns the x coordinate of the middle of a point in the numbering of player 0."""
        place = 12 - point if point <= 12 else point - 13
        return edge + (place + 0.5) * cell + (bar if place >= 6 else 0)

    def stack(x: float, count: int, side: int, from_top: bool, radius: float = 20, room: float = 185) -> None:
        """Draws `count` checkers of player `side`, from the edge to the middle of the board."""
        step = min(2 * radius, (room - 2 * radius) / max(count - 1, 1))
        for index in range(count):
            below = radius + 2 + index * step
            center = (x, edge + below if from_top else edge + height - below)
            canvas.circle(center, radius - 0.5, _CHECKER_RIMS[side])
            canvas.circle(center, radius - 2.5, _CHECKERS[side])

    for point in range(1, 25):
        x, is_top = column(point), point > 12
        base, tip = (edge, edge + 175) if is_top else (edge + height, edge + height - 175)
        color = _LIGHT_POINT if point % 2 else _DARK_POINT
        canvas.polygon([(x - cell / 2 + 1, base), (x + cell / 2 - 1, base), (x, tip)], color)
        stack(x, int(mine[point]), 0, is_top)
        stack(x, int(theirs[25 - point]), 1, is_top)
    middle = edge + half + bar / 2
    stack(middle, int(mine[25]), 0, True)
    stack(middle, int(theirs[25]), 1, False)
    for count, side in ((int(mine[0]), 0), (int(theirs[0]), 1)):
        for index in range(count):
            top = edge + height - 12 * (index + 1) if side == 0 else edge + 12 * index + 2
            canvas.rectangle(tray + 2, top, tray + 34, top + 10, _CHECKERS[side], 3)
    if dice[0]:
        center = edge + half + bar + half / 2 if player == 0 else edge + half / 2
        for value, x in zip(dice[:2], (center - 24, center + 24), strict=True):
            _die(canvas, int(value), (x, edge + height / 2), player)
    return canvas.image()


def _die(canvas: Canvas, value: int, center: Point, player: int) -> None:
    """Draws a die of `player`, 36 pixels wide."""
    x, y = center
    canvas.rectangle(x - 18, y - 18, x + 18, y + 18, _CHECKERS[player], 6)
    pips = {
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    }
    for across, below in pips[value]:
        canvas.circle((x + 9.5 * across, y + 9.5 * below), 3.4, _CHECKERS[1 - player])
