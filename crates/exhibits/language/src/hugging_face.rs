//! Folders in the format of the library `transformers` (Hugging Face): export of a model as GPT-2, and import of a
//! GPT-2 model.
//!
//! | file | contents |
//! | --- | --- |
//! | `config.json` | sizes and variant of the model (`GPT2Config`) |
//! | `generation_config.json` | tokens at which generation begins and ends |
//! | `model.safetensors` | weights, with the names of `GPT2LMHeadModel` |
//! | `tokenizer.json` | tokenizer of the library `tokenizers` |
//! | `tokenizer_config.json` | class that opens `tokenizer.json`, and the end-of-document token |
//!
//! Weights of linear layers have the shape \[in, out\] in both programs (`Conv1D` in `transformers`).

use super::NAME;
use super::checkpoint::SavedState;
use super::entries::{read, schema};
use super::model::Model;
use serde_json::{Value, json};
use vivarium_config::shortest;
use vivarium_kernels::epilogue::NORM_EPSILON;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, read_header, read_tensors, write_tensors};
use vivarium_lab::config;
use vivarium_lab::error::LabError;
use vivarium_lm::{LanguageConfig, LanguageNorm, Tokenizer};

const CONFIG: &str = "config.json";
const GENERATION: &str = "generation_config.json";
const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
const TOKENIZER_CONFIG: &str = "tokenizer_config.json";

/// Names of the files that [`Model::hugging_face`] writes.
pub const HUGGING_FACE_FILES: [&str; 5] = [CONFIG, GENERATION, WEIGHTS, TOKENIZER, TOKENIZER_CONFIG];

/// Prefix of the names of all weights in `transformers`, except [`HEAD`].
const PREFIX: &str = "transformer.";
/// Name of the weight of an output head that is not tied to the token embedding.
const HEAD: &str = "lm_head.weight";
/// Text of the end-of-document token in `tokenizer.json`.
const END: &str = "<|endoftext|>";

/// Returns the model of a checkpoint as the files of a folder that `transformers` opens; see [`Model::hugging_face`].
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid; [`LabError::Invalid`] for a checkpoint of another experiment, or with
/// the config field that GPT-2 cannot represent.
pub fn hugging_face(checkpoint: &[u8]) -> Result<Vec<(&'static str, Vec<u8>)>, LabError> {
    let name = read_header(checkpoint)?.experiment;
    if name != NAME {
        let remedy = "the format huggingface is for language models; export the network with --to onnx";
        return Err(LabError::invalid("experiment", name, remedy));
    }
    Model::open(checkpoint)?.hugging_face()
}

impl Model {
    /// Returns the files of a folder that `transformers` opens as a GPT-2 model: pairs of name and contents. Biases
    /// that GPT-2 requires but the model lacks are zeros.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the config field that GPT-2 cannot represent.
    pub fn hugging_face(&self) -> Result<Vec<(&'static str, Vec<u8>)>, LabError> {
        let (config, tokenizer) = (self.config(), self.tokenizer());
        if config.norm != LanguageNorm::Layer {
            let allowed =
                "GPT-2 has LayerNorm only; export the model as ONNX, or train with learner.norm=layer";
            return Err(LabError::invalid("learner.norm", config.norm.name(), allowed));
        }
        let text = |value: Value| format!("{value:#}\n").into_bytes();
        Ok(vec![
            (CONFIG, text(model_config(config, tokenizer))),
            (GENERATION, text(special_tokens(tokenizer))),
            (WEIGHTS, write_tensors(&self.gpt2_tensors(), &[("format", "pt")])),
            (TOKENIZER, tokenizer.to_json().into_bytes()),
            (TOKENIZER_CONFIG, text(tokenizer_config(config, tokenizer))),
        ])
    }

    /// Returns the weights under the names that the class `GPT2LMHeadModel` of `transformers` uses.
    fn gpt2_tensors(&self) -> Vec<Tensor> {
        let mut tensors = self.weights();
        let missing: Vec<Tensor> = tensors
            .iter()
            .filter(|weight| has_bias(&weight.name))
            .map(|weight| (weight.name.replace(".weight", ".bias"), *weight.shape.last().unwrap_or(&0)))
            .filter(|(name, _)| tensors.iter().all(|tensor| tensor.name != *name))
            .map(|(name, width)| Tensor {
                name,
                shape: vec![width],
                values: TensorData::F32(vec![0.0; width]),
            })
            .collect();
        tensors.extend(missing);
        for tensor in &mut tensors {
            if tensor.name != HEAD {
                tensor.name.insert_str(0, PREFIX);
            }
        }
        tensors
    }
}

/// Returns whether a weight of GPT-2 has a bias: all weights except the embeddings and the output head.
fn has_bias(name: &str) -> bool {
    name.ends_with(".weight") && !["wte.weight", "wpe.weight", HEAD].contains(&name)
}

/// Returns the content of `config.json`. `gelu_new` is GELU with the tanh approximation.
fn model_config(config: &LanguageConfig, tokenizer: &Tokenizer) -> Value {
    let mut written = json!({
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": tokenizer.vocabulary(),
        "n_positions": config.context, "n_embd": config.width, "n_layer": config.layers, "n_head": config.heads,
        "n_inner": null, "activation_function": "gelu_new", "layer_norm_epsilon": shortest(NORM_EPSILON),
        "tie_word_embeddings": config.tied, "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0,
        "scale_attn_weights": true, "scale_attn_by_inverse_layer_idx": false, "reorder_and_upcast_attn": false,
        "add_cross_attention": false, "dtype": "float32", "use_cache": true,
    });
    if let (Some(written), Value::Object(tokens)) = (written.as_object_mut(), special_tokens(tokenizer)) {
        written.extend(tokens);
    }
    written
}

/// Returns the JSON fields of `config.json` with the tokens at which text generation begins and ends.
fn special_tokens(tokenizer: &Tokenizer) -> Value {
    json!({ "bos_token_id": tokenizer.beginning(), "eos_token_id": tokenizer.end_of_document() })
}

/// Returns the content of `tokenizer_config.json`, the file from which `transformers` reads the tokenizer class, the
/// context length and the special tokens.
fn tokenizer_config(config: &LanguageConfig, tokenizer: &Tokenizer) -> Value {
    let end = tokenizer.end_of_document().map(|_| END);
    json!({
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": config.context,
        "bos_token": end, "eos_token": end, "clean_up_tokenization_spaces": false,
    })
}

/// GPT-2 model in the files of `transformers`, whose training a new run continues.
pub struct HuggingFaceModel {
    tokenizer: Tokenizer,
    /// Weights under the parameter names of [`Gpt`](vivarium_lm::Gpt), the model that this program trains.
    weights: Vec<Tensor>,
    /// Config fields of the model's architecture, with their values.
    fields: Vec<(&'static str, Value)>,
}

impl HuggingFaceModel {
    /// Names of the files that [`open`](Self::open) reads.
    pub const FILES: [&str; 3] = [CONFIG, WEIGHTS, TOKENIZER];

    /// Reads a GPT-2 model from the contents of [`FILES`](Self::FILES).
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] with the name of the file and its unsupported content.
    pub fn open([config, weights, tokenizer]: [&[u8]; 3]) -> Result<Self, LabError> {
        let refuse = |file: &str, why: String| LabError::checkpoint(format!("{file}: {why}"));
        let config: Value = serde_json::from_slice(config)
            .map_err(|error| refuse(CONFIG, format!("it is not JSON: {error}")))?;
        check_variant(&config).map_err(|why| refuse(CONFIG, why))?;
        let text = str::from_utf8(tokenizer)
            .map_err(|error| refuse(TOKENIZER, format!("it is not UTF-8: {error}")))?;
        let tokenizer = read_tokenizer(text).map_err(|why| refuse(TOKENIZER, why))?;
        let number = |name: &str| {
            config[name].as_u64().ok_or_else(|| refuse(CONFIG, format!("{name} is not a whole number")))
        };
        let vocabulary = number("vocab_size")?;
        if vocabulary != tokenizer.vocabulary() as u64 {
            let why =
                format!("vocab_size is {vocabulary}, but {TOKENIZER} has {} tokens", tokenizer.vocabulary());
            return Err(refuse(CONFIG, why));
        }
        let is_characters = matches!(tokenizer, Tokenizer::Characters(_));
        let fields = vec![
            ("learner.vocabulary", json!(if is_characters { 0 } else { vocabulary })),
            ("learner.context", json!(number("n_positions")?)),
            ("learner.layers", json!(number("n_layer")?)),
            ("learner.heads", json!(number("n_head")?)),
            ("learner.width", json!(number("n_embd")?)),
            ("learner.tied", json!(config["tie_word_embeddings"] != json!(false))),
            ("learner.bias", json!(true)),
            ("learner.norm", json!(LanguageNorm::Layer.name())),
            ("learner.layer_norm_bias", json!(true)),
        ];
        let weights = read_tensors(weights).map_err(|error| match error {
            LabError::Checkpoint { message } => refuse(WEIGHTS, message),
            other => other,
        })?;
        let mut weights = weights.into_vec();
        for tensor in &mut weights {
            if let Some(name) = tensor.name.strip_prefix(PREFIX) {
                tensor.name = name.to_owned();
            }
        }
        Ok(Self { tokenizer, weights, fields })
    }

    /// Returns the checkpoint of a new run that continues the training of the model. `given` are config fields of the
    /// run; missing fields take their defaults. The model determines the fields of its architecture.
    ///
    /// # Errors
    /// [`LabError`] if a config field is invalid, if the model is too large, or if a weight is missing or has the wrong
    /// shape.
    pub fn checkpoint(self, given: &Value, seed: u64) -> Result<Vec<u8>, LabError> {
        let mut given = given.clone();
        self.complete(&mut given)?;
        let config = schema().configure(&given)?;
        let model = Model::new(read(&config)?.learner, self.tokenizer, &self.weights)?;
        let more = SavedState::of_pretrained(model.tokenizer());
        let header = Header { experiment: NAME.to_owned(), config, seed, steps: 0, more };
        Ok(checkpoint::write(&header, &model.weights()))
    }

    /// Adds the config fields of the model's architecture to the config fields `given` of a new run.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if `given` has another value of such a field.
    fn complete(&self, given: &mut Value) -> Result<(), LabError> {
        for (path, value) in &self.fields {
            match config::get(given, path) {
                Some(other) if other != value => {
                    let allowed =
                        format!("the model that training continues from has {value}; omit the field");
                    return Err(LabError::invalid(*path, other.to_string(), allowed));
                }
                _ => config::set(given, path, value.clone())?,
            }
        }
        Ok(())
    }
}

/// Reads a tokenizer from the text of `tokenizer.json`. GPT-2's own file names its word pattern `ByteLevel`; the
/// pattern of this program replaces it. The two patterns differ only for combining marks.
fn read_tokenizer(text: &str) -> Result<Tokenizer, String> {
    let mut file: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let rule = &file["pre_tokenizer"];
    let is_gpt2 =
        rule["type"] == "ByteLevel" && rule["add_prefix_space"] == false && rule["use_regex"] != json!(false);
    if is_gpt2 {
        file["pre_tokenizer"] = Tokenizer::pre_tokenizer_json();
        // Files of early versions do not state the type of the model.
        if let Some(model) = file["model"].as_object_mut() {
            model.entry("type").or_insert("BPE".into());
        }
    }
    Tokenizer::from_json(&file.to_string()).map_err(|error| error.to_string())
}

/// Checks that `config.json` describes a GPT-2 model of the variant that this program supports. Otherwise, returns an
/// error message with the unsupported field.
fn check_variant(config: &Value) -> Result<(), String> {
    let epsilon = json!(shortest(NORM_EPSILON));
    // Name of each field, its supported values, and whether the field may be missing. A missing field has GPT-2's
    // default, which is the first value.
    let fields: [(&str, &[Value], bool); 6] = [
        ("model_type", &[json!("gpt2")], false),
        ("activation_function", &[json!("gelu_new"), json!("gelu_pytorch_tanh")], true),
        ("layer_norm_epsilon", &[epsilon], true),
        ("scale_attn_weights", &[json!(true)], true),
        ("scale_attn_by_inverse_layer_idx", &[json!(false)], true),
        ("add_cross_attention", &[json!(false)], true),
    ];
    for (name, allowed, is_optional) in fields {
        let value = &config[name];
        if !(allowed.contains(value) || value.is_null() && is_optional) {
            let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
            return Err(format!("{name} is {value}; supported is {}", allowed.join(" or ")));
        }
    }
    let inner = config["n_embd"].as_u64().map(|width| width.saturating_mul(4));
    match config["n_inner"].as_u64() {
        Some(given) if Some(given) != inner => {
            Err(format!("n_inner is {given}; supported is 4 times n_embd"))
        }
        _ => Ok(()),
    }
}
