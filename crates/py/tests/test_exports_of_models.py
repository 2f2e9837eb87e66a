"""Files for other programs that models and runs write: ONNX, Hugging Face folders, CSV, circuits."""

import csv
import json

import numpy as np
import pytest

import vivarium_ml
from vivarium_ml import Experiment

SMALL = {"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}}


def language_model():
    experiment = Experiment("language", {"preset": "tiny"})
    while experiment.updates < 2:
        experiment.advance()
    return vivarium_ml.load(experiment.to_bytes())


def run_onnx(path, inputs):
    """Returns the outputs of an ONNX file by name."""
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {session.get_inputs()[0].name: inputs}), strict=True))


def test_an_onnx_policy_computes_the_same_outputs(tmp_path):
    experiment = Experiment("cartpole", SMALL)
    experiment.advance(steps=2000)
    path = tmp_path / "policy.onnx"
    path.write_text("an older file is replaced")
    experiment.export("onnx", path)
    policy = vivarium_ml.load(experiment.to_bytes())
    policy.export("onnx", tmp_path / "again.onnx")
    assert path.read_bytes() == (tmp_path / "again.onnx").read_bytes()
    observations = np.random.default_rng(1).normal(size=(64, 4)).astype(np.float32)
    outputs = run_onnx(path, observations)
    np.testing.assert_allclose(np.exp(outputs["log_probabilities"]), policy.probabilities(observations), atol=1e-5)
    np.testing.assert_allclose(outputs["value"].ravel(), policy.values(observations), rtol=1e-4, atol=1e-4)


def test_exports_of_a_language_model(tmp_path):
    model = language_model()
    model.export("onnx", tmp_path / "model.onnx")
    tokens = np.random.default_rng(1).integers(0, model.vocabulary, (2, 9))
    logits = model.logits(tokens)
    np.testing.assert_allclose(run_onnx(tmp_path / "model.onnx", tokens)["logits"], logits, atol=1e-4)
    folder = tmp_path / "new" / "folder"
    model.export("huggingface", folder)
    assert {file.name for file in folder.iterdir()} == {
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert (config["model_type"], config["n_positions"], config["vocab_size"]) == ("gpt2", model.context, model.vocabulary)
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    text = "The sun is a star."
    assert tokenizer.encode(text).ids == model.tokenize(text).tolist()


def test_a_folder_of_a_language_model_is_opened_again(tmp_path):
    model = language_model()
    model.export("huggingface", tmp_path)
    opened = vivarium_ml.LanguageModel.from_huggingface(tmp_path)
    tokens = np.random.default_rng(1).integers(0, model.vocabulary, (2, 9))
    np.testing.assert_array_equal(opened.logits(tokens), model.logits(tokens))
    experiment = Experiment.from_huggingface(tmp_path)
    assert (experiment.name, experiment.steps) == ("language", 0)
    while experiment.updates < 1:
        experiment.advance()
    config = tmp_path / "config.json"
    config.write_text(config.read_text("utf-8").replace('"gpt2"', '"llama"'), "utf-8")
    with pytest.raises(ValueError, match=r"config.json: model_type is \"llama\"; supported is \"gpt2\""):
        Experiment.from_huggingface(tmp_path)
    config.unlink()
    with pytest.raises(FileNotFoundError, match=r"config\.json"):
        vivarium_ml.LanguageModel.from_huggingface(tmp_path)


def test_transformers_opens_the_folder_of_a_language_model(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch", exc_type=ImportError)
    model = language_model()
    model.export("huggingface", tmp_path)
    opened = transformers.AutoModelForCausalLM.from_pretrained(tmp_path).eval()
    tokens = np.random.default_rng(1).integers(0, model.vocabulary, (2, 9))
    with torch.no_grad():
        logits = opened(torch.from_numpy(tokens)).logits.numpy()
    np.testing.assert_allclose(logits, model.logits(tokens), atol=1e-4)
    text = "The sun is a star."
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert tokenizer(text)["input_ids"] == model.tokenize(text).tolist()
    # Greedy generation, which depends on the config of the folder as well.
    prompt = torch.from_numpy(model.tokenize(text)[None].astype(np.int64))
    generated = opened.generate(prompt, max_new_tokens=5, do_sample=False)[0, prompt.shape[1] :].tolist()
    expected = model.tokenize(text).tolist()
    for _ in range(5):
        expected.append(int(model.logits(np.array([expected]))[0, -1].argmax()))
    assert generated == expected[prompt.shape[1] :]


def test_a_config_that_gpt2_cannot_represent(tmp_path):
    experiment = Experiment("language", {"preset": "tiny", "learner.norm": "rms"})
    while experiment.updates < 1:
        experiment.advance()
    with pytest.raises(ValueError, match=r"learner.norm = .*GPT-2 has LayerNorm only"):
        experiment.export("huggingface", tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


def test_metrics_as_a_table(tmp_path):
    experiment = Experiment("cartpole", SMALL)
    experiment.train(steps=2000, progress=False)
    experiment.export("csv", tmp_path / "metrics.csv")
    with (tmp_path / "metrics.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    rows = {}
    for row in experiment.metrics:
        rows.setdefault(row["steps"], {}).update(row)
    assert len(rows) > 10 and [int(row["step"]) for row in table] == list(rows)
    assert list(table[0])[0] == "step" and list(table[0])[-1] == "notice"
    for written, row in zip(table, rows.values(), strict=True):
        found = {name: float(text) for name, text in written.items() if text and name not in ("step", "notice")}
        expected = {name: value for name, value in row.items() if name not in ("steps", "notice") and np.isfinite(value)}
        assert found == expected and written["notice"] == row.get("notice", "")


def test_circuits_and_formats_that_a_model_does_not_have(tmp_path):
    experiment = Experiment("logic-ca", {"circuit": {"channels": 2, "kernels": 1, "update": [4, 2]}})
    automaton = vivarium_ml.load(experiment.to_bytes())
    for name in ("json", "verilog"):
        experiment.export(name, tmp_path / name)
        assert (tmp_path / name).read_text("utf-8") == getattr(automaton, name)()
    with pytest.raises(ValueError, match=r"format is 'onnx'; allowed for a run of logic-ca is 'json' or 'verilog'"):
        automaton.export("onnx", tmp_path / "automaton.onnx")
    with pytest.raises(ValueError, match=r"format is 'huggingface'; allowed for a run of cartpole is 'onnx'"):
        Experiment("cartpole", SMALL).export("huggingface", tmp_path / "folder")
    with pytest.raises(FileNotFoundError):
        automaton.export("json", tmp_path / "nowhere" / "circuit.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["json", "verilog"]
