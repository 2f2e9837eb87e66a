"""Studies: trials of configs, each a training run with evaluations."""

import json
import os
import shlex
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vivarium_ml._core import experiment_info, unused_fields
from vivarium_ml.arguments import whole_number
from vivarium_ml.experiment import MAX_SEED, Experiment
from vivarium_ml.sweep.search_space import Dimension, default_space, search_space

if TYPE_CHECKING:
    import optuna  # type: ignore[import-not-found,unused-ignore]

_MAX_COUNT = 2**31 - 1
# Training steps of a trial of classic control.
_CONTROL_STEPS = 100_000
# Complete trials, and evaluations of a trial, before the pruner stops trials.
_STARTUP_TRIALS = 5
_WARMUP_EVALUATIONS = 2
# User attributes of Optuna's studies and trials.
_SETTINGS = "settings"
_PROBLEM = "problem"


@dataclass(frozen=True)
class BestTrial:
    """Best trial of a study.

    Attributes:
        experiment: name of the experiment.
        number: number of the trial.
        score: mean of the trial's evaluations.
        config: config fields of the trial by path, including the fields of the argument `config`.
        link: fragment of the page's address, such as `#/cartpole?ppo.learning_rate=0.003&seed=1`, which opens the run.
        command: command that trains the run.
        study: the study of Optuna, with all trials.
    """

    experiment: str
    number: int
    score: float
    config: dict[str, Any]
    link: str
    command: str
    study: "optuna.Study"


@dataclass(frozen=True)
class TrialReport:
    """Result of a trial.

    Attributes:
        number: number of the trial.
        state: `complete`, `pruned` (stopped early, because its scores were below the median), or `fail`.
        score: mean of the evaluations; `None` if the trial is not complete.
        best: best score so far; `None` if no trial is complete.
        config: values of the varied fields by path.
        problem: error message of a config that is not allowed or has diverged.
    """

    number: int
    state: str
    score: float | None
    best: float | None
    config: dict[str, Any]
    problem: str | None


@dataclass(frozen=True)
class _Settings:
    """Settings of the trials of a study, which do not change when the study is resumed."""

    experiment: str
    config: dict[str, Any]
    seed: int
    steps: int
    evaluations: int
    episodes: int | None
    space: list[Dimension]

    def to_json(self) -> str:
        own = {name: value for name, value in vars(self).items() if name != "space"}
        return json.dumps({**own, "fields": [str(dimension) for dimension in self.space]}, sort_keys=True)


def optimize(
    name: str,
    *,
    trials: int = 50,
    steps: int | None = None,
    fields: Iterable[str] | None = None,
    config: Mapping[str, Any] | None = None,
    seed: int = 1,
    engine: str = "cpu",
    evaluations: int = 10,
    episodes: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    study: str | None = None,
    sampler_seed: int | None = None,
    on_trial: Callable[[TrialReport], None] | None = None,
) -> BestTrial:
    """Searches the config with the highest score, by Optuna's TPE sampler and median pruner.

    A trial trains a run for `steps` training steps and evaluates it at equal intervals. Its score is the mean of the
    evaluations, by the experiment's first measure, such as `return`: a run that learns early has a higher score than a run
    that reaches the same return late. A trial is pruned if its evaluation is below the median of earlier trials at the
    same step. All trials have the same seed.

    Args:
        name: experiment.
        trials: total number of complete and pruned trials of the study, including trials of other processes. Processes
            that share a study complete their trials in progress.
        steps: training steps of a trial; 100,000 by default in classic control.
        fields: config fields to vary; see `search_space` [default: the fields of `default_space`].
        config: config fields with other values than the defaults in all trials, as in `Experiment`.
        seed: seed of the runs.
        engine: `cpu`, `gpu` or `auto`; see `Experiment`.
        evaluations: number of evaluations of a trial.
        episodes: trials of an evaluation; see `Experiment.evaluate`.
        journal: file of the study. Processes with the same file share the study, and a later process resumes it. By
            default the study is in memory.
        study: name of the study in the file; by default the name of the experiment.
        sampler_seed: seed of the sampler; random by default. Processes that share a study need different seeds.
        on_trial: function that is called after each trial of this process.

    Raises:
        ImportError: if Optuna is not installed.
        ValueError: for a value that is not allowed, for a study that was created with other settings, or if no trial is
            complete.
        KeyboardInterrupt: after Ctrl-C. The trials so far are in the journal file.
    """
    modules = _import_optuna()
    trials = whole_number("trials", trials, 1, _MAX_COUNT)
    settings = _settings(name, steps, fields, config, seed, evaluations, episodes)
    opened = modules.create_study(
        study_name=name if study is None else study,
        storage=_storage(journal),
        sampler=modules.samplers.TPESampler(seed=sampler_seed),
        pruner=modules.pruners.MedianPruner(_STARTUP_TRIALS, _WARMUP_EVALUATIONS),
        direction="maximize",
        load_if_exists=True,
    )
    _check_settings(opened, settings)
    counted = (modules.trial.TrialState.COMPLETE, modules.trial.TrialState.PRUNED)

    def objective(trial: "optuna.Trial") -> float:
        return _score(trial, settings, engine)

    def after(current: "optuna.Study", trial: "optuna.trial.FrozenTrial") -> None:
        if len(current.get_trials(deepcopy=False, states=counted)) >= trials:
            current.stop()
        if on_trial is not None:
            on_trial(_report(current, trial, settings))

    if len(opened.get_trials(deepcopy=False, states=counted)) < trials:
        opened.optimize(objective, callbacks=[after])
    return best_trial(opened, settings)


def _import_optuna() -> Any:
    """Returns the package Optuna."""
    try:
        import optuna  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ImportError("vivarium_ml.sweep needs Optuna; install it: pip install 'vivarium-ml[sweep]'") from None
    return optuna


def _storage(journal: str | os.PathLike[str] | None) -> Any:
    """Returns the storage of a journal file, or `None` for a study in memory."""
    if journal is None:
        return None
    from optuna.storages import JournalStorage  # type: ignore[import-not-found,unused-ignore]
    from optuna.storages.journal import (  # type: ignore[import-not-found,unused-ignore]
        JournalFileBackend,
        JournalFileOpenLock,
    )

    path = os.fspath(journal)
    # The default lock needs symbolic links, which Windows reserves for administrators.
    lock = JournalFileOpenLock(path) if os.name == "nt" else None
    return JournalStorage(JournalFileBackend(path, lock_obj=lock))


def _settings(
    name: str,
    steps: int | None,
    fields: Iterable[str] | None,
    config: Mapping[str, Any] | None,
    seed: int,
    evaluations: int,
    episodes: int | None,
) -> _Settings:
    """Checks the arguments of `optimize`."""
    given = _flat(config or {})
    fields = None if fields is None else list(fields)
    varies_learner = any(field.split("=")[0] == "learner" for field in fields or [])
    # A config that is not allowed is an error here, and not in each trial.
    Experiment(name, used_fields(name, given) if varies_learner else given)
    space = default_space(name, given.get("learner")) if fields is None else search_space(name, fields)
    for dimension in space:
        if dimension.name in given:
            raise ValueError(f"config sets {dimension.name}, which is also in fields; allowed is one of both")
    if steps is None:
        if experiment_info(name)["family"] != "control":
            raise ValueError(f"steps is None; {name} has no default number of training steps; give one")
        steps = _CONTROL_STEPS
    return _Settings(
        experiment=name,
        config=given,
        seed=whole_number("seed", seed, 0, MAX_SEED),
        steps=whole_number("steps", steps, 1, 2**53 - 1),
        evaluations=whole_number("evaluations", evaluations, 1, 1000),
        episodes=None if episodes is None else whole_number("episodes", episodes, 1, 2**32 - 1),
        space=space,
    )


def _flat(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Returns a config with the paths of its fields as keys."""
    flat: dict[str, Any] = {}
    for name, value in config.items():
        flat.update(_flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value})
    return flat


def _check_settings(study: "optuna.Study", settings: _Settings) -> None:
    """Stores the settings in a new study. The settings of an existing study must be equal.

    Raises:
        ValueError: if the study has other settings.
    """
    own, stored = settings.to_json(), study.user_attrs.get(_SETTINGS)
    if stored is None:
        study.set_user_attr(_SETTINGS, own)
    elif stored != own:
        before, now = json.loads(stored), json.loads(own)
        name = next(name for name in now if before.get(name) != now[name])
        raise ValueError(
            f"{name} is {now[name]!r}, and the study {study.study_name!r} has {before.get(name)!r}; use the same value, "
            "another journal file, or another name of the study"
        )


def _score(trial: "optuna.Trial", settings: _Settings, engine: str) -> float:
    """Trains and evaluates the run of a trial. Returns the mean of its evaluations."""
    pruned: type[Exception] = _import_optuna().TrialPruned
    varied = {dimension.name: dimension.suggest(trial) for dimension in settings.space}
    scores: list[float] = []
    try:
        used = used_fields(settings.experiment, {**settings.config, **varied})
        run = Experiment(settings.experiment, used, settings.seed, engine)
        for index in range(1, settings.evaluations + 1):
            goal = settings.steps * index // settings.evaluations
            before = run.steps
            if goal > before:
                run.advance(steps=goal - before)
            if run.steps > before or not scores:
                result = run.evaluate(settings.episodes)
                score = next(iter(result.values()))
            scores.append(score)
            trial.report(score, index)
            if index < settings.evaluations and trial.should_prune():
                raise pruned
    except (ValueError, RuntimeError) as error:
        trial.set_user_attr(_PROBLEM, str(error))
        raise pruned from error
    return sum(scores) / len(scores)


def _config_of(trial: "optuna.trial.FrozenTrial", settings: _Settings) -> dict[str, Any]:
    """Returns the values of the varied fields of a trial."""
    names = {dimension.name: dimension for dimension in settings.space}
    return {name: names[name].value_of(parameter) for name, parameter in trial.params.items()}


def _best(study: "optuna.Study") -> "optuna.trial.FrozenTrial | None":
    try:
        return study.best_trial
    except ValueError:
        return None


def _report(study: "optuna.Study", trial: "optuna.trial.FrozenTrial", settings: _Settings) -> TrialReport:
    best = _best(study)
    state = trial.state.name.lower()
    return TrialReport(
        number=trial.number,
        state=state,
        score=trial.value if state == "complete" else None,
        best=None if best is None else best.value,
        config=_config_of(trial, settings),
        problem=trial.user_attrs.get(_PROBLEM),
    )


def best_trial(study: "optuna.Study", settings: _Settings) -> BestTrial:
    """Returns the best trial of a study.

    Raises:
        ValueError: if no trial is complete.
    """
    best = _best(study)
    if best is None or best.value is None:
        problems = [trial.user_attrs[_PROBLEM] for trial in study.trials if _PROBLEM in trial.user_attrs]
        cause = f": {problems[-1]}" if problems else "; use more trials"
        raise ValueError(f"no trial of the study {study.study_name!r} is complete{cause}")
    config = {**settings.config, **_config_of(best, settings)}
    return BestTrial(
        experiment=settings.experiment,
        number=best.number,
        score=best.value,
        config=config,
        link=link_of(settings.experiment, config, settings.seed),
        command=command_of(settings, config),
        study=study,
    )


def link_of(name: str, config: Mapping[str, Any], seed: int) -> str:
    """Returns the fragment of the page's address that opens a run, such as `#/cartpole?seed=1`."""

    def text(value: Any) -> str:
        if isinstance(value, list):
            return ",".join(map(str, value))
        return value if isinstance(value, str) else json.dumps(value)

    # The preset comes first, because it replaces all fields.
    ordered = sorted(config.items(), key=lambda item: item[0] != "preset")
    query = [(path, text(value)) for path, value in ordered] + [("seed", str(seed))]
    return f"#/{name}?{urllib.parse.urlencode(query, safe=',', quote_via=urllib.parse.quote)}"


def used_fields(name: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a config, except the fields of learners that it does not select.

    Args:
        name: experiment.
        config: values of fields by path; `preset` may be one of the paths.
    """
    unused = set(unused_fields(name, dict(config)))
    return {path: value for path, value in config.items() if path not in unused}


def command_of(settings: _Settings, config: Mapping[str, Any]) -> str:
    """Returns the command that trains a run. The program refuses fields without effect."""
    command = ["vivarium", "train", settings.experiment, "--seed", str(settings.seed), "--steps", str(settings.steps)]
    used = used_fields(settings.experiment, config)
    for path, value in sorted(used.items(), key=lambda item: item[0] != "preset"):
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        command += ["--set", f"{path}={text}"]
    return shlex.join(command)
