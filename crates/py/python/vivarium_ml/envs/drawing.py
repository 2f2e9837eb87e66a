"""Pictures of flat shapes with antialiased edges.

The coverage of a pixel is estimated from the signed distance of its center to the edge of the shape. Coordinates are in
pixels, x to the right and y down; the pixel in row i and column j has its center at (j + 0.5, i + 0.5).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Point = tuple[float, float]
Color = str


def rgb(color: Color) -> NDArray[np.float32]:
    """Returns the red, green and blue parts from 0 to 1 of a color such as `#2f6fdb`."""
    return np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float32) / np.float32(255)


class Canvas:
    """Picture of `width` × `height` pixels. Later shapes cover earlier ones."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        self._pixels = np.tile(rgb(background), (height, width, 1))

    def image(self) -> NDArray[np.uint8]:
        """Returns the picture, shape `(height, width, 3)`."""
        return (self._pixels * 255 + 0.5).astype(np.uint8)

    def circle(self, center: Point, radius: float, color: Color) -> None:
        """Draws a filled circle."""
        x, y = self._box([center], radius)
        self._fill(x, y, np.hypot(x - center[0], y - center[1]) - radius, color)

    def ring(self, center: Point, radius: float, width: float, color: Color) -> None:
        """Draws a circle line of the given width, whose middle has the given radius."""
        x, y = self._box([center], radius + width)
        self._fill(x, y, np.abs(np.hypot(x - center[0], y - center[1]) - radius) - width / 2, color)

    def line(self, start: Point, end: Point, width: float, color: Color) -> None:
        """Draws a line with round ends."""
        x, y = self._box([start, end], width / 2)
        (dx, dy), (px, py) = (end[0] - start[0], end[1] - start[1]), (x - start[0], y - start[1])
        along = np.clip((px * dx + py * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
        self._fill(x, y, np.hypot(px - along * dx, py - along * dy) - width / 2, color)

    def polygon(self, points: Sequence[Point], color: Color, rounding: float = 0.0) -> None:
        """Draws a filled convex polygon, enlarged by `rounding` pixels with rounded corners."""
        x, y = self._box(points, rounding)
        ends = [*points[1:], points[0]]
        area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, ends, strict=True))
        inside = np.full(np.broadcast_shapes(x.shape, y.shape), -np.inf)
        outside = np.full_like(inside, np.inf)
        for (ax, ay), (bx, by) in zip(points, ends, strict=True):
            dx, dy = bx - ax, by - ay
            length = max(float(np.hypot(dx, dy)), 1e-9)
            across = ((x - ax) * dy - (y - ay) * dx) / length * np.sign(area)
            along = np.clip(((x - ax) * dx + (y - ay) * dy) / length**2, 0, 1)
            inside = np.maximum(inside, across)
            outside = np.minimum(outside, np.hypot(x - ax - along * dx, y - ay - along * dy))
        self._fill(x, y, np.where(inside > 0, outside, inside) - rounding, color)

    def rectangle(self, left: float, top: float, right: float, bottom: float, color: Color, rounding: float = 0) -> None:
        """Draws a filled rectangle, whose corners are rounded with the radius `rounding`."""
        left, top, right, bottom = left + rounding, top + rounding, right - rounding, bottom - rounding
        self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], color, rounding)

    def area_below(self, heights: ArrayLike, color: Color) -> None:
        """Fills each column from the y coordinate `heights` `[width]` down to the bottom."""
        rows = np.arange(self._pixels.shape[0], dtype=np.float32)[:, np.newaxis] + 0.5
        coverage = np.clip(rows - np.asarray(heights, dtype=np.float32) + 0.5, 0, 1)[..., np.newaxis]
        self._pixels += coverage * (rgb(color) - self._pixels)

    def _box(self, points: Sequence[Point], margin: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the pixel centers near `points` as a row of x and a column of y coordinates."""
        height, width, _ = self._pixels.shape
        xs, ys = zip(*points, strict=True)
        x, y = (
            np.arange(
                np.clip(np.floor(min(values) - margin - 1), 0, size),
                np.clip(np.ceil(max(values) + margin + 1), 0, size),
                dtype=np.float64,
            )
            + 0.5
            for values, size in ((xs, width), (ys, height))
        )
        return x[np.newaxis], y[:, np.newaxis]

    def _fill(self, x: NDArray[np.float64], y: NDArray[np.float64], distance: NDArray[np.floating], color: Color) -> None:
        """Colors the pixels with the centers `x` and `y`, given the signed distance of each to the edge of the shape."""
        if x.size == 0 or y.size == 0:
            return
        left, top = int(x[0, 0]), int(y[0, 0])
        part = self._pixels[top : top + y.shape[0], left : left + x.shape[1]]
        part += np.clip(0.5 - distance, 0, 1)[..., np.newaxis] * (rgb(color) - part)
