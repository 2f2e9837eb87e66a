"""Output files and progress display of `Experiment.train`."""

import json
import math
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from vivarium_ml._core import NativeExperiment, ended_metadata
from vivarium_ml.run_folder import BEST, LATEST

Show = Callable[[int, float | None, str], None]

# Minimum time between two writes of the output files, in seconds.
_SAVE_INTERVAL = 10.0
_MAX_LINE = 100


class RunFolder:
    """Folder of a run, which the program `vivarium` lists, compares and resumes: `run.json`, `config.json`, `metrics.jsonl`,
    `latest.safetensors` and `best.safetensors`.

    Args:
        path: the folder, which is created if it does not exist.
        experiment: the run.
        until, steps, minutes: goal and limits of the training, see `Experiment.train`.

    Attributes:
        best: file of the checkpoint with the best evaluation.

    Raises:
        FileExistsError: if the folder has one of these files.
    """

    def __init__(
        self, path: Path, experiment: NativeExperiment, until: str | None, steps: int | None, minutes: float | None
    ) -> None:
        self._experiment = experiment
        self._checkpoint, self._metrics, self.best = path / LATEST, path / "metrics.jsonl", path / BEST
        self._about = path / "run.json"
        path.mkdir(parents=True, exist_ok=True)
        for file in (self._checkpoint, self._metrics, self.best):
            if file.exists():
                raise FileExistsError(f"out = {path}: the folder has {file.name} of another run; use a new folder")
        self._write_json(path / "config.json", experiment.config)
        self._metadata = experiment.run_metadata(_origin(), time.time(), until, steps, minutes)
        self._write_json(self._about, self._metadata)
        self._num_rows = 0
        self._written_at = time.monotonic()

    @staticmethod
    def _write_json(path: Path, contents: dict[str, Any]) -> None:
        path.write_text(json.dumps(contents, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def write_when_due(self) -> None:
        """Writes the files if ten seconds have passed since they were last written."""
        if time.monotonic() - self._written_at >= _SAVE_INTERVAL:
            self.write()

    def write(self) -> None:
        """Writes the checkpoint and the new metric rows."""
        self._experiment.save(self._checkpoint)
        rows = self._experiment.metrics_since(self._num_rows)
        with self._metrics.open("a", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(_finite(row), ensure_ascii=False)}\n" for row in rows)
        self._num_rows += len(rows)
        self._written_at = time.monotonic()


    def end(self, reason: str) -> None:
        """Writes the files, and the end of the training to `run.json`: `goal`, `steps`, `minutes`, `failed` or `SIGINT`."""
        self.write()
        steps = self._experiment.progress["steps"]
        self._write_json(self._about, ended_metadata(self._metadata, reason, steps, time.time()))


def _origin() -> dict[str, Any]:
    """Returns program and machine of this process, as `run.json` records them."""
    return {
        "command": sys.orig_argv,
        "program": f"vivarium_ml {version('vivarium_ml')}",
        "commit": None,
        "host": platform.node(),
        "processor": platform.processor() or platform.machine(),
    }


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """Returns a copy of a metric row in which `None` replaces NaN and infinite numbers, which JSON cannot represent."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()
    }


@contextmanager
def progress_display(name: str, wanted: bool) -> Iterator[Show]:
    """Yields a function that shows steps, completed share and status of the training `name` on the standard error stream.

    The function shows nothing if `wanted` is not set, or the stream is not a terminal.
    """
    if not (wanted and sys.stderr is not None and sys.stderr.isatty()):
        yield lambda steps, share, text: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        yield _show_line(name)
        print(file=sys.stderr)
        return
    with tqdm(desc=name, total=1.0, bar_format="{desc}: {percentage:3.0f}% |{bar}| {elapsed}{postfix}") as bar:

        def show(steps: int, share: float | None, text: str) -> None:
            bar.n = share or 0.0
            bar.set_postfix_str(f"{steps:,} steps, {text}" if text else f"{steps:,} steps")

        yield show


def _show_line(name: str) -> Show:
    start = time.monotonic()

    def show(steps: int, share: float | None, text: str) -> None:
        done = "" if share is None else f"{share:.0%}, "
        line = f"{name}: {done}{time.monotonic() - start:.0f} s, {steps:,} steps, {text}".rstrip(", ")
        print(f"\r{line[:_MAX_LINE]:{_MAX_LINE}}", end="", file=sys.stderr, flush=True)

    return show
