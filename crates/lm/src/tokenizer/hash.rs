//! Hash functions: a fast hash function for hash maps, and FNV-1a for stable fingerprints.

use std::hash::{BuildHasherDefault, Hasher};

/// Hash map with [`FastHasher`], for keys that are not attacker-controlled. Several times faster than SipHash on short
/// keys.
pub type FastMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// Hash function of [`FastMap`]: multiplies 64-bit words. `finish` XORs the upper half of the hash into the lower half.
#[derive(Clone, Copy, Default)]
pub struct FastHasher(u64);

/// Multiplier of the hash function: 2⁶⁴ divided by the golden ratio, rounded to an odd number.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for FastHasher {
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

/// 64-bit FNV-1a hash (Fowler, Noll & Vo), which is the same on every platform and in every program version.
#[derive(Clone, Copy)]
pub struct Fnv(u64);

impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds the length of `bytes` and then the bytes to the hash, so that ("ab", "c") and ("a", "bc") have different
    /// hashes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in (bytes.len() as u32).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub fn finish(self) -> u64 {
        self.0
    }
}
