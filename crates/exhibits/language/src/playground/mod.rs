//! Playground: generates the text that the user requests, or else periodic samples that show the training progress.

mod generation;
mod generation_model;
mod samples;

pub(super) use generation_model::GenerationModel;

use super::{MAX_GENERATED_TOKENS, MAX_TEMPERATURE, SAMPLE_SECONDS};
use crate::protocol::{
    LanguageAuthor, LanguageDraft, LanguageDraftStatus, LanguageSample, LanguageSamples, LanguageSampling,
};
use generation::{GenerationRequest, TextGeneration};
use vivarium_kernels::rng::Stream;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::FrameArray;

/// Number of the pseudorandom stream from which the tokens of generated texts are sampled.
const SAMPLING_STREAM: u32 = 0xde5c_0000;

/// Limit of the product (tokens generated per frame) × (model parameters). With this limit, generation takes a few
/// milliseconds per frame. A model with more parameters than the limit generates one token per frame.
const WEIGHTS: usize = 4_000_000;

/// Maximum number of tokens generated per frame, so that the displayed text grows gradually.
const MAX_TOKENS: usize = 6;

/// Training progress of the model when a sample was started: numbers of gradient steps and of training tokens, and the
/// training loss.
#[derive(Clone, Copy)]
pub(super) struct TrainingPoint {
    pub(super) updates: u64,
    pub(super) tokens: u64,
    pub(super) loss: Option<f64>,
}

/// State of the playground: the text that the user requested, the newest periodic sample, and the history of samples.
pub(super) struct Playground {
    seed: u64,
    /// Text that the user requested; `None` if the playground displays periodic samples.
    person: Option<TextGeneration>,
    /// Newest periodic sample, in progress or complete, and the training progress at its start.
    sample: Option<(TextGeneration, TrainingPoint)>,
    pub(super) samples: LanguageSamples,
    /// Seconds since the newest periodic sample was started.
    since: f32,
    /// Number of gradient steps of the model when the newest sample was started; `None` if no sample has been started
    /// with the current settings.
    sampled_at: Option<u64>,
    /// Number of texts started so far, which is the ID of the last text.
    begun: u32,
    /// Version of the JSON document `draft` (displayed text); increases when the document changes.
    pub(super) version: u32,
    /// Version of the JSON document `samples`; increases when the document changes.
    pub(super) samples_version: u32,
}

impl Playground {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed,
            person: None,
            sample: None,
            samples: samples::none(),
            since: f32::INFINITY,
            sampled_at: None,
            begun: 0,
            version: 0,
            samples_version: 0,
        }
    }

    /// Creates the playground of a resumed run with the history of samples from its checkpoint. `seed` is the seed of
    /// the run.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the sample settings are invalid.
    pub(super) fn restore(seed: u64, samples: LanguageSamples) -> Result<Self, LabError> {
        let checked = check(samples.settings).and(check_interval(samples.every_seconds));
        checked.map_err(|error| LabError::checkpoint(format!("its samples: {error}")))?;
        let sampled_at = samples.samples.last().map(|last| last.updates);
        Ok(Self { samples, sampled_at, ..Self::new(seed) })
    }

    /// Deletes the user's text and all samples. The sample settings are kept.
    pub(super) fn clear(&mut self) {
        (self.person, self.sample, self.since, self.sampled_at) = (None, None, f32::INFINITY, None);
        self.samples.samples.clear();
        self.version = self.version.wrapping_add(1);
        self.samples_version = self.samples_version.wrapping_add(1);
    }

    /// Returns the displayed text: the text that the user requested, or else the newest periodic sample.
    fn shown(&self) -> Option<&TextGeneration> {
        self.person.as_ref().or(self.sample.as_ref().map(|(draft, _)| draft))
    }

    /// Returns the JSON document `draft` of the displayed text, without the tokens that were already sent. `sent` holds
    /// the ID and the number of tokens of the text that was sent last.
    pub(super) fn document(&self, sent: Option<(u32, usize)>) -> Option<LanguageDraft> {
        let shown = self.shown()?;
        let sent = sent.filter(|&(id, _)| id == shown.id);
        Some(shown.document(sent.map_or(0, |(_, tokens)| tokens)))
    }

    /// Returns the ID and the number of tokens of the displayed text; `None` if no text is displayed.
    pub(super) fn extent(&self) -> Option<(u32, usize)> {
        self.shown().map(|draft| (draft.id, draft.tokens.len()))
    }

    /// Returns the attention weights of a layer for the newest tokens of the displayed text, at most 256, as arrays of a
    /// display frame: `attention` with the shape `[heads][query][key]`, and `attention/first`, the index of the first of
    /// these tokens.
    pub(super) fn attention(&self, layer: u32, heads: u32) -> Vec<FrameArray> {
        self.shown().map_or(Vec::new(), |draft| draft.attention(layer, heads))
    }

    /// Starts a text with a new ID, and increments the version of the JSON document `draft`. `updates` is the number of
    /// gradient steps of the model.
    fn begin(
        &mut self,
        model: &GenerationModel<'_>,
        by: LanguageAuthor,
        (unread, settings): (Vec<u32>, LanguageSampling),
        updates: u64,
    ) -> Result<TextGeneration, LabError> {
        let id = self.begun + 1;
        let random = Stream::new(self.seed, SAMPLING_STREAM.wrapping_add(id));
        let draft =
            TextGeneration::new(model, GenerationRequest { id, by, unread, settings, updates, random })?;
        self.begun = id;
        self.version = self.version.wrapping_add(1);
        Ok(draft)
    }

    /// Stops generating the user's text. If the text is already complete, removes it and displays the periodic samples
    /// again.
    pub(super) fn stop(&mut self) {
        match self.person.as_mut().filter(|draft| draft.is_under_way()) {
            Some(draft) => draft.status = LanguageDraftStatus::Stopped,
            None => self.person = None,
        }
        self.version = self.version.wrapping_add(1);
    }

    /// Generates a few tokens of the user's text or, without such a text in progress, of a periodic sample. `passed` is
    /// the time since the last call in seconds; `now` is the current training progress.
    ///
    /// # Errors
    /// [`LabError`] if decoding fails.
    pub(super) fn advance(
        &mut self,
        model: &GenerationModel<'_>,
        now: TrainingPoint,
        passed: f32,
    ) -> Result<(), LabError> {
        self.since += passed;
        let tokens = (WEIGHTS / model.gpt.parameter_count().max(1)).clamp(1, MAX_TOKENS);
        if let Some(draft) = self.person.as_mut().filter(|draft| draft.is_under_way()) {
            self.version = self.version.wrapping_add(1);
            return advance(draft, model, tokens);
        }
        if self.is_due(now.updates) {
            let draft = self.begin_sample(model, now.updates)?;
            (self.sample, self.since, self.sampled_at) = (Some((draft, now)), 0.0, Some(now.updates));
        }
        let Some((draft, point)) = self.sample.as_mut().filter(|(draft, _)| draft.is_under_way()) else {
            return Ok(());
        };
        advance(draft, model, tokens)?;
        self.version = self.version.wrapping_add(1);
        if !draft.is_under_way() {
            let TrainingPoint { updates, tokens, loss } = *point;
            let sample = LanguageSample { updates, tokens, loss, text: draft.text(model) };
            samples::keep(&mut self.samples.samples, sample);
            self.samples_version = self.samples_version.wrapping_add(1);
        }
        Ok(())
    }

    /// Returns whether a new periodic sample has to be started, if the model has `updates` gradient steps. At most one
    /// sample is started at each number of gradient steps.
    fn is_due(&self, updates: u64) -> bool {
        let is_busy = self.sample.as_ref().is_some_and(|(draft, _)| draft.is_under_way());
        let is_new = self.sampled_at != Some(updates);
        !is_busy && is_new && self.samples.every_seconds.is_some_and(|seconds| self.since >= seconds)
    }

    /// Starts a periodic sample with the prompt of the sample settings. A prompt that the tokenizer cannot encode is
    /// replaced by an empty prompt.
    fn begin_sample(
        &mut self,
        model: &GenerationModel<'_>,
        updates: u64,
    ) -> Result<TextGeneration, LabError> {
        let unread = model.tokens(&self.samples.prompt).or_else(|_| {
            self.samples.prompt.clear();
            self.samples_version = self.samples_version.wrapping_add(1);
            model.tokens("")
        })?;
        self.begin(model, LanguageAuthor::Sample, (unread, self.samples.settings), updates)
    }

    /// Starts generating the text that the user requested, and discards the previous text.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the settings are invalid, the prompt cannot be encoded, or the model does not exist
    /// yet.
    pub(super) fn generate(
        &mut self,
        model: Option<&GenerationModel<'_>>,
        updates: u64,
        prompt: &str,
        sampling: LanguageSampling,
    ) -> Result<(), LabError> {
        check(sampling)?;
        let Some(model) = model else {
            let allowed = "text generation needs a tokenizer, which is built from the training text first";
            return Err(LabError::invalid("prompt", vivarium_lab::config::shorten(prompt), allowed));
        };
        let order = (model.tokens(prompt)?, sampling);
        self.person = Some(self.begin(model, LanguageAuthor::Person, order, updates)?);
        Ok(())
    }

    /// Replaces the token at index `position` of the displayed text, discards the following tokens, and continues the
    /// generation from there.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the text is no longer displayed, or if the position or the token does not exist.
    pub(super) fn continue_from(
        &mut self,
        model: Option<&GenerationModel<'_>>,
        updates: u64,
        draft: u32,
        position: usize,
        token: u32,
        sampling: LanguageSampling,
    ) -> Result<(), LabError> {
        check(sampling)?;
        let shown = self.shown().filter(|shown| shown.id == draft);
        let (Some(model), Some(shown)) = (model, shown) else {
            let allowed = "this text is no longer shown; choose a token of the current text";
            return Err(LabError::invalid("draft", draft.to_string(), allowed));
        };
        let below = |field, number: usize, most: usize| {
            let allowed = format!("it must be a whole number below {most}");
            if number < most { Ok(()) } else { Err(LabError::invalid(field, number.to_string(), allowed)) }
        };
        below("position", position, shown.tokens.len())?;
        below("token", token as usize, model.gpt.vocabulary())?;
        let kept = shown.tokens[..position].to_vec();
        let mut draft = self.begin(model, LanguageAuthor::Person, (vec![token], sampling), updates)?;
        draft.follow(model, kept)?;
        self.person = Some(draft);
        Ok(())
    }

    /// Changes the sample settings and discards the sample in progress.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the settings are invalid or the prompt cannot be encoded.
    pub(super) fn set_samples(
        &mut self,
        model: Option<&GenerationModel<'_>>,
        prompt: String,
        sampling: LanguageSampling,
        every_seconds: Option<f32>,
    ) -> Result<(), LabError> {
        check(sampling)?;
        check_interval(every_seconds)?;
        if let Some(model) = model {
            model.tokens(&prompt)?;
        }
        let samples = std::mem::take(&mut self.samples.samples);
        self.samples = LanguageSamples { prompt, settings: sampling, every_seconds, samples };
        self.samples_version = self.samples_version.wrapping_add(1);
        // Makes the next sample start immediately.
        (self.sample, self.since, self.sampled_at) = (None, f32::INFINITY, None);
        self.version = self.version.wrapping_add(1);
        Ok(())
    }
}

fn advance(draft: &mut TextGeneration, model: &GenerationModel<'_>, tokens: usize) -> Result<(), LabError> {
    for _ in 0..tokens {
        if draft.is_under_way() {
            draft.advance(model)?;
        }
    }
    Ok(())
}

/// Checks the ranges of the temperature and of the maximum number of tokens.
///
/// # Errors
/// [`LabError::Invalid`] if a value is out of range.
fn check(LanguageSampling { temperature, tokens, .. }: LanguageSampling) -> Result<(), LabError> {
    if !(0.0..=MAX_TEMPERATURE).contains(&temperature) {
        let allowed = format!("it must be a number from 0 to {MAX_TEMPERATURE}");
        return Err(LabError::invalid("temperature", temperature.to_string(), allowed));
    }
    if !(1..=MAX_GENERATED_TOKENS).contains(&tokens) {
        let allowed = format!("it must be a whole number from 1 to {MAX_GENERATED_TOKENS}");
        return Err(LabError::invalid("tokens", tokens.to_string(), allowed));
    }
    Ok(())
}

/// Checks that the interval between the starts of two periodic samples, in seconds, is in its range.
///
/// # Errors
/// [`LabError::Invalid`] if the interval is out of range.
fn check_interval(every_seconds: Option<f32>) -> Result<(), LabError> {
    let [fewest, most] = SAMPLE_SECONDS;
    match every_seconds.filter(|seconds| !(fewest..=most).contains(seconds)) {
        None => Ok(()),
        Some(seconds) => {
            let allowed = format!("seconds from {fewest} to {most}, or none for no samples");
            Err(LabError::invalid("every_seconds", seconds.to_string(), allowed))
        }
    }
}
