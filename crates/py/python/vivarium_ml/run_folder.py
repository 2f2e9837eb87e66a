"""Checkpoints in a run folder, which `train` or the program `vivarium` has written."""

from pathlib import Path

LATEST = "latest.safetensors"
BEST = "best.safetensors"


def latest(path: Path) -> Path:
    """Returns the latest checkpoint of the run folder `path`; `path` itself if it is not a folder."""
    return path / LATEST if path.is_dir() else path


def best(path: Path) -> Path:
    """Returns the best checkpoint of the run folder `path`, or the latest one if the run has not been evaluated; `path` itself
    if it is not a folder.
    """
    evaluated = path / BEST
    return evaluated if evaluated.is_file() else latest(path)
