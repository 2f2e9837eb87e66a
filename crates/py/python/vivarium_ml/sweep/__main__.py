"""Command line: `python -m vivarium_ml.sweep cartpole --trials 50`."""

import argparse
import json
import sys
from typing import Any

import vivarium_ml
from vivarium_ml.sweep.study import TrialReport, optimize


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m vivarium_ml.sweep",
        description="Search the hyperparameters of an experiment with Optuna. Processes with the same journal file share a "
        "study; a later call resumes it.",
    )
    parser.add_argument("experiment", help="name of the experiment, such as cartpole")
    parser.add_argument("--trials", type=int, default=50, help="number of trials of the study in total (default: 50)")
    parser.add_argument("--steps", type=int, help="training steps of a trial (default in classic control: 100000)")
    parser.add_argument(
        "--fields",
        nargs="+",
        metavar="FIELD",
        help="config fields to vary: ppo.learning_rate, ppo.learning_rate=1e-4:1e-2 or 'ppo.hidden=[32]|[64,64]' "
        "(default: a selection for PPO or DQN)",
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set a config field or a preset; repeatable"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of all runs (default: 1)")
    parser.add_argument("--engine", choices=("cpu", "gpu", "auto"), default="cpu", help="compute engine (default: cpu)")
    parser.add_argument("--threads", type=int, help="number of worker threads (default: all cores)")
    parser.add_argument("--evaluations", type=int, default=10, help="evaluations of a trial (default: 10)")
    parser.add_argument("--episodes", type=int, help="episodes of an evaluation (default: the experiment's number)")
    parser.add_argument("--journal", metavar="FILE", help="file of the study (default: sweep-EXPERIMENT.journal)")
    parser.add_argument("--study", metavar="NAME", help="name of the study in the file (default: the experiment)")
    parser.add_argument(
        "--sampler-seed", type=int, metavar="S", help="seed of the sampler, different in each process (default: random)"
    )
    return parser


def read_settings(texts: list[str]) -> dict[str, Any]:
    """Returns the config of the options `--set KEY=VALUE`.

    Raises:
        ValueError: for a text without `=`.
    """
    config: dict[str, Any] = {}
    for text in texts:
        path, is_setting, value = text.partition("=")
        if not is_setting:
            raise ValueError(f"--set {text}: expected KEY=VALUE, such as world.gravity=12")
        try:
            config[path] = json.loads(value)
        except json.JSONDecodeError:
            config[path] = value
    return config


def show(report: TrialReport) -> None:
    """Prints the result of a trial as a line."""
    score = report.state if report.score is None else f"{report.score:.4g}"
    best = "" if report.best is None else f" (best {report.best:.4g})"
    fields = " ".join(f"{path}={value}" for path, value in report.config.items())
    problem = "" if report.problem is None else f": {report.problem}"
    print(f"trial {report.number}: {score}{best}  {fields}{problem}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns the exit code."""
    args = parser().parse_args(arguments)
    journal = args.journal or f"sweep-{args.experiment}.journal"
    try:
        import optuna  # type: ignore[import-not-found,unused-ignore]

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        if args.threads is not None:
            vivarium_ml.set_num_threads(args.threads)
        best = optimize(
            args.experiment,
            trials=args.trials,
            steps=args.steps,
            fields=args.fields,
            config=read_settings(args.set),
            seed=args.seed,
            engine=args.engine,
            evaluations=args.evaluations,
            episodes=args.episodes,
            journal=journal,
            study=args.study,
            sampler_seed=args.sampler_seed,
            on_trial=show,
        )
    except ModuleNotFoundError:
        print("error: this command needs Optuna; install it: pip install 'vivarium-ml[sweep]'", file=sys.stderr)
        return 1
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\ninterrupted; the same command resumes the study in {journal}", file=sys.stderr)
        return 130
    print(f"\nbest: trial {best.number}, score {best.score:.4g}\n{best.link}\n{best.command}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
