//! Batches of training sequences, collected from [`Windows`] in bounded amounts of work.

use super::{DataError, TextPosition, Windows};

/// Number of chunks of the text that one call of [`BatchStream::read`] or [`BatchStream::draw`] tokenizes at once. A
/// chunk takes some milliseconds.
const CHUNKS: u32 = 1;

/// Stream of batches from the training or validation split of the text. A batch consists of windows: sequences of
/// context + 1 tokens.
pub struct BatchStream {
    windows: Windows,
    /// Token sequences of the current batch, concatenated: `[batch size, context + 1]`.
    sequences: Vec<u32>,
    /// Number of sequences collected so far for the current batch; 0 if the batch is complete.
    drawn: usize,
}

impl BatchStream {
    /// Creates a stream that starts at the position of `windows`.
    #[must_use]
    pub fn new(windows: Windows) -> Self {
        Self { windows, sequences: Vec::new(), drawn: 0 }
    }

    /// Returns the position in the training text of the next window (training sequence) that the stream reads. The
    /// window belongs to the current batch if this batch is incomplete, otherwise to the next batch.
    #[must_use]
    pub fn position(&self) -> TextPosition {
        self.windows.position()
    }

    /// Moves the stream to `position`, at which the next batch starts, and discards an incomplete batch.
    ///
    /// # Errors
    /// The same errors as [`Windows::seek`].
    pub fn seek(&mut self, position: TextPosition) -> Result<(), DataError> {
        self.drawn = 0;
        self.windows.seek(position)
    }

    /// Returns the iterator over the windows (training sequences) that the batches consist of.
    #[must_use]
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Tokenizes the next chunk of the text for the current shuffle buffer. Returns whether chunks of this buffer
    /// remain to be tokenized.
    ///
    /// # Errors
    /// The same errors as [`Windows::read`].
    pub fn read(&mut self) -> Result<bool, DataError> {
        self.windows.read(CHUNKS)
    }

    /// Collects a batch of `rows` sequences. Returns `true` if the batch is incomplete because the next shuffle buffer
    /// is still being read; the caller must then call again.
    ///
    /// # Errors
    /// The same errors as [`Windows::read`].
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

    /// Returns the token sequences of the current batch, concatenated: `[batch size, context + 1]`.
    #[must_use]
    pub fn sequences(&self) -> &[u32] {
        &self.sequences
    }
}
