//! Checkers of one player.

/// Number of checkers of a player.
pub const CHECKERS: u8 = 15;
/// Number of points of the board.
pub const POINTS: usize = 24;
/// Index of the checkers borne off, among the checker counts of a player.
pub const OFF: usize = 0;
/// Index of the bar, which holds checkers that were hit, among the checker counts of a player.
pub const BAR: usize = 25;
/// Number of checker counts of a player: 0 off, 1 to 24 points, 25 bar.
pub const PLACES: usize = 26;

/// Bit mask of the home board: points 1 to 6.
pub(crate) const HOME: u32 = 0b111_1110;

/// Checkers of one player, in that player's numbering: place 0 ([`OFF`]) holds checkers borne off, 1 to 24 are the
/// points from the ace point on, 25 ([`BAR`]) is the bar. A checker moves to lower numbers.
///
/// The counts are packed into two 64-bit words, four bits per count. A move adds 1 to one count and subtracts 1 from
/// another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Side {
    words: [u64; 2],
}

impl Side {
    /// Creates a side from its checker counts (off, points 1 to 24, bar), each at most 15.
    pub(crate) const fn from_counts(counts: &[u8; PLACES]) -> Self {
        let mut words = [0; 2];
        let mut place = 0;
        while place < PLACES {
            words[place / 16] |= (counts[place] as u64) << (place % 16 * 4);
            place += 1;
        }
        Self { words }
    }

    /// Returns the number of checkers at `place`: 0 off, 1 to 24 points, 25 bar.
    #[inline]
    pub const fn count(self, place: usize) -> u8 {
        (self.words[place / 16] >> (place % 16 * 4)) as u8 & 15
    }

    /// Returns the number of checkers at each place: 0 off, 1 to 24 points, 25 bar.
    pub fn counts(self) -> [u8; PLACES] {
        std::array::from_fn(|place| self.count(place))
    }

    /// Returns whether the player has borne off all checkers.
    #[inline]
    pub const fn finished(self) -> bool {
        self.count(OFF) == CHECKERS
    }

    /// Returns the pip count: the sum of the point numbers of all checkers. A checker on the bar counts 25.
    pub fn pips(self) -> u32 {
        (1..PLACES).map(|place| place as u32 * u32::from(self.count(place))).sum()
    }

    /// Returns the number of the highest occupied point (25: the bar); 0 if all checkers are off.
    #[inline]
    pub fn highest(self) -> usize {
        // Bit 0 is set so that the mask is not 0.
        (self.occupied() | 1).ilog2() as usize
    }

    /// Returns the bit mask of occupied places: bit 0 off, bits 1 to 24 points, bit 25 bar.
    #[inline]
    pub fn occupied(self) -> u32 {
        self.mask(|word| word | word >> 1 | word >> 2 | word >> 3)
    }

    /// Returns the bit mask of places with at least two checkers: bit 0 off, bits 1 to 24 points, bit 25 bar.
    #[inline]
    pub fn made(self) -> u32 {
        self.mask(|word| word >> 1 | word >> 2 | word >> 3)
    }

    /// Returns the side after one checker has moved from place `from` to place `to`: 0 off, 1 to 24 points, 25 bar.
    #[inline]
    pub(crate) fn moved(self, from: usize, to: usize) -> Self {
        let mut words = self.words;
        words[from / 16] = words[from / 16].wrapping_sub(1 << (from % 16 * 4));
        words[to / 16] = words[to / 16].wrapping_add(1 << (to % 16 * 4));
        Self { words }
    }

    /// Returns the packed checker counts (off, points 1 to 24, bar): 16 counts per word, four bits each, lowest first.
    #[inline]
    pub(crate) fn words(self) -> [u64; 2] {
        self.words
    }

    /// Applies `spread` to both words of packed checker counts (four bits per place). Returns a bit mask of places: bit
    /// p is the lowest of the four result bits of place p.
    #[inline(always)]
    fn mask(self, spread: impl Fn(u64) -> u64) -> u32 {
        let [low, high] = self.words.map(|word| gather(spread(word) & 0x1111_1111_1111_1111));
        low | high << 16
    }
}

impl std::fmt::Debug for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let held = (0..PLACES).map(|place| (place, self.count(place))).filter(|&(_, count)| count > 0);
        f.debug_map().entries(held).finish()
    }
}

/// Gathers bits 0, 4, 8, … of a word into its 16 lowest bits. The other bits of the word must be 0.
#[inline(always)]
fn gather(mut word: u64) -> u32 {
    word = (word | word >> 3) & 0x0303_0303_0303_0303;
    word = (word | word >> 6) & 0x000f_000f_000f_000f;
    word = (word | word >> 12) & 0x0000_00ff_0000_00ff;
    (word | word >> 24) as u32 & 0xffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::rng::Stream;

    #[test]
    fn masks_and_moves_agree_with_counts() {
        let mut random = Stream::new(3, 0);
        for _ in 0..2000 {
            let mut counts = [0; PLACES];
            for _ in 0..CHECKERS {
                counts[random.below(PLACES as u32) as usize] += 1;
            }
            let side = Side::from_counts(&counts);
            assert_eq!(side.counts(), counts);
            let mask =
                |least: u8| (0..PLACES).filter(|&place| counts[place] >= least).map(|place| 1 << place).sum();
            assert_eq!((side.occupied(), side.made()), (mask(1), mask(2)));
            let highest = (0..PLACES).rev().find(|&place| counts[place] > 0);
            assert_eq!(Some(side.highest()), highest);

            let from = side.highest();
            let to = random.below(PLACES as u32) as usize;
            counts[from] -= 1;
            counts[to] += 1;
            assert_eq!(side.moved(from, to).counts(), counts);
        }
    }
}
