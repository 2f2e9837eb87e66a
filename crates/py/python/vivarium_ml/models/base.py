"""Base class of the trained models."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from vivarium_ml._core import checkpoint_header, onnx

MAX_COUNT = 2**31 - 1


class TrainedModel:
    """Base class of all models: the experiment and number of training steps of the checkpoint, and export.

    Args:
        checkpoint: contents of a checkpoint file.

    Raises:
        ValueError: for a damaged checkpoint, or one of another family.
    """

    _native: Any
    # Class of `_native`.
    _native_class: ClassVar[type[Any]]

    def __init__(self, checkpoint: bytes) -> None:
        self._checkpoint = checkpoint
        self.experiment, self.steps = checkpoint_header(checkpoint)
        self._native = self._native_class(checkpoint)

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
