#!/usr/bin/env python3
"""Compares the loss curves of a language model in Vivarium and PyTorch, from equal weights on equal batches:
`python3 benches/rivals/pytorch/language_curve.py [PRESET …] [FIELD=VALUE …]`, where a field is one of Vivarium's
section `learner`, such as `norm=rms`.

Creates a virtual environment with the pinned package. The example `curve` of vivarium-lm trains for fifty steps and
writes its initial weights, batches and losses; PyTorch repeats the steps in f32 and f64. The difference between
PyTorch's f32 and f64 curves is rounding error. The script fails if Vivarium's curve differs from the f64 curve by more
than a small multiple of the rounding error. `--json` prints PyTorch's losses, the format of
crates/lm/tests/pytorch_curve*.json (preset tiny).
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from side_by_side import ROOT, python_with_requirements  # noqa: E402

# Tolerance: a multiple of PyTorch's rounding error, and an absolute minimum in nats.
FACTOR, LEAST = 4, 2e-5


def read(path):
    """Reads the tensors of a safetensors file by name, and its metadata."""
    import torch

    kinds = {"F32": torch.float32, "F64": torch.float64, "U32": torch.int32}
    data = bytearray(Path(path).read_bytes())
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, of in header.items():
        first, end = of["data_offsets"]
        numbers = torch.frombuffer(data[start + first : start + end], dtype=kinds[of["dtype"]])
        tensors[name] = numbers.view(of["shape"])
    return tensors, metadata


def adopt(model, weights):
    """Loads weights with GPT-2's names; their matrices are transposed relative to nn.Linear."""
    named = {"words.weight": "wte.weight", "positions": "wpe.weight", "norm.weight": "ln_f.weight", "norm.bias": "ln_f.bias"}
    parts = {"norms.0": "ln_1", "norms.1": "ln_2", "attention": "attn.c_attn", "found": "attn.c_proj"}
    parts |= {"hidden": "mlp.c_fc", "out": "mlp.c_proj"}
    for name, parameter in model.named_parameters():
        theirs = named.get(name)
        if theirs is None:
            _, layer, part = name.split(".", 2)
            part, kind = part.rsplit(".", 1)
            theirs = f"h.{layer}.{parts[part]}.{kind}"
        values = weights.pop(theirs)
        turned = parameter.dim() > 1 and name.startswith("blocks")
        parameter.data.copy_(values.T if turned else values)
    assert not weights, f"no place for {list(weights)}"


def rate(config, step):
    """nanoGPT's learning-rate schedule: linear warm-up, then cosine decay."""
    if step < config["warm_up"]:
        return config["learning_rate"] * (step + 1) / (config["warm_up"] + 1)
    share = min((step - config["warm_up"]) / (config["anneal_updates"] - config["warm_up"]), 1)
    first, last = config["learning_rate"], config["final_learning_rate"]
    return last + 0.5 * (1 + math.cos(math.pi * share)) * (first - last)


def learn(config, weights, batches, kind):
    """Trains in PyTorch with this dtype and returns the loss of each gradient step."""
    import torch
    from language import Transformer

    vocabulary = weights["wte.weight"].shape[0]
    sizes = [config[name] for name in ("context", "layers", "heads", "width", "bias", "norm", "layer_norm_bias")]
    model = Transformer(vocabulary, *sizes).to(kind)
    adopt(model, dict(weights))
    decays = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decays, "weight_decay": config["weight_decay"]}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, config["beta2"]))
    losses = []
    for step, batch in enumerate(batches.long()):
        for group in optimizer.param_groups:
            group["lr"] = rate(config, step)
        loss = model(batch[:, :-1], batch[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config["max_gradient_norm"])
        optimizer.step()
        losses.append(loss.item())
    return losses


def compare(path):
    """Repeats the training run that a file records. Returns whether the loss curves agree."""
    import torch

    tensors, metadata = read(path)
    config = json.loads(metadata["config"])["learner"]
    batches, ours = tensors.pop("batches"), tensors.pop("losses").tolist()
    single, double = [learn(config, tensors, batches, kind) for kind in (torch.float32, torch.float64)]
    if "--json" in sys.argv:
        made = " ".join(["python3 benches/rivals/pytorch/language_curve.py", metadata["preset"], *sys.argv[3:]])
        losses = [round(loss, 7) for loss in double]
        print(json.dumps({"program": f"PyTorch {torch.__version__.split('+')[0]}, in f64", "made": made, "losses": losses}))
    largest = [max(abs(a - b) for a, b in zip(losses, double)) for losses in (ours, single)]
    allowed = max(FACTOR * largest[1], LEAST)
    print(
        f"{metadata['preset']:<18} loss {double[0]:.4f} to {double[-1]:.4f} in {len(double)} steps; largest difference "
        f"from PyTorch's f64: ours {largest[0]:.1e}, PyTorch's f32 {largest[1]:.1e}, allowed {allowed:.1e}",
        file=sys.stderr,
    )
    return largest[0] <= allowed


def main():
    python = python_with_requirements(HERE)
    options = [argument for argument in sys.argv[1:] if argument.startswith("--") or "=" in argument]
    presets = [argument for argument in sys.argv[1:] if argument not in options]
    fields = [option for option in options if not option.startswith("--")]
    agreed = True
    with tempfile.TemporaryDirectory() as folder:
        for preset in presets or ["tiny", "shakespeare-char"]:
            path = Path(folder) / f"{preset}.safetensors"
            example = ["cargo", "run", "--quiet", "--release", "-p", "vivarium-lm", "--example", "curve", "--"]
            subprocess.run([*example, path, preset, *fields], cwd=ROOT, check=True)
            agreed &= subprocess.run([python, "-W", "ignore", __file__, "--file", path, *options]).returncode == 0
    return agreed


if __name__ == "__main__":
    same = compare(sys.argv[sys.argv.index("--file") + 1]) if "--file" in sys.argv else main()
    sys.exit(0 if same else "The curves differ by more than rounding does.")
