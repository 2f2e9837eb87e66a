//! Language: fields, presets and metrics of a transformer that learns to continue text.

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

const SUMMARY: &str = "A transformer reads text and learns to predict the next token, from noise to words to sentences. Of the \
    encyclopedia that writes itself, questions show what it knows.";

/// The longest name of a text, in bytes: as long as paths are.
const LONGEST_NAME: u32 = 4096;

vivarium_config::config! {
    /// The text that the model learns from.
    #[derive(Clone)]
    struct TextConfig {
        [""]
        /// What to learn from: a text file, a folder with text files, or a MediaWiki dump. Empty: the encyclopedia that writes
        /// itself.
        data: String = String::new(), "Text", text(LONGEST_NAME);
    }
}

/// The most numbers that a model may learn: with gradient, optimizer and checkpoint they take some four gigabytes, and in a page,
/// whose memory is one gigabyte, most of that.
const MOST_WEIGHTS: u64 = if cfg!(target_arch = "wasm32") { 24_000_000 } else { 200_000_000 };

/// All that is chosen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LanguageSettings {
    /// What the text is called; empty for the built-in one.
    pub(crate) data: String,
    /// Bytes of the built-in one.
    pub(crate) bytes: usize,
    pub(crate) learner: LanguageConfig,
    pub(crate) evaluation: EvaluationConfig,
}

vivarium_config::config! {
    /// How large the built-in text is.
    #[derive(Clone)]
    struct EncyclopediaConfig {
        ["encyclopedia"]
        /// How much of the encyclopedia is written. Every half a megabyte states all facts again, in other words.
        bytes: u64 = 2_000_000, "Size" in "bytes", integer(10_000, 100_000_000);
    }
}

vivarium_config::config! {
    /// How often the model is evaluated beside training, and on how much.
    #[derive(Clone, Copy, Eq)]
    pub(crate) struct EvaluationConfig {
        ["evaluation"]
        /// After so many gradient steps the model is tried on text that it does not learn from; before that also after 32, 64,
        /// 128 and so on. 0: never.
        every: u64 = 250, "Evaluated every" in "gradient steps", integer(0, 1_000_000), live;
        /// Stretches of held-out text, as long as the context, of an evaluation. More measure better and take longer.
        windows: u32 = 64, "Held-out windows", integer(1, 10_000), live;
        /// Questions of an evaluation about the encyclopedia. Each has four answers, so guessing is right once in four times.
        questions: u32 = 50, "Questions", integer(0, 10_000), live;
    }
}

/// Gradient steps before the first evaluation but that of the untrained model: the curve is steepest at its beginning.
const FIRST_EVALUATION: u64 = 32;

impl EvaluationConfig {
    /// When the next evaluation is, after so many gradient steps; `None`: never. Until `every` gradient steps there is one whenever
    /// their number has doubled.
    pub(crate) fn next(&self, updates: u64) -> Option<u64> {
        let regular = updates.checked_div(self.every)?.saturating_add(1).saturating_mul(self.every);
        let early = updates.saturating_add(1).checked_next_power_of_two()?.max(FIRST_EVALUATION);
        Some(if early < self.every { early } else { regular })
    }

    /// Whether there is an evaluation after so many gradient steps.
    pub(crate) fn is_at(&self, updates: u64) -> bool {
        self.every > 0 && (updates == 0 || self.next(updates - 1) == Some(updates))
    }
}

/// The default model: so large that it learns the encyclopedia's facts, and small enough to watch.
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

/// The fields, `learner` being the defaults of its section.
fn all_fields(learner: &LanguageConfig) -> Vec<Field> {
    let [text, encyclopedia] = [TextConfig::default().fields(), EncyclopediaConfig::default().fields()];
    [text, learner.fields(), encyclopedia, EvaluationConfig::default().fields()].concat()
}

/// What configs the experiment may have.
pub(crate) fn schema() -> Schema {
    let fields = all_fields(&default_learner());
    Schema { name: NAME, fields, presets: presets(), check: |config| read(config).map(drop) }
}

/// Everything about the experiment that does not change while it runs.
#[must_use]
pub fn info(_: &str) -> ExperimentInfo {
    let world = LanguageInfo {
        built_in: BUILT_IN.into(),
        topics: Relation::ALL.iter().map(|relation| relation.name().into()).collect(),
        guessing: 0.25,
        largest_text: LARGEST_IN_PAGE,
        hottest: MAX_TEMPERATURE,
        longest_writing: MAX_GENERATED_TOKENS,
        sample_seconds: SAMPLE_SECONDS,
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
        .with_help("Learns an encyclopedia that writes itself, and is asked what it knows.");
    let words = |of: LanguagePreset| match of {
        LanguagePreset::Tiny => ("Tiny", "Small enough for a phone: words within a minute."),
        LanguagePreset::ShakespeareChar => {
            ("Characters", "A token for each character: spelling comes first. Made for a single short text.")
        }
        LanguagePreset::WikiSmall => ("Small wiki", "Three million numbers over 2,048 byte pairs."),
        LanguagePreset::WikiMedium => {
            ("Larger wiki", "Fourteen million numbers over 8,192 byte pairs: for a night.")
        }
    };
    let others = LanguagePreset::ALL.map(|of| {
        let (label, help) = words(of);
        preset(of.name(), label, changed(&LanguageConfig::of(of))).with_help(help)
    });
    [first].into_iter().chain(others).collect()
}

/// How a learner's config differs from the default.
fn changed(learner: &LanguageConfig) -> Value {
    config::difference(&learner.to_json(), &default_learner().to_json())
}

/// What is chosen, from a config whose fields are all in range, after checking what must hold between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<LanguageSettings, LabError> {
    let learner = LanguageConfig::from_json(config)?;
    learner.check()?;
    // Characters are taken for as many as a large alphabet has, until they are counted.
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

/// Refuses a model over so many tokens that would not fit in memory.
///
/// # Errors
/// [`LabError::Invalid`] with its size and what is allowed.
pub(crate) fn check_size(learner: &LanguageConfig, vocabulary: usize) -> Result<(), LabError> {
    let weights = weights(learner, vocabulary);
    if weights <= MOST_WEIGHTS {
        return Ok(());
    }
    let allowed = format!(
        "the model may learn at most {MOST_WEIGHTS} numbers, and with {vocabulary} tokens it has {weights}"
    );
    Err(learner.refused("width", allowed).into())
}

/// About how many numbers a model over so many tokens learns.
fn weights(learner: &LanguageConfig, vocabulary: usize) -> u64 {
    let LanguageConfig { context, layers, width, tied, .. } = *learner;
    let tables = vocabulary as u64 * if tied { 1 } else { 2 } + u64::from(context);
    u64::from(width) * (tables + 12 * u64::from(layers) * u64::from(width))
}

/// The paths of the step sizes, which the guard makes smaller.
pub(crate) const LEARNING_RATES: [&str; 2] = ["learner.learning_rate", "learner.final_learning_rate"];

/// What a gradient step measured, and how fast it was where that is known.
pub(crate) struct MeasuredStep {
    pub(crate) learned: StepMetrics,
    /// Tokens a second.
    pub(crate) speed: Option<f64>,
    pub(crate) peak_share: Option<f64>,
}

vivarium_lab::metrics! {
    /// What is measured of gradient steps.
    pub(crate) const STEP: MeasuredStep as step {
        /// Cross-entropy of the batch that was learned from, before it was.
        loss = step.learned.loss, "Loss" in "nats a token";
        /// Tokens that it learns from in a second of training; evaluations beside it are not counted.
        tokens_per_second = step.speed, "Tokens per second" in "tokens/s";
        /// What training gets out of the processor's multiply-add units, as a share of what they can do at most.
        peak_share = step.peak_share, "Share of the peak" in "share";
        /// In use, on its way to the final one.
        learning_rate = f64::from(step.learned.learning_rate), "Learning rate";
        /// The length of the gradient before it is clipped.
        gradient_norm = step.learned.gradient_norm, "Gradient norm";
    }
}

vivarium_lab::metrics! {
    /// What is measured of an evaluation.
    pub(crate) const EVALUATION: LanguageEvaluation as evaluation {
        /// Cross-entropy on text that is never learned from: on as many windows of it as evaluation.windows says, always the
        /// same. All of it says the same to within some hundredths.
        validation_loss = evaluation.loss, "Held-out loss" in "nats a token";
        /// On held-out text: among how many tokens it is as unsure as if all of them were alike.
        perplexity = evaluation.perplexity, "Perplexity" in "tokens";
        /// The loss where all tokens are alike: where training begins.
        uniform = evaluation.baselines.map(|of| of.uniform), "Uniform" in "nats a token";
        /// The held-out loss of one that counts tokens.
        unigram = evaluation.baselines.map(|of| of.unigram), "Unigram" in "nats a token";
        /// The held-out loss of one that counts pairs of tokens.
        bigram = evaluation.baselines.map(|of| of.bigram), "Bigram" in "nats a token";
        /// The held-out loss of one that counts three tokens in a row.
        trigram = evaluation.baselines.map(|of| of.trigram), "Trigram" in "nats a token";
        /// Questions about the encyclopedia that it answers rightly out of four; guessing gives 0.25.
        quiz = evaluation.quiz_share(), "Questions answered" in "share";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_the_learners_own() {
        for of in LanguagePreset::ALL {
            let config = schema().configure(&json!({ "preset": of.name() })).unwrap();
            assert_eq!(read(&config).map(|settings| settings.learner), Ok(LanguageConfig::of(of)));
        }
        let config = schema().configure(&json!({})).unwrap();
        assert_eq!(read(&config).map(|settings| settings.learner), Ok(default_learner()));
    }

    #[test]
    fn what_would_not_fit_in_memory_is_refused() {
        let large = json!({ "learner": { "width": 2048, "layers": 48, "heads": 8 } });
        let error = schema().configure(&large).unwrap_err().to_string();
        assert!(error.contains("learner.width") && error.contains("200000000"), "{error}");
    }

    #[test]
    fn weights_are_about_those_of_the_model() {
        for of in LanguagePreset::ALL {
            let config = LanguageConfig { vocabulary: 300, ..LanguageConfig::of(of) };
            let model = vivarium_lm::Gpt::new(&config, 300, 1).unwrap();
            let ratio = weights(&config, 300) as f64 / model.parameter_count() as f64;
            assert!((0.95..=1.0).contains(&ratio), "{of:?}: {ratio}");
        }
    }
}
