//! Status of a run in the monitor file.

use super::STATUS_WORDS;

/// State of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunState {
    /// Training was in progress at the last heartbeat.
    #[default]
    Running,
    /// Stopped at its goal.
    Reached,
    /// Stopped by Ctrl-C.
    Interrupted,
    /// Stopped by an error.
    Failed,
    /// Stopped at its step limit.
    Steps,
    /// Stopped at its time limit.
    Minutes,
}

impl RunState {
    /// All states, indexed by their numbers in the file.
    const ALL: [Self; 6] =
        [Self::Running, Self::Reached, Self::Interrupted, Self::Failed, Self::Steps, Self::Minutes];
}

/// Current status of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MonitorStatus {
    /// State of the run.
    pub state: RunState,
    /// Heartbeat: time of this status in seconds since 1970.
    pub heartbeat: f64,
    /// Training time in seconds, over all sessions.
    pub elapsed: f64,
    /// Number of training steps so far.
    pub steps: u64,
    /// Number of gradient steps so far.
    pub updates: u64,
    /// Number of finished episodes so far.
    pub episodes: u64,
    /// Number of training steps at which the run stops; `None` without a step limit.
    pub goal_steps: Option<u64>,
    /// Current training speed in steps per second.
    pub speed: f64,
    /// Time profile: phases and their seconds in this session, at most ten.
    pub phases: Vec<(String, f64)>,
    /// Notice to the user, such as a rollback after divergence; truncated after about 200 bytes.
    pub notice: String,
}

/// Number of words of the encoded status before the phases.
const HEAD: usize = 9;
const MOST_PHASES: usize = 10;
const NOTICE: usize = HEAD + 1 + 2 * MOST_PHASES;

impl MonitorStatus {
    /// Encodes the status in the order of the fields. A phase is encoded as the index of its name (from `index_of`) and
    /// its duration in seconds.
    pub(super) fn encode(&self, mut index_of: impl FnMut(&str) -> Option<usize>) -> [u64; STATUS_WORDS] {
        let mut words = [0; STATUS_WORDS];
        words[..HEAD].copy_from_slice(&[
            self.state as u64,
            self.heartbeat.to_bits(),
            self.elapsed.to_bits(),
            self.steps,
            self.updates,
            self.episodes,
            u64::from(self.goal_steps.is_some()),
            self.goal_steps.unwrap_or_default(),
            self.speed.to_bits(),
        ]);
        let phases = self.phases.iter().filter_map(|(name, seconds)| Some((index_of(name)?, seconds)));
        let mut count = 0;
        for (name, seconds) in phases.take(MOST_PHASES) {
            words[HEAD + 1 + 2 * count] = name as u64;
            words[HEAD + 2 + 2 * count] = seconds.to_bits();
            count += 1;
        }
        words[HEAD] = count as u64;
        encode_text(&self.notice, &mut words[NOTICE..]);
        words
    }

    pub(super) fn decode(words: &[u64; STATUS_WORDS], name_of: impl Fn(usize) -> Option<String>) -> Self {
        let real = |word: usize| f64::from_bits(words[word]);
        let phases = (0..(words[HEAD] as usize).min(MOST_PHASES))
            .filter_map(|i| Some((name_of(words[HEAD + 1 + 2 * i] as usize)?, real(HEAD + 2 + 2 * i))));
        Self {
            state: RunState::ALL.get(words[0] as usize).copied().unwrap_or(RunState::Failed),
            heartbeat: real(1),
            elapsed: real(2),
            steps: words[3],
            updates: words[4],
            episodes: words[5],
            goal_steps: (words[6] != 0).then_some(words[7]),
            speed: real(8),
            phases: phases.collect(),
            notice: decode_text(&words[NOTICE..]),
        }
    }
}

/// Encodes text in words with zero padding. Text that is too long is truncated at a character boundary.
pub(super) fn encode_text(text: &str, words: &mut [u64]) {
    let end = text.floor_char_boundary(words.len() * 8);
    words.fill(0);
    for (word, bytes) in words.iter_mut().zip(text.as_bytes()[..end].chunks(8)) {
        let mut filled = [0; 8];
        filled[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_ne_bytes(filled);
    }
}

pub(super) fn decode_text(words: &[u64]) -> String {
    let bytes: Vec<u8> =
        words.iter().flat_map(|word| word.to_ne_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
