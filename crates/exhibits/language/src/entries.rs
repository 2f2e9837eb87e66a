//! Config fields, presets and metrics of the language-model experiment.

use crate::failure::BUILT_IN;
use crate::protocol::{LanguageEvaluation, LanguageInfo};
use crate::readings::readings;
use crate::{MAX_GENERATED_TOKENS, MAX_TEMPERATURE, NAME, SAMPLE_SECONDS};
use serde_json::{Value, json};
use vivarium_config::Config;
use vivarium_lab::config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Field, PresetInfo, Schema, preset};
use vivarium_lab::metrics;
use vivarium_lab::source::LARGEST_IN_PAGE;
use vivarium_lm::encyclopedia::Relation;
use vivarium_lm::{LanguageConfig, LanguagePreset, StepMetrics};

const SUMMARY: &str = "A transformer learns to predict the next token of a text, from noise to words to sentences. A quiz \
    measures which facts of the generated encyclopedia it has learned.";

/// Maximum length of the training text's name in bytes: the usual maximum path length.
const MAX_NAME_BYTES: u32 = 4096;

vivarium_config::config! {
    /// Config section of the training text.
    #[derive(Clone)]
    struct TextConfig {
        [""]
        /// Training text: a text file, a folder of text files, or a MediaWiki dump. Empty selects the generated
        /// encyclopedia.
        data: String = String::new(), "Text", text(MAX_NAME_BYTES);
    }
}

/// Maximum number of model parameters. With gradients, optimizer state and checkpoint, the model takes about 4 GB of
/// memory natively, and most of the available 1 GB in a browser.
const MAX_PARAMETERS: u64 = if cfg!(target_arch = "wasm32") { 24_000_000 } else { 200_000_000 };

/// Parsed config of the language-model experiment: training text, hyperparameters, evaluations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LanguageSettings {
    /// Name of the training text; empty for the built-in text.
    pub(crate) data: String,
    /// Size of the built-in text in bytes.
    pub(crate) bytes: usize,
    pub(crate) learner: LanguageConfig,
    pub(crate) evaluation: EvaluationConfig,
}

vivarium_config::config! {
    /// Config section of the built-in training text, an encyclopedia that the program generates.
    #[derive(Clone)]
    struct EncyclopediaConfig {
        ["encyclopedia"]
        /// Size of the generated encyclopedia. Each 0.5 MB states all facts once, each time in other words.
        bytes: u64 = 2_000_000, "Size" in "bytes", integer(10_000, 100_000_000);
    }
}

vivarium_config::config! {
    /// Config section of the evaluations during training.
    #[derive(Clone, Copy, Eq)]
    pub(crate) struct EvaluationConfig {
        ["evaluation"]
        /// Number of gradient steps between evaluations on held-out text. Additional evaluations follow steps 32, 64,
        /// 128 … before the first regular one. 0 disables evaluations.
        every: u64 = 250, "Evaluation interval" in "gradient steps", integer(0, 1_000_000), live;
        /// Number of held-out sequences per evaluation, each as long as the context.
        windows: u32 = 64, "Held-out windows", integer(1, 10_000), live;
        /// Number of multiple-choice questions about the encyclopedia per evaluation. Guessing answers 25 % correctly.
        questions: u32 = 50, "Questions", integer(0, 10_000), live;
    }
}

/// Number of gradient steps after which the model is evaluated for the first time since its initialization, unless the
/// evaluation interval is shorter.
const FIRST_EVALUATION: u64 = 32;

impl EvaluationConfig {
    /// Returns the number of gradient steps after which the next evaluation takes place, if `updates` gradient steps
    /// are done; `None` if evaluations are disabled. Before step `every`, evaluations follow the steps 32, 64, 128 ….
    pub(crate) fn next(&self, updates: u64) -> Option<u64> {
        let regular = updates.checked_div(self.every)?.saturating_add(1).saturating_mul(self.every);
        let early = updates.saturating_add(1).checked_next_power_of_two()?.max(FIRST_EVALUATION);
        Some(if early < self.every { early } else { regular })
    }

    /// Returns whether the model is evaluated after `updates` gradient steps. 0 is the evaluation of the initial
    /// weights.
    pub(crate) fn is_at(&self, updates: u64) -> bool {
        self.every > 0 && (updates == 0 || self.next(updates - 1) == Some(updates))
    }
}

/// Returns the default hyperparameters of the experiment: a model that is large enough to learn the encyclopedia's
/// facts and small enough to train in a browser.
fn default_learner() -> LanguageConfig {
    LanguageConfig {
        vocabulary: 1_024,
        context: 128,
        layers: 4,
        heads: 4,
        width: 128,
        batch: 16,
        ..LanguageConfig::default()
    }
}

/// Returns all config fields of the experiment. `learner` holds the default values of the config section `learner`.
fn all_fields(learner: &LanguageConfig) -> Vec<Field> {
    let [text, encyclopedia] = [TextConfig::default().fields(), EncyclopediaConfig::default().fields()];
    [text, learner.fields(), encyclopedia, EvaluationConfig::default().fields()].concat()
}

/// Returns the config schema of the experiment: fields, presets and checks between fields.
pub(crate) fn schema() -> Schema {
    let fields = all_fields(&default_learner());
    Schema { name: NAME, fields, presets: presets(), check: |config| read(config).map(drop) }
}

/// Returns the static description of the experiment.
pub(crate) fn info() -> ExperimentInfo {
    let world = LanguageInfo {
        built_in: BUILT_IN.into(),
        topics: Relation::ALL.iter().map(|relation| relation.name().into()).collect(),
        guess_accuracy: 0.25,
        max_text_bytes: LARGEST_IN_PAGE,
        max_temperature: MAX_TEMPERATURE,
        max_generated_tokens: MAX_GENERATED_TOKENS,
        sample_interval_seconds: SAMPLE_SECONDS,
    };
    ExperimentInfo::new(
        ["Language", SUMMARY],
        &world,
        schema(),
        [metrics::described(STEP), metrics::described(EVALUATION)].concat(),
        readings(),
    )
}

fn presets() -> Vec<PresetInfo> {
    let first = preset("encyclopedia", "Encyclopedia", json!({}))
        .with_help("Trains on the generated encyclopedia, with a quiz about its facts.");
    let words = |of: LanguagePreset| match of {
        LanguagePreset::Tiny => ("Tiny", "2 layers, width 64: for phones."),
        LanguagePreset::ShakespeareChar => {
            ("Characters", "Character-level model with 0.8 million parameters, for one short text.")
        }
        LanguagePreset::WikiSmall => ("Small wiki", "3.7 million parameters over 2,048 BPE tokens."),
        LanguagePreset::WikiMedium => ("Medium wiki", "14 million parameters over 8,192 BPE tokens."),
    };
    let others = LanguagePreset::ALL.map(|of| {
        let (label, help) = words(of);
        preset(of.name(), label, changed(&LanguageConfig::of(of))).with_help(help)
    });
    [first].into_iter().chain(others).collect()
}

/// Returns the config of a preset: the fields of `learner` (the preset's hyperparameters) whose values differ from the
/// experiment's defaults.
fn changed(learner: &LanguageConfig) -> Value {
    config::difference(&learner.to_json(), &default_learner().to_json())
}

/// Parses an experiment config whose fields are in range, and checks relations between fields.
///
/// # Errors
/// [`LabError::Invalid`] if the fields are inconsistent or the model has too many parameters.
pub(crate) fn read(config: &Value) -> Result<LanguageSettings, LabError> {
    let learner = LanguageConfig::from_json(config)?;
    learner.check()?;
    // With a character vocabulary, the vocabulary size is unknown before the text is read; 256 is an upper estimate.
    let vocabulary = if learner.vocabulary == 0 { 256 } else { learner.vocabulary as usize };
    check_size(&learner, vocabulary)?;
    let EncyclopediaConfig { bytes } = EncyclopediaConfig::from_json(config)?;
    Ok(LanguageSettings {
        data: TextConfig::from_json(config)?.data,
        bytes: bytes as usize,
        learner,
        evaluation: EvaluationConfig::from_json(config)?,
    })
}

/// Checks that a model with the hyperparameters `learner` and a vocabulary of `vocabulary` tokens does not have too
/// many parameters.
///
/// # Errors
/// [`LabError::Invalid`], which states the number of parameters and the limit.
pub(crate) fn check_size(learner: &LanguageConfig, vocabulary: usize) -> Result<(), LabError> {
    let parameters = parameters(learner, vocabulary);
    if parameters <= MAX_PARAMETERS {
        return Ok(());
    }
    let allowed = format!(
        "with {vocabulary} tokens the model has {parameters} parameters (limit {MAX_PARAMETERS}); reduce width, layers or \
         vocabulary"
    );
    Err(learner.refused("width", allowed).into())
}

/// Returns the approximate number of parameters of a model with the hyperparameters `learner` and a vocabulary of
/// `vocabulary` tokens.
fn parameters(learner: &LanguageConfig, vocabulary: usize) -> u64 {
    let LanguageConfig { context, layers, width, tied, .. } = *learner;
    let tables = vocabulary as u64 * if tied { 1 } else { 2 } + u64::from(context);
    u64::from(width) * (tables + 12 * u64::from(layers) * u64::from(width))
}

/// Returns a lower bound of the number of model parameters, for a model with the hyperparameters in the config: 12 ·
/// layers · width², the weights of the transformer blocks.
pub(crate) fn min_parameters(learner: &LanguageConfig) -> u64 {
    12 * u64::from(learner.layers) * u64::from(learner.width) * u64::from(learner.width)
}

/// Metrics and training speed of a gradient step.
pub(crate) struct MeasuredStep {
    pub(crate) metrics: StepMetrics,
    /// Number of training tokens per second; `None` if the time was not measured.
    pub(crate) speed: Option<f64>,
    /// Floating-point operations per second of training, as a fraction of the CPU's measured peak; `None` if either
    /// number was not measured.
    pub(crate) peak_share: Option<f64>,
}

vivarium_lab::metrics! {
    /// Metrics that are reported for each gradient step.
    pub(crate) const STEP: MeasuredStep as step {
        /// How surprising the next token of the training text is for the model: lower is better. Cross-entropy of the
        /// training batch before the gradient step.
        loss = step.metrics.loss, "Loss" in "nats/token", 0.0..;
        /// Training throughput, without evaluations.
        tokens_per_second = step.speed, "Tokens per second" in "tokens/s", 0.0..;
        /// Model FLOPs utilization: floating-point rate of training relative to the measured multiply-add peak of the
        /// CPU.
        peak_share = step.peak_share, "FLOPs utilization" in "share", 0.0..=1.0;
        /// How far a gradient step moves the weights of the network.
        learning_rate = f64::from(step.metrics.learning_rate), "Learning rate", 0.0..;
        /// How strongly the loss changes with the weights. Gradient norm before clipping.
        gradient_norm = step.metrics.gradient_norm, "Gradient norm", 0.0..;
    }
}

vivarium_lab::metrics! {
    /// Metrics that are reported for each evaluation on held-out text.
    pub(crate) const EVALUATION: LanguageEvaluation as evaluation {
        /// How surprising text that was not trained on is for the model: lower is better. Mean cross-entropy on fixed
        /// windows of held-out text; the field evaluation.windows sets their number.
        validation_loss = evaluation.loss, "Held-out loss" in "nats/token", 0.0..;
        /// Number of equally probable tokens between which the model is undecided, on average: lower is better. It is e
        /// to the power of the held-out loss.
        perplexity = evaluation.perplexity, "Perplexity" in "tokens", 1.0..;
        /// Loss of guessing blindly: all tokens of the vocabulary are equally probable.
        uniform = evaluation.baselines.map(|of| of.uniform), "Uniform" in "nats/token", 0.0..;
        /// Held-out loss of a model that only counts how often each token occurs (unigram model).
        unigram = evaluation.baselines.map(|of| of.unigram), "Unigram" in "nats/token", 0.0..;
        /// Held-out loss of a model that counts which token follows which: a bigram model with Witten–Bell smoothing.
        bigram = evaluation.baselines.map(|of| of.bigram), "Bigram" in "nats/token", 0.0..;
        /// Held-out loss of a model that counts which token follows each two: a trigram model with Witten–Bell
        /// smoothing.
        trigram = evaluation.baselines.map(|of| of.trigram), "Trigram" in "nats/token", 0.0..;
        /// Accuracy on the multiple-choice questions about the encyclopedia; guessing gives 0.25.
        quiz = evaluation.quiz_share(), "Quiz accuracy" in "share", 0.0..=1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_match_the_presets_of_the_learner() {
        for of in LanguagePreset::ALL {
            let config = schema().configure(&json!({ "preset": of.name() })).unwrap();
            assert_eq!(read(&config).map(|settings| settings.learner), Ok(LanguageConfig::of(of)));
        }
        let config = schema().configure(&json!({})).unwrap();
        assert_eq!(read(&config).map(|settings| settings.learner), Ok(default_learner()));
    }

    #[test]
    fn models_that_exceed_the_memory_are_rejected() {
        let large = json!({ "learner": { "width": 2048, "layers": 48, "heads": 8 } });
        let error = schema().configure(&large).unwrap_err().to_string();
        assert!(error.contains("learner.width") && error.contains("200000000"), "{error}");
    }

    #[test]
    fn the_number_of_parameters_is_estimated_within_five_percent() {
        for of in LanguagePreset::ALL {
            let config = LanguageConfig { vocabulary: 300, ..LanguageConfig::of(of) };
            let model = vivarium_lm::Gpt::new(&config, 300, 1).unwrap();
            let ratio = parameters(&config, 300) as f64 / model.parameter_count() as f64;
            assert!((0.95..=1.0).contains(&ratio), "{of:?}: {ratio}");
        }
    }
}
