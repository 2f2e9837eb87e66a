"""A training epoch of the checkerboard logic automaton in JAX on the CPU, or with `gpu` on JAX's default device. Prints
one JSON line. `checkerboard.py [seconds] [collapsed] [gpu]`.

Same automaton, task and optimizer as in the preset `checkerboard` of `vivarium train logic-ca`. An epoch consists of a
rollout of 20 automaton steps, its backward pass, AdamW, and a rollout of the hard circuit on the same boards. A gate is
the softmax-weighted mixture of its sixteen functions; with `collapsed`, the mixture is evaluated as the polynomial c0 +
c1·a + c2·b + c3·a·b, as in Vivarium's kernels. Both forms are one compiled function.
"""

import json
import os
import sys
import time

ON_GPU = "gpu" in sys.argv[2:]
if not ON_GPU:
    os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

SIDE, BATCH, STEPS, CHANNELS, KERNELS = 16, 2, 20, 8, 16
PERCEIVE = [8, 4, 2]
UPDATE = [256] * 10 + [128, 64, 32, 16, 8, 8]
BETA1, BETA2, EPSILON, WEIGHT_DECAY, CLIP = 0.9, 0.99, 1e-8, 0.01, 100.0
# Linear decay of the learning rate over this number of epochs.
LEARNING_RATE, FINAL_LEARNING_RATE, DECAY_EPOCHS = 0.1, 0.003, 2000
PASS_A, FIRST_LOGIT = 3, 10.0
LANES = BATCH * SIDE * SIDE

# Truth tables [16, 4]: row f holds function f at (a, b) = (0, 0), (0, 1), (1, 0), (1, 1), the highest bit of f first.
TRUTH = np.array([[f >> 3 & 1, f >> 2 & 1, f >> 1 & 1, f & 1] for f in range(16)], dtype=np.float32)
# Matrix [4, 4] that converts a truth table to the coefficients of 1, a, b and a·b.
CORNERS_TO_COEFFICIENTS = np.array([[1, 0, 0, 0], [-1, 0, 1, 0], [-1, 1, 0, 0], [1, -1, -1, 1]], dtype=np.float32)
COEFFICIENTS = TRUTH @ CORNERS_TO_COEFFICIENTS.T


def pairs(inputs, gates, random):
    """Returns distinct input pairs, one per gate, in random order: neighbors, then pairs at increasing distances."""
    found = [(i, i + 1) for first in (0, 1) for i in range(first, inputs - 1, 2)]
    found += [(i, i + offset) for offset in range(2, inputs) for i in range(inputs - offset)]
    return random.permutation(np.array(found[:gates])).T


def wires():
    """Returns the inputs a and b of every gate, layer by layer: perception, then update."""
    random = np.random.default_rng(1)
    around = random.permutation([place for place in range(9) if place != 4])
    perceive = [np.stack([around, np.full(8, 4)])]
    perceive += [pairs(n, m, random) for n, m in zip(PERCEIVE, PERCEIVE[1:])]
    inputs = [CHANNELS * (1 + KERNELS * PERCEIVE[-1])] + UPDATE
    return perceive, [pairs(n, m, random) for n, m in zip(inputs, inputs[1:])]


PERCEIVE_WIRES, UPDATE_WIRES = wires()


def first_logits():
    """Initializes every gate to the function that returns input a. Each perception kernel has separate gates."""
    shapes = [(KERNELS, gates) for gates in PERCEIVE], [(gates,) for gates in UPDATE]
    first = jnp.zeros(16).at[PASS_A].set(FIRST_LOGIT)
    return tuple([jnp.broadcast_to(first, (*shape, 16)) for shape in group] for group in shapes)


def sixteen(weights, a, b):
    """Evaluates the softmax mixture of the sixteen functions."""
    functions = [
        jnp.zeros_like(a), a * b, a - a * b, a, b - a * b, b, a + b - 2 * a * b, a + b - a * b,
        1 - (a + b - a * b), 1 - (a + b - 2 * a * b), 1 - b, 1 - b + a * b, 1 - a, 1 - a + a * b, 1 - a * b,
        jnp.ones_like(a),
    ]
    return sum(weights[..., f, None] * value for f, value in enumerate(functions))


def collapsed(coefficients, a, b):
    """Evaluates the softmax mixture as the polynomial c0 + c1·a + c2·b + c3·a·b."""
    c = coefficients[..., None]
    return c[..., 0, :] + c[..., 1, :] * a + c[..., 2, :] * b + c[..., 3, :] * a * b


def step(gate, circuit, state):
    """Returns the next state of all cells, `[channel][cell]`; cells beyond the border are 0."""
    perceive, update = circuit
    boards = jnp.pad(state.reshape(CHANNELS * BATCH, SIDE, SIDE), ((0, 0), (1, 1), (1, 1)))
    places = [boards[:, y : y + SIDE, x : x + SIDE].reshape(-1) for y in range(3) for x in range(3)]
    values = jnp.stack(places)
    for (a, b), weights in zip(PERCEIVE_WIRES, perceive):
        values = gate(weights, values[..., a, :], values[..., b, :])
    # [channel, output, kernel]
    seen = values.reshape(KERNELS, -1, CHANNELS, LANES).transpose(2, 1, 0, 3).reshape(-1, LANES)
    values = jnp.concatenate([state, seen])
    for (a, b), weights in zip(UPDATE_WIRES, update):
        values = gate(weights, values[a], values[b])
    return values


def run(gate, circuit, start):
    """Returns the state after all automaton steps of an epoch, `[channel][cell]`."""
    return jax.lax.scan(lambda state, _: (step(gate, circuit, state), None), start, None, STEPS)[0]


def target():
    rows, columns = np.mgrid[:SIDE, :SIDE]
    return jnp.tile(((rows // 2 + columns // 2) % 2).reshape(-1), BATCH)


def each(function, *trees):
    return jax.tree.map(function, *trees)


def make_epoch(is_collapsed):
    gate = collapsed if is_collapsed else sixteen
    wanted = target()

    def soft(logits):
        weights = jax.nn.softmax(logits)
        return weights @ COEFFICIENTS if is_collapsed else weights

    def hard(logits):
        one = jax.nn.one_hot(jnp.argmax(logits, -1), 16)
        return one @ COEFFICIENTS if is_collapsed else one

    def loss(logits, start):
        return jnp.sum((run(gate, each(soft, logits), start)[0] - wanted) ** 2)

    @jax.jit
    def epoch(logits, first, second, number):
        start = jax.random.bernoulli(jax.random.key(number), shape=(CHANNELS, LANES)).astype(jnp.float32)
        soft_loss, gradient = jax.value_and_grad(loss)(logits, start)
        wrong = jnp.sum(run(gate, each(hard, logits), start)[0] != wanted)
        gradient = each(lambda g: jnp.clip(g, -CLIP, CLIP), gradient)
        progress = jnp.minimum(number / DECAY_EPOCHS, 1.0)
        rate = LEARNING_RATE + (FINAL_LEARNING_RATE - LEARNING_RATE) * progress
        first = each(lambda m, g: BETA1 * m + (1 - BETA1) * g, first, gradient)
        second = each(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, second, gradient)

        def updated(logit, m, v):
            m, v = m / (1 - BETA1 ** (number + 1)), v / (1 - BETA2 ** (number + 1))
            return logit - rate * (m / (jnp.sqrt(v) + EPSILON) + WEIGHT_DECAY * logit)

        return each(updated, logits, first, second), first, second, soft_loss, wrong

    return epoch


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    epoch = make_epoch("collapsed" in sys.argv[2:])
    logits = first_logits()
    state = logits, each(jnp.zeros_like, logits), each(jnp.zeros_like, logits)
    state = jax.block_until_ready(epoch(*state, 0))[:3]  # The first call compiles.
    together = 16 if ON_GPU else 1
    best, number, end = float("inf"), 1, time.perf_counter() + seconds
    while number < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(together):
            *state, soft_loss, wrong = epoch(*state, number)
            number += 1
        jax.block_until_ready(state)
        best = min(best, (time.perf_counter() - start) / together)
    figure = {"name": "gpu/logic-ca/epoch", "value": 1e3 * best, "unit": "ms"}
    if not ON_GPU:
        figure |= {"name": "logic-ca/checkerboard/epoch/all", "threads": os.cpu_count()}
    print(f"{number} epochs, soft loss {soft_loss:.2f}, {wrong} wrong bits", file=sys.stderr)
    print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
