//! Batches of training sequences, collected from [`Windows`] in bounded amounts of work.

use super::{DataError, TextPosition, Windows};

/// Number of chunks of the text that a call of [`BatchStream::read`] or [`BatchStream::draw`] tokenizes at once: some
/// milliseconds of work.
const CHUNKS: u32 = 1;

/// Stream of batches: collects windows of context + 1 tokens from one split (training or validation) of the text.
pub struct BatchStream {
    windows: Windows,
    /// Token sequences of the batch, concatenated: `[batch size, context + 1]`.
    sequences: Vec<u32>,
    /// Number of sequences collected so far for an incomplete batch; 0 if the batch is complete.
    drawn: usize,
}

impl BatchStream {
    /// Creates a stream that starts at the position of `windows`.
    #[must_use]
    pub fn new(windows: Windows) -> Self {
        Self { windows, sequences: Vec::new(), drawn: 0 }
    }

    /// Returns the position in the text of the next window (training sequence) that is drawn.
    #[must_use]
    pub fn position(&self) -> TextPosition {
        self.windows.position()
    }

    /// Moves the stream to `position`, at which the next batch starts, and discards an incomplete batch.
    ///
    /// # Errors
    /// As [`Windows::seek`].
    pub fn seek(&mut self, position: TextPosition) -> Result<(), DataError> {
        self.drawn = 0;
        self.windows.seek(position)
    }

    /// Returns the iterator over the windows (training sequences) from which batches are drawn.
    #[must_use]
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Tokenizes the next chunk of the text into the current shuffle buffer. Returns whether the buffer has further
    /// chunks to tokenize.
    ///
    /// # Errors
    /// As [`Windows::read`].
    pub fn read(&mut self) -> Result<bool, DataError> {
        self.windows.read(CHUNKS)
    }

    /// Collects a batch of `rows` sequences. Returns `true` if the batch is incomplete because the next shuffle buffer
    /// is still being read; the caller must then call again.
    ///
    /// # Errors
    /// As [`Windows::read`].
    pub fn draw(&mut self, rows: usize) -> Result<bool, DataError> {
        if self.drawn == 0 {
            self.sequences.clear();
        }
        while self.drawn < rows {
            if self.windows.read(CHUNKS)? {
                return Ok(true);
            }
            self.sequences.extend_from_slice(self.windows.next_window()?);
            self.drawn += 1;
        }
        self.drawn = 0;
        Ok(false)
    }

    /// Returns the token sequences of the batch, concatenated: `[batch size, context + 1]`.
    #[must_use]
    pub fn sequences(&self) -> &[u32] {
        &self.sequences
    }
}
