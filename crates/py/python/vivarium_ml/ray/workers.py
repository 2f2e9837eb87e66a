"""Self-play workers: Ray actors that play games with the weights of the learner."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vivarium_ml.alphazero import Samples, SelfPlay


@dataclass(frozen=True)
class Weights:
    """Weights for self-play, with the progress of the run on which self-play depends.

    Attributes:
        array: an object reference of the weights, which Ray resolves to a read-only array in shared memory.
        generation: number of generations that the learner had finished.
        games: number of games of the run.
        samples: number of samples of the run.
    """

    array: Any
    generation: int
    games: int
    samples: int


class SelfPlayWorker:
    """Process that plays games; see `vivarium_ml.alphazero.SelfPlay` for the arguments."""

    def __init__(self, game: str, config: dict[str, Any], seed: int, num_threads: int) -> None:
        self._self_play = SelfPlay(game, config, seed, num_threads)
        self._generation = -1

    def play(self, array: NDArray[np.float32], generation: int, games: int, run_samples: int, samples: int) -> Samples:
        """Plays games with at least `samples` samples, with the weights of a generation."""
        if generation != self._generation:
            self._self_play.set_weights(array, games=games, samples=run_samples)
            self._generation = generation
        return self._self_play.play(samples)


def worker_seed(seed: int, games: int, number: int) -> int:
    """Returns the seed of a worker, different for each worker of a run.

    Args:
        seed: seed of the run.
        games: number of games of the run when the worker started. A resumed run counts further games only if its
            workers have not played the same games before.
        number: number of workers that this process started before.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=(games, number))
    return int(sequence.generate_state(1, np.uint64)[0])


class WorkerPool:
    """The workers of a run, with two tasks in flight for each, so that a worker never waits for the learner.

    Args:
        ray: the module `ray`, connected to a cluster.
        workers: number of workers.
        cpus_per_worker: CPUs that Ray reserves for a worker, and threads of its self-play.
        game: the game.
        config: complete config of the run.
        seed: seed of the run.
        games: number of games of the run.
        batch_samples: number of samples after which a task ends.
    """

    _TASKS_PER_WORKER = 2

    def __init__(
        self,
        ray: Any,
        *,
        workers: int,
        cpus_per_worker: int,
        game: str,
        config: dict[str, Any],
        seed: int,
        games: int,
        batch_samples: int,
    ) -> None:
        self._ray = ray
        # A worker plays one group of games on each of its threads.
        self._config = {**config, "self_play": {**config["self_play"], "workers": cpus_per_worker}}
        self._game, self._cpus, self._batch_samples = game, cpus_per_worker, batch_samples
        self._seed, self._games = seed, games
        self._actor_class = ray.remote(num_cpus=cpus_per_worker, max_restarts=0, max_task_retries=0)(SelfPlayWorker)
        self._started = 0
        self._failures = 0
        self._actors = [self._start() for _ in range(workers)]
        # Slot, worker and weights' generation of each task in flight, oldest first.
        self._tasks: dict[Any, tuple[int, Any, int]] = {}
        self.restarts = 0

    def _start(self) -> Any:
        seed = worker_seed(self._seed, self._games, self._started)
        self._started += 1
        return self._actor_class.remote(self._game, self._config, seed, self._cpus)

    def submit_all(self, weights: Weights) -> None:
        """Submits the first tasks of all workers."""
        for slot in range(len(self._actors)):
            for _ in range(self._TASKS_PER_WORKER):
                self._submit(slot, weights)

    def _submit(self, slot: int, weights: Weights) -> None:
        task = self._actors[slot].play.remote(
            weights.array, weights.generation, weights.games, weights.samples, self._batch_samples
        )
        self._tasks[task] = (slot, self._actors[slot], weights.generation)

    def next(self, weights: Weights, timeout: float) -> tuple[Samples, int] | None:
        """Waits for the result of a task, and submits the worker's next task with the weights `weights`.

        A worker that died is replaced. Its games in progress are lost; results of tasks that it has finished are not.

        Returns:
            The samples, with the generation of their weights; `None` after `timeout` seconds, or if a worker died.

        Raises:
            RuntimeError: if workers die one after the other without a result.
        """
        ready, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=timeout)
        if not ready:
            return None
        slot, actor, generation = self._tasks.pop(ready[0])
        errors = self._ray.exceptions
        try:
            samples: Samples = self._ray.get(ready[0])
        except (errors.RayActorError, errors.ObjectLostError, errors.OutOfMemoryError) as error:
            # The second task of a dead worker fails too, after the worker has been replaced.
            if actor is self._actors[slot]:
                self._replace(slot, weights, error)
            return None
        self._failures = 0
        if actor is self._actors[slot]:
            self._submit(slot, weights)
        return samples, generation

    def _replace(self, slot: int, weights: Weights, error: Exception) -> None:
        self._failures += 1
        if self._failures > 3 + len(self._actors):
            raise RuntimeError(
                f"{self._failures} workers died one after the other; the last one with the error: {error}"
            ) from error
        self._kill(slot)
        self._actors[slot] = self._start()
        self.restarts += 1
        for _ in range(self._TASKS_PER_WORKER):
            self._submit(slot, weights)

    def finished(self) -> list[tuple[Samples, int]]:
        """Returns the results of the tasks that have finished, and submits no further tasks."""
        results = []
        ready, _ = self._ray.wait(list(self._tasks), num_returns=len(self._tasks), timeout=0)
        for task in ready:
            try:
                results.append((self._ray.get(task), self._tasks[task][2]))
            except self._ray.exceptions.RayError:
                continue
        return results

    def stop(self) -> None:
        """Ends all workers."""
        for slot in range(len(self._actors)):
            self._kill(slot)

    def _kill(self, slot: int) -> None:
        try:
            self._ray.kill(self._actors[slot], no_restart=True)
        except (self._ray.exceptions.RayError, ValueError):
            # The worker has ended.
            pass
