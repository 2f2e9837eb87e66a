"""Trained models of checkpoints."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vivarium_ml._core import (
    NativeAutomaton,
    NativeLanguageModel,
    NativePlayer,
    NativePolicy,
    NativeSolver,
    checkpoint_header,
    experiment_info,
    onnx,
)
from vivarium_ml.arguments import MAX_SEED, whole_number

_MAX_COUNT = 2**31 - 1


class _TrainedModel:
    """Base class of all models: the experiment and number of training steps of the checkpoint, and export."""

    def __init__(self, checkpoint: bytes) -> None:
        self._checkpoint = checkpoint
        self.experiment, self.steps = checkpoint_header(checkpoint)

    def export(self, format: str, path: str | os.PathLike[str]) -> None:
        """Writes the model in a format of other programs. Existing files are replaced.

        Args:
            format: `onnx`: the network, with the normalization of its inputs (opset 17). A `LanguageModel` also has
                `huggingface`: a folder that the library transformers opens as GPT-2. An `Automaton` has no network; its
                formats are `json` and `verilog`.
            path: the file, or the folder, which is created if it does not exist.

        Raises:
            ValueError: for a format that the model does not have, or a config that the format cannot represent.
            OSError: if a file cannot be written.
        """
        writers = self._writers()
        if format not in writers:
            allowed = " or ".join(map(repr, writers))
            raise ValueError(f"format is {format!r}; allowed for a run of {self.experiment} is {allowed}")
        writers[format](Path(path))

    def _writers(self) -> dict[str, Callable[[Path], object]]:
        """Returns the function that writes each format."""
        return {"onnx": lambda path: path.write_bytes(onnx(self._checkpoint))}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.experiment!r}, steps={self.steps})"


class Policy(_TrainedModel):
    """Trained policy of a classic-control experiment: a PPO policy or the greedy policy of DQN.

    Observations have the form of `vivarium_ml.envs` and Gymnasium: a batch of shape `(n, values)`, for FrozenLake integers of
    shape `(n,)`; or the observation of a single environment.

    Args:
        checkpoint: contents of a checkpoint file.

    Raises:
        ValueError: for a damaged checkpoint, or one of another family.
    """

    def __init__(self, checkpoint: bytes) -> None:
        super().__init__(checkpoint)
        self._native = NativePolicy(checkpoint)

    def __call__(
        self, observations: ArrayLike, *, deterministic: bool = True, seed: int | None = None, step: int = 0
    ) -> Any:
        """Returns an action for each observation.

        Args:
            observations: see `Policy`.
            deterministic: whether to return the most probable action (for a continuous action, the mean); otherwise the
                action is sampled from the policy, as in training. A DQN policy has no distribution and is always greedy.
            seed: seed of the sampled actions; random by default.
            step: number of the environment step. A sampled action depends only on the seed, the step and the index of
                the observation.

        Returns:
            `int64` of shape `(n,)` for discrete actions, `float32` of shape `(n, 1)` for continuous ones; for a single
            observation, an `int`, or an array of shape `(1,)`.

        Raises:
            ValueError: for observations of the wrong shape, or that are not finite.
        """
        rows, is_single = self._rows(observations)
        if deterministic:
            seed = None
        elif seed is None:
            seed = int(np.random.default_rng().integers(2**63))
        else:
            seed = whole_number("seed", seed, 0, MAX_SEED)
        actions = self._native.act(rows, seed, whole_number("step", step, 0, 2**32 - 1))
        if self._native.num_actions is None:
            return actions if is_single else actions[:, np.newaxis]
        return int(actions[0]) if is_single else actions.astype(np.int64)

    def probabilities(self, observations: ArrayLike) -> NDArray[np.float32]:
        """Returns the probability of each action, shape `(n, actions)`; for a single observation, shape `(actions,)`.

        A DQN policy gives its greedy action the probability 1.

        Raises:
            ValueError: for observations of the wrong shape, or a policy with a continuous action.
        """
        if self._native.num_actions is None:
            raise ValueError(f"{self.experiment} has a continuous action, which has no probabilities")
        rows, is_single = self._rows(observations)
        probabilities = self._native.policy_and_value(rows)[0]
        return probabilities[0] if is_single else probabilities

    def values(self, observations: ArrayLike) -> Any:
        """Returns the expected discounted return of each observation, shape `(n,)`; for a single one, a `float`.

        Raises:
            ValueError: for observations of the wrong shape.
        """
        rows, is_single = self._rows(observations)
        values = self._native.policy_and_value(rows)[1]
        return float(values[0]) if is_single else values

    def _rows(self, observations: ArrayLike) -> tuple[NDArray[np.float32], bool]:
        """Converts `observations` to a batch of vectors, shape `(n, values)`. Also returns whether the argument was a
        single observation."""
        array = np.asarray(observations)
        width = self._native.observation_len
        if self._native.is_tile and array.dtype.kind in "iu" and array.ndim < 2:
            if array.size and not (0 <= array.min() and array.max() < width):
                refused = array[(array < 0) | (array >= width)].flat[0]
                raise ValueError(f"observations contain {refused}; allowed is 0 to {width - 1}")
            return np.eye(width, dtype=np.float32)[array.reshape(-1)], array.ndim == 0
        if array.dtype.kind not in "iuf":
            raise TypeError(f"observations have the dtype {array.dtype}; expected numbers")
        if array.ndim not in (1, 2) or array.shape[-1] != width:
            raise ValueError(f"observations have the shape {array.shape}; expected (n, {width}) or ({width},)")
        return np.atleast_2d(array).astype(np.float32), array.ndim == 1


class Player(_TrainedModel):
    """Trained player of Backgammon or Connect Four.

    A position of Backgammon is the position ID of GNU Backgammon, such as `4HPwATDgc/ABMA`, for the player on roll. A
    position of Connect Four is the list of the columns from 1 to 7 in which the players have put stones, such as `4453`.

    Args:
        checkpoint: contents of a checkpoint file. The player uses the best network: the winner of the last promotion
            match, or the newest network if no match has been won yet.

    Raises:
        ValueError: for a damaged checkpoint, or one of another family.
    """

    def __init__(self, checkpoint: bytes) -> None:
        super().__init__(checkpoint)
        self._native = NativePlayer(checkpoint)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Names of the outcome probabilities that `evaluate` returns."""
        return _OUTCOMES[self.experiment]

    def best_move(
        self, position: str, dice: tuple[int, int] | None = None, *, simulations: int = 200, seed: int = 1
    ) -> str:
        """Returns the best move.

        Args:
            position: see `Player`.
            dice: the roll, required in Backgammon.
            simulations: number of simulations of the tree search. With 0, the network evaluates the position after each
                legal move, and the move with the best evaluation is returned.
            seed: seed for random choices between equally good moves; equal arguments give equal moves.

        Returns:
            In Backgammon a play such as `24/18 13/11`; in Connect Four the column. An empty string if no checker can move.

        Raises:
            ValueError: for a position that cannot be read, is over, or needs dice.
        """
        rolls = None if dice is None else [dice]
        return self.best_moves([position], rolls, simulations=simulations, seed=seed)[0]

    def best_moves(
        self,
        positions: Sequence[str],
        dice: Sequence[tuple[int, int]] | None = None,
        *,
        simulations: int = 200,
        seed: int = 1,
    ) -> list[str]:
        """Returns the best move in each position, with one roll for each; see `best_move`."""
        rolls = None if dice is None else [tuple(roll) for roll in dice]
        simulations = whole_number("simulations", simulations, 0, _MAX_COUNT)
        return self._native.best_turns(list(positions), rolls, simulations, whole_number("seed", seed, 0, MAX_SEED))

    def evaluate(
        self, positions: Sequence[str], *, simulations: int = 0
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates positions for the player to move, in Backgammon before the roll.

        Args:
            positions: see `Player`.
            simulations: number of simulations of the tree search for the equity; 0 evaluates by the network alone.

        Returns:
            The outcome probabilities of the network, shape `(n, len(outcomes))`, and the equities, shape `(n,)`: expected
            points.

        Raises:
            ValueError: for a position that cannot be read.
        """
        return self._native.evaluate(list(positions), whole_number("simulations", simulations, 0, _MAX_COUNT))


_OUTCOMES = {
    "backgammon": ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"),
    "connect-four": ("win", "lose"),
}


class Solver(_TrainedModel):
    """Trained solver of the 2×2×2 or the 3×3×3 cube.

    Args:
        checkpoint: contents of a checkpoint file.

    Raises:
        ValueError: for a damaged checkpoint, or one of another family.
    """

    def __init__(self, checkpoint: bytes) -> None:
        super().__init__(checkpoint)
        self._native = NativeSolver(checkpoint)

    @property
    def turns(self) -> list[str]:
        """Names of the turns that count as one move, in the order in which `values` returns their values."""
        return self._native.turns

    def solve(self, scramble: str = "", *, stickers: str | None = None, beam_width: int = 1024) -> list[str] | None:
        """Solves a cube.

        The 3×3×3 cube is solved by a beam search. The 2×2×2 cube is solved without a search, by the turn with the highest
        value in each state.

        Args:
            scramble: turns, such as `R U2 F'`, that are applied to the cube first.
            stickers: stickers of the cube before the scramble, 24 or 54 letters of faces or colors: U, R, F, D, L, B row by
                row. The default is the solved cube.
            beam_width: number of states that the beam search keeps after each move, 1 to 262,144.

        Returns:
            The turns that solve the cube, or `None` if the network finds no solution.

        Raises:
            ValueError: for invalid turns, stickers of an impossible cube, or a beam width out of range.
        """
        return self._native.solve(scramble, stickers, whole_number("beam_width", beam_width, 0, _MAX_COUNT))

    def values(self, scrambles: Sequence[str]) -> NDArray[np.float32]:
        """Returns the value of each turn of scrambled 2×2×2 cubes, shape `(n, len(turns))`.

        Raises:
            ValueError: for the 3×3×3 cube, whose network has no values, or for invalid turns.
        """
        return self._native.values(list(scrambles))


class LanguageModel(_TrainedModel):
    """Trained language model with its tokenizer.

    Args:
        checkpoint: contents of a checkpoint file.

    Raises:
        ValueError: for a damaged checkpoint, or one of another family.
    """

    def __init__(self, checkpoint: bytes) -> None:
        super().__init__(checkpoint)
        self._native = NativeLanguageModel(checkpoint)

    @property
    def context(self) -> int:
        """Context length in tokens."""
        return self._native.context

    @property
    def vocabulary(self) -> int:
        """Number of tokens of the vocabulary."""
        return self._native.vocabulary

    @property
    def end_of_document(self) -> int | None:
        """End-of-document token; `None` for a character-level vocabulary."""
        return self._native.end_of_document

    def tokenize(self, text: str) -> NDArray[np.int64]:
        """Returns the tokens of a text, shape `(n,)`.

        Raises:
            ValueError: for characters that are not in the vocabulary.
        """
        return self._native.tokenize(text)

    def detokenize(self, tokens: ArrayLike) -> str:
        """Decodes tokens, shape `(n,)`, to text. Bytes that are not UTF-8 become U+FFFD.

        Raises:
            ValueError: for a token that is not in the vocabulary.
        """
        return self._native.detokenize(_tokens(tokens, (1,)))

    def logits(self, tokens: ArrayLike) -> NDArray[np.float32]:
        """Returns the logits of the next token after each token.

        The logits of a sequence are bit-identical whether the sequence is evaluated alone or in a batch.

        Args:
            tokens: integers of shape `(batch, time)` or `(time,)`, with at most `context` tokens per sequence.

        Returns:
            `float32` of shape `(batch, time, vocabulary)` or `(time, vocabulary)`.

        Raises:
            ValueError: for a sequence that is longer than the context, or a token that is not in the vocabulary.
            TypeError: for tokens that are not integers.
        """
        array = _tokens(tokens, (1, 2))
        logits = self._native.logits(np.atleast_2d(array))
        return logits[0] if array.ndim == 1 else logits

    def generate(
        self, prompt: str = "", *, max_tokens: int = 200, temperature: float = 0.8, top_k: int = 50, seed: int = 1
    ) -> str:
        """Generates text after a prompt, and returns the text without the prompt. Generation ends after `max_tokens`
        tokens or at the end of a document.

        Args:
            prompt: text that the model continues, at most `context` tokens.
            max_tokens: maximum number of tokens.
            temperature: sampling temperature, 0 to 100; 0 takes the most probable token.
            top_k: number of most probable tokens to sample from; 0 samples from all.
            seed: seed of the sampled tokens; equal arguments give equal texts.

        Raises:
            ValueError: for a prompt that is too long or has characters outside the vocabulary, or for an argument
                that is out of range.
        """
        return self._native.generate(
            prompt,
            whole_number("max_tokens", max_tokens, 0, _MAX_COUNT),
            temperature,
            whole_number("top_k", top_k, 0, _MAX_COUNT),
            whole_number("seed", seed, 0, MAX_SEED),
        )

    def _writers(self) -> dict[str, Callable[[Path], object]]:
        return {**super()._writers(), "huggingface": self._write_huggingface}

    def _write_huggingface(self, folder: Path) -> None:
        files = self._native.hugging_face()
        folder.mkdir(parents=True, exist_ok=True)
        for name, contents in files:
            (folder / name).write_bytes(contents)

    def __repr__(self) -> str:
        return f"LanguageModel(context={self.context}, vocabulary={self.vocabulary}, steps={self.steps})"


def _tokens(tokens: ArrayLike, allowed: tuple[int, ...]) -> NDArray[np.int64]:
    array = np.asarray(tokens)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"tokens have the dtype {array.dtype}; expected integers")
    if array.ndim not in allowed:
        expected = " or ".join(_SHAPES[ndim] for ndim in allowed)
        raise ValueError(f"tokens have the shape {array.shape}; expected {expected}")
    return array.astype(np.int64)


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


class Automaton(_TrainedModel):
    """Trained logic automaton: a cellular automaton whose cells evaluate a learned circuit of logic gates.

    A state has the shape `(n, height, width, channels)` or, for a single board, `(height, width, channels)`, of any height
    and width. Its values are bits: `bool`, or `uint8` 0 and 1.

    Args:
        checkpoint: contents of a checkpoint file.

    Raises:
        ValueError: for a damaged checkpoint, or one of another family.
    """

    def __init__(self, checkpoint: bytes) -> None:
        super().__init__(checkpoint)
        self._native = NativeAutomaton(checkpoint)
        self._info = self._native.info
        self._circuit = CircuitInfo(**self._info["circuit"])

    @property
    def circuit(self) -> CircuitInfo:
        """Size of the circuit."""
        return self._circuit

    @property
    def height(self) -> int:
        """Number of rows of a training board."""
        return int(self._info["height"])

    @property
    def width(self) -> int:
        """Number of columns of a training board."""
        return int(self._info["width"])

    @property
    def border(self) -> str:
        """Boundary condition: `periodic`, or `fixed` for boards that are surrounded by zeros."""
        return str(self._info["border"])

    @property
    def fire_rate(self) -> float:
        """Probability that a cell is updated in a step."""
        return float(self._info["fire_rate"])

    @property
    def rollout_steps(self) -> int:
        """Number of automaton steps after which training compares a board with the target."""
        return int(self._info["rollout_steps"])

    @property
    def target_channels(self) -> int:
        """Number of channels that show the target: the first ones, 1 or 3 (red, green, blue)."""
        return int(self._info["target_channels"])

    def initial_state(self, n: int = 1, *, seed: int = 1) -> NDArray[np.bool_]:
        """Returns boards in the initial state of training, `bool` of shape `(n, height, width, channels)`.

        A run that trains on single 3×3 neighborhoods has random boards of 64 × 64 cells.

        Args:
            n: number of boards.
            seed: seed of random initial states.

        Raises:
            ValueError: for a value that is not allowed, or boards that need more than 1 GiB.
        """
        boards = self._native.initial_state(whole_number("n", n, 1, _MAX_COUNT), whole_number("seed", seed, 0, MAX_SEED))
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
        channels = self._circuit.channels
        if array.dtype not in (np.bool_, np.uint8):
            raise TypeError(f"state has the dtype {array.dtype}; expected bool or uint8")
        if array.ndim not in (3, 4) or array.shape[-1] != channels:
            expected = f"(n, height, width, {channels}) or (height, width, {channels})"
            raise ValueError(f"state has the shape {array.shape}; expected {expected}")
        steps = whole_number("steps", steps, 0, _MAX_COUNT)
        first_step = whole_number("first_step", first_step, 0, _MAX_COUNT)
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
        return f"Automaton(channels={self._circuit.channels}, gates={self._circuit.gates}, steps={self.steps})"


_SHAPES = {1: "(time,)", 2: "(batch, time)"}

_MODELS: dict[str, Any] = {
    "control": Policy,
    "games": Player,
    "cube": Solver,
    "language": LanguageModel,
    "logic_ca": Automaton,
}


def load(checkpoint: str | os.PathLike[str] | bytes) -> Policy | Player | Solver | LanguageModel | Automaton:
    """Loads the trained model of a checkpoint: the path of a file, or its contents.

    Returns:
        A `Policy`, `Player`, `Solver`, `LanguageModel` or `Automaton`, by the family of the experiment.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a damaged or incompatible checkpoint.
    """
    contents = checkpoint if isinstance(checkpoint, bytes) else Path(checkpoint).read_bytes()
    name, _ = checkpoint_header(contents)
    model: Policy | Player | Solver | LanguageModel | Automaton = _MODELS[experiment_info(name)["family"]](contents)
    return model
