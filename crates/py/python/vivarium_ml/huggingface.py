"""Models in the format of the library transformers (Hugging Face)."""

import os
from pathlib import Path

from vivarium_ml._core import huggingface_checkpoint


def checkpoint_of(folder: str | os.PathLike[str]) -> bytes:
    """Converts a GPT-2 model to a checkpoint at 0 training steps, with the default fields of a run outside the architecture.

    Args:
        folder: folder with `config.json`, `model.safetensors` (`float32`) and `tokenizer.json`.

    Raises:
        FileNotFoundError: if one of the files is missing.
        ValueError: for a model that is not a GPT-2 of the supported variant; the message names file and field.
    """
    names = ("config.json", "model.safetensors", "tokenizer.json")
    return huggingface_checkpoint(*(Path(folder, name).read_bytes() for name in names))
