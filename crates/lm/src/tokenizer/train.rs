//! Which byte pairs to merge, learned from text: the most frequent pair of neighbors becomes a token, again and again.

use super::bpe::{byte_tokens, key, symbols};
use super::hash::Table;
use super::{Bpe, TokenizerError, split};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A pair that occurs less often than this is no more than a memory of where it did.
const FEWEST_OCCURRENCES: u64 = 2;

/// How often each word occurs in text that comes in any number of pieces.
#[derive(Clone, Debug, Default)]
pub struct WordCounts {
    counts: Table<Box<str>, u64>,
}

impl WordCounts {
    /// Counts the words of a document.
    pub fn add(&mut self, text: &str) {
        for word in split::words(text) {
            match self.counts.get_mut(word) {
                Some(count) => *count += 1,
                None => _ = self.counts.insert(word.into(), 1),
            }
        }
    }

    /// How many different words there were.
    #[must_use]
    pub fn different(&self) -> usize {
        self.counts.len()
    }
}

/// A vocabulary that grows merge by merge.
///
/// The pair that occurs most often is merged next; among equals the one whose tokens come first. Words are merged
/// together, weighted by how often they occur, and a merge touches only the words that hold its pair; counts change with
/// them, and a queue whose entries may be outdated finds the next.
#[derive(Clone, Debug)]
pub struct BpeTraining {
    /// Words whose pairs are still to be counted, before any is merged, and those whose pairs are.
    uncounted: Vec<(Box<str>, u64)>,
    words: Vec<Word>,
    counts: Table<u64, u64>,
    /// For a pair, the words that held it when it came to be.
    places: Table<u64, Vec<u32>>,
    queue: BinaryHeap<(u64, Reverse<[u32; 2]>)>,
    tokens: Vec<Box<[u8]>>,
    token_of: Table<Box<[u8]>, u32>,
    merges: Vec<[u32; 2]>,
    merged: Vec<u32>,
    vocabulary: usize,
}

#[derive(Clone, Debug)]
struct Word {
    tokens: Vec<u32>,
    count: u64,
}

impl BpeTraining {
    /// From the words of a text towards a vocabulary of this many tokens, from [`Bpe::FEWEST`] on; it ends with fewer where no
    /// pair occurs twice any more.
    ///
    /// # Errors
    /// [`TokenizerError::Vocabulary`] for too small a one, [`TokenizerError::Empty`] if there are no words.
    pub fn new(words: WordCounts, vocabulary: usize) -> Result<Self, TokenizerError> {
        if vocabulary < Bpe::FEWEST {
            return Err(TokenizerError::Vocabulary { vocabulary, fewest: Bpe::FEWEST });
        }
        if words.counts.is_empty() {
            return Err(TokenizerError::Empty);
        }
        let tokens = byte_tokens();
        let token_of = tokens.iter().cloned().zip(0..).collect();
        Ok(Self {
            words: Vec::with_capacity(words.counts.len()),
            uncounted: words.counts.into_iter().collect(),
            counts: Table::default(),
            places: Table::default(),
            queue: BinaryHeap::new(),
            tokens,
            token_of,
            merges: Vec::new(),
            merged: Vec::new(),
            vocabulary,
        })
    }

    /// Counts pairs, then merges them, until it has gone through at least so many tokens of words. Returns whether there is
    /// more to do.
    pub fn advance(&mut self, most: usize) -> bool {
        let mut passed = 0;
        while passed < most {
            if let Some((word, count)) = self.uncounted.pop() {
                passed += word.len();
                self.count(&word, count);
                continue;
            }
            if self.tokens.len() + 1 >= self.vocabulary {
                return false;
            }
            let Some(pair) = self.next_pair() else { return false };
            passed += self.merge(pair);
        }
        true
    }

    /// Counts the pairs of a word. The last one makes the queue.
    fn count(&mut self, word: &str, count: u64) {
        let (tokens, place) = (symbols(word).collect::<Vec<_>>(), self.words.len() as u32);
        for &pair in tokens.array_windows() {
            *self.counts.entry(key(pair)).or_default() += count;
            note(self.places.entry(key(pair)).or_default(), place);
        }
        self.words.push(Word { tokens, count });
        if self.uncounted.is_empty() {
            let entries = self.counts.iter().map(|(&pair, &count)| (count, Reverse(tokens_of(pair))));
            self.queue = entries.collect();
        }
    }

    /// The most frequent pair, if it is frequent enough. Counts of pairs in the queue only ever fall: an entry that
    /// is outdated goes back with what holds now.
    fn next_pair(&mut self) -> Option<[u32; 2]> {
        while let Some((count, Reverse(pair))) = self.queue.pop() {
            let now = self.counts.get(&key(pair)).copied().unwrap_or(0);
            match now {
                0..FEWEST_OCCURRENCES => {}
                _ if now == count => return Some(pair),
                _ => self.queue.push((now, Reverse(pair))),
            }
        }
        None
    }

    /// Merges a pair. Returns how many tokens the words have in which it was looked for.
    fn merge(&mut self, pair: [u32; 2]) -> usize {
        let token = self.token_for(pair);
        self.merges.push(pair);
        self.merged.push(token);
        let mut new = Vec::new();
        let mut passed = 0;
        for place in self.places.remove(&key(pair)).unwrap_or_default() {
            let Word { tokens, count } = &mut self.words[place as usize];
            passed += tokens.len();
            for &neighbors in tokens.array_windows() {
                if let Some(sum) = self.counts.get_mut(&key(neighbors)) {
                    *sum -= *count;
                }
            }
            merge_in(tokens, pair, token);
            for &neighbors in tokens.array_windows() {
                *self.counts.entry(key(neighbors)).or_default() += *count;
                if neighbors.contains(&token) {
                    note(self.places.entry(key(neighbors)).or_default(), place);
                    new.push(neighbors);
                }
            }
        }
        self.counts.remove(&key(pair));
        new.sort_unstable();
        new.dedup();
        self.queue.extend(new.into_iter().map(|pair| (self.counts[&key(pair)], Reverse(pair))));
        passed
    }

    /// The token that a pair becomes: a new one, unless another pair has spelt the same bytes.
    fn token_for(&mut self, [left, right]: [u32; 2]) -> u32 {
        let bytes = [&*self.tokens[left as usize], &*self.tokens[right as usize]].concat().into_boxed_slice();
        let next = self.tokens.len() as u32;
        let token = *self.token_of.entry(bytes.clone()).or_insert(next);
        if token == next {
            self.tokens.push(bytes);
        }
        token
    }

    /// How many tokens there are so far, as a share of those that are wanted.
    #[must_use]
    pub fn done(&self) -> f64 {
        (self.tokens.len() + 1) as f64 / self.vocabulary as f64
    }

    /// The vocabulary so far.
    #[must_use]
    pub fn bpe(&self) -> Bpe {
        Bpe::new(self.tokens.clone(), self.merges.clone(), self.merged.iter().copied())
    }
}

/// The two tokens of a key.
fn tokens_of(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// Adds a word to those that hold a pair; the same word may come several times in a row.
fn note(places: &mut Vec<u32>, place: u32) {
    if places.last() != Some(&place) {
        places.push(place);
    }
}

/// Puts `token` in place of each pair, from left to right.
fn merge_in(tokens: &mut Vec<u32>, pair: [u32; 2], token: u32) {
    let (mut read, mut written) = (0, 0);
    while read < tokens.len() {
        let found = tokens[read..].starts_with(&pair);
        tokens[written] = if found { token } else { tokens[read] };
        read += if found { 2 } else { 1 };
        written += 1;
    }
    tokens.truncate(written);
}
