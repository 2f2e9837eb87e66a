//! Byte-level byte-pair encoding (BPE; Sennrich, Haddow & Birch 2016, "Neural Machine Translation of Rare Words with
//! Subword Units", <https://arxiv.org/abs/1508.07909>; on bytes as in GPT-2, Radford et al. 2019).
//!
//! ```text
//! for each word of the pre-tokenizer:
//!     symbols = bytes of the word
//!     while some adjacent pair has a merge: merge the pair with the lowest rank, leftmost first
//! ```

use super::bytes::{BYTES, TOKENS};
use super::hash::{FastMap, Fnv};
use super::{TokenizerError, pretokenizer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Byte-level BPE tokenizer: vocabulary and merges. The tokens are the 256 bytes in GPT-2's order, the merged tokens,
/// and the end-of-document token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bpe {
    /// Bytes of each token of the vocabulary except end-of-document, indexed by token.
    tokens: Vec<Box<[u8]>>,
    /// Pairs of tokens that are merged, in ascending order of rank.
    merges: Vec<[u32; 2]>,
    /// Rank of the merge of each pair of tokens, and the token that the merge produces. The map's key is [`key`] of the
    /// pair.
    ranks: FastMap<u64, (u32, u32)>,
}

/// Packs a pair of adjacent tokens into a `u64` key for hash maps.
pub(super) fn key([left, right]: [u32; 2]) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// Returns the bytes of the first 256 tokens of the vocabulary, each of which stands for one byte.
pub(super) fn byte_tokens() -> Vec<Box<[u8]>> {
    BYTES.iter().map(|&byte| Box::from([byte])).collect()
}

/// Returns the tokens of a word before merges: one token for each byte.
pub(super) fn symbols(word: &str) -> impl Iterator<Item = u32> {
    word.bytes().map(|byte| u32::from(TOKENS[usize::from(byte)]))
}

impl Bpe {
    /// Minimum vocabulary size: 256 bytes and the end-of-document token.
    pub const MIN_VOCABULARY: usize = 257;

    /// Creates a tokenizer. `tokens` holds the bytes of each token, starting with [`byte_tokens`]. `merges` holds the
    /// merged pairs in ascending order of rank. `merged` holds the token that each merge produces, in the same order.
    pub(super) fn new(
        tokens: Vec<Box<[u8]>>,
        merges: Vec<[u32; 2]>,
        merged: impl IntoIterator<Item = u32>,
    ) -> Self {
        let ranks =
            merges.iter().zip(0..).zip(merged).map(|((&pair, rank), token)| (key(pair), (rank, token)));
        let ranks = ranks.collect();
        Self { tokens, merges, ranks }
    }

    /// Returns the vocabulary size: bytes, merged tokens and end-of-document token.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.tokens.len() + 1
    }

    /// Returns the end-of-document token, the last of the vocabulary.
    #[must_use]
    pub fn end_of_document(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// Returns the pairs of tokens that are merged, in ascending order of rank.
    #[must_use]
    pub fn merges(&self) -> &[[u32; 2]] {
        &self.merges
    }

    /// Returns the bytes of a token: empty for end-of-document, `None` for a token outside the vocabulary.
    #[must_use]
    pub fn bytes(&self, token: u32) -> Option<&[u8]> {
        match self.tokens.get(token as usize) {
            None => (token == self.end_of_document()).then_some(&[]),
            Some(bytes) => Some(bytes),
        }
    }

    /// Appends the tokens of a text to `out`. `cache` stores the tokens of frequent words between calls, and must not
    /// be used with another tokenizer.
    pub fn encode(&self, text: &str, cache: &mut WordCache, out: &mut Vec<u32>) {
        for word in pretokenizer::words(text) {
            cache.append(word, out, |out| self.merge_word(word, out));
        }
    }

    /// Applies the merges to one word, and appends the resulting tokens to `out`. A priority queue yields the pair with
    /// the lowest rank, leftmost first.
    fn merge_word(&self, word: &str, out: &mut Vec<u32>) {
        let mut symbols: Vec<Symbol> = symbols(word)
            .zip(1..)
            .map(|(token, next)| Symbol { token, before: next - 2, after: next })
            .collect();
        let end = symbols.len() as i32;
        let mut queue = BinaryHeap::new();
        let offer = |queue: &mut BinaryHeap<_>, symbols: &[Symbol], left: i32| {
            let Some(symbol) = symbols.get(left as usize).filter(|symbol| symbol.after < end) else { return };
            let pair = [symbol.token, symbols[symbol.after as usize].token];
            if let Some(&(rank, merged)) = self.ranks.get(&key(pair)) {
                queue.push(Reverse((rank, left, pair, merged)));
            }
        };
        (0..end).for_each(|left| offer(&mut queue, &symbols, left));
        while let Some(Reverse((_, left, pair, merged))) = queue.pop() {
            let Symbol { token, before, after: right } = symbols[left as usize];
            // Stale entry: one of the two symbols has been merged with its other neighbor.
            if token != pair[0] || right >= end || symbols[right as usize].token != pair[1] {
                continue;
            }
            let after = symbols[right as usize].after;
            symbols[left as usize] = Symbol { token: merged, before, after };
            symbols[right as usize].token = GONE;
            if after < end {
                symbols[after as usize].before = left;
            }
            offer(&mut queue, &symbols, before);
            offer(&mut queue, &symbols, left);
        }
        out.extend(symbols.iter().map(|symbol| symbol.token).filter(|&token| token != GONE));
    }

    /// Appends the bytes of the given tokens to `out`.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownToken`] for the first token outside the vocabulary.
    pub fn decode(&self, tokens: &[u32], out: &mut Vec<u8>) -> Result<(), TokenizerError> {
        for &token in tokens {
            let last = self.end_of_document();
            out.extend_from_slice(self.bytes(token).ok_or(TokenizerError::UnknownToken { token, last })?);
        }
        Ok(())
    }

    /// Adds the tokens and merges of the tokenizer to `hash`, from which the fingerprint is computed.
    pub(super) fn fingerprint(&self, hash: &mut Fnv) {
        self.tokens.iter().for_each(|token| hash.add(token));
        self.merges.iter().for_each(|&pair| hash.add(&key(pair).to_le_bytes()));
    }
}

/// Node in the doubly linked list of a word's tokens during merges. `before` and `after` are the indices of the
/// previous and the next node; −1 and the list length mark the ends.
#[derive(Clone, Copy)]
struct Symbol {
    token: u32,
    before: i32,
    after: i32,
}

/// Value of [`Symbol::token`] in a list node whose token was merged into the token of the previous node.
const GONE: u32 = u32::MAX;

/// Cache of tokenized words: stores the tokens of the first 65,536 words of up to 32 bytes.
#[derive(Clone, Debug, Default)]
pub struct WordCache {
    places: FastMap<Box<str>, (u32, u32)>,
    tokens: Vec<u32>,
}

const MAX_WORDS: usize = 1 << 16;
const MAX_WORD_BYTES: usize = 32;

impl WordCache {
    /// Appends the tokens of `word` to `out`. If the cache does not contain the word, calls `merge` to compute its
    /// tokens.
    fn append(&mut self, word: &str, out: &mut Vec<u32>, merge: impl FnOnce(&mut Vec<u32>)) {
        if let Some(&(first, count)) = self.places.get(word) {
            return out.extend_from_slice(&self.tokens[first as usize..][..count as usize]);
        }
        let before = out.len();
        merge(out);
        if word.len() <= MAX_WORD_BYTES && self.places.len() < MAX_WORDS {
            let tokens = &out[before..];
            self.places.insert(word.into(), (self.tokens.len() as u32, tokens.len() as u32));
            self.tokens.extend_from_slice(tokens);
        }
    }
}
