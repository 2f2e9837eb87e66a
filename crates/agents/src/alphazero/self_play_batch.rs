//! Batches of self-play samples from other processes: their bytes, and the numbers of the batches that a learner has
//! added.

use super::game::{MAX_HEADS, SelfPlayGame};
use super::replay::{ActionProbability, Sample, SelfPlaySamples};
use super::report::SelfPlayTally;

/// Result of self-play in another process: samples with an identifier, so that a learner counts them once.
#[derive(Clone, Debug)]
pub struct SelfPlayBatch<G> {
    /// Seed of the [`SelfPlay`](super::SelfPlay) that played the games.
    pub seed: u64,
    /// Number of batches that this `SelfPlay` returned before.
    pub number: u64,
    /// Samples of the games that finished since the previous batch.
    pub samples: SelfPlaySamples<G>,
}

/// Numbers of the batches of one [`SelfPlay`](super::SelfPlay) that a learner has added, of the last 64: the
/// anti-replay window of IPsec (RFC 4303, <https://www.rfc-editor.org/rfc/rfc4303#section-3.4.3>). Batches may arrive in
/// any order within the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchWindow {
    /// Largest number that was added, plus 1; 0 before the first batch.
    pub end: u64,
    /// Bit `i` is set if the batch with the number `end` − 1 − `i` was added.
    pub mask: u64,
}

impl BatchWindow {
    /// Adds a number. Returns `false` if it was added before, or lies before the window.
    pub fn add(&mut self, number: u64) -> bool {
        if number >= self.end {
            let shift = (number - self.end).saturating_add(1);
            self.mask =
                u32::try_from(shift).ok().and_then(|shift| self.mask.checked_shl(shift)).unwrap_or(0) | 1;
            self.end = number.saturating_add(1);
            return true;
        }
        let bit =
            u32::try_from(self.end - 1 - number).ok().and_then(|age| 1u64.checked_shl(age)).unwrap_or(0);
        let is_new = bit != 0 && self.mask & bit == 0;
        self.mask |= bit;
        is_new
    }
}

/// Error of bytes that [`SelfPlayBatch::from_bytes`] cannot read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// The bytes do not begin with the identifier of the format.
    #[error("the bytes are not self-play samples, or another version of this program wrote them")]
    Format,
    /// The samples belong to another game.
    #[error("the samples belong to another game; samples of {0} are required")]
    Game(&'static str),
    /// The number of bytes differs from the number that follows from the header.
    #[error("the samples are truncated or damaged: {got} bytes instead of {expected}")]
    Length {
        /// Actual number of bytes.
        got: usize,
        /// Number of bytes that follows from the header.
        expected: u64,
    },
    /// A number is out of range.
    #[error("the samples are damaged: {0} is invalid")]
    Number(&'static str),
}

/// Identifier and version of the format. All numbers are little-endian.
///
/// | part | bytes |
/// | --- | --- |
/// | identifier | 8 |
/// | name of the game, padded with zeros | 16 |
/// | seed, batch number, number of samples, number of policy entries | 4 × 8 |
/// | statistics | 9 × 8 |
/// | each sample: state, value target, number of policy entries | 17 + 4 × heads + 2 |
/// | each policy entry: action, probability in units of 1/65,535 | 4 |
const MAGIC: [u8; 8] = *b"vivplay1";
const NAME_LEN: usize = 16;
const HEADER_LEN: usize = MAGIC.len() + NAME_LEN + 8 * (4 + SelfPlayTally::COUNT);
const POLICY_LEN: usize = 4;

const fn sample_len<G: SelfPlayGame>() -> usize {
    size_of::<u128>() + 1 + 4 * G::HEADS + 2
}

fn padded_name<G: SelfPlayGame>() -> [u8; NAME_LEN] {
    std::array::from_fn(|index| G::NAME.as_bytes().get(index).copied().unwrap_or(0))
}

impl<G: SelfPlayGame> SelfPlayBatch<G> {
    /// Serializes the batch, for example for another process or machine: about 100 bytes per sample.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let SelfPlaySamples { samples, policies, tally } = &self.samples;
        let len = HEADER_LEN + samples.len() * sample_len::<G>() + policies.len() * POLICY_LEN;
        let mut bytes = Vec::with_capacity(len);
        bytes.extend(MAGIC);
        bytes.extend(padded_name::<G>());
        for number in [self.seed, self.number, samples.len() as u64, policies.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        tally.numbers().iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        for Sample { state, heads, policy_len } in samples {
            let (bits, tag) = state.pack();
            bytes.extend(bits.to_le_bytes());
            bytes.push(tag);
            heads[..G::HEADS].iter().for_each(|head| bytes.extend(head.to_le_bytes()));
            bytes.extend(policy_len.to_le_bytes());
        }
        for entry in policies {
            bytes.extend(entry.action.to_le_bytes());
            bytes.extend(entry.quantized.to_le_bytes());
        }
        bytes
    }

    /// Reads a batch from the bytes of [`to_bytes`](Self::to_bytes), and checks every number.
    ///
    /// # Errors
    /// [`SampleError`] if the bytes are not a batch of this game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SampleError> {
        let mut reader = ByteReader(bytes);
        if bytes.len() < HEADER_LEN || reader.take::<{ MAGIC.len() }>() != MAGIC {
            return Err(SampleError::Format);
        }
        if reader.take::<NAME_LEN>() != padded_name::<G>() {
            return Err(SampleError::Game(G::NAME));
        }
        let [seed, number, samples_len, policies_len] = [(); 4].map(|()| u64::from_le_bytes(reader.take()));
        let tally = [(); SelfPlayTally::COUNT].map(|()| f64::from_le_bytes(reader.take()));
        let sizes = [(samples_len, sample_len::<G>()), (policies_len, POLICY_LEN)];
        let sum =
            |sum: u64, (count, size): (u64, usize)| sum.saturating_add(count.saturating_mul(size as u64));
        let expected = sizes.into_iter().fold(HEADER_LEN as u64, sum);
        if bytes.len() as u64 != expected {
            return Err(SampleError::Length { got: bytes.len(), expected });
        }
        if !tally.iter().all(|number| (0.0..=1e15).contains(number)) {
            return Err(SampleError::Number("a statistic"));
        }
        let samples = (0..samples_len).map(|_| read_sample(&mut reader)).collect::<Result<Vec<_>, _>>()?;
        let policies =
            (0..policies_len).map(|_| read_policy::<G>(&mut reader)).collect::<Result<Vec<_>, _>>()?;
        if samples.iter().map(|sample| u64::from(sample.policy_len)).sum::<u64>() != policies_len {
            return Err(SampleError::Number("the length of a policy target"));
        }
        let samples = SelfPlaySamples { samples, policies, tally: SelfPlayTally::of(tally) };
        Ok(Self { seed, number, samples })
    }
}

fn read_sample<G: SelfPlayGame>(reader: &mut ByteReader<'_>) -> Result<Sample<G>, SampleError> {
    let (bits, [tag]) = (u128::from_le_bytes(reader.take()), reader.take());
    let state = G::unpack(bits, tag).ok_or(SampleError::Number("a state"))?;
    let mut heads = [0.0; MAX_HEADS];
    heads[..G::HEADS].iter_mut().for_each(|head| *head = f32::from_le_bytes(reader.take()));
    // A mean of probabilities may exceed 1 by rounding.
    if !heads.iter().all(|head| (-1e-3..=1.001).contains(head)) {
        return Err(SampleError::Number("a value target"));
    }
    let policy_len = u16::from_le_bytes(reader.take());
    if usize::from(policy_len) > G::MAX_BRANCHES {
        return Err(SampleError::Number("the length of a policy target"));
    }
    Ok(Sample { state, heads, policy_len })
}

fn read_policy<G: SelfPlayGame>(reader: &mut ByteReader<'_>) -> Result<ActionProbability, SampleError> {
    let [action, quantized] = [(); 2].map(|()| u16::from_le_bytes(reader.take()));
    if usize::from(action) >= G::ACTIONS {
        return Err(SampleError::Number("an action"));
    }
    Ok(ActionProbability { action, quantized })
}

/// Bytes that have not been read yet. The caller has checked the length.
struct ByteReader<'a>(&'a [u8]);

impl ByteReader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *first
    }
}
