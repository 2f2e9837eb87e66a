//! Two hashes: a quick one for tables, and one that names a tokenizer and stays what it is.

use std::hash::{BuildHasherDefault, Hasher};

/// A table whose keys nobody chooses to collide; the standard one is several times slower on short keys.
pub type Table<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Quick>>;

/// Words are multiplied in one by one; the upper bits, which depend on all of them, come down at the end.
#[derive(Clone, Copy, Default)]
pub struct Quick(u64);

/// 2⁶⁴ over the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.write_u64(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(GOLDEN);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// FNV-1a with 64 bits (Fowler, Noll and Vo): the same on every machine and in every version.
#[derive(Clone, Copy)]
pub struct Fnv(u64);

impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes and how many they were, so that ("ab", "c") differs from ("a", "bc").
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in (bytes.len() as u32).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub fn finish(self) -> u64 {
        self.0
    }
}
