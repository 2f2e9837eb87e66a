//! Byte pairs that belong together (Gage, "A New Algorithm for Data Compression", 1994; Sennrich, Haddow and Birch, "Neural
//! Machine Translation of Rare Words with Subword Units", 2016), over bytes, so that any text has tokens.

use super::bytes::{BYTES, TOKENS};
use super::hash::{Fnv, Table};
use super::{TokenizerError, split};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A vocabulary of byte strings: the 256 bytes in GPT-2's order, then what merges have made of them, and last the end
/// of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bpe {
    /// The bytes of each token but the last.
    tokens: Vec<Box<[u8]>>,
    /// Pairs of tokens, in the order in which they are merged.
    merges: Vec<[u32; 2]>,
    /// For a pair: its rank among the merges, and the token that it becomes.
    ranks: Table<u64, (u32, u32)>,
}

/// Two tokens as one key.
pub(super) fn key([left, right]: [u32; 2]) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// The tokens of the 256 bytes.
pub(super) fn byte_tokens() -> Vec<Box<[u8]>> {
    BYTES.iter().map(|&byte| Box::from([byte])).collect()
}

/// The tokens of the bytes of a word, before any merge.
pub(super) fn symbols(word: &str) -> impl Iterator<Item = u32> {
    word.bytes().map(|byte| u32::from(TOKENS[usize::from(byte)]))
}

impl Bpe {
    /// The smallest vocabulary: the bytes and the end of a document.
    pub const FEWEST: usize = 257;

    /// From the bytes of the tokens, which begin with [`byte_tokens`], and the merges, each of which makes one of them.
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

    /// How many tokens there are.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.tokens.len() + 1
    }

    /// The token that ends a document: the last one.
    #[must_use]
    pub fn end_of_document(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// Pairs of tokens, in the order in which they are merged.
    #[must_use]
    pub fn merges(&self) -> &[[u32; 2]] {
        &self.merges
    }

    /// The bytes of a token: none for the end of a document, `None` for what is no token.
    #[must_use]
    pub fn bytes(&self, token: u32) -> Option<&[u8]> {
        match self.tokens.get(token as usize) {
            None => (token == self.end_of_document()).then_some(&[]),
            Some(bytes) => Some(bytes),
        }
    }

    /// Appends the tokens of a text to `out`. Words that come again are looked up in `cache`, which must have been used with
    /// this vocabulary only.
    pub fn encode(&self, text: &str, cache: &mut WordCache, out: &mut Vec<u32>) {
        for word in split::words(text) {
            cache.append(word, out, |out| self.merge_word(word, out));
        }
    }

    /// Appends the tokens of one word: the pair of the lowest rank is merged, the leftmost first, until none is left.
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
            // One of the two may have been merged with its other neighbor since.
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

    /// Appends the bytes of tokens to `out`.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownToken`] for the first number that is no token.
    pub fn decode(&self, tokens: &[u32], out: &mut Vec<u8>) -> Result<(), TokenizerError> {
        for &token in tokens {
            let last = self.end_of_document();
            out.extend_from_slice(self.bytes(token).ok_or(TokenizerError::UnknownToken { token, last })?);
        }
        Ok(())
    }

    /// Adds what makes this vocabulary this one and no other.
    pub(super) fn identify(&self, hash: &mut Fnv) {
        self.tokens.iter().for_each(|token| hash.add(token));
        self.merges.iter().for_each(|&pair| hash.add(&key(pair).to_le_bytes()));
    }
}

/// A token on its way through merges, and the places of its neighbors; −1 and the length are none.
#[derive(Clone, Copy)]
struct Symbol {
    token: u32,
    before: i32,
    after: i32,
}

/// Of a symbol that has been merged into the one before it.
const GONE: u32 = u32::MAX;

/// The tokens of words seen before. It takes up to [`MOST_WORDS`] of up to [`LONGEST_WORD`] bytes, then no more: what is
/// frequent has come by then.
#[derive(Clone, Debug, Default)]
pub struct WordCache {
    places: Table<Box<str>, (u32, u32)>,
    tokens: Vec<u32>,
}

const MOST_WORDS: usize = 1 << 16;
const LONGEST_WORD: usize = 32;

impl WordCache {
    /// Appends the tokens of a word, which `merge` appends if the word is new.
    fn append(&mut self, word: &str, out: &mut Vec<u32>, merge: impl FnOnce(&mut Vec<u32>)) {
        if let Some(&(first, count)) = self.places.get(word) {
            return out.extend_from_slice(&self.tokens[first as usize..][..count as usize]);
        }
        let before = out.len();
        merge(out);
        if word.len() <= LONGEST_WORD && self.places.len() < MOST_WORDS {
            let tokens = &out[before..];
            self.places.insert(word.into(), (self.tokens.len() as u32, tokens.len() as u32));
            self.tokens.extend_from_slice(tokens);
        }
    }
}
