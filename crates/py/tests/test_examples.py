"""The examples: each solves CartPole. Those whose packages are not installed are skipped."""

import contextlib
import importlib.util
import json
import sys
import types
from pathlib import Path

import pytest

import vivarium_ml

EXAMPLES = Path(__file__).parents[1] / "examples"
# Mean return of 100 episodes at which CartPole-v1 counts as solved.
SOLVED = 475


def load_example(name):
    """Imports an example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_ppo_in_pytorch_solves_cartpole():
    pytest.importorskip("torch", exc_type=ImportError)
    example = load_example("pytorch_ppo")
    agent = example.train(example.Settings(), quiet=True)
    assert example.evaluate(agent, "CartPole-v1") >= SOLVED


def test_advantages_are_those_of_their_definition():
    torch = pytest.importorskip("torch", exc_type=ImportError)
    example = load_example("pytorch_ppo")
    settings = example.Settings(discount=0.9, gae_lambda=0.5)
    rewards, values, next_values = torch.rand(3, 6, 2, generator=torch.Generator().manual_seed(1))
    ended = torch.zeros(6, 2)
    ended[2, 0] = 1
    found = example.advantages_of(rewards, values, next_values, ended, settings)
    errors = rewards + 0.9 * next_values - values
    for env, step, last in [(0, 0, 2), (0, 3, 5), (1, 0, 5)]:
        expected = sum(0.45 ** (later - step) * errors[later, env] for later in range(step, last + 1))
        assert found[step, env] == pytest.approx(float(expected), rel=1e-5)


def test_ppo_of_stable_baselines3_solves_cartpole():
    pytest.importorskip("stable_baselines3", exc_type=ImportError)
    example = load_example("stable_baselines3_ppo")
    assert example.evaluate(example.train()) >= SOLVED


class Tracker:
    """Stand-in for a run of Weights & Biases and for a `SummaryWriter` of TensorBoard, which records what it receives."""

    def __init__(self):
        self.config, self.summary, self.rows, self.scalars, self.texts = {}, {}, [], [], []

    def log(self, row, *, step):
        assert step == row["steps"] >= (self.rows[-1]["steps"] if self.rows else 0)
        self.rows.append(row)

    def add_scalar(self, name, value, step):
        self.scalars.append((name, float(value), step))

    def add_text(self, name, value, step):
        self.texts.append((name, value, step))


def test_experiment_trackers_receive_all_metrics():
    example = load_example("experiment_trackers")
    small = {"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}}

    wandb, run = Tracker(), vivarium_ml.Experiment("cartpole", small, seed=3)
    example.train_with_wandb(wandb, run, steps=1000, progress=False)
    assert wandb.rows == run.metrics and "eval_return_mean" in wandb.rows[-1]
    assert wandb.config["experiment"] == "cartpole" and wandb.config["ppo"]["num_envs"] == 8

    tensorboard, run = Tracker(), vivarium_ml.Experiment("cartpole", small, seed=3)
    example.train_with_tensorboard(tensorboard, run, steps=1000, progress=False)
    rows = [(name, row["steps"]) for row in run.metrics for name in row if name not in ("steps", "notice")]
    assert [(name, step) for name, _, step in tensorboard.scalars] == rows and ("entropy", 128) in rows

    events = [
        {"event": "start", "experiment": "cartpole"},
        {"event": "metrics", "steps": 8, "updates": 1, "elapsed": 0.1, "entropy": 0.6},
        {"event": "end", "reason": "steps"},
    ]
    program = Tracker()
    example.log_events(program, map(json.dumps, events))
    assert program.rows == [{"steps": 8, "updates": 1, "elapsed": 0.1, "entropy": 0.6}]
    assert (program.config, program.summary) == ({"experiment": "cartpole"}, {"reason": "steps"})


def notebook_stub(shown):
    """Returns replacements of the modules of IPython, whose `display` appends to `shown`."""
    display = types.ModuleType("IPython.display")
    display.display, display.clear_output = shown.append, lambda wait=False: None
    package = types.ModuleType("IPython")
    package.display, package.get_ipython, package.version_info = display, lambda: None, (9, 0)
    return {"IPython": package, "IPython.display": display}


def test_the_cells_of_the_notebook_run(tmp_path, monkeypatch, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    notebook = json.loads((EXAMPLES / "live_plots.ipynb").read_text("utf-8"))
    with contextlib.suppress(ImportError):
        import nbformat

        nbformat.validate(notebook)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    shown = []
    for name, module in notebook_stub(shown).items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.chdir(tmp_path)
    names = {}
    for cell in cells:
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)  # noqa: S102
    assert len(shown) == 10
    returns = shown[-1].axes[0]
    assert returns.get_title() == "return_mean" and len(returns.lines[0].get_xdata()) >= 8
    assert (tmp_path / "cartpole.csv").stat().st_size > 1000
    assert names["score"] >= SOLVED and "mean return" in capsys.readouterr().out
