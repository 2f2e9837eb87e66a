"""Trained logic automata, compared with an evaluation of their gates in NumPy and with the pictures of the run."""

import json

import numpy as np
import pytest

import vivarium_ml
from vivarium_ml import Experiment

SMALL = {
    "circuit": {"channels": 3, "kernels": 2, "update": [8, 6, 3]},
    "task": {"width": 7, "height": 6, "steps": 4},
    # After few epochs most gates are no longer pass-throughs, which simplification removes.
    "learning.learning_rate": 8,
}
FUNCTIONS = {
    "FALSE": lambda a, b: a & ~a,
    "AND": lambda a, b: a & b,
    "A AND NOT B": lambda a, b: a & ~b,
    "A": lambda a, b: a,
    "NOT A AND B": lambda a, b: ~a & b,
    "B": lambda a, b: b,
    "XOR": lambda a, b: a ^ b,
    "OR": lambda a, b: a | b,
    "NOR": lambda a, b: ~(a | b),
    "XNOR": lambda a, b: ~(a ^ b),
    "NOT B": lambda a, b: ~b,
    "A OR NOT B": lambda a, b: a | ~b,
    "NOT A": lambda a, b: ~a,
    "NOT A OR B": lambda a, b: ~a | b,
    "NAND": lambda a, b: ~(a & b),
    "TRUE": lambda a, b: a | ~a,
}


def automaton_of(config, epochs=10):
    """Returns the run and the automaton after some epochs."""
    experiment = Experiment("logic-ca", config, seed=2)
    experiment.advance(steps=epochs)
    automaton = vivarium_ml.load(experiment.to_bytes())
    assert isinstance(automaton, vivarium_ml.Automaton) and automaton.steps == experiment.steps
    return experiment, automaton


def next_state(automaton, state):
    """Evaluates the gates of the circuit for all cells: boards `[n, height, width, channels]`."""
    circuit = json.loads(automaton.json())
    mode = {"periodic": "wrap", "fixed": "constant"}[automaton.border]
    padded = np.pad(state, ((0, 0), (1, 1), (1, 1), (0, 0)), mode)
    _, height, width, channels = state.shape
    wires = {
        f"i{9 * channel + 3 * row + column}": padded[:, row : row + height, column : column + width, channel]
        for channel in range(channels)
        for row in range(3)
        for column in range(3)
    }
    for index, gate in enumerate(circuit["gates"]):
        wires[f"g{index}"] = FUNCTIONS[gate["function"]](wires[gate["a"]], wires[gate["b"]])
    return np.stack([wires[name] for name in circuit["outputs"]], -1)


def random_state(automaton, boards, height, width):
    return np.random.default_rng(1).random((boards, height, width, automaton.circuit.channels)) < 0.5


@pytest.mark.parametrize("border", ["periodic", "fixed"])
def test_steps_evaluate_the_gates_of_the_circuit(border):
    _, automaton = automaton_of({**SMALL, "task.border": border})
    assert (automaton.border, automaton.height, automaton.width) == (border, 6, 7)
    assert (automaton.rollout_steps, automaton.fire_rate, automaton.target_channels) == (4, 1, 1)
    assert automaton.circuit.gates >= 10
    state = random_state(automaton, 5, 9, 70)
    expected = state
    for steps in range(4):
        np.testing.assert_array_equal(automaton.step(state, steps), expected)
        expected = next_state(automaton, expected)
    assert (automaton.step(state) != state).any()


def test_the_form_of_a_state():
    _, automaton = automaton_of(SMALL)
    state = random_state(automaton, 4, 6, 7)
    after = automaton.step(state, 2)
    assert after.dtype == np.bool_ and after.shape == state.shape
    numbers = automaton.step(state.astype(np.uint8), 2)
    assert numbers.dtype == np.uint8
    np.testing.assert_array_equal(numbers, after)
    # A single board, and an array that is not contiguous.
    np.testing.assert_array_equal(automaton.step(state[1], 2), after[1])
    np.testing.assert_array_equal(automaton.step(state[::-2, :, ::-1][:, :, ::-1], 2), after[::-2])
    assert automaton.step(state[:0]).shape == (0, 6, 7, 3)


def test_the_run_shows_the_same_rollout():
    """Frames play the hard rollout of the last epoch on the first board."""
    experiment, automaton = automaton_of({**SMALL, "task.start": "seed"})
    rollout = [automaton.initial_state()]
    assert rollout[0].sum() == 3 and rollout[0][0, 3, 3].all()
    before = vivarium_ml.load(experiment.to_bytes())
    while experiment.steps < automaton.steps + 1:
        experiment.advance()
    for _ in range(4):
        rollout.append(before.step(rollout[-1]))
    seen = set()
    for _ in range(200):
        view = {"kind": "logic_ca", "channel": 1, "cell": None, "circuit": False}
        arrays = experiment.frame(view, 0.05)["arrays"]
        step = int(arrays["rollout/step"][0])
        seen.add(step)
        np.testing.assert_array_equal(arrays["hard/cells"][:, :, 0] == 255, rollout[step][0, :, :, 1])
    assert seen == set(range(5))


def test_asynchronous_cells_depend_on_seed_and_step():
    _, automaton = automaton_of({**SMALL, "task.fire_rate": 0.5})
    state = random_state(automaton, 6, 20, 20)
    all_updated = next_state(automaton, state)
    after = automaton.step(state, seed=5)
    updated = (after == all_updated).all(-1)
    assert (updated | (after == state).all(-1)).all()
    changing = (all_updated != state).any(-1)
    assert updated[changing].mean() == pytest.approx(0.5, abs=0.05)
    np.testing.assert_array_equal(
        automaton.step(state, 5, seed=1), automaton.step(automaton.step(state, 3, seed=1), 2, seed=1, first_step=3)
    )
    for other in (automaton.step(state, seed=6), automaton.step(state, seed=5, first_step=1)):
        assert (other != after).any()
    assert (automaton.step(state) != automaton.step(state)).any()


def test_circuit_facts_and_exports():
    experiment, automaton = automaton_of(SMALL)
    circuit = automaton.circuit
    assert circuit.channels == 3 and 0 < circuit.gates < circuit.original_gates and circuit.depth > 0
    # Two kernels with 8, 4 and 2 gates for each channel, and the update circuit.
    assert circuit.original_gates == 3 * 2 * 14 + 17
    gates = json.loads(automaton.json())["gates"]
    assert len(gates) == circuit.gates == sum(circuit.functions.values())
    assert circuit.functions == {name: [gate["function"] for gate in gates].count(name) for name in circuit.functions}
    for text, form in [(automaton.json(), "json"), (automaton.verilog(), "verilog")]:
        assert text.encode() == experiment.command({"kind": "export", "format": form})["bytes"]
    assert repr(automaton) == f"Automaton(channels=3, gates={circuit.gates}, steps={automaton.steps})"


def test_initial_states():
    _, automaton = automaton_of({**SMALL, "task.start": "random"}, 1)
    first = automaton.initial_state(50, seed=4)
    assert first.shape == (50, 6, 7, 3) and first.dtype == np.bool_
    assert first.mean() == pytest.approx(0.5, abs=0.05)
    np.testing.assert_array_equal(first[:7], automaton.initial_state(7, seed=4))
    assert (first[0] != first[1]).any() and (first != automaton.initial_state(50, seed=5)).any()


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [
        (np.zeros((1, 4, 4, 2), bool), ValueError, r"shape \(1, 4, 4, 2\); expected \(n, height, width, 3\) or"),
        (np.zeros((4, 3), bool), ValueError, r"shape \(4, 3\)"),
        (np.zeros((4, 4, 3)), TypeError, r"state has the dtype float64; expected bool or uint8"),
        (np.full((4, 4, 3), 2, np.uint8), ValueError, r"state contains 2; allowed is 0 and 1"),
        (np.zeros((4, 0, 3), bool), ValueError, r"width is 0; it must be at least 1"),
    ],
)
def test_states_that_are_refused(state, error, message):
    _, automaton = automaton_of(SMALL, 1)
    with pytest.raises(error, match=message):
        automaton.step(state)
    with pytest.raises(ValueError, match=r"steps is -1; allowed is a whole number from 0"):
        automaton.step(np.zeros((4, 4, 3), bool), -1)
    with pytest.raises(ValueError, match=r"boards of 7 × 6 cells with 3 channels need more than 1024 MiB"):
        automaton.initial_state(2**31 - 1)
