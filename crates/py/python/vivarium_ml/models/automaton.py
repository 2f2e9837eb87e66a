"""Trained logic automata."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vivarium_ml._core import NativeAutomaton
from vivarium_ml.arguments import MAX_SEED, whole_number
from vivarium_ml.models.base import MAX_COUNT, TrainedModel


@dataclass(frozen=True)
class CircuitInfo:
    """Size of the circuit of an automaton. All cells evaluate the same circuit over their 3×3 neighborhoods.

    Attributes:
        channels: number of bits of a cell.
        gates: number of gates after simplification, which removes unused, constant and redundant gates.
        original_gates: number of gates before simplification.
        depth: largest number of gates on a path from an input to an output.
        functions: number of gates by Boolean function, such as `{"AND": 3, "XOR": 2}`.
    """

    channels: int
    gates: int
    original_gates: int
    depth: int
    functions: dict[str, int]


class Automaton(TrainedModel):
    """Trained logic automaton: a cellular automaton whose cells evaluate a learned circuit of logic gates.

    A state has the shape `(n, height, width, channels)` or, for a single board, `(height, width, channels)`, of any height
    and width. Its values are bits: `bool`, or `uint8` 0 and 1.

    Attributes:
        circuit: size of the circuit.
        height: number of rows of a training board.
        width: number of columns of a training board.
        border: boundary condition: `periodic`, or `fixed` for boards that are surrounded by zeros.
        fire_rate: probability that a cell is updated in a step.
        rollout_steps: number of automaton steps after which training compares a board with the target.
        target_channels: number of channels that show the target: the first ones, 1 or 3 (red, green, blue).
    """

    _native: NativeAutomaton
    _native_class = NativeAutomaton

    def __init__(self, checkpoint: bytes) -> None:
        super().__init__(checkpoint)
        info = self._native.info
        self.circuit = CircuitInfo(**info["circuit"])
        self.height = int(info["height"])
        self.width = int(info["width"])
        self.border = str(info["border"])
        self.fire_rate = float(info["fire_rate"])
        self.rollout_steps = int(info["rollout_steps"])
        self.target_channels = int(info["target_channels"])

    def initial_state(self, n: int = 1, *, seed: int = 1) -> NDArray[np.bool_]:
        """Returns boards in the initial state of training, `bool` of shape `(n, height, width, channels)`.

        A run that trains on single 3×3 neighborhoods has random boards of 64 × 64 cells.

        Args:
            n: number of boards.
            seed: seed of random initial states.

        Raises:
            ValueError: for a value that is not allowed, or boards that need more than 1 GiB.
        """
        boards = self._native.initial_state(whole_number("n", n, 1, MAX_COUNT), whole_number("seed", seed, 0, MAX_SEED))
        return boards.view(np.bool_)

    def step(
        self, state: ArrayLike, steps: int = 1, *, seed: int | None = None, first_step: int = 0
    ) -> NDArray[np.bool_] | NDArray[np.uint8]:
        """Returns the state after some steps of the automaton.

        Args:
            state: see `Automaton`.
            steps: number of steps.
            seed: seed of the updated cells, if the fire rate is below 1; random by default.
            first_step: number of the first step. The updated cells depend on seed, number of the step, and position in
                the batch alone: `step(step(x, 3, seed=1), 2, seed=1, first_step=3)` equals `step(x, 5, seed=1)`.

        Returns:
            An array with the shape and the dtype of `state`.

        Raises:
            ValueError: for a state of the wrong shape, with values other than 0 and 1, or of more than 1 GiB.
            TypeError: for a state of another dtype.
        """
        array = np.asarray(state)
        channels = self.circuit.channels
        if array.dtype not in (np.bool_, np.uint8):
            raise TypeError(f"state has the dtype {array.dtype}; expected bool or uint8")
        if array.ndim not in (3, 4) or array.shape[-1] != channels:
            expected = f"(n, height, width, {channels}) or (height, width, {channels})"
            raise ValueError(f"state has the shape {array.shape}; expected {expected}")
        steps = whole_number("steps", steps, 0, MAX_COUNT)
        first_step = whole_number("first_step", first_step, 0, MAX_COUNT)
        if seed is None:
            seed = int(np.random.default_rng().integers(2**63))
        seed = whole_number("seed", seed, 0, MAX_SEED)
        if array.shape[0] == 0 and array.ndim == 4:
            return array.copy()
        boards = array if array.ndim == 4 else array[np.newaxis]
        after = self._native.step(boards.view(np.uint8), steps, seed, first_step).view(array.dtype)
        return after if array.ndim == 4 else after[0]

    def verilog(self) -> str:
        """Returns the simplified circuit as a Verilog module."""
        return self._native.verilog()

    def json(self) -> str:
        """Returns the simplified circuit as JSON, the format of the circuit files of the program and the page."""
        return self._native.json()

    def _writers(self) -> dict[str, Callable[[Path], object]]:
        return {
            "json": lambda path: path.write_bytes(self.json().encode()),
            "verilog": lambda path: path.write_bytes(self.verilog().encode()),
        }

    def __repr__(self) -> str:
        return f"Automaton(channels={self.circuit.channels}, gates={self.circuit.gates}, steps={self.steps})"
