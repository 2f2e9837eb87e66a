"""Trained models: policies, players, solvers and language models of checkpoints."""

import gymnasium
import numpy as np
import pytest

import vivarium_ml
from vivarium_ml import Experiment

START = "4HPwATDgc/ABMA"
SMALL = {"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}}


def model_of(name, config=None, steps=0):
    """Returns the model of a run after some training steps."""
    experiment = Experiment(name, config, seed=3)
    experiment.advance(steps=steps) if steps else None
    return vivarium_ml.load(experiment.to_bytes())


@pytest.mark.parametrize(
    ("task", "name", "config"),
    [
        ("CartPole-v1", "cartpole", SMALL),
        ("CartPole-v1", "cartpole", {"learner": "dqn", "dqn.hidden": [8]}),
        ("Pendulum-v1", "pendulum", SMALL),
        ("FrozenLake-v1", "frozen-lake", SMALL),
    ],
)
def test_policies_take_the_observations_of_the_environments(task, name, config):
    policy = model_of(name, config, 1000)
    assert isinstance(policy, vivarium_ml.Policy) and policy.experiment == name and policy.steps >= 1000
    envs = gymnasium.make_vec(f"vivarium_ml/{task}", num_envs=32)
    observations, _ = envs.reset(seed=1)
    for step in range(20):
        sampled = policy(observations, deterministic=False, seed=5, step=step)
        np.testing.assert_array_equal(sampled, policy(observations, deterministic=False, seed=5, step=step))
        observations, *_ = envs.step(sampled)
    actions = policy(observations)
    envs.step(actions)
    assert envs.action_space.contains(actions)
    values = policy.values(observations)
    assert values.shape == (32,) and values.dtype == np.float32
    # An observation has the same result alone and in a batch, up to rounding.
    for index in range(3):
        assert policy.values(observations[index]) == pytest.approx(values[index], rel=1e-5, abs=1e-5)
        single = policy(observations[index])
        np.testing.assert_allclose(single, actions[index], rtol=1e-5, atol=1e-5)
    env = gymnasium.make(f"vivarium_ml/{task}")
    observation, _ = env.reset(seed=1)
    for _ in range(5):
        observation, _, terminated, _, _ = env.step(policy(observation))
        if terminated:
            break


def test_probabilities_and_samples():
    policy = model_of("cartpole", SMALL, 1000)
    observations = np.random.default_rng(1).normal(size=(4096, 4))
    probabilities = policy.probabilities(observations)
    assert probabilities.shape == (4096, 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(policy(observations), probabilities.argmax(axis=1))
    assert policy.probabilities(observations[0]).shape == (2,)
    sampled = policy(observations, deterministic=False, seed=1)
    assert sampled.mean() == pytest.approx(probabilities[:, 1].mean(), abs=0.04)
    assert (sampled != policy(observations, deterministic=False, seed=2)).any()
    assert (policy(observations, deterministic=False) != policy(observations, deterministic=False)).any()
    dqn = model_of("cartpole", {"learner": "dqn", "dqn.hidden": [8]})
    assert set(np.unique(dqn.probabilities(observations))) == {0, 1}
    np.testing.assert_array_equal(dqn(observations), dqn.probabilities(observations).argmax(axis=1))


@pytest.mark.parametrize(
    ("observations", "error", "message"),
    [
        (np.zeros((2, 3)), ValueError, r"shape \(2, 3\); expected \(n, 4\) or \(4,\)"),
        (np.zeros((1, 1, 4)), ValueError, r"shape \(1, 1, 4\)"),
        (1.0, ValueError, r"shape \(\)"),
        ([[0, 0, np.nan, 0]], ValueError, r"observations contain NaN; allowed are finite numbers"),
        ([["a"] * 4], TypeError, r"observations have the dtype <U1; expected numbers"),
    ],
)
def test_observations_that_are_refused(observations, error, message):
    policy = model_of("cartpole", SMALL)
    for call in (policy, policy.values, policy.probabilities):
        with pytest.raises(error, match=message):
            call(observations)


def test_an_empty_batch_and_a_continuous_action():
    policy = model_of("pendulum", SMALL)
    assert policy(np.zeros((0, 3))).shape == (0, 1) and policy.values(np.zeros((0, 3))).shape == (0,)
    with pytest.raises(ValueError, match="pendulum has a continuous action, which has no probabilities"):
        policy.probabilities(np.zeros((1, 3)))
    lake = model_of("frozen-lake", SMALL)
    with pytest.raises(ValueError, match=r"observations contain 16; allowed is 0 to 15"):
        lake(np.array([0, 16]))


def test_a_player_of_connect_four():
    player = model_of("connect-four", {"network": {"width": 32, "blocks": 1}})
    assert player.outcomes == ("win", "lose")
    heads, equities = player.evaluate(["", "4", "44", "12121212"[:7]])
    assert heads.shape == (4, 2) and np.isfinite(equities).all() and np.abs(equities).max() <= 1
    # The game is over, and the player to move has lost.
    np.testing.assert_array_equal(heads[3], [0, 1])
    assert equities[3] == -1
    # A search finds the winning move, and the move that prevents the opponent's win.
    assert player.best_move("121212", simulations=200) == "1"
    assert player.best_move("12121", simulations=400) == "1"
    assert player.best_move("121212", simulations=0) == "1"
    assert player.evaluate(["121212"], simulations=200)[1][0] > 0.5
    assert player.best_moves(["", "4"], simulations=50) == player.best_moves(["", "4"], simulations=50)
    for position, dice, message in [
        ("8", None, r"position = \"8\": "),
        ("1212121", None, r"the game is over"),
        ("4", (1, 2), r"without dice"),
    ]:
        with pytest.raises(ValueError, match=message):
            player.best_move(position, dice)


def test_a_player_of_backgammon():
    player = model_of("backgammon", {"network": {"width": 32, "blocks": 1}})
    heads, equities = player.evaluate([START] * 3)
    assert heads.shape == (3, len(player.outcomes)) == (3, 5)
    assert (heads[0] == heads[2]).all() and equities[0] == equities[2] and abs(equities[0]) <= 3
    for dice in [(3, 1), (6, 6), (1, 2)]:
        for simulations in (0, 20):
            move = player.best_move(START, dice, simulations=simulations)
            assert move and "/" in move, (dice, move)
    assert player.best_moves([START, START], [(3, 1), (6, 5)], simulations=0) == [
        player.best_move(START, dice, simulations=0) for dice in [(3, 1), (6, 5)]
    ]
    for position, dice, message in [
        ("nonsense", (3, 1), r"position = \"nonsense\": "),
        (START, None, r"the dice are not rolled; give dice"),
        (START, (7, 1), r"position = "),
    ]:
        with pytest.raises(ValueError, match=message):
            player.best_move(position, dice)
    with pytest.raises(ValueError, match=r"dice has 1 rolls for 2 positions"):
        player.best_moves([START, START], [(3, 1)])
    with pytest.raises(ValueError, match=r"simulations = 1000001: allowed is 0 to 1000000"):
        player.best_move(START, (3, 1), simulations=1_000_001)


def test_a_solver_of_the_small_cube():
    solver = model_of("cube2", {"dqn.hidden": [16]})
    assert solver.turns == ["U", "U'", "R", "R'", "F", "F'"]
    assert solver.solve("") == [] and solver.solve("R R'") == []
    values = solver.values(["", "R", "U R"])
    assert values.shape == (3, 6) and np.isfinite(values).all()
    # The greedy policy takes the turn with the highest value.
    first = solver.turns[int(values[1].argmax())]
    solution = solver.solve("R")
    assert solution is None or solution[0] == first
    for scramble, message in [("R X", r"scramble = "), ("r", r"scramble = .*wide")]:
        with pytest.raises(ValueError, match=message):
            solver.solve(scramble)
    with pytest.raises(ValueError, match=r"stickers = "):
        solver.solve(stickers="U" * 24)


def test_a_solver_of_the_cube():
    solver = model_of("cube3", {"learner.width": 64, "learner.blocks": 1})
    assert len(solver.turns) in (12, 18) and solver.solve("") == []
    # A wide beam contains all states after two turns, whatever the network.
    solution = solver.solve("R U", beam_width=1024)
    assert solution is not None and len(solution) <= 4
    assert solver.solve("R U " + " ".join(solution), beam_width=1) == []
    with pytest.raises(ValueError, match="cube3 has no values"):
        solver.values(["R"])
    for width in (0, 262_145):
        with pytest.raises(ValueError, match=rf"beam_width = {width}: allowed is 1 to 262144"):
            solver.solve("R", beam_width=width)


@pytest.fixture(scope="module")
def language():
    experiment = Experiment("language", {"preset": "tiny"})
    while experiment.updates < 3:
        experiment.advance()
    model = vivarium_ml.load(experiment.to_bytes())
    assert isinstance(model, vivarium_ml.LanguageModel) and model.experiment == "language"
    return model


def test_tokens_of_a_text(language):
    text = "The sun is a star.\nÄ"
    tokens = language.tokenize(text)
    assert tokens.dtype == np.int64 and tokens.max() < language.vocabulary
    assert language.detokenize(tokens) == text and language.detokenize(list(tokens)) == text
    assert language.detokenize([]) == "" and language.tokenize("").shape == (0,)


def test_logits_are_equal_alone_and_in_a_batch(language):
    rng = np.random.default_rng(1)
    tokens = rng.integers(0, language.vocabulary, (5, language.context))
    logits = language.logits(tokens)
    assert logits.shape == (5, language.context, language.vocabulary) and logits.dtype == np.float32
    for row in range(5):
        np.testing.assert_array_equal(language.logits(tokens[row]), logits[row])
    # Logits depend on earlier tokens only.
    np.testing.assert_array_equal(language.logits(tokens[:, :7]), logits[:, :7])
    assert language.logits(np.zeros((0, 3), int)).shape == (0, 3, language.vocabulary)
    assert language.logits(np.zeros((2, 0), int)).shape == (2, 0, language.vocabulary)


def test_generated_text(language):
    first = language.generate("The ", max_tokens=20, seed=3)
    assert first == language.generate("The ", max_tokens=20, seed=3)
    assert language.generate("The ", max_tokens=0) == ""
    assert language.generate(max_tokens=5, temperature=0) == language.generate(max_tokens=5, temperature=0, seed=9)
    # Greedy decoding takes the token with the highest logit.
    prompt = language.tokenize("The ")
    best = int(language.logits(prompt)[-1].argmax())
    assert language.generate("The ", max_tokens=1, temperature=0) == language.detokenize([best])


def test_tokens_that_are_refused(language):
    context, vocabulary = language.context, language.vocabulary
    with pytest.raises(ValueError, match=rf"tokens = {vocabulary}: allowed is a whole number from 0 to {vocabulary - 1}"):
        language.logits([vocabulary])
    with pytest.raises(ValueError, match=r"tokens = -1: allowed"):
        language.detokenize([-1])
    with pytest.raises(ValueError, match=rf"tokens = {context + 1} tokens: a sequence has at most {context} tokens"):
        language.logits(np.zeros(context + 1, int))
    with pytest.raises(ValueError, match=r"shape \(1, 1, 1\); expected \(time,\) or \(batch, time\)"):
        language.logits(np.zeros((1, 1, 1), int))
    with pytest.raises(TypeError, match=r"dtype float64; expected integers"):
        language.logits(np.zeros(3))
    with pytest.raises(ValueError, match=r"temperature = -1"):
        language.generate("", temperature=-1)
    with pytest.raises(ValueError, match=r"prompt = "):
        language.generate("word " * 10 * context)
