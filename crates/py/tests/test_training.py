"""`train`: goals, limits, files, progress, Ctrl-C."""

import builtins
import io
import json
import signal
import subprocess
import sys
import textwrap
import time

import gymnasium
import numpy as np
import pytest

import vivarium_ml
from vivarium_ml import Experiment

SMALL = {"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}}


@pytest.fixture(scope="module")
def solved():
    return vivarium_ml.train("cartpole", seed=1, until="return>=475", progress=False)


def test_cartpole_is_solved_by_default(solved):
    assert next(row["return_mean"] for row in reversed(solved.metrics) if "return_mean" in row) > 100
    assert solved.evaluate(100, seed=7)["return"] >= 475


def test_a_trained_policy_solves_the_environment(solved):
    policy = vivarium_ml.load(solved.to_bytes())
    envs = gymnasium.make_vec("vivarium_ml/CartPole-v1", num_envs=64)
    observations, _ = envs.reset(seed=11)
    lengths, alive = np.zeros(64), np.ones(64, bool)
    for _ in range(500):
        lengths += alive
        observations, _, terminations, truncations, _ = envs.step(policy(observations))
        alive &= ~(terminations | truncations)
    assert lengths.mean() >= 475


def test_goals_of_metrics_and_limits():
    experiment = Experiment("cartpole", SMALL)
    assert experiment.train(until="entropy<1", progress=False) == "reached"
    assert experiment.metrics and experiment.metrics[0]["entropy"] < 1
    assert experiment.train(steps=1000, progress=False) == "steps"
    assert 1000 <= experiment.steps < 1000 + 128
    # The limit counts the steps of the whole run, not of this call.
    before = experiment.steps
    assert experiment.train(steps=1000, progress=False) == "steps" and experiment.steps == before
    start = time.monotonic()
    assert experiment.train(minutes=0.2 / 60, progress=False) == "minutes"
    assert 0.2 <= time.monotonic() - start < 20 and experiment.steps > before


def test_training_equals_advancing():
    trained, advanced = Experiment("cartpole", SMALL), Experiment("cartpole", SMALL)
    trained.train(steps=5000, progress=False)
    advanced.advance(steps=5000)
    assert trained.to_bytes() == advanced.to_bytes()

    def learned(run):
        durations = {"elapsed", "steps_per_second"}
        return [{name: row[name] for name in row.keys() - durations} for row in run.metrics if "entropy" in row]

    assert learned(trained) == learned(advanced)


def test_rows_have_the_fields_of_the_program_and_are_passed_on():
    seen = []
    run = Experiment("cartpole", SMALL)
    run.train(steps=2000, on_row=seen.append, progress=False)
    assert seen == run.metrics and "eval_return_mean" in seen[-1]
    assert all(list(row)[:3] == ["steps", "updates", "elapsed"] for row in seen)
    for name, kind in [("updates", int), ("elapsed", float)]:
        values = [row[name] for row in seen]
        assert values == sorted(values) and values[0] > 0 and all(type(value) is kind for value in values)
    speeds = [row["steps_per_second"] for row in seen if "entropy" in row]
    assert len(speeds) == len(seen) - 1 and min(speeds) > 0
    # A second call passes only its own rows, and an exception of the function ends the training.
    before = len(seen)
    run.train(steps=3000, on_row=seen.append, progress=False)
    assert seen == run.metrics and len(seen) > before
    with pytest.raises(ZeroDivisionError):
        run.train(steps=10**9, on_row=lambda row: 1 / 0, progress=False)
    assert run.steps < 10**9


def test_files_of_a_run(tmp_path):
    out = tmp_path / "runs" / "one"
    experiment = vivarium_ml.train("cartpole", SMALL, steps=2000, out=out, progress=False)
    files = ["best.safetensors", "config.json", "latest.safetensors", "metrics.jsonl", "run.json"]
    assert sorted(file.name for file in out.iterdir()) == files
    # The program requires these fields.
    about = json.loads((out / "run.json").read_text())
    assert (about["experiment"], about["seed"], about["engine"]) == ("cartpole", experiment.seed, "cpu")
    assert about["threads"] > 0 and about["started"] > 1.7e9 and about["program"].startswith("vivarium_ml ")
    (session,) = about["sessions"]
    assert (session["first_step"], session["last_step"], session["end"]) == (0, experiment.steps, "steps")
    assert session["limits"] == {"until": None, "steps": 2000, "minutes": None}
    assert session["ended"] >= session["started"] and session["host"] and session["command"]
    # The final state is the only one that has been evaluated.
    assert vivarium_ml.Experiment.load(out / "best.safetensors").steps == experiment.steps
    assert json.loads((out / "config.json").read_text()) == experiment.config
    rows = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert rows == experiment.metrics and len(rows) >= 15
    # The last row is an evaluation, without the metrics of the learner.
    assert "return_mean" not in rows[-1]
    newest = experiment.newest_metrics
    assert newest["return_mean"] == next(row["return_mean"] for row in reversed(rows) if "return_mean" in row)
    assert newest["eval_return_mean"] == rows[-1]["eval_return_mean"]
    assert (out / "latest.safetensors").read_bytes() == experiment.to_bytes()
    assert vivarium_ml.Experiment.load(out).to_bytes() == experiment.to_bytes()
    assert isinstance(vivarium_ml.load(out), vivarium_ml.Policy)
    with pytest.raises(FileExistsError, match=r"out = .*latest.safetensors of another run; use a new folder"):
        vivarium_ml.train("cartpole", SMALL, steps=2000, out=out, progress=False)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_progress_is_shown_on_a_terminal_only(with_tqdm, monkeypatch):
    original = builtins.__import__

    def importing(name, *rest, **more):
        if name == "tqdm" and not with_tqdm:
            raise ImportError(name)
        return original(name, *rest, **more)

    if with_tqdm:
        pytest.importorskip("tqdm")
    monkeypatch.setattr(builtins, "__import__", importing)
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        vivarium_ml.train("cartpole", SMALL, minutes=0.3 / 60)
        shown = stream.getvalue()
        assert ("cartpole: " in shown and "steps" in shown and "%" in shown) == stream.isatty(), shown


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process on Windows")
@pytest.mark.parametrize(
    "work",
    [
        "run.train(until='return>=1e9', out=out, progress=False)",
        "run.advance(seconds=1000)",
        "run.evaluate(10000)",
    ],
)
def test_control_c_interrupts_and_keeps_the_run(work, tmp_path):
    code = f"""
        import sys
        import vivarium_ml
        out = sys.argv[1]
        # Without an interruption, the loop never ends.
        run = vivarium_ml.Experiment("cartpole", {{"ppo": {{"num_envs": 8, "horizon": 16, "minibatch": 64}}}})
        run.advance(steps=2000)
        print("ready", flush=True)
        try:
            while True:
                {work}
        except KeyboardInterrupt:
            before = run.steps
            run.advance(steps=1)
            print("interrupted", run.steps > before, len(vivarium_ml.Experiment.from_bytes(run.to_bytes()).metrics))
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert output == "interrupted True 0\n", errors
    if "out=out" in work:
        assert Experiment.load(tmp_path / "run" / "latest.safetensors").steps > 0
        assert (tmp_path / "run" / "metrics.jsonl").read_text()
