"""Self-play and learning of AlphaZero as two objects."""

import pickle
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import vivarium_ml
from vivarium_ml import Experiment
from vivarium_ml.alphazero import Learner, Samples, SelfPlay

GAMES = ["backgammon", "connect-four"]
# A small config, so that a generation takes milliseconds.
SMALL = {
    "network": {"width": 8, "blocks": 1},
    "search": {"simulations": 4},
    "self_play": {"workers": 2, "games": 8, "generation": 512},
    "learning": {"minibatch": 32, "replay_capacity": 1024, "replay_ratio": 1.0},
    "promotion": {"match_every": 2, "match_pairs": 2},
}


def run(game, generations, num_threads=1):
    """Plays and learns until a number of generations has ended. Returns learner, self-play and metric rows."""
    learner = Learner(game, SMALL, seed=3)
    self_play = SelfPlay(game, learner.config, seed=4, num_threads=num_threads)
    rows = []
    while len(rows) < generations:
        self_play.set_weights(learner.weights(), games=learner.games, samples=learner.samples)
        assert learner.add(self_play.play(samples=200))
        row = learner.update()
        if row is not None:
            rows.append(row)
    return learner, self_play, rows


@pytest.mark.parametrize("game", GAMES)
def test_results_depend_on_seeds_and_not_on_threads(game):
    learner, _, rows = run(game, 3)
    again, _, rows_again = run(game, 3, num_threads=2)
    assert np.array_equal(learner.weights(), again.weights()) and rows == rows_again
    assert learner.to_bytes() == again.to_bytes()
    assert learner.generations == 3 and learner.updates > 0
    # One pass over the samples: 32 per gradient step.
    assert learner.samples - 32 < 32 * learner.updates <= learner.samples
    assert ["match_points" in row for row in rows] == [False, True, False]
    assert all(np.isfinite(row["policy_loss"]) for row in rows)
    assert repr(learner) == f"Learner({game!r}, seed=3, games={learner.games}, updates={learner.updates})"


def test_samples_are_counted_once():
    learner, self_play, _ = run("connect-four", 1)
    samples = self_play.play(100)
    assert samples.num_samples >= 100 and samples.num_games > 0
    assert pickle.loads(pickle.dumps(samples)) == samples
    games = learner.games
    assert learner.add(samples) and learner.games == games + samples.num_games
    assert not learner.add(samples) and learner.games == games + samples.num_games
    # In any order.
    first, second = self_play.play(1), self_play.play(1)
    assert [learner.add(batch) for batch in (second, first, second, first)] == [True, True, False, False]


@pytest.mark.parametrize("game", GAMES)
def test_a_learner_is_saved_and_loaded(game, tmp_path):
    learner, self_play, _ = run(game, 2)
    last = self_play.play(100)
    learner.add(last)
    path = tmp_path / "learner.safetensors"
    learner.save(path)
    loaded = Learner.load(path)
    assert loaded.to_bytes() == learner.to_bytes() == path.read_bytes()
    assert (loaded.game, loaded.seed, loaded.config) == (game, 3, learner.config)
    assert np.array_equal(loaded.weights(), learner.weights())
    assert not loaded.add(last), "the numbers of the batches are restored"
    assert loaded.add(self_play.play(1000)) and loaded.update() is not None
    assert loaded.updates > learner.updates
    # The file is a checkpoint of the experiment, and the learner continues a run of the experiment.
    experiment = Experiment.load(path)
    assert experiment.episodes == learner.games and experiment.config == learner.config
    vivarium_ml.load(path)
    experiment.advance(slices=20)
    continued = Learner.from_bytes(experiment.to_bytes())
    assert continued.games == experiment.episodes >= learner.games
    assert continued.config == learner.config


def test_errors_name_the_argument():
    with pytest.raises(ValueError, match='game = "chess": allowed is backgammon or connect-four'):
        SelfPlay("chess")
    with pytest.raises(ValueError, match="game"):
        Learner("cartpole")
    with pytest.raises(ValueError, match="network.width"):
        Learner("backgammon", {"network.width": 0})
    with pytest.raises(TypeError, match="config is 3"):
        SelfPlay("backgammon", 3)
    with pytest.raises(ValueError, match="seed is -1"):
        SelfPlay("backgammon", seed=-1)
    with pytest.raises(ValueError, match="num_threads is 0"):
        SelfPlay("backgammon", num_threads=0)
    self_play, learner = SelfPlay("connect-four", SMALL), Learner("connect-four", SMALL)
    weights = learner.weights()
    assert weights.dtype == np.float32 and weights.shape == (self_play.num_weights,)
    with pytest.raises(TypeError, match="float64"):
        self_play.set_weights(weights.astype(np.float64))
    with pytest.raises(ValueError, match=rf"{len(weights) - 1} numbers: the network of this config has {len(weights)}"):
        self_play.set_weights(weights[1:])
    with pytest.raises(ValueError, match="shape"):
        self_play.set_weights(weights[None])
    with pytest.raises(ValueError, match="finite"):
        self_play.set_weights(np.full_like(weights, np.nan))
    self_play.set_weights(np.repeat(weights, 2)[::2], games=1, samples=1)
    with pytest.raises(ValueError, match="samples is 0"):
        self_play.play(0)
    with pytest.raises(TypeError, match="samples is 1.5"):
        self_play.play(1.5)
    with pytest.raises(TypeError, match="expected the Samples"):
        learner.add(b"")
    with pytest.raises(ValueError, match="not self-play samples"):
        learner.add(Samples(b"", 0, 0))
    with pytest.raises(ValueError, match="another game; samples of connect-four"):
        learner.add(SelfPlay("backgammon", SMALL).play(1))
    samples = self_play.play(1)
    with pytest.raises(ValueError, match="truncated"):
        learner.add(Samples(samples.data[:-1], 1, 1))
    assert learner.games == 0 and learner.update() is None


def test_invalid_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        Learner.load(tmp_path / "missing.safetensors")
    path = tmp_path / "cartpole.safetensors"
    path.write_bytes(Experiment("cartpole").to_bytes())
    with pytest.raises(ValueError, match="belongs to cartpole; a checkpoint of backgammon or connect-four is required"):
        Learner.load(path)
    learner = Learner("connect-four", SMALL)
    path.write_bytes(learner.to_bytes()[:-8])
    with pytest.raises(ValueError, match="checkpoint"):
        Learner.load(path)
    with pytest.raises(OSError, match="missing"):
        learner.save(tmp_path / "missing" / "learner.safetensors")


def test_a_second_thread_is_refused():
    self_play = SelfPlay("connect-four", SMALL)
    played, refused = [], []

    def play():
        while not refused:
            try:
                played.append(self_play.play(100))
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=play) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("use it in one thread at a time" in message for message in refused)
    assert self_play.play(1).num_samples > 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals of other processes")
def test_ctrl_c_interrupts_play():
    program = textwrap.dedent("""
        import sys
        from vivarium_ml.alphazero import SelfPlay
        self_play = SelfPlay("backgammon", {"network": {"width": 8, "blocks": 1}, "self_play.games": 4})
        try:
            print("ready", flush=True)
            self_play.play(2**26)
        except KeyboardInterrupt:
            print(self_play.play(1).num_samples > 0)
    """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "True\n"
