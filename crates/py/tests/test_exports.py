"""Files of `vivarium export`, opened by onnxruntime, safetensors and tokenizers.

The Rust tests of the program write the files into a folder: each export with an example of its input and outputs, as
the program computes them. The environment variable VIVARIUM_EXPORTS names the folder.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
safetensors = pytest.importorskip("safetensors.numpy")
tokenizers = pytest.importorskip("tokenizers")

FOLDER = Path(os.environ.get("VIVARIUM_EXPORTS", Path(__file__).parents[3] / "target/tmp/exports"))
TOLERANCE = 1e-4

NETWORKS = [
    "cartpole",
    "cartpole-shared-torso",
    "cartpole-relu",
    "pendulum",
    "acrobot-unscaled",
    "frozen-lake",
    "mountain-car-dqn",
    "backgammon",
    "connect-four",
    "cube2",
    "cube2-dueling",
    "cube3",
    "language",
    "language-characters",
    "language-rms",
]
OUTPUTS = {
    "pendulum": ["action_mean", "value"],
    "mountain-car-dqn": ["q_values"],
    "backgammon": ["policy_logits", "outcome_probabilities"],
    "connect-four": ["policy_logits", "outcome_probabilities"],
    "cube2": ["q_values"],
    "cube2-dueling": ["q_values"],
    "cube3": ["log_probabilities"],
    "language": ["logits"],
    "language-characters": ["logits"],
    "language-rms": ["logits"],
}


def example_of(name):
    """Returns the folder of an export and the example in it. Skips the test if the Rust tests have not run."""
    if not FOLDER.is_dir():
        pytest.skip(f"{FOLDER} does not exist: run `cargo test -p vivarium-cli --test integration export`")
    return FOLDER / name, json.loads((FOLDER / name / "example.json").read_text("utf-8"))


def assert_close(actual, expected):
    """Asserts that two arrays are equal up to rounding, relative to the largest element."""
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE * np.abs(expected).max())


@pytest.mark.parametrize("name", NETWORKS)
def test_onnxruntime_computes_the_same_outputs(name):
    folder, example = example_of(name)
    model = onnx.load(folder / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    properties = {entry.key: entry.value for entry in model.metadata_props}
    assert properties == {key: str(example[key]) for key in ("experiment", "steps", "seed", "version")}
    assert [(operators.domain, operators.version) for operators in model.opset_import] == [("", 17)]

    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    [declared] = session.get_inputs()
    is_index = declared.type == "tensor(int64)"
    rows, dims = example["rows"], example["input"]["dims"]
    data = np.array(example["input"]["data"], np.int64 if is_index else np.float32)
    is_sequence = len(dims) == 2
    data = data.reshape(rows, dims[0]) if is_sequence else data.reshape(rows, *dims)
    assert declared.name == example["input"]["name"] == ("tokens" if is_sequence else declared.name)
    assert declared.shape[0] == "batch" and (declared.shape[1] == "time") == is_sequence

    names = [output.name for output in session.get_outputs()]
    assert names == OUTPUTS.get(name, ["log_probabilities", "value"])
    results = session.run(None, {declared.name: data})
    for actual, (output, expected) in zip(results, example["outputs"], strict=True):
        assert output in names
        assert_close(actual, np.array(expected, np.float32).reshape(actual.shape))
        # The batch dimension is dynamic.
        [first, *_] = session.run([output], {declared.name: data[:1]})
        assert_close(first, actual[:1])
        if is_sequence:
            # The time dimension is dynamic, and attention is causal.
            [start] = session.run([output], {declared.name: data[:, :5]})
            assert_close(start, actual[:, :5])


def gelu_new(x):
    """GELU with the tanh approximation."""
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def softmax(x):
    exponentials = np.exp(x - x.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def gpt2_logits(config, weights, tokens):
    """Forward pass of GPT2LMHeadModel in double precision: tokens [batch, time] to logits [batch, time, vocabulary]."""
    weight = {name.removeprefix("transformer."): values.astype(np.float64) for name, values in weights.items()}
    time, heads = tokens.shape[1], config["n_head"]

    def layer_norm(name, x):
        centered = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centered**2).mean(-1, keepdims=True) + config["layer_norm_epsilon"])
        return centered / deviation * weight[f"{name}.weight"] + weight[f"{name}.bias"]

    def conv1d(name, x):
        return x @ weight[f"{name}.weight"] + weight[f"{name}.bias"]

    def split(x):
        return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    x = weight["wte.weight"][tokens] + weight["wpe.weight"][:time]
    hidden = np.triu(np.full((time, time), -np.inf), 1)
    for layer in range(config["n_layer"]):
        query, key, value = map(split, np.split(conv1d(f"h.{layer}.attn.c_attn", layer_norm(f"h.{layer}.ln_1", x)), 3, -1))
        scores = query @ key.swapaxes(2, 3) / np.sqrt(query.shape[-1])
        attended = (softmax(scores + hidden) @ value).swapaxes(1, 2).reshape(x.shape)
        x = x + conv1d(f"h.{layer}.attn.c_proj", attended)
        inner = gelu_new(conv1d(f"h.{layer}.mlp.c_fc", layer_norm(f"h.{layer}.ln_2", x)))
        x = x + conv1d(f"h.{layer}.mlp.c_proj", inner)
    head = weight["wte.weight" if config["tie_word_embeddings"] else "lm_head.weight"]
    return layer_norm("ln_f", x) @ head.T


@pytest.mark.parametrize("name", ["bpe", "characters", "without-norm-bias"])
def test_a_language_model_is_a_gpt2_model(name):
    folder, example = example_of(f"huggingface-{name}")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    weights = safetensors.load_file(folder / "model.safetensors")
    assert config["model_type"] == "gpt2" and config["activation_function"] == "gelu_new"
    assert config["tie_word_embeddings"] == ("lm_head.weight" not in weights)
    tokens = np.array(example["tokens"]).reshape(example["rows"], -1)
    assert tokens.shape[1] == config["n_positions"]
    logits = np.array(example["logits"]).reshape(*tokens.shape, config["vocab_size"])
    assert_close(gpt2_logits(config, weights, tokens), logits)


@pytest.mark.parametrize("name", ["bpe", "characters"])
def test_the_tokenizer_gives_the_same_tokens(name):
    folder, example = example_of(f"huggingface-{name}")
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens = tokenizer.encode(example["text"]).ids
    assert tokens == example["text_tokens"]
    assert tokenizer.decode(tokens) == example["text"]
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert tokenizer.get_vocab_size() == config["vocab_size"]
    end = tokenizer.token_to_id("<|endoftext|>")
    assert end == config["eos_token_id"] == json.loads((folder / "generation_config.json").read_text("utf-8"))["eos_token_id"]
