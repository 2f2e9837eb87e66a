"""Training runs."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from vivarium_ml._core import NativeExperiment
from vivarium_ml.arguments import checked_fields, whole_number
from vivarium_ml.configured import Configured
from vivarium_ml.huggingface import checkpoint_of
from vivarium_ml.models import load as load_model
from vivarium_ml.run_folder import latest
from vivarium_ml.training import RunFolder, progress_display

MAX_SEED = 2**53 - 1
_MAX_COUNT = 2**63 - 1


class Experiment(Configured[NativeExperiment]):
    """Training run: a learner on a task, created from a config and a seed.

    The program `vivarium` and the web page have the same experiments: equal configs and seeds give equal results, and
    checkpoints are exchangeable. Results do not depend on the number of threads.

    Use a run in one thread at a time: concurrent use raises `RuntimeError`. Computation releases the interpreter lock.
    Ctrl-C interrupts every method that trains or evaluates (in classic control, when the evaluation ends); the run stays
    usable.

    Args:
        name: experiment, such as `cartpole`; see `experiments()`.
        config: fields that differ from the defaults; see `config_fields()`. A dictionary of sections,
            `{"ppo": {"num_envs": 64}}`, or of paths, `{"ppo.num_envs": 64}`. The key `preset` selects a preset.
        seed: seed of all random numbers, from 0 to 2⁵³ − 1.
        engine: `cpu`; `gpu`, a Vulkan or Metal device; or `auto`, the faster one by measurement.

    Raises:
        ValueError: for an unknown experiment or field, or a value that is not allowed; the message has the field, the
            value and the allowed values.
        TypeError: for an argument of the wrong type.
        FileNotFoundError: if the training text of a language model, the field `data`, does not exist.
        RuntimeError: if the engine is not available, or this process was forked after the threads started.
    """

    def __init__(
        self, name: str, config: Mapping[str, Any] | None = None, seed: int = 1, engine: str = "cpu"
    ) -> None:
        fields = checked_fields("config", config)
        self._native = NativeExperiment(name, fields, whole_number("seed", seed, 0, MAX_SEED), engine)

    @classmethod
    def from_bytes(
        cls, checkpoint: bytes, *, engine: str = "cpu", data: str | os.PathLike[str] | None = None
    ) -> "Experiment":
        """Restores a run from the bytes of a checkpoint. The run continues exactly as the saved run would have.

        (Exception: board games restart their self-play games with an empty replay buffer.)

        Args:
            checkpoint: contents of a checkpoint file.
            engine: see `Experiment`.
            data: path of the training text, required for a language model that was trained on the user's own text. The
                path in the checkpoint is ignored, because the checkpoint may come from an untrusted source.

        Raises:
            ValueError: for a damaged or incompatible checkpoint.
            FileNotFoundError: if `data` does not exist.
        """
        self = cls.__new__(cls)
        self._native = NativeExperiment.from_bytes(checkpoint, engine, data)
        return self

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        engine: str = "cpu",
        data: str | os.PathLike[str] | None = None,
    ) -> "Experiment":
        """Restores a run from a checkpoint file, or from the latest checkpoint in a run folder; see `from_bytes`.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a damaged or incompatible checkpoint.
        """
        return cls.from_bytes(latest(Path(path)).read_bytes(), engine=engine, data=data)

    @classmethod
    def from_huggingface(
        cls,
        folder: str | os.PathLike[str],
        *,
        engine: str = "cpu",
        data: str | os.PathLike[str] | None = None,
    ) -> "Experiment":
        """Creates a run that continues the training of a GPT-2 model; see `LanguageModel.from_huggingface` and
        `from_bytes`. Without `data`, the training text is the built-in encyclopedia.

        Raises:
            FileNotFoundError: if one of the files is missing.
            ValueError: for a model that is not a GPT-2 of the supported variant; the message names file and field.
        """
        return cls.from_bytes(checkpoint_of(folder), engine=engine, data=data)

    def to_bytes(self) -> bytes:
        """Returns the state of the run as the bytes of a checkpoint."""
        return self._native.to_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the state of the run to a checkpoint file. An existing file is replaced in one step.

        Raises:
            OSError: if the file cannot be written.
        """
        self._native.save(path)

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return self._native.name

    @property
    def steps(self) -> int:
        """Number of training steps so far, in the unit `ExperimentInfo.unit`."""
        return int(self._native.progress["steps"])

    @property
    def updates(self) -> int:
        """Number of gradient steps so far."""
        return int(self._native.progress["updates"])

    @property
    def episodes(self) -> int:
        """Number of finished training episodes so far."""
        return int(self._native.progress["episodes"])

    @property
    def total_steps(self) -> int | None:
        """Number of training steps after which the run ends; `None` if it has no end."""
        total: int | None = self._native.progress["total_steps"]
        return total

    @property
    def engine(self) -> str:
        """The engine that trains: `cpu`, or `gpu` with the name of the device, such as `gpu (NVIDIA H100)`.

        Assigning `"cpu"`, `"gpu"` or `"auto"` moves the run to this engine. A run whose GPU is lost continues on the CPU,
        with a notice.
        """
        kind, adapter = self._native.engine
        return kind if adapter is None else f"{kind} ({adapter})"

    @engine.setter
    def engine(self, engine: str) -> None:
        self._native.set_engine(engine)

    @property
    def metrics(self) -> list[dict[str, Any]]:
        """All metric rows since the run was created or restored.

        A row is a dictionary with the fields of `metrics.jsonl`: `steps`, `updates` (gradient steps), `elapsed` (training time in
        seconds since the run was created or restored), the metrics by name, and `notice`, if there is one.
        """
        return self._native.metrics_since(0)

    def metrics_since(self, first: int) -> list[dict[str, Any]]:
        """Returns the metric rows from the index `first` on.

        Raises:
            ValueError: if `first` is negative.
        """
        return self._native.metrics_since(whole_number("first", first, 0, _MAX_COUNT))

    @property
    def newest_metrics(self) -> dict[str, Any]:
        """The newest value of each field of the metric rows, such as `return_mean`: a row of the learner has its metrics, and a row
        of an evaluation has the measures."""
        newest: dict[str, Any] = {}
        for row in self.metrics:
            newest.update(row)
        return newest

    @property
    def notices(self) -> list[str]:
        """Notices of the run, such as a rollback after divergence, or a GPU that was lost."""
        return [row["notice"] for row in self.metrics if "notice" in row]

    def advance(
        self, slices: int | None = None, *, steps: int | None = None, seconds: float | None = None
    ) -> None:
        """Trains for a given number of slices, a number of training steps, or a duration; by default for one slice.

        Args:
            slices: number of slices, the smallest unit of work: about 5 ms on one core. The default is 1.
            steps: number of further training steps. Training stops at the end of the iteration that completes them.
            seconds: duration in seconds.

        Raises:
            ValueError: for a number that is not allowed, or if the training text is missing.
            TypeError: if more than one argument is given.
            RuntimeError: if training diverged again after several rollbacks.
        """
        if slices is None and steps is None and seconds is None:
            slices = 1
        self._native.advance(
            None if slices is None else whole_number("slices", slices, 0, _MAX_COUNT),
            None if steps is None else whole_number("steps", steps, 0, _MAX_COUNT),
            seconds,
        )

    def train(
        self,
        *,
        minutes: float | None = None,
        steps: int | None = None,
        until: str | None = None,
        out: str | os.PathLike[str] | None = None,
        on_row: Callable[[dict[str, Any]], object] | None = None,
        progress: bool = True,
    ) -> Literal["reached", "steps", "minutes"]:
        """Trains until a limit is reached. Evaluates at intervals, and stores the results as metric rows.

        Without any limit, training stops when the experiment is solved, or at the end of its schedule.

        Args:
            minutes: duration in minutes. Training stops at the end of the iteration in progress.
            steps: number of training steps in total, including those of earlier calls.
            until: goal: a measure of an evaluation or a metric, a comparison and a number, such as `return>=475`. If an
                evaluation reaches the goal, a second one with more trials has to confirm it.
            out: folder of the run, which the program `vivarium` lists, compares and resumes: `run.json` and `config.json`;
                `best.safetensors`, the checkpoint with the best evaluation; `latest.safetensors`, a checkpoint, and
                `metrics.jsonl`, with one metric row per line. The last two are written about every ten seconds, and at the
                end, also after an error or Ctrl-C. The folder must not contain a checkpoint or metrics yet.
            on_row: function that is called with each new metric row, in their order, about ten times per second and at the
                end, also after an error or Ctrl-C; such as one that logs to an experiment tracker. Its exceptions end the
                training.
            progress: whether to show the progress on the standard error stream, if it is a terminal: by tqdm if it is
                installed, else as a line.

        Returns:
            `reached`, `steps` or `minutes`: the limit that was reached.

        Raises:
            ValueError: for a limit that is not allowed, or without any limit if the experiment trains without end.
            FileExistsError: if `out` has files of a run.
            KeyboardInterrupt: after Ctrl-C. The run stays usable: a later call continues the training.
        """
        if steps is not None:
            steps = whole_number("steps", steps, 0, _MAX_COUNT)
        folder = None if out is None else RunFolder(Path(out), self._native, until, steps, minutes)
        num_rows = len(self.metrics)

        def pass_rows() -> None:
            nonlocal num_rows
            if on_row is None:
                return
            for row in self.metrics_since(num_rows):
                num_rows += 1
                on_row(row)

        with progress_display(self.name, progress) as show:

            def report(steps: int, share: float | None, text: str) -> None:
                show(steps, share, text)
                pass_rows()
                if folder is not None:
                    folder.write_when_due()

            end = "failed"
            try:
                reached = self._native.train(until, steps, minutes, report, None if folder is None else folder.best)
                end = "goal" if reached == "reached" else reached
                return reached
            except KeyboardInterrupt:
                end = "SIGINT"
                raise
            finally:
                if folder is not None:
                    folder.end(end)
                pass_rows()

    def evaluate(self, episodes: int | None = None, *, seed: int = 1) -> dict[str, Any]:
        """Evaluates the greedy policy or the model. Does not affect training.

        Args:
            episodes: number of trials: episodes, pairs of games, boards or windows of text, as the experiment counts. The
                default is the experiment's.
            seed: seed of the random numbers of the evaluation.

        Returns:
            The measures by name, such as `return`; `None` for a measure that this evaluation lacks. The key `details` has
            the complete result.

        Raises:
            ValueError: for a number of episodes that is not allowed.
        """
        if episodes is not None:
            episodes = whole_number("episodes", episodes, 0, 2**32 - 1)
        return self._native.evaluate(episodes, whole_number("seed", seed, 0, 2**64 - 1))

    def frame(self, view: Mapping[str, Any], elapsed: float = 0.0) -> dict[str, Any]:
        """Returns a snapshot for drawing. Does not affect training.

        Args:
            view: requested contents, in the form of the experiment's family; see the module `protocol` of its crate.
            elapsed: simulated seconds by which the animated preview advances.

        Returns:
            `arrays`, NumPy arrays by name, and `documents`, a dictionary, or `None` if they are unchanged.

        Raises:
            ValueError: for another form of `view`.
        """
        return self._native.frame(checked_fields("view", view), elapsed)

    def command(self, command: Mapping[str, Any]) -> dict[str, Any] | None:
        """Executes a command of the experiment's family, such as `{"kind": "reset_preview"}`.

        Returns:
            `None`, or a file: a dictionary of `name`, `mime` and `bytes`.

        Raises:
            ValueError: for a command that is unknown or not allowed, which changes nothing.
        """
        return self._native.command(checked_fields("command", command))

    def set_config(self, config: Mapping[str, Any]) -> None:
        """Changes live config fields, given in the form of `Experiment`'s argument `config`.

        Raises:
            ValueError: for a field that is not live, or a value that is not allowed; nothing changes then.
        """
        self._native.set_config(checked_fields("config", config))

    def export(self, format: str, path: str | os.PathLike[str]) -> None:
        """Writes the metrics or the model in a format of other programs. Existing files are replaced.

        Args:
            format: `csv`: all metric rows as a table with one row for each step, and the columns `step`, the metrics, and
                `notice`. Otherwise a format of the model, such as `onnx`: see the method `export` of the models.
            path: the file, or the folder.

        Raises:
            ValueError: for a format that the run does not have.
            OSError: if a file cannot be written.
        """
        if format == "csv":
            Path(path).write_bytes(self._native.csv())
        else:
            load_model(self.to_bytes()).export(format, path)

    def open_player(self, path: str | os.PathLike[str]) -> None:
        """Loads the network of a checkpoint file as an additional player of a board game, or solver of a cube.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a damaged or incompatible checkpoint, or an experiment without players.
        """
        self._native.open_player(Path(path).read_bytes())

    def __repr__(self) -> str:
        return f"Experiment({self.name!r}, seed={self.seed}, steps={self.steps}, engine={self.engine!r})"


def train(
    name: str,
    config: Mapping[str, Any] | None = None,
    *,
    seed: int = 1,
    engine: str = "cpu",
    minutes: float | None = None,
    steps: int | None = None,
    until: str | None = None,
    out: str | os.PathLike[str] | None = None,
    on_row: Callable[[dict[str, Any]], object] | None = None,
    progress: bool = True,
) -> Experiment:
    """Creates an experiment, trains it, and returns it; see `Experiment` and `Experiment.train`.

    Ctrl-C raises `KeyboardInterrupt`. The run is then in the folder `out`, if it is given; to keep the run in memory, call
    `Experiment.train`.

    Raises:
        The exceptions of `Experiment` and `Experiment.train`.
    """
    experiment = Experiment(name, config, seed, engine)
    experiment.train(minutes=minutes, steps=steps, until=until, out=out, on_row=on_row, progress=progress)
    return experiment
