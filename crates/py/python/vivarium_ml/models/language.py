"""Trained language models."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vivarium_ml._core import NativeLanguageModel
from vivarium_ml.arguments import MAX_SEED, whole_number
from vivarium_ml.huggingface import checkpoint_of
from vivarium_ml.models.base import MAX_COUNT, TrainedModel

_SHAPES = {1: "(time,)", 2: "(batch, time)"}


class LanguageModel(TrainedModel):
    """Trained language model with its tokenizer."""

    _native: NativeLanguageModel
    _native_class = NativeLanguageModel

    @classmethod
    def from_huggingface(cls, folder: str | os.PathLike[str]) -> "LanguageModel":
        """Loads a GPT-2 model from a folder of the library transformers: `config.json`, `model.safetensors` (`float32`) and
        `tokenizer.json`.

        Raises:
            FileNotFoundError: if one of the files is missing.
            ValueError: for a model that is not a GPT-2 of the supported variant; the message names file and field.
        """
        return cls(checkpoint_of(folder))

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
            whole_number("max_tokens", max_tokens, 0, MAX_COUNT),
            temperature,
            whole_number("top_k", top_k, 0, MAX_COUNT),
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
