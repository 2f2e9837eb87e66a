"""A gradient step of deep Q-learning on the 2×2×2 cube in PyTorch on one thread. Prints one JSON line.
`train_step.py [seconds] [compiled]`.

Same step as the benchmark `cube2/train_step/1` of `vivarium bench cube2`: sampling a minibatch of 64 from a prioritized
replay buffer, 3-step double-DQN targets, forward and backward pass through 144→128→64 units with LayerNorm and dueling
heads, gradient clipping, Adam and priority updates. With `compiled`, `torch.compile` compiles the network and its loss.
The replay buffer holds random states, since its contents do not affect the time.
"""

import copy
import json
import sys
import time

import torch
from torch import nn
from torch.nn.functional import huber_loss

STICKERS, COLORS, ACTIONS, HIDDEN = 24, 6, 6, (128, 64)
BATCH, REPLAY, RETURN_STEPS, DISCOUNT = 64, 65_536, 3, 0.99
LEARNING_RATE, MAX_GRADIENT_NORM, TARGET_EVERY = 1e-3, 10.0, 250
ALPHA, BETA, LEAST_ERROR = 0.5, 0.4, 1e-3


class Dueling(nn.Module):
    """Dueling Q-network: Q = V + A − mean(A)."""

    def __init__(self):
        super().__init__()
        widths = (STICKERS * COLORS, *HIDDEN)
        layers = [(nn.Linear(m, n), nn.LayerNorm(n), nn.ReLU()) for m, n in zip(widths, widths[1:])]
        self.torso = nn.Sequential(*(part for layer in layers for part in layer))
        self.value = nn.Linear(HIDDEN[-1], 1)
        self.advantages = nn.Linear(HIDDEN[-1], ACTIONS)

    def forward(self, states):
        h = self.torso(states)
        advantages = self.advantages(h)
        return advantages + (self.value(h) - advantages.mean(1, keepdim=True))


class Replay:
    """Prioritized replay buffer with random states, one byte per input.

    Samples by prefix sums: at this size they take a fraction of the time of a sum tree, which needs a PyTorch operation per level.
    """

    def __init__(self):
        self.states, self.next = self.random_states(), self.random_states()
        self.actions = torch.randint(ACTIONS, (REPLAY,))
        self.rewards = torch.full((REPLAY,), -float(RETURN_STEPS))
        self.later = DISCOUNT**RETURN_STEPS * (torch.rand(REPLAY) > 0.1).float()
        self.priorities = torch.ones(REPLAY)

    @staticmethod
    def random_states():
        colors = torch.randint(COLORS, (REPLAY, STICKERS))
        return nn.functional.one_hot(colors, COLORS).flatten(1).to(torch.uint8)

    def draw(self):
        """Stratified sampling by priority. Returns indices and importance weights, normalized by their maximum."""
        sums = self.priorities.cumsum(0)
        places = (torch.arange(BATCH) + torch.rand(BATCH)) * (sums[-1] / BATCH)
        picks = torch.searchsorted(sums, places).clamp_(max=REPLAY - 1)
        weights = self.priorities[picks] ** -BETA
        return picks, weights / weights.max()

    def judge(self, picks, errors):
        self.priorities[picks] = (errors.abs() + LEAST_ERROR) ** ALPHA


def loss_and_errors(online, target, states, following, actions, rewards, later, weights):
    """Returns the weighted Huber loss of a minibatch and the TD errors."""
    with torch.no_grad():
        choices = online(following).argmax(1, keepdim=True)
        wanted = rewards + later * target(following).gather(1, choices).squeeze(1)
    values = online(states).gather(1, actions[:, None]).squeeze(1)
    losses = huber_loss(values, wanted, reduction="none")
    return (weights * losses).mean(), wanted - values.detach()


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    torch.set_num_threads(1)
    torch.manual_seed(1)
    online, replay = Dueling(), Replay()
    target = copy.deepcopy(online).requires_grad_(False)
    optimizer = torch.optim.Adam(online.parameters(), lr=LEARNING_RATE, fused=True)
    judge = torch.compile(loss_and_errors) if "compiled" in sys.argv[2:] else loss_and_errors

    def step():
        picks, weights = replay.draw()
        states, following = replay.states[picks].float(), replay.next[picks].float()
        of_picks = replay.actions[picks], replay.rewards[picks], replay.later[picks]
        loss, errors = judge(online, target, states, following, *of_picks, weights)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(online.parameters(), MAX_GRADIENT_NORM)
        optimizer.step()
        replay.judge(picks, errors)
        return loss

    for _ in range(20):
        step()  # Warm-up; the first call compiles.
    best, number, end = float("inf"), 0, time.perf_counter() + seconds
    while number < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        loss = step()
        best = min(best, time.perf_counter() - start)
        number += 1
        if number % TARGET_EVERY == 0:
            target.load_state_dict(online.state_dict())
    print(f"{number} steps, loss {loss.item():.4f}", file=sys.stderr)
    print(json.dumps({"name": "cube2/train_step/1", "value": 1e3 * best, "unit": "ms", "threads": 1}), flush=True)


if __name__ == "__main__":
    main()
