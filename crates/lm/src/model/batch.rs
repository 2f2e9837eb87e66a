//! Batches of token sequences as network inputs.

use crate::error::LanguageError;

/// Input tokens and target tokens of a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenBatch {
    /// Input tokens, as whole numbers in `f32`, \[sequences, context\].
    pub tokens: Vec<f32>,
    /// Target tokens: the token that follows each input token, \[sequences, context\].
    pub targets: Vec<f32>,
}

impl TokenBatch {
    /// Replaces the content of the batch by `sequences`: concatenated sequences of `context` + 1 tokens each. Every
    /// token except the first of a sequence is a target. Returns the number of sequences.
    ///
    /// # Errors
    /// [`LanguageError::Length`] for an incomplete sequence or none, [`LanguageError::Token`] for a token outside the
    /// vocabulary; the batch is empty then.
    pub fn fill(
        &mut self,
        context: usize,
        vocabulary: usize,
        sequences: &[u32],
    ) -> Result<usize, LanguageError> {
        let (len, tokens) = (context + 1, sequences.len());
        self.tokens.clear();
        self.targets.clear();
        if tokens == 0 || !tokens.is_multiple_of(len) {
            return Err(LanguageError::Length { tokens, len });
        }
        Self::check(vocabulary, sequences)?;
        for sequence in sequences.chunks_exact(len) {
            self.tokens.extend(sequence[..context].iter().map(|&token| token as f32));
            self.targets.extend(sequence[1..].iter().map(|&token| token as f32));
        }
        Ok(tokens / len)
    }

    /// Checks that all `tokens` are in a vocabulary of `vocabulary` tokens.
    ///
    /// # Errors
    /// [`LanguageError::Token`] for the first token outside the vocabulary.
    pub fn check(vocabulary: usize, tokens: &[u32]) -> Result<(), LanguageError> {
        let wrong = tokens.iter().position(|&token| token as usize >= vocabulary);
        wrong.map_or(Ok(()), |place| Err(LanguageError::Token { place, token: tokens[place], vocabulary }))
    }

    /// Returns the allocated memory of the batch in bytes.
    pub fn bytes(&self) -> usize {
        (self.tokens.capacity() + self.targets.capacity()) * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_but_the_first_is_a_target() {
        let mut batch = TokenBatch::default();
        assert_eq!(batch.fill(2, 9, &[1, 2, 3, 4, 5, 6]), Ok(2));
        assert_eq!(batch.tokens, [1.0, 2.0, 4.0, 5.0]);
        assert_eq!(batch.targets, [2.0, 3.0, 5.0, 6.0]);
    }

    #[test]
    fn invalid_batches_are_rejected() {
        let mut batch = TokenBatch::default();
        assert_eq!(batch.fill(2, 9, &[1, 2, 3, 4]), Err(LanguageError::Length { tokens: 4, len: 3 }));
        assert_eq!(batch.fill(2, 9, &[]), Err(LanguageError::Length { tokens: 0, len: 3 }));
        let error = batch.fill(2, 9, &[1, 2, 9]).unwrap_err();
        assert_eq!(error.to_string(), "token 9 at index 2; allowed: 0 to 8");
    }
}
