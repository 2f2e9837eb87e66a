//! The playground, at which the model writes: what a person asks for, and else a sample every so often.

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

/// What tokens at the playground are drawn for.
const WRITING: u32 = 0xde5c_0000;

/// Weights that are read in a frame, about: they are some milliseconds of work.
const WEIGHTS: usize = 4_000_000;

/// The most tokens of a frame: a text should be seen to come about.
const MOST_TOKENS: usize = 6;

/// How far training was when a sample began.
#[derive(Clone, Copy)]
pub(super) struct TrainingPoint {
    pub(super) updates: u64,
    pub(super) tokens: u64,
    pub(super) loss: Option<f64>,
}

/// What is being written, or was last.
pub(super) struct Playground {
    seed: u64,
    /// A person's text.
    person: Option<TextGeneration>,
    /// A sample, and how far training was when it began.
    sample: Option<(TextGeneration, TrainingPoint)>,
    pub(super) samples: LanguageSamples,
    /// Seconds since the last sample began, and the model's gradient steps then; `None` where none was asked for with these
    /// settings.
    since: f32,
    sampled_at: Option<u64>,
    begun: u32,
    /// Change with the documents.
    pub(super) version: u32,
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

    /// One that goes on with the samples that a checkpoint has.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for settings that are not allowed.
    pub(super) fn of_kept(seed: u64, samples: LanguageSamples) -> Result<Self, LabError> {
        let LanguageSampling { temperature, top_k, tokens } = samples.settings;
        let checked = check((temperature, top_k, tokens)).and(check_interval(samples.every_seconds));
        checked.map_err(|error| LabError::checkpoint(format!("its samples: {error}")))?;
        let sampled_at = samples.samples.last().map(|last| last.updates);
        Ok(Self { samples, sampled_at, ..Self::new(seed) })
    }

    /// Forgets all that was written, with the model that wrote it. What samples are written from stays.
    pub(super) fn clear(&mut self) {
        (self.person, self.sample, self.since, self.sampled_at) = (None, None, f32::INFINITY, None);
        self.samples.samples.clear();
        self.version = self.version.wrapping_add(1);
        self.samples_version = self.samples_version.wrapping_add(1);
    }

    /// The text that is shown.
    fn shown(&self) -> Option<&TextGeneration> {
        self.person.as_ref().or(self.sample.as_ref().map(|(draft, _)| draft))
    }

    /// The document `playground`, without the tokens of the text on screen that were `sent`.
    pub(super) fn document(&self, sent: Option<(u32, usize)>) -> Option<LanguageDraft> {
        let shown = self.shown()?;
        let sent = sent.filter(|&(number, _)| number == shown.number);
        Some(shown.document(sent.map_or(0, |(_, tokens)| tokens)))
    }

    /// Which text is shown, and how many tokens of it there are.
    pub(super) fn extent(&self) -> Option<(u32, usize)> {
        self.shown().map(|draft| (draft.number, draft.tokens.len()))
    }

    /// What the last tokens of the text looked at in a layer.
    pub(super) fn attention(&self, layer: u32, heads: u32) -> Vec<FrameArray> {
        self.shown().map_or(Vec::new(), |draft| draft.attention(layer, heads))
    }

    fn begin(
        &mut self,
        writer: &GenerationModel<'_>,
        by: LanguageAuthor,
        (unread, settings): (Vec<u32>, LanguageSampling),
        updates: u64,
    ) -> Result<TextGeneration, LabError> {
        let number = self.begun + 1;
        let random = Stream::new(self.seed, WRITING.wrapping_add(number));
        let draft =
            TextGeneration::new(writer, GenerationRequest { number, by, unread, settings, updates, random })?;
        self.begun = number;
        self.version = self.version.wrapping_add(1);
        Ok(draft)
    }

    /// Ends a person's text where it is. One that has come to its end makes room for the samples.
    pub(super) fn stop(&mut self) {
        match self.person.as_mut().filter(|draft| draft.is_under_way()) {
            Some(draft) => draft.status = LanguageDraftStatus::Stopped,
            None => self.person = None,
        }
        self.version = self.version.wrapping_add(1);
    }

    /// Lets so many seconds pass: a person's text goes on, or else a sample.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a reader.
    pub(super) fn pass(
        &mut self,
        writer: &GenerationModel<'_>,
        now: TrainingPoint,
        passed: f32,
    ) -> Result<(), LabError> {
        self.since += passed;
        let tokens = (WEIGHTS / writer.gpt.parameter_count().max(1)).clamp(1, MOST_TOKENS);
        if let Some(draft) = self.person.as_mut().filter(|draft| draft.is_under_way()) {
            self.version = self.version.wrapping_add(1);
            return go_on(draft, writer, tokens);
        }
        if self.is_due(now.updates) {
            let draft = self.begin_sample(writer, now.updates)?;
            (self.sample, self.since, self.sampled_at) = (Some((draft, now)), 0.0, Some(now.updates));
        }
        let Some((draft, standing)) = self.sample.as_mut().filter(|(draft, _)| draft.is_under_way()) else {
            return Ok(());
        };
        go_on(draft, writer, tokens)?;
        self.version = self.version.wrapping_add(1);
        if !draft.is_under_way() {
            let TrainingPoint { updates, tokens, loss } = *standing;
            let sample = LanguageSample { updates, tokens, loss, text: draft.text(writer) };
            samples::keep(&mut self.samples.samples, sample);
            self.samples_version = self.samples_version.wrapping_add(1);
        }
        Ok(())
    }

    /// Whether it is time for a sample. The same model is asked but once.
    fn is_due(&self, updates: u64) -> bool {
        let is_busy = self.sample.as_ref().is_some_and(|(draft, _)| draft.is_under_way());
        let is_new = self.sampled_at != Some(updates);
        !is_busy && is_new && self.samples.every_seconds.is_some_and(|seconds| self.since >= seconds)
    }

    /// A prompt that the model cannot read is given up.
    fn begin_sample(
        &mut self,
        writer: &GenerationModel<'_>,
        updates: u64,
    ) -> Result<TextGeneration, LabError> {
        let unread = writer.tokens(&self.samples.prompt).or_else(|_| {
            self.samples.prompt.clear();
            self.samples_version = self.samples_version.wrapping_add(1);
            writer.tokens("")
        })?;
        self.begin(writer, LanguageAuthor::Sample, (unread, self.samples.settings), updates)
    }

    /// Has a person's text written, in place of what is being written.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for settings that are not allowed, a prompt that cannot be read, or where there is no model yet.
    pub(super) fn write(
        &mut self,
        writer: Option<&GenerationModel<'_>>,
        updates: u64,
        prompt: &str,
        sampling: (f32, u32, u32),
    ) -> Result<(), LabError> {
        let settings = check(sampling)?;
        let Some(writer) = writer else {
            let allowed = "nothing can be written before there is a tokenizer, which is made from the text";
            return Err(LabError::invalid("prompt", vivarium_lab::config::shorten(prompt), allowed));
        };
        let order = (writer.tokens(prompt)?, settings);
        self.person = Some(self.begin(writer, LanguageAuthor::Person, order, updates)?);
        Ok(())
    }

    /// Has the text that is shown go on from another token.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the text is no longer on screen, or if the position or token does not exist.
    pub(super) fn go_on(
        &mut self,
        writer: Option<&GenerationModel<'_>>,
        updates: u64,
        writing: u32,
        place: usize,
        token: u32,
        sampling: (f32, u32, u32),
    ) -> Result<(), LabError> {
        let settings = check(sampling)?;
        let shown = self.shown().filter(|shown| shown.number == writing);
        let (Some(writer), Some(shown)) = (writer, shown) else {
            let allowed = "this text is no longer shown: choose a token of the one that is";
            return Err(LabError::invalid("writing", writing.to_string(), allowed));
        };
        let below = |field, number: usize, most: usize| {
            let allowed = format!("it must be a whole number below {most}");
            if number < most { Ok(()) } else { Err(LabError::invalid(field, number.to_string(), allowed)) }
        };
        below("place", place, shown.tokens.len())?;
        below("token", token as usize, writer.gpt.vocabulary())?;
        let kept = shown.tokens[..place].to_vec();
        let mut draft = self.begin(writer, LanguageAuthor::Person, (vec![token], settings), updates)?;
        draft.follow(writer, kept)?;
        self.person = Some(draft);
        Ok(())
    }

    /// What samples are written from now on. One that is under way is given up.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for settings that are not allowed, or a prompt that cannot be read.
    pub(super) fn set_samples(
        &mut self,
        writer: Option<&GenerationModel<'_>>,
        prompt: String,
        sampling: (f32, u32, u32),
        every_seconds: Option<f32>,
    ) -> Result<(), LabError> {
        let settings = check(sampling)?;
        check_interval(every_seconds)?;
        if let Some(writer) = writer {
            writer.tokens(&prompt)?;
        }
        let samples = std::mem::take(&mut self.samples.samples);
        self.samples = LanguageSamples { prompt, settings, every_seconds, samples };
        self.samples_version = self.samples_version.wrapping_add(1);
        // The next one is the first with these, at once.
        (self.sample, self.since, self.sampled_at) = (None, f32::INFINITY, None);
        self.version = self.version.wrapping_add(1);
        Ok(())
    }
}

fn go_on(draft: &mut TextGeneration, writer: &GenerationModel<'_>, tokens: usize) -> Result<(), LabError> {
    for _ in 0..tokens {
        if draft.is_under_way() {
            draft.advance(writer)?;
        }
    }
    Ok(())
}

/// How tokens are chosen, if that is allowed.
///
/// # Errors
/// [`LabError::Invalid`] naming what is out of range.
fn check((temperature, top_k, tokens): (f32, u32, u32)) -> Result<LanguageSampling, LabError> {
    if !(0.0..=MAX_TEMPERATURE).contains(&temperature) {
        let allowed = format!("it must be a number from 0 to {MAX_TEMPERATURE}");
        return Err(LabError::invalid("temperature", temperature.to_string(), allowed));
    }
    if !(1..=MAX_GENERATED_TOKENS).contains(&tokens) {
        let allowed = format!("it must be a whole number from 1 to {MAX_GENERATED_TOKENS}");
        return Err(LabError::invalid("tokens", tokens.to_string(), allowed));
    }
    Ok(LanguageSampling { temperature, top_k, tokens })
}

/// Refuses an interval that nobody would want.
///
/// # Errors
/// [`LabError::Invalid`] saying what is allowed.
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
