//! BPE training (Sennrich, Haddow & Birch 2016, <https://arxiv.org/abs/1508.07909>): repeatedly merges the most
//! frequent pair of adjacent tokens into a new token.

use super::bpe::{byte_tokens, key, symbols};
use super::hash::FastMap;
use super::{Bpe, TokenizerError, pretokenizer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Minimum number of occurrences in the training text at which a pair of tokens is merged.
const MIN_PAIR_COUNT: u64 = 2;

/// Number of occurrences of each word of a text, accumulated over documents.
#[derive(Clone, Debug, Default)]
pub struct WordCounts {
    counts: FastMap<Box<str>, u64>,
}

impl WordCounts {
    /// Adds the words of a document to the counts.
    pub fn add(&mut self, text: &str) {
        for word in pretokenizer::words(text) {
            match self.counts.get_mut(word) {
                Some(count) => *count += 1,
                None => _ = self.counts.insert(word.into(), 1),
            }
        }
    }

    /// Returns the number of distinct words counted so far.
    #[must_use]
    pub fn different(&self) -> usize {
        self.counts.len()
    }
}

/// Training of a BPE tokenizer in bounded amounts of work.
///
/// Distinct words are weighted by their counts. A merge updates only the words that contain its pair. A priority queue
/// with lazy updates yields the next pair; ties are in ascending order of tokens.
#[derive(Clone, Debug)]
pub struct BpeTraining {
    /// Words whose token pairs are not counted yet, each with its number of occurrences in the text.
    uncounted: Vec<(Box<str>, u64)>,
    words: Vec<Word>,
    counts: FastMap<u64, u64>,
    /// For each pair of tokens ([`key`] of the pair): indices of the words that contain the pair, or contained the pair
    /// before a merge.
    places: FastMap<u64, Vec<u32>>,
    queue: BinaryHeap<(u64, Reverse<[u32; 2]>)>,
    tokens: Vec<Box<[u8]>>,
    token_of: FastMap<Box<[u8]>, u32>,
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
    /// Starts the training of a tokenizer with `vocabulary` tokens, at least [`Bpe::MIN_VOCABULARY`], from the word
    /// counts of a text. Training ends earlier if no pair of tokens occurs twice.
    ///
    /// # Errors
    /// [`TokenizerError::Vocabulary`] for a vocabulary below the minimum, [`TokenizerError::Empty`] if there are no
    /// words.
    pub fn new(words: WordCounts, vocabulary: usize) -> Result<Self, TokenizerError> {
        if vocabulary < Bpe::MIN_VOCABULARY {
            return Err(TokenizerError::Vocabulary { vocabulary, minimum: Bpe::MIN_VOCABULARY });
        }
        if words.counts.is_empty() {
            return Err(TokenizerError::Empty);
        }
        let tokens = byte_tokens();
        let token_of = tokens.iter().cloned().zip(0..).collect();
        Ok(Self {
            words: Vec::with_capacity(words.counts.len()),
            uncounted: words.counts.into_iter().collect(),
            counts: FastMap::default(),
            places: FastMap::default(),
            queue: BinaryHeap::new(),
            tokens,
            token_of,
            merges: Vec::new(),
            merged: Vec::new(),
            vocabulary,
        })
    }

    /// Continues the training: counts the pairs of all words, then merges pairs. Stops when words with a total of at
    /// least `most` tokens have been processed. Returns whether work remains.
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

    /// Adds the adjacent token pairs of a word that occurs `count` times in the text to the pair counts. After the last
    /// uncounted word, builds the priority queue of all pairs.
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

    /// Removes the most frequent token pair from the priority queue and returns this pair; `None` if no pair has the
    /// minimum count. A pair in the queue may have become rarer; then the pair is queued again with its current count.
    fn next_pair(&mut self) -> Option<[u32; 2]> {
        while let Some((count, Reverse(pair))) = self.queue.pop() {
            let now = self.counts.get(&key(pair)).copied().unwrap_or(0);
            match now {
                0..MIN_PAIR_COUNT => {}
                _ if now == count => return Some(pair),
                _ => self.queue.push((now, Reverse(pair))),
            }
        }
        None
    }

    /// Merges a token pair in all words that contain the pair, and updates the pair counts. Returns the total number of
    /// tokens of these words, which measures the work.
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

    /// Returns the token that a pair of tokens is merged into. Creates the token unless a token with the same bytes
    /// exists.
    fn token_for(&mut self, [left, right]: [u32; 2]) -> u32 {
        let bytes = [&*self.tokens[left as usize], &*self.tokens[right as usize]].concat().into_boxed_slice();
        let next = self.tokens.len() as u32;
        let token = *self.token_of.entry(bytes.clone()).or_insert(next);
        if token == next {
            self.tokens.push(bytes);
        }
        token
    }

    /// Returns the finished fraction of the training, 0 to 1: the current vocabulary size divided by the requested
    /// size.
    #[must_use]
    pub fn done(&self) -> f64 {
        (self.tokens.len() + 1) as f64 / self.vocabulary as f64
    }

    /// Returns a tokenizer with the merges found so far.
    #[must_use]
    pub fn bpe(&self) -> Bpe {
        Bpe::new(self.tokens.clone(), self.merges.clone(), self.merged.iter().copied())
    }
}

/// Returns the pair of tokens that [`key`] packed into `pair`.
fn tokens_of(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// Records that a word contains a pair of tokens: appends the index `place` of the word to `places`, the list of the
/// pair, unless the list already ends with this index.
fn note(places: &mut Vec<u32>, place: u32) {
    if places.last() != Some(&place) {
        places.push(place);
    }
}

/// Replaces each occurrence of the token pair `pair` in `tokens` by `token`, from left to right.
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
