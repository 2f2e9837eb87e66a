"""Gradient steps of a language model in PyTorch on random tokens. Prints one JSON line.
`language.py [seconds] PRESET [threads=N] [compiled] [gpu] [tf32] [bf16]`.

Same step as `vivarium bench language`: forward and backward pass of a GPT-2-style transformer with PyTorch's fused
attention, gradient clipping and fused AdamW; the best step counts. With `compiled`, `torch.compile` compiles the model
and its loss.

With `gpu` the model trains on a CUDA device, as in `vivarium bench gpu/language`; the best mean of 16 overlapping
steps counts. `tf32` lets matrix products use TF32, `bf16` computes forward and backward pass in bfloat16; both use
tensor cores, which WebGPU cannot use.
"""

import json
import os
import sys
import time
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

# Presets: vocabulary size, context length, layers, heads, width, batch size, bias (of linear layers and LayerNorm).
PRESETS = {
    "tiny": (512, 64, 2, 4, 64, 8, True),
    "shakespeare-char": (65, 64, 4, 4, 128, 12, False),
    "wiki-small": (2048, 128, 4, 8, 256, 32, True),
    "wiki-medium": (8192, 128, 6, 6, 384, 32, True),
}


def norm_of(name, width, bias):
    """Normalization by its name in Vivarium's config, with the same ε."""
    return nn.LayerNorm(width, bias=bias) if name == "layer" else nn.RMSNorm(width, eps=1e-5)


class Block(nn.Module):
    """Transformer block: x + attention(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, width, heads, bias, norm):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(norm(width) for _ in range(2))
        self.attention = nn.Linear(width, 3 * width, bias)
        self.found = nn.Linear(width, width, bias)
        self.hidden = nn.Linear(width, 4 * width, bias)
        self.out = nn.Linear(4 * width, width, bias)

    def forward(self, x):
        batch, tokens, width = x.shape
        qkv = self.attention(self.norms[0](x)).view(batch, tokens, 3, self.heads, -1)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        found = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.found(found.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.out(F.gelu(self.hidden(self.norms[1](x)), approximate="tanh"))


class Transformer(nn.Module):
    """Transformer that returns the cross-entropy loss. The output layer is tied to the token embeddings."""

    def __init__(self, vocabulary, context, layers, heads, width, bias, norm="layer", layer_norm_bias=None):
        super().__init__()
        norm = partial(norm_of, norm, bias=bias if layer_norm_bias is None else layer_norm_bias)
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(0.02 * torch.randn(context, width))
        self.blocks = nn.Sequential(*(Block(width, heads, bias, norm) for _ in range(layers)))
        self.norm = norm(width)
        nn.init.normal_(self.words.weight, std=0.02)

    def forward(self, tokens, targets):
        x = self.norm(self.blocks(self.words(tokens) + self.positions))
        logits = F.linear(x, self.words.weight)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def main():
    seconds, (preset, *options) = float(sys.argv[1]), sys.argv[2:]
    threads = next((int(option[8:]) for option in options if option.startswith("threads=")), os.cpu_count())
    vocabulary, context, layers, heads, width, batch, bias = PRESETS[preset]
    on_gpu = "gpu" in options
    device = "cuda" if on_gpu else "cpu"
    torch.set_num_threads(threads)
    torch.set_float32_matmul_precision("high" if "tf32" in options else "highest")
    torch.manual_seed(1)
    model = Transformer(vocabulary, context, layers, heads, width, bias).to(device)
    decays = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decays, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99), fused=True)
    judge = torch.compile(model) if "compiled" in options else model

    def step():
        tokens = torch.randint(vocabulary, (batch, context + 1)).to(device)
        with torch.autocast(device, torch.bfloat16, enabled="bf16" in options):
            loss = judge(tokens[:, :-1], tokens[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss

    first = step().item()
    together = 16 if on_gpu else 1
    best, number, end = float("inf"), 0, time.perf_counter() + seconds
    while number < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(together):
            loss = step()
        loss.item()  # Waits for the device.
        best = min(best, (time.perf_counter() - start) / together)
        number += 1
    parameters = sum(p.numel() for p in model.parameters())
    print(f"{parameters} parameters, loss {first:.3f}", file=sys.stderr)
    value = batch * context / best
    name = f"language/{preset}/{'all' if threads == os.cpu_count() else threads}"
    figure = {"name": name, "value": value, "unit": "tokens/s", "threads": threads}
    if on_gpu:
        figure = {"name": f"gpu/language/{preset}", "value": value, "unit": "tokens/s"}
    print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
