//! Training sequences: windows of tokens in a reproducible random order that resumes from a saved position.

use super::shuffle_buffer::ShuffleBuffer;
use super::{Corpus, DataError, DataSplit, Holdout};
use crate::tokenizer::Tokenizer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivarium_kernels::rng::{Permutation, Stream, derive};

/// Approximate amount of text in a shuffle buffer, in bytes before tokenization.
const BUFFER_BYTES: u128 = 1 << 22;

/// Number of the pseudorandom stream from which the permutation of the chunks is drawn.
const CHUNK_ORDER: u32 = 0x0da7_0001;
/// Number of the pseudorandom stream from which the permutation of the windows is drawn.
const WINDOW_ORDER: u32 = 0x0da7_0002;

/// Position in the training text. Training resumes exactly from a saved position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPosition {
    /// Number of completed passes over the training text.
    pub epoch: u32,
    /// Index of the current shuffle buffer among the buffers of an epoch, from 0.
    #[serde(rename = "pool")]
    pub buffer: u32,
    /// Index, from 0, of the next window (training sequence) in the random order of the current shuffle buffer.
    pub window: u32,
}

/// Iterator over the windows (token sequences of equal length) of the training or validation split, each once per
/// epoch.
///
/// An epoch permutes the chunks and distributes them to shuffle buffers of equal size. The tokens of a buffer are cut
/// into adjacent windows after a random offset of less than one window, and the windows are permuted. The order is a
/// function of seed and [`TextPosition`].
pub struct Windows {
    buffer: ShuffleBuffer,
    split: DataSplit,
    holdout: Holdout,
    seed: u64,
    length: usize,
    position: TextPosition,
    /// Loading state of the shuffle buffer that contains the next window (training sequence).
    state: BufferState,
    /// Number of consecutive shuffle buffers that were shorter than a window, and the length in tokens of the longest
    /// of them. Reading fails if all buffers of an epoch are too short.
    empty_buffers: (u32, usize),
}

/// Loading state of the shuffle buffer that contains the next window (training sequence).
#[derive(Clone, Copy)]
enum BufferState {
    /// The position has moved to another shuffle buffer, whose chunks are not requested yet.
    Stale,
    /// The requested chunks are being read and tokenized.
    Loading,
    /// All chunks of the shuffle buffer are tokenized. Holds the order of the buffer's windows; `None` if the buffer
    /// has fewer tokens than a window.
    Ready(Option<WindowOrder>),
}

/// Division of a shuffle buffer into windows (token sequences of equal length), and the order of the windows.
#[derive(Clone, Copy)]
struct WindowOrder {
    /// Number of tokens of the shuffle buffer that precede the first window.
    offset: usize,
    /// Number of windows in the shuffle buffer.
    windows: u32,
    permutation: Permutation,
}

impl Windows {
    /// Creates the iterator over one split of a corpus. A window has `length` + 1 tokens, the last of which is only a
    /// target. The text is read later.
    ///
    /// # Panics
    /// Panics if `length` is 0.
    #[must_use]
    pub fn open(
        corpus: Arc<Corpus>,
        tokenizer: Arc<Tokenizer>,
        holdout: Holdout,
        split: DataSplit,
        length: usize,
        seed: u64,
    ) -> Self {
        assert!(length > 0, "windows of no tokens");
        let (buffer, position) = (ShuffleBuffer::new(corpus, tokenizer), TextPosition::default());
        Self {
            buffer,
            split,
            holdout,
            seed,
            length,
            position,
            state: BufferState::Stale,
            empty_buffers: (0, 0),
        }
    }

    /// Loads the first shuffle buffer completely, and returns the iterator.
    ///
    /// # Errors
    /// The same errors as [`read`](Self::read).
    pub fn prepared(mut self) -> Result<Self, DataError> {
        self.prepare()?;
        Ok(self)
    }

    /// Reads and tokenizes up to `most` chunks of the shuffle buffer that contains the next window. Returns whether
    /// chunks of this buffer remain. ([`next_window`](Self::next_window) reads all remaining chunks in one call.)
    ///
    /// # Errors
    /// [`DataError::TooShort`] if the split has no window, [`DataError::Position`] if the position does not exist in
    /// this training text, and errors of [`Corpus::read`] and the tokenizer.
    pub fn read(&mut self, most: u32) -> Result<bool, DataError> {
        Ok(self.prepare_incrementally(most)?.is_none())
    }

    /// Returns the loaded fraction of the current shuffle buffer, 0 to 1.
    #[must_use]
    pub fn done(&self) -> f64 {
        match self.state {
            BufferState::Stale => 0.0,
            BufferState::Loading => self.buffer.done(),
            BufferState::Ready(_) => 1.0,
        }
    }

    /// Returns the position in the text of the window (token sequence) that [`next_window`](Self::next_window) returns
    /// next.
    #[must_use]
    pub fn position(&self) -> TextPosition {
        self.position
    }

    /// Moves the iterator to a position in the text. The next call of [`read`](Self::read) or
    /// [`next_window`](Self::next_window) starts to load the shuffle buffer of this position.
    ///
    /// # Errors
    /// [`DataError::Position`] if the buffer index is out of range. The window index is checked when the buffer is
    /// loaded.
    pub fn seek(&mut self, position: TextPosition) -> Result<(), DataError> {
        let buffers = self.buffers();
        if position.buffer >= buffers {
            let place = format!("shuffle buffer {}", position.buffer);
            return Err(DataError::Position {
                place,
                allowed: format!("shuffle buffers 0 to {}", buffers - 1),
            });
        }
        (self.position, self.state, self.empty_buffers) = (position, BufferState::Stale, (0, 0));
        self.load(0).map(|_| ())
    }

    /// Returns the number of windows in one pass over the split, if one shuffle buffer contains the whole split and is
    /// loaded; otherwise `None`.
    #[must_use]
    pub fn per_epoch(&self) -> Option<u32> {
        self.order().filter(|_| self.buffers() == 1).map(|order| order.windows)
    }

    /// Returns the number of passes over the split so far, including the fraction of the current pass.
    #[must_use]
    pub fn epochs(&self) -> f64 {
        let TextPosition { epoch, buffer, window } = self.position;
        let windows = self.order().map_or(1, |order| order.windows.max(1));
        let buffers = f64::from(buffer) + f64::from(window) / f64::from(windows);
        f64::from(epoch) + buffers / f64::from(self.buffers())
    }

    /// Returns the tokens of the current shuffle buffer that are loaded so far. The chunks of the buffer are in the
    /// order of the text.
    #[must_use]
    pub fn tokens(&self) -> &[u32] {
        self.buffer.tokens()
    }

    /// Returns the next window, a sequence of `length` + 1 tokens. Allocates memory only to load the next shuffle
    /// buffer.
    ///
    /// # Errors
    /// The same errors as [`read`](Self::read).
    pub fn next_window(&mut self) -> Result<&[u32], DataError> {
        let order = self.prepare()?;
        let place = order.permutation.at(self.position.window) as usize;
        self.position.window += 1;
        Ok(&self.buffer.tokens()[order.offset + place * self.length..][..=self.length])
    }

    /// Loads the shuffle buffer that contains the next window, and returns the order of its windows.
    fn prepare(&mut self) -> Result<WindowOrder, DataError> {
        loop {
            if let Some(order) = self.prepare_incrementally(u32::MAX)? {
                return Ok(order);
            }
        }
    }

    /// Reads up to `most` chunks of the shuffle buffer that contains the next window. Returns the order of its windows
    /// if the buffer is loaded, otherwise `None`. After the last window of a buffer, moves to the next buffer.
    fn prepare_incrementally(&mut self, most: u32) -> Result<Option<WindowOrder>, DataError> {
        if !self.load(most)? {
            return Ok(None);
        }
        if let Some(order) = self.order().filter(|order| self.position.window < order.windows) {
            self.empty_buffers = (0, 0);
            return Ok(Some(order));
        }
        // A buffer of wiki pages that are not articles can be empty. Fail only if all buffers of an epoch are empty.
        let (buffers, tokens) = self.empty_buffers;
        self.empty_buffers = (buffers + 1, tokens.max(self.buffer.tokens().len()));
        if buffers >= self.buffers() {
            let needed = self.length + 1;
            return Err(DataError::TooShort { split: self.split, tokens: self.empty_buffers.1, needed });
        }
        self.next_buffer();
        Ok(None)
    }

    /// Moves the position to the start of the next shuffle buffer.
    fn next_buffer(&mut self) {
        let TextPosition { epoch, buffer, .. } = self.position;
        let last = buffer + 1 >= self.buffers();
        let (epoch, buffer) = if last { (epoch.wrapping_add(1), 0) } else { (epoch, buffer + 1) };
        self.position = TextPosition { epoch, buffer, window: 0 };
        self.state = BufferState::Stale;
    }

    /// Returns the division of the current shuffle buffer into windows and their order; `None` if the buffer is not
    /// loaded, or shorter than a window.
    fn order(&self) -> Option<WindowOrder> {
        if let BufferState::Ready(order) = self.state { order } else { None }
    }

    /// Reads up to `most` chunks of the current shuffle buffer. Returns whether all its chunks are loaded.
    fn load(&mut self, most: u32) -> Result<bool, DataError> {
        if let BufferState::Stale = self.state {
            self.request_chunks();
            self.state = BufferState::Loading;
        }
        if let BufferState::Loading = self.state {
            if self.buffer.read(most)? {
                return Ok(false);
            }
            let order = self.cut_buffer();
            let windows = order.map_or(0, |order| order.windows);
            let TextPosition { buffer, window, .. } = self.position;
            if window > windows {
                let place = format!("window {window} of shuffle buffer {buffer}");
                return Err(DataError::Position { place, allowed: format!("windows 0 to {windows} there") });
            }
            self.state = BufferState::Ready(order);
        }
        Ok(true)
    }

    /// Selects the chunks of the current shuffle buffer from the random permutation of the epoch's chunks. The buffer
    /// loads these chunks later.
    fn request_chunks(&mut self) {
        let TextPosition { epoch, buffer, .. } = self.position;
        let (total, buffers) = (self.buffer.corpus().chunks(), self.buffers());
        let (split, holdout) = (self.split, self.holdout);
        let count = holdout.count(split, total);
        let share = |buffer: u32| (u64::from(buffer) * u64::from(count) / u64::from(buffers)) as u32;
        if count > 0 {
            let order = Permutation::new(derive(self.seed, CHUNK_ORDER), epoch, count as usize);
            let places = share(buffer)..share(buffer + 1);
            self.buffer.request(places.map(|place| holdout.chunk(split, order.at(place), total)));
        }
    }

    /// Divides the current shuffle buffer into windows, and returns the division; `None` if the buffer is shorter than
    /// a window.
    fn cut_buffer(&self) -> Option<WindowOrder> {
        // The last token is a target only.
        let spare = self.buffer.tokens().len().checked_sub(self.length + 1)?;
        let TextPosition { epoch, buffer, .. } = self.position;
        let seed = derive(derive(self.seed, WINDOW_ORDER), buffer);
        let offset =
            Stream::new(derive(seed, 0), epoch).below(spare.min(self.length - 1) as u32 + 1) as usize;
        let windows = (spare - offset) / self.length + 1;
        let permutation = Permutation::new(derive(seed, 1), epoch, windows);
        Some(WindowOrder { offset, windows: windows as u32, permutation })
    }

    /// Returns the number of shuffle buffers per epoch, at least 1.
    fn buffers(&self) -> u32 {
        let corpus = self.buffer.corpus();
        let (total, chunks) = (corpus.chunks(), self.holdout.count(self.split, corpus.chunks()));
        let bytes = u128::from(corpus.bytes()) * u128::from(chunks) / u128::from(total.max(1));
        bytes.div_ceil(BUFFER_BYTES).clamp(1, u128::from(chunks.max(1))) as u32
    }
}
