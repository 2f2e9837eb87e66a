"""Hyperparameter search: search spaces, and studies with Optuna, which are skipped without the package."""

import json
import urllib.parse

import pytest

import vivarium_ml
from vivarium_ml import sweep
from vivarium_ml.sweep import __main__ as command_line
from vivarium_ml.sweep.study import used_fields

SMALL = {"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}}
QUICK = {"config": SMALL, "steps": 1024, "evaluations": 4, "episodes": 4, "sampler_seed": 3}

try:
    import optuna
except ImportError:
    optuna = None

needs_optuna = pytest.mark.skipif(optuna is None, reason="Optuna is not installed")


class Trial:
    """Stands for a trial of Optuna: records the distributions, and returns the upper end or the last choice."""

    def __init__(self):
        self.asked = {}

    def suggest_float(self, name, low, high, *, log):
        self.asked[name] = (low, high, log)
        return high

    def suggest_int(self, name, low, high, *, log):
        assert isinstance(low, int) and isinstance(high, int)
        self.asked[name] = (low, high, log)
        return high

    def suggest_categorical(self, name, choices):
        self.asked[name] = choices
        return choices[-1]


@pytest.mark.parametrize("name", ["cartpole", "pendulum", "frozen-lake", "cube2"])
@pytest.mark.parametrize("learner", ["ppo", "dqn"])
def test_default_spaces_are_within_the_allowed_values(name, learner):
    space = sweep.default_space(name, learner)
    fields = {field.name: field for field in vivarium_ml.config_fields(name)}
    for dimension in space:
        kind = fields[dimension.name].kind
        assert kind["low"] <= dimension.low < dimension.high <= kind["high"]
        assert dimension.is_integer == (kind["type"] == "integer")
    sections = {dimension.name.split(".")[0] for dimension in space}
    assert sections == {{"pendulum": "ppo", "cube2": "dqn"}.get(name, learner)}
    rate = next(dimension for dimension in space if dimension.name.endswith("learning_rate"))
    assert rate.is_logarithmic and (rate.low, rate.high) == (1e-4, 1e-2)


def test_ranges_and_choices_of_selected_fields():
    texts = [
        "ppo.learning_rate=0.001:0.0123456",
        "ppo.horizon",
        "ppo.epochs=2:5",
        "ppo.hidden=[32]|[64,64]",
        "ppo.activation",
        "ppo.shared_torso",
        "world.gravity=1.62|9.8",
        "ppo.final_entropy_coefficient",
    ]
    space = sweep.search_space("cartpole", texts)
    trial = Trial()
    assert [dimension.suggest(trial) for dimension in space] == [
        0.0123456,
        640,
        5,
        [64, 64],
        "relu",
        True,
        9.8,
        10,
    ]
    default = next(field.default for field in vivarium_ml.config_fields("cartpole") if field.name == "ppo.horizon")
    assert trial.asked["ppo.horizon"] == (default // 10, default * 10, True)
    assert trial.asked["ppo.learning_rate"] == (0.001, 0.0123456, True)
    assert trial.asked["ppo.epochs"] == (2, 5, False)
    assert trial.asked["ppo.final_entropy_coefficient"] == (0, 10, False)
    assert str(space[0]) == "ppo.learning_rate=0.001:0.0123456" and str(space[3]) == "ppo.hidden=[32]|[64,64]"
    # Values have four digits.
    assert space[0].value_of(0.00234567) == 0.002346


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([], "fields is empty"),
        (["ppo.nothing"], "'ppo.nothing', which is not a config field of cartpole"),
        (["ppo.epochs", "ppo.epochs=1:2"], "'ppo.epochs' twice"),
        (["ppo.epochs=0:4"], r"allowed is a range within 1:64"),
        (["ppo.epochs=4:4"], r"allowed is a range within 1:64"),
        (["ppo.epochs=a:b"], r"expected a range low:high"),
        (["ppo.hidden"], r"'ppo.hidden' without values; give some, such as ppo.hidden=\[64,64\]"),
    ],
)
def test_fields_that_are_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        sweep.search_space("cartpole", fields)
    with pytest.raises(ValueError, match=r"backgammon has no default search space; select config fields"):
        sweep.default_space("backgammon")


@pytest.mark.skipif(optuna is not None, reason="Optuna is installed")
def test_the_missing_package_is_named(capsys):
    with pytest.raises(ImportError, match=r"pip install 'vivarium-ml\[sweep\]'"):
        sweep.optimize("cartpole")
    assert command_line.main(["cartpole"]) == 1 and "pip install" in capsys.readouterr().err


@pytest.fixture(autouse=True)
def quiet():
    if optuna is not None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)


def quick(**arguments):
    """Searches with short trials."""
    return sweep.optimize("cartpole", **{**QUICK, **arguments})


@needs_optuna
def test_a_study_finds_the_best_trial_and_its_run_is_reproducible():
    reports = []
    best = quick(trials=8, fields=["ppo.learning_rate", "ppo.epochs=1:4"], on_trial=reports.append)
    assert [report.number for report in reports] == list(range(8))
    complete = [report.score for report in reports if report.state == "complete"]
    assert len(complete) >= 5 and best.score == max(complete) == reports[-1].best
    assert {report.state for report in reports} <= {"complete", "pruned"}
    assert {"ppo.learning_rate", "ppo.epochs", "ppo.hidden"} <= best.config.keys()
    # The score is the mean of the evaluations of the run with this config.
    run, scores = vivarium_ml.Experiment("cartpole", best.config, seed=1), []
    for goal in (256, 512, 768, 1024):
        run.advance(steps=goal - run.steps)
        scores.append(run.evaluate(4)["return"])
    assert best.score == pytest.approx(sum(scores) / 4)


@needs_optuna
def test_the_link_and_the_command_have_the_config():
    fields = ["ppo.learning_rate", "ppo.hidden=[8]|[8,8]", "ppo.shared_torso=true"]
    config = {"preset": "moon", "ppo.num_envs": 8, "ppo": {"horizon": 16, "minibatch": 64}}
    best = quick(trials=1, fields=fields, config=config, seed=7)
    page, query = best.link.split("?")
    assert page == "#/cartpole"
    texts = urllib.parse.parse_qs(query, strict_parsing=True)
    assert next(iter(texts)) == "preset" and texts["preset"] == ["moon"] and texts["seed"] == ["7"]
    assert texts["ppo.hidden"] in (["8"], ["8,8"]) and texts["ppo.shared_torso"] == ["true"]
    assert float(texts["ppo.learning_rate"][0]) == best.config["ppo.learning_rate"]
    assert best.command.startswith("vivarium train cartpole --seed 7 --steps 1024 --set preset=moon --set ")
    assert f"--set ppo.learning_rate={json.dumps(best.config['ppo.learning_rate'])}" in best.command


def test_fields_of_other_learners_are_not_used():
    dqn, ppo = {"dqn.n_step": 5}, {"ppo.horizon": 64}
    both = {**dqn, **ppo, "world.gravity": 12.0}
    assert used_fields("cartpole", both) == {**ppo, "world.gravity": 12.0}
    for selected in [{"learner": "dqn"}, {"preset": "deep-q-learning"}]:
        assert used_fields("cartpole", {**both, **selected}) == {**dqn, **selected, "world.gravity": 12.0}
    # The later learner wins.
    config = {**both, "preset": "deep-q-learning", "learner": "ppo"}
    assert "dqn.n_step" not in used_fields("cartpole", config)
    assert used_fields("logic-ca", both) == both


@needs_optuna
def test_a_journal_file_is_shared_and_resumed(tmp_path):
    journal = tmp_path / "study.journal"
    numbers = []
    arguments = {"journal": journal, "fields": ["ppo.learning_rate"], "on_trial": lambda report: numbers.append(report.number)}
    first = quick(trials=2, **arguments)
    second = quick(trials=5, **{**arguments, "sampler_seed": 4})
    assert numbers == [0, 1, 2, 3, 4] and second.score >= first.score
    # The study has its number of trials: no further one runs.
    assert quick(trials=5, **arguments).number == second.number and len(numbers) == 5
    with pytest.raises(ValueError, match=r"seed is 2, and the study 'cartpole' has 1; use the same value"):
        quick(trials=5, seed=2, **arguments)
    assert quick(trials=1, seed=2, study="other", **arguments).study.study_name == "other"


@needs_optuna
def test_bad_trials_are_pruned():
    """The evaluations of a run without training steps are below the median of the others."""
    reports = []
    arguments = {"steps": 20_000, "config": {}, "trials": 8, "evaluations": 5, "episodes": 20, "on_trial": reports.append}
    quick(fields=["ppo.learning_rate=1e-7:0.005"], **arguments)
    pruned = [report for report in reports if report.state == "pruned"]
    assert pruned and all(report.score is None and report.problem is None for report in pruned)


@needs_optuna
def test_configs_that_are_not_allowed():
    with pytest.raises(ValueError, match=r"no trial of the study .* is complete: ppo.minibatch = 1000000: .*num_envs"):
        quick(trials=2, fields=["ppo.minibatch=1000000"], config={})
    with pytest.raises(ValueError, match=r"config sets ppo.epochs, which is also in fields"):
        quick(fields=["ppo.epochs"], config={"ppo.epochs": 3})
    with pytest.raises(ValueError, match=r"ppo.num_envs = 0"):
        quick(config={"ppo.num_envs": 0})
    with pytest.raises(ValueError, match=r"trials is 0"):
        quick(trials=0)
    with pytest.raises(ValueError, match=r"steps is None; cube2 has no default number of training steps"):
        sweep.optimize("cube2")


@needs_optuna
def test_the_command_line(tmp_path, capsys):
    arguments = ["cartpole", "--trials", "2", "--steps", "512", "--evaluations", "2", "--episodes", "2", "--sampler-seed", "1"]
    arguments += ["--fields", "ppo.learning_rate", "--set", "ppo.num_envs=8", "--set", "ppo.horizon=16"]
    arguments += ["--set", "ppo.minibatch=64", "--set", "preset=moon", "--journal", str(tmp_path / "journal")]
    assert command_line.main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("trial 0: ") and lines[1].startswith("trial 1: ") and "ppo.learning_rate=" in lines[1]
    assert lines[-2].startswith("#/cartpole?preset=moon&") and lines[-1].startswith("vivarium train cartpole ")
    assert command_line.main(["cartpole", "--set", "nonsense"]) == 2
    assert "error: --set nonsense: expected KEY=VALUE" in capsys.readouterr().err
    assert command_line.main(["nothing", "--journal", str(tmp_path / "journal")]) == 2
    assert "nothing" in capsys.readouterr().err
