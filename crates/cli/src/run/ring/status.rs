//! How a run is doing right now: the part of the ring that is replaced rather than appended to.

use super::STATUS_WORDS;

/// What a run is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It trains (or did, when it last gave a sign of life).
    #[default]
    Running,
    /// It reached its goal.
    Reached,
    /// A person stopped it.
    Interrupted,
    /// Something went wrong.
    Failed,
    /// It trained for all of its steps.
    Steps,
    /// Its time was over.
    Minutes,
}

impl State {
    /// All of them, in the order of their numbers in the ring.
    const ALL: [Self; 6] =
        [Self::Running, Self::Reached, Self::Interrupted, Self::Failed, Self::Steps, Self::Minutes];
}

/// How a run is doing right now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// What it is doing.
    pub state: State,
    /// When this was written, seconds since 1970: the sign of life.
    pub heartbeat: f64,
    /// Seconds of training so far, over all resumptions.
    pub elapsed: f64,
    /// Steps so far.
    pub steps: u64,
    /// Optimizer updates so far.
    pub updates: u64,
    /// Episodes finished so far.
    pub episodes: u64,
    /// Steps at which it ends.
    pub goal_steps: Option<u64>,
    /// Steps a second, lately.
    pub speed: f64,
    /// Where the time goes: phases and the seconds spent in each since the program started, at most ten.
    pub phases: Vec<(String, f64)>,
    /// What a person should know, such as a roll-back by the collapse guard; cut after some 200 bytes.
    pub notice: String,
}

/// Words of the status before the phases.
const HEAD: usize = 9;
const MOST_PHASES: usize = 10;
const NOTICE: usize = HEAD + 1 + 2 * MOST_PHASES;

impl Status {
    /// As the words of the ring: in order of the fields, a phase as the index of its name and its seconds.
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
            state: State::ALL.get(words[0] as usize).copied().unwrap_or(State::Failed),
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

/// Puts as much of `text` as fits into words, filled up with zeros; no character is cut in two.
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
