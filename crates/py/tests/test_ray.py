"""Training on a Ray cluster of two nodes. Skipped without Ray."""

import json
import subprocess
import sys

import pytest

from vivarium_ml.alphazero import Learner
from vivarium_ml.ray import train, training, workers

ray = pytest.importorskip("ray")
cluster_utils = pytest.importorskip("ray.cluster_utils")

# Warnings of Ray itself.
pytestmark = pytest.mark.filterwarnings("ignore")

SMALL = {
    "network": {"width": 8, "blocks": 1},
    "search": {"simulations": 4},
    "self_play": {"games": 8, "generation": 512},
    "learning": {"minibatch": 32, "replay_capacity": 1024, "replay_ratio": 1.0},
    "promotion": {"match_every": 0},
}


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two nodes with one CPU each, on this machine."""
    cluster = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}, connect=False
    )
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


class Recorder:
    """Records the workers that start and the batches that the learner receives."""

    def __init__(self, monkeypatch):
        self.actors, self.received = [], []
        start, add = workers.WorkerPool._start, training._Run._add

        def recorded_start(pool):
            self.actors.append(start(pool))
            return self.actors[-1]

        def recorded_add(run, samples, generation):
            # Seed and number of the batch identify it.
            self.received.append((samples.data[24:40], samples))
            add(run, samples, generation)

        monkeypatch.setattr(workers.WorkerPool, "_start", recorded_start)
        monkeypatch.setattr(training._Run, "_add", recorded_add)


def test_a_killed_worker_costs_only_its_games(cluster, monkeypatch, tmp_path):
    recorder = Recorder(monkeypatch)
    reports = []

    def report(progress):
        reports.append(progress)
        if len(reports) == 2:
            ray.kill(recorder.actors[0], no_restart=True)
            # Until Ray has noticed the death.
            with pytest.raises(ray.exceptions.RayActorError):
                ray.get(recorder.actors[0].__ray_ready__.remote())
        if len(reports) == 6:
            # Until the worker that replaces it has played its first two batches.
            ray.get(recorder.actors[2].__ray_ready__.remote())

    result = train("connect-four", SMALL, workers=2, generations=10, out=tmp_path, report=report, max_staleness=100)
    learner, progress = result.learner, result.progress
    assert progress.worker_restarts == 1 and len(recorder.actors) == 3
    nodes = {node["NodeID"] for node in ray.nodes() if node["Alive"]}
    assert len(nodes) == 2
    # Every batch that a worker returned was added, once.
    assert len({batch for batch, _ in recorder.received}) == len(recorder.received)
    assert len({batch[:8] for batch, _ in recorder.received}) == 3, "three workers with different seeds"
    assert learner.games == sum(samples.num_games for _, samples in recorder.received) == result.played_games
    assert learner.samples == sum(samples.num_samples for _, samples in recorder.received)
    assert progress.received_bytes == sum(len(samples.data) for _, samples in recorder.received)
    assert progress.stale_samples == 0
    # One pass over the samples.
    assert learner.samples - 32 < 32 * learner.updates <= learner.samples
    rows = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [row["games"] for row in rows] == [progress.games for progress in reports]
    assert Learner.load(tmp_path / "latest.safetensors").to_bytes() == learner.to_bytes()


def test_old_samples_are_dropped_and_counted(cluster, monkeypatch):
    recorder = Recorder(monkeypatch)
    # A batch is larger than a generation, so the second batch of each worker is a generation too old.
    result = train("connect-four", SMALL, workers=2, generations=4, max_staleness=0, batch_samples=600)
    received = sum(samples.num_samples for _, samples in recorder.received)
    assert result.progress.stale_samples > 0
    assert result.learner.samples + result.progress.stale_samples == received


def test_a_killed_learner_resumes(cluster, tmp_path):
    class Killed(Exception):
        pass

    def kill(progress):
        if progress.generations == 3:
            raise Killed

    folder = tmp_path / "run"
    with pytest.raises(Killed):
        train("connect-four", SMALL, workers=2, out=folder, report=kill)
    saved = Learner.load(folder / "latest.safetensors")
    assert saved.generations == 3
    with pytest.raises(FileExistsError, match="latest.safetensors"):
        train("connect-four", SMALL, workers=2, out=folder, generations=5)
    with pytest.raises(ValueError, match="trains connect-four, not backgammon"):
        train("backgammon", workers=2, out=folder, generations=5, resume=True)
    result = train("connect-four", workers=2, out=folder, generations=5, resume=True)
    assert result.learner.generations >= 5
    assert result.learner.games == saved.games + result.played_games
    assert result.learner.config == saved.config


def test_a_process_that_was_killed_resumes(tmp_path):
    """A learner that SIGKILL ends, in a process that starts Ray itself."""
    fields = ["network.width=8", "network.blocks=1", "self_play.generation=512", "learning.minibatch=32"]
    fields += ["learning.replay_capacity=1024", "promotion.match_every=0", "search.simulations=4"]
    command = [sys.executable, "-m", "vivarium_ml.ray", "connect-four", "--workers", "1", "--out", str(tmp_path)]
    command += [part for field in fields for part in ("--set", field)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines = [process.stdout.readline() for _ in range(2)]
        process.kill()
    assert [line.split()[:2] for line in lines] == [["generation", "1"], ["generation", "2"]]
    saved = Learner.load(tmp_path / "latest.safetensors")
    assert saved.generations >= 2
    command += ["--resume", "--generations", str(saved.generations + 1)]
    resumed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    assert f"generation {saved.generations + 1}" in resumed.stdout and "games/min" in resumed.stdout
    assert Learner.load(tmp_path / "latest.safetensors").games > saved.games


def test_errors_name_the_argument(cluster):
    with pytest.raises(ValueError, match="workers is 3; the cluster has CPUs for 2 workers of 1 CPUs each"):
        train("connect-four", SMALL, workers=3, minutes=1)
    with pytest.raises(ValueError, match="minutes is 0"):
        train("connect-four", SMALL, workers=1, minutes=0)
    with pytest.raises(ValueError, match="resume is set without out"):
        train("connect-four", SMALL, workers=1, resume=True)
    with pytest.raises(ValueError, match="game"):
        train("chess", workers=1, minutes=1)


def test_seeds_of_workers_differ():
    seeds = {workers.worker_seed(1, games, number) for games in range(20) for number in range(20)}
    assert len(seeds) == 400
