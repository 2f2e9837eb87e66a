"""`train`: the learner and the loop of a run."""

import json
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vivarium_ml.alphazero import Learner, Samples
from vivarium_ml.arguments import whole_number
from vivarium_ml.ray.workers import Weights, WorkerPool

# Seconds after which the loop checks for the time limit while no worker has finished a task.
_POLL_INTERVAL = 0.5


@dataclass(frozen=True)
class Progress:
    """State of a run at the end of a generation, and the argument of `report`.

    Attributes:
        metrics: metrics of the generation: `steps`, the number of decisions, and the metrics by name.
        generations: number of finished generations.
        games: number of games whose samples were added.
        samples: number of samples that were added.
        stale_samples: number of samples of this process that were dropped, because their weights were too old.
        received_bytes: number of bytes of samples that this process received from workers.
        worker_restarts: number of workers that died and were replaced.
        seconds: seconds since this process began to play.
    """

    metrics: dict[str, Any]
    generations: int
    games: int
    samples: int
    stale_samples: int
    received_bytes: int
    worker_restarts: int
    seconds: float


@dataclass(frozen=True)
class TrainingResult:
    """Result of `train`.

    Attributes:
        learner: the learner; `learner.save` writes its checkpoint.
        progress: state at the end. `metrics` has the metrics of the last generation; it is empty if no generation has finished.
        played_games: number of games that this process added.
    """

    learner: Learner
    progress: Progress
    played_games: int


def train(
    game: str,
    config: Mapping[str, Any] | None = None,
    *,
    workers: int | None = None,
    cpus_per_worker: int = 1,
    seed: int = 1,
    minutes: float | None = None,
    generations: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    max_staleness: int = 2,
    batch_samples: int | None = None,
    address: str | None = None,
    report: Callable[[Progress], None] | None = None,
) -> TrainingResult:
    """Trains AlphaZero with self-play in Ray actors and the learner in this process.

    The learner publishes its weights once per generation, `self_play.generation` samples. Gradient steps draw at most
    `learning.replay_ratio` samples per new sample; the learner waits while there are no new samples. A worker that dies
    costs its games in progress and is replaced. Each batch of samples has a number, and counts once. The run ends at the
    first limit, or with Ctrl-C.

    Args:
        game: `backgammon` or `connect-four`.
        config: fields that differ from the defaults, as for `vivarium_ml.Experiment`. `self_play.games` is the number of
            games that a thread of a worker plays at the same time; `self_play.workers` has no effect.
        workers: number of self-play workers. The default is one for every `cpus_per_worker` CPUs of the cluster.
        cpus_per_worker: CPUs that Ray reserves for a worker, and threads of its self-play.
        seed: seed of the run, from 0 to 2⁵³ − 1. A run is not reproducible, since workers differ in speed.
        minutes: time limit.
        generations: limit of the number of finished generations, in total.
        out: folder for `latest.safetensors`, a checkpoint of each generation that `vivarium` and `Experiment.load` open,
            and `metrics.jsonl`.
        resume: whether to continue the run in the folder `out`, if there is one, with its game, config and seed. Games
            since its last generation are lost.
        max_staleness: samples are dropped if the weights of their games are more than this number of generations older
            than the newest weights.
        batch_samples: number of samples after which a worker returns its finished games. The default is a quarter of
            a worker's share of a generation, from 256 to 8,192.
        address: address of a Ray cluster, such as `auto`. By default, a connection of this process is used, or a Ray
            instance is started on this machine.
        report: called at the end of each generation.

    Raises:
        ImportError: if Ray is not installed.
        ValueError: for a value that is not allowed, or more workers than the cluster has CPUs for.
        FileExistsError: if `out` has the files of another run and `resume` is not set.
        RuntimeError: if training diverged, or workers die one after the other.
    """
    ray = _import_ray()
    cpus_per_worker = whole_number("cpus_per_worker", cpus_per_worker, 1, 1024)
    max_staleness = whole_number("max_staleness", max_staleness, 0, 2**31)
    deadline = math.inf if minutes is None else 60 * _positive("minutes", minutes)
    last_generation = math.inf if generations is None else whole_number("generations", generations, 1, 2**53)
    folder = None if out is None else Path(out)
    learner = _open_learner(game, config, seed, folder, resume)
    if not ray.is_initialized():
        ray.init(address=address, include_dashboard=False if address is None else None, log_to_driver=False)
    workers = _checked_workers(ray, workers, cpus_per_worker)
    if batch_samples is None:
        share = learner.config["self_play"]["generation"] // (4 * workers)
        batch_samples = min(max(share, 256), 8192)
    pool = WorkerPool(
        ray,
        workers=workers,
        cpus_per_worker=cpus_per_worker,
        game=game,
        config=learner.config,
        seed=learner.seed,
        games=learner.games,
        batch_samples=whole_number("batch_samples", batch_samples, 1, 2**26),
    )
    run = _Run(ray, learner, pool, folder, max_staleness, report)
    try:
        run.play(deadline, last_generation)
    finally:
        pool.stop()
        run.save()
    return run.result()


class _Run:
    """A run in progress: adds the samples of the workers to the learner, and publishes weights."""

    def __init__(
        self,
        ray: Any,
        learner: Learner,
        pool: WorkerPool,
        folder: Path | None,
        max_staleness: int,
        report: Callable[[Progress], None] | None,
    ) -> None:
        self._ray, self._learner, self._pool, self._folder = ray, learner, pool, folder
        self._max_staleness, self._report = max_staleness, report
        self._stale_samples = 0
        self._received_bytes = 0
        self._first_games = learner.games
        self._metrics: dict[str, Any] = {}
        self._start = time.monotonic()
        self._weights = self._publish()

    def play(self, deadline: float, last_generation: float) -> None:
        """Plays and learns until `deadline` seconds have passed, or the learner has finished `last_generation`."""
        self._pool.submit_all(self._weights)
        while self._learner.generations < last_generation:
            left = deadline - (time.monotonic() - self._start)
            if left <= 0:
                break
            received = self._pool.next(self._weights, min(left, _POLL_INTERVAL))
            if received is not None:
                self._add(*received)
        for samples, generation in self._pool.finished():
            self._add(samples, generation)

    def _add(self, samples: Samples, generation: int) -> None:
        self._received_bytes += len(samples.data)
        if self._learner.generations - generation > self._max_staleness:
            self._stale_samples += samples.num_samples
            return
        self._learner.add(samples)
        metrics = self._learner.update()
        if metrics is not None:
            self._metrics = metrics
            self._weights = self._publish()
            self.save()
            self._end_generation()

    def _publish(self) -> Weights:
        """Puts the weights into Ray's object store, once for all workers."""
        learner = self._learner
        array = self._ray.put(learner.weights())
        return Weights(array, learner.generations, learner.games, learner.samples)

    def _end_generation(self) -> None:
        progress = self._progress()
        if self._folder is not None:
            row = {
                **self._metrics,
                "games": progress.games,
                "samples": progress.samples,
                "stale_samples": progress.stale_samples,
                "worker_restarts": progress.worker_restarts,
                "seconds": progress.seconds,
            }
            with (self._folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(row)}\n")
        if self._report is not None:
            self._report(progress)

    def save(self) -> None:
        """Writes the checkpoint."""
        if self._folder is not None:
            self._learner.save(self._folder / "latest.safetensors")

    def _progress(self) -> Progress:
        return Progress(
            metrics=self._metrics,
            generations=self._learner.generations,
            games=self._learner.games,
            samples=self._learner.samples,
            stale_samples=self._stale_samples,
            received_bytes=self._received_bytes,
            worker_restarts=self._pool.restarts,
            seconds=time.monotonic() - self._start,
        )

    def result(self) -> TrainingResult:
        """Returns the result of the run."""
        return TrainingResult(self._learner, self._progress(), self._learner.games - self._first_games)


def _import_ray() -> Any:
    try:
        import ray  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        message = 'training on a cluster needs Ray; install it with pip install "vivarium-ml[ray]"'
        raise ImportError(message) from None
    return ray


def _open_learner(
    game: str, config: Mapping[str, Any] | None, seed: int, folder: Path | None, resume: bool
) -> Learner:
    if folder is None:
        if resume:
            raise ValueError("resume is set without out; give the folder of the run")
        return Learner(game, config, seed)
    checkpoint = folder / "latest.safetensors"
    if checkpoint.exists():
        if not resume:
            raise FileExistsError(
                f"out = {folder}: the folder has {checkpoint.name} of another run; use a new folder, or resume"
            )
        learner = Learner.load(checkpoint)
        if learner.game != game:
            raise ValueError(f"out = {folder}: its run trains {learner.game}, not {game}; use another folder")
        return learner
    folder.mkdir(parents=True, exist_ok=True)
    return Learner(game, config, seed)


def _checked_workers(ray: Any, workers: int | None, cpus_per_worker: int) -> int:
    available = int(ray.cluster_resources().get("CPU", 0)) // cpus_per_worker
    if workers is None:
        workers = max(available, 1)
    workers = whole_number("workers", workers, 1, 2**20)
    if workers > available:
        raise ValueError(
            f"workers is {workers}; the cluster has CPUs for {available} workers of {cpus_per_worker} CPUs each; reduce "
            "workers or cpus_per_worker, or add nodes"
        )
    return workers


def _positive(name: str, value: Any) -> float:
    number = float(value)
    if not 0 < number < math.inf:
        raise ValueError(f"{name} is {value!r}; allowed is a positive number")
    return number
