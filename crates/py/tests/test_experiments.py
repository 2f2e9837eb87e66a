"""Experiments: training, metrics, configs, evaluation, frames, commands and checkpoints."""

import threading

import numpy as np
import pytest

import vivarium_ml
from vivarium_ml import Experiment

# Small configs, so that an iteration takes milliseconds.
SMALL = {"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}}
SMALL_DQN = {"learner": "dqn", "dqn.hidden": [8]}


def test_every_experiment_has_a_description_and_can_be_created():
    infos = vivarium_ml.experiments()
    assert {info.family for info in infos} == {"control", "logic_ca", "games", "cube", "language"}
    for info in infos:
        experiment = Experiment(info.name)
        assert (experiment.name, experiment.seed, experiment.steps, experiment.engine) == (info.name, 1, 0, "cpu")
        assert info.measures and info.metrics and info.summary
        fields = vivarium_ml.config_fields(info.name)
        config = experiment.config
        for field in fields:
            value = config
            for part in field.name.split("."):
                value = value[part]
            assert value == field.default, field
            assert field.help and field.allowed, field
        assert any(field.live for field in fields)
        for preset in vivarium_ml.presets(info.name):
            assert Experiment(info.name, {"preset": preset.name}).config, preset


def test_a_config_has_sections_or_paths():
    nested = Experiment("cartpole", {"ppo": {"num_envs": 64, "hidden": (8, 8)}, "world": {"gravity": np.float32(12)}})
    paths = Experiment("cartpole", {"ppo.num_envs": np.int64(64), "ppo.hidden": np.array([8, 8]), "world": {"gravity": 12}})
    assert nested.config == paths.config
    assert nested.config["ppo"]["hidden"] == [8, 8] and nested.config["world"]["gravity"] == 12
    assert Experiment("cartpole", nested.config).config == nested.config
    assert Experiment("cartpole", {"preset": "moon"}).config["world"]["gravity"] == pytest.approx(1.62)


def test_advance_counts_slices_steps_and_seconds():
    experiment = Experiment("cartpole", SMALL)
    experiment.advance()
    assert not experiment.metrics
    experiment.advance(steps=3 * 8 * 16)
    # The first slice has begun an iteration of 128 steps; three iterations complete 384 further steps.
    assert experiment.steps == 512
    rows = experiment.metrics
    assert [row["steps"] for row in rows] == [128, 256, 384, 512]
    assert {"entropy", "policy_loss"} < set(rows[-1]) and experiment.metrics_since(2) == rows[2:]
    experiment.advance(seconds=0.05)
    assert experiment.steps > 512 and experiment.updates > 0
    before = experiment.steps
    experiment.advance(0)
    experiment.advance(seconds=0)
    assert experiment.steps == before


def without_times(rows):
    """Returns the rows without the metrics that measure time."""
    return [{name: row[name] for name in row.keys() - {"elapsed", "steps_per_second", "tokens_per_second", "peak_share"}} for row in rows]


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("cartpole", SMALL),
        ("cartpole", SMALL_DQN),
        ("pendulum", SMALL),
        ("cube2", {"dqn.hidden": [16]}),
        ("language", {"preset": "tiny"}),
        ("logic-ca", {}),
    ],
)
def test_a_restored_run_continues_bit_for_bit(name, config, tmp_path):
    whole = Experiment(name, config, seed=5)
    first = Experiment(name, config, seed=5)
    # The number of slices up to the first metric row, plus one: the run is then within an iteration.
    slices = 1
    while not first.metrics:
        first.advance()
        slices += 1
    first.advance()
    whole.advance(slices)
    assert first.to_bytes() == whole.to_bytes()
    path = tmp_path / "run.safetensors"
    first.save(path)
    second = Experiment.load(path)
    assert (second.config, second.seed) == (first.config, 5)
    seen = len(whole.metrics)
    while len(second.metrics) < 2:
        second.advance()
    while len(whole.metrics) < seen + 2:
        whole.advance()
    assert without_times(second.metrics) == without_times(whole.metrics_since(seen))
    assert Experiment.from_bytes(second.to_bytes()).to_bytes() == whole.to_bytes()


def test_evaluations_are_reproducible_and_change_nothing():
    experiment = Experiment("cartpole", SMALL)
    experiment.advance(steps=1000)
    before = experiment.to_bytes()
    first = experiment.evaluate(20, seed=3)
    assert first == experiment.evaluate(20, seed=3) and first != experiment.evaluate(20, seed=4)
    assert 8 <= first["return"] <= 500 and first["details"]["episodes"] == 20
    assert set(first) == {*next(i for i in vivarium_ml.experiments() if i.name == "cartpole").measures, "details"}
    assert experiment.to_bytes() == before


def test_frames_and_commands():
    experiment = Experiment("cartpole")
    frame = experiment.frame({"members": 3, "focus": 0, "map": {"x": 0, "y": 2, "size": 16}}, 0.02)
    assert frame["arrays"]["preview/state"].shape == (3, 4) and frame["arrays"]["map/value"].shape == (16, 16)
    assert frame["documents"] is None
    assert experiment.command({"kind": "push", "member": 1, "force": 2.0}) is None
    cube = Experiment("cube2")
    cube.command({"kind": "apply", "turns": "R U2 F'"})
    documents = cube.frame({"documents": True, "map": False, "thumbnails": 0})["documents"]
    assert documents["cube"]["at"] == 3 and not documents["cube"]["solved"]
    file = cube.command({"kind": "export_player"})
    assert file["name"].endswith(".safetensors") and isinstance(vivarium_ml.load(file["bytes"]), vivarium_ml.Solver)


def test_live_fields_change_during_a_run():
    experiment = Experiment("cartpole", SMALL)
    experiment.set_config({"world": {"gravity": 3}, "ppo.learning_rate": 1e-3})
    assert experiment.config["world"]["gravity"] == 3 and experiment.config["ppo"]["learning_rate"] == 1e-3
    with pytest.raises(ValueError, match=r"ppo.num_envs = 16: the field is fixed for the whole run; live fields are"):
        experiment.set_config({"ppo.num_envs": 16, "world.gravity": 4})
    assert experiment.config["world"]["gravity"] == 3


def test_a_second_thread_is_refused():
    experiment = Experiment("cartpole")

    def advance():
        while True:
            try:
                return experiment.advance(seconds=1.0)
            except RuntimeError as error:
                # The other thread was faster.
                assert "use it in one thread at a time" in str(error)

    worker = threading.Thread(target=advance)
    worker.start()
    refused = 0
    while worker.is_alive():
        try:
            _ = experiment.steps
        except RuntimeError as error:
            assert "use it in one thread at a time" in str(error)
            refused += 1
    assert refused > 0 and experiment.steps > 0


def test_experiments_of_several_threads_run_side_by_side():
    runs = [Experiment("cartpole", SMALL, seed=seed) for seed in (1, 2)]
    workers = [threading.Thread(target=lambda run=run: run.advance(steps=2000)) for run in runs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    alone = Experiment("cartpole", SMALL, seed=2)
    alone.advance(steps=2000)
    assert runs[1].to_bytes() == alone.to_bytes() != runs[0].to_bytes()


def test_a_language_model_trains_on_a_text_of_the_user(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the quick brown fox jumps over the lazy dog\n" * 2000)
    experiment = Experiment("language", {"preset": "tiny", "data": str(text)})
    while experiment.updates == 0:
        experiment.advance()
    saved = experiment.to_bytes()
    without = Experiment.from_bytes(saved)
    with pytest.raises(ValueError, match=r"data = .*text.txt.*pass its path as the argument data"):
        without.advance()
    continued = Experiment.from_bytes(saved, data=text)
    continued.advance(steps=1)
    assert continued.updates > experiment.updates
    with pytest.raises(FileNotFoundError, match="data = nowhere.txt: there is no such file"):
        Experiment("language", {"data": "nowhere.txt"})
    (tmp_path / "other.txt").write_text("other\n" * 5000)
    with pytest.raises(ValueError, match="data = "):
        Experiment.from_bytes(saved, data=tmp_path / "other.txt")
