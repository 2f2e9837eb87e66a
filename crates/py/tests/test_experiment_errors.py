"""Errors of experiments and trained models: class of the exception; field, value and allowed values in the message."""

import math
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vivarium_ml
from vivarium_ml import Experiment

SELF: dict = {}
SELF["self"] = SELF

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=4) | st.binary(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
PATHS = sorted({field.name for name in ("cartpole", "language") for field in vivarium_ml.config_fields(name)})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("cartpol",), ValueError, r"experiment = cartpol: the experiments are .*did you mean cartpole\?"),
        ((7,), TypeError, "str"),
        (("cartpole", {"ppo": {"num_envs": 0}}), ValueError, r"ppo.num_envs = 0: it must be a whole number from 1 to"),
        (("cartpole", {"ppo.num_envs": 1.5}), ValueError, r"ppo.num_envs = 1.5: it must be a whole number"),
        (("cartpole", {"ppo.num_env": 1}), ValueError, r"ppo.num_env = 1: unknown field; did you mean ppo.num_envs\?"),
        (("cartpole", {"ppo.gamma": 1}), ValueError, r"ppo.gamma = 1: unknown field; did you mean ppo.discount\?"),
        (("cartpole", {"dqn.hidden": [8]}), ValueError, r"dqn.hidden = \[8\]: the field has no effect with learner=ppo"),
        (("cartpole", {"ppo": 3}), ValueError, r"ppo = 3: a section must be a JSON object"),
        (("cartpole", {"preset": "mars"}), ValueError, r"preset = \"mars\": the presets of cartpole are"),
        (("cartpole", {"world.gravity": math.nan}), ValueError, r"world.gravity = NaN: it must be a finite number"),
        (("cartpole", {"world": {"gravity": 2**70}}), ValueError, r"world.gravity = 1180591620717411303424"),
        (("cartpole", {"world.gravity": {1}}), TypeError, r"world.gravity = \{1\}: it must be a dictionary, list"),
        (("cartpole", {"world": {1: 2}}), TypeError, r"world has the key 1; keys must be strings"),
        (("cartpole", {3: 1}), TypeError, r"config has the key 3; keys must be strings"),
        (("cartpole", SELF), ValueError, r"at most 32 nested"),
        (("cartpole", {"..": 1}), ValueError, r"\.\. = 1: a path has the form section.field"),
        (("cartpole", [1]), TypeError, r"config is \[1\] \(list\); expected a dictionary"),
        (("cartpole", None, -1), ValueError, r"seed is -1; allowed is a whole number from 0 to 9007199254740991"),
        (("cartpole", None, 2**53), ValueError, r"seed is 9007199254740992; allowed"),
        (("cartpole", None, 1.0), TypeError, r"seed is 1.0 \(float\)"),
        (("cartpole", None, 1, "tpu"), ValueError, r"engine = \"tpu\": allowed is one of cpu, gpu, auto"),
    ],
)
def test_arguments_of_an_experiment(arguments, error, message):
    with pytest.raises(error, match=message):
        Experiment(*arguments)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda run: run.advance(-1), ValueError, r"slices is -1; allowed"),
        (lambda run: run.advance(1, steps=1), TypeError, r"exactly one of slices, steps and seconds"),
        (lambda run: run.advance(seconds=-1.0), ValueError, r"seconds = -1: allowed is 0 to"),
        (lambda run: run.advance(seconds=math.nan), ValueError, r"seconds = NaN"),
        (lambda run: run.evaluate(0), ValueError, r"episodes = 0: it must be a whole number from 1 to 10000"),
        (lambda run: run.evaluate(10_001), ValueError, r"episodes = 10001"),
        (lambda run: run.frame({}), ValueError, r"cannot parse the request: missing field `members`"),
        (lambda run: run.frame({"members": "many"}), ValueError, r"cannot parse the request: invalid type"),
        (lambda run: run.frame({"members": 1, "focus": 0}, math.nan), ValueError, r"elapsed = NaN"),
        (lambda run: run.command({"kind": "sing"}), ValueError, r"cannot parse the request: unknown variant `sing`"),
        (lambda run: run.command("sing"), TypeError, r"command is 'sing' \(str\); expected a dictionary"),
        (lambda run: run.train(until="fame>=1", steps=1), ValueError, r"until = fame>=1: cartpole has no measure 'fame'"),
        (lambda run: run.train(until="return"), ValueError, r"until = return: use a measure, one of >= > <= <"),
        (lambda run: run.train(minutes=-1), ValueError, r"minutes = -1"),
        (lambda run: run.train(steps=-1), ValueError, r"steps is -1"),
        (lambda run: run.save("/nowhere/run.safetensors"), FileNotFoundError, r"cannot write /nowhere/run"),
        (lambda run: run.open_player("nowhere.safetensors"), FileNotFoundError, "nowhere.safetensors"),
        (lambda run: run.metrics_since(-1), ValueError, r"first is -1"),
    ],
)
def test_calls_that_are_refused_change_nothing(call, error, message):
    run = Experiment("cartpole")
    before = run.to_bytes()
    with pytest.raises(error, match=message):
        call(run)
    assert run.to_bytes() == before


def test_training_without_end_needs_a_limit():
    with pytest.raises(ValueError, match=r"backgammon trains without end; give minutes, steps or until"):
        vivarium_ml.train("backgammon")


def test_damaged_checkpoints():
    checkpoint = Experiment("cartpole").to_bytes()
    for load in (Experiment.from_bytes, vivarium_ml.load, vivarium_ml.Policy):
        for damaged in (b"", b"text", checkpoint[:-1], checkpoint[:-1] + bytes([checkpoint[-1] ^ 1])):
            with pytest.raises(ValueError, match="checkpoint: "):
                load(damaged)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Experiment.load("nowhere")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        vivarium_ml.load("nowhere")


def test_checkpoints_of_another_family():
    of = {name: Experiment(name).to_bytes() for name in ("cartpole", "connect-four", "cube2", "language", "logic-ca")}
    classes = (
        (vivarium_ml.Policy, "cartpole or mountain-car"),
        (vivarium_ml.Player, "backgammon or connect-four is required"),
        (vivarium_ml.Solver, "cube2 or cube3 is required"),
        (vivarium_ml.LanguageModel, "language is required"),
        (vivarium_ml.Automaton, "logic-ca is required"),
    )
    for own, (model, needed) in zip(of, classes, strict=True):
        for name in of.keys() - {own}:
            with pytest.raises(ValueError, match=rf"checkpoint: it belongs to {name}; a checkpoint of .*{needed}"):
                model(of[name])
    with pytest.raises(ValueError, match=r"saved before the tokenizer was built"):
        vivarium_ml.load(of["language"])


def test_the_number_of_threads_is_fixed_after_the_start():
    Experiment("cartpole")
    threads = vivarium_ml.get_num_threads()
    vivarium_ml.set_num_threads(threads)
    with pytest.raises(RuntimeError, match=rf"already runs {threads} threads; call set_num_threads before"):
        vivarium_ml.set_num_threads(threads + 1)
    with pytest.raises(ValueError, match=r"num_threads = 0: allowed is 1 to 1024"):
        vivarium_ml.set_num_threads(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process_is_refused():
    Experiment("cartpole")
    if vivarium_ml.get_num_threads() == 1:
        pytest.skip("one thread survives a fork")
    child = os.fork()
    if child == 0:
        try:
            Experiment("cartpole")
        except RuntimeError as error:
            os._exit(0 if "forked after vivarium_ml started its threads" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@settings(deadline=None, max_examples=200)
@given(path=st.sampled_from(PATHS) | st.text(max_size=6), value=ANYTHING, name=st.sampled_from(["cartpole", "language"]))
def test_any_config_is_accepted_or_refused(path, value, name):
    if path == "data":
        return
    try:
        config = Experiment(name, {path: value}).config
    except (ValueError, TypeError) as error:
        assert str(error)
    else:
        assert Experiment(name, config).config == config


@settings(deadline=None, max_examples=100)
@given(view=st.dictionaries(st.sampled_from(["members", "focus", "map", "documents"]), ANYTHING), command=ANYTHING)
def test_any_view_and_command_is_accepted_or_refused(view, command):
    run = Experiment("cartpole")
    for call in (lambda: run.frame(view), lambda: run.command({"kind": command})):
        try:
            call()
        except (ValueError, TypeError) as error:
            assert str(error)


@settings(deadline=None, max_examples=60)
@given(position=st.integers(0, 2**32), change=st.integers(1, 255))
def test_no_change_of_a_checkpoint_is_accepted(position, change):
    checkpoint = bytearray(_CHECKPOINT)
    checkpoint[position % len(checkpoint)] ^= change
    with pytest.raises(ValueError, match="checkpoint: "):
        Experiment.from_bytes(bytes(checkpoint))


_CHECKPOINT = Experiment("cartpole", {"ppo.hidden": [4], "ppo.num_envs": 4, "ppo.minibatch": 4}).to_bytes()


def test_an_engine_that_is_not_available():
    # Without a driver there is no device, so `gpu` is an error, and `auto` is the CPU.
    code = """
        import vivarium_ml
        run = vivarium_ml.Experiment("cartpole", engine="auto")
        try:
            run.engine = "gpu"
        except RuntimeError as error:
            print(error)
        run.advance()
        print(run.engine)
    """
    drivers = {"VK_DRIVER_FILES": os.devnull, "VK_ICD_FILENAMES": os.devnull}
    command = [sys.executable, "-c", textwrap.dedent(code)]
    child = subprocess.run(command, env={**os.environ, **drivers}, capture_output=True, text=True, timeout=60)
    lines = child.stdout.splitlines()
    if sys.platform == "linux":
        assert lines[0].startswith("engine = gpu: ") and lines[1:] == ["cpu"], child
