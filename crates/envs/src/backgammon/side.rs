//! One player's checkers.

/// Checkers of one player.
pub const CHECKERS: u8 = 15;
/// Points of the board.
pub const POINTS: usize = 24;
/// The place of checkers that were borne off.
pub const OFF: usize = 0;
/// The place of checkers that were hit.
pub const BAR: usize = 25;
/// Where a checker can be: off, on one of the points 1 to 24, on the bar.
pub const PLACES: usize = 26;

/// The points of a home board as a mask of places.
pub(crate) const HOME: u32 = 0b111_1110;

/// One player's checkers, seen by that player: place 0 ([`OFF`]) holds those borne off, 1 to 24 the points
/// from the ace point on, 25 ([`BAR`]) those on the bar. A checker moves from a place to a lower one.
///
/// Sixteen counts of four bits in each word: a move is an addition and a subtraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Side {
    words: [u64; 2],
}

impl Side {
    /// The side with these counts, each at most 15.
    pub(crate) const fn from_counts(counts: &[u8; PLACES]) -> Self {
        let mut words = [0; 2];
        let mut place = 0;
        while place < PLACES {
            words[place / 16] |= (counts[place] as u64) << (place % 16 * 4);
            place += 1;
        }
        Self { words }
    }

    /// The checkers at a place, which must be one.
    #[inline]
    pub const fn count(self, place: usize) -> u8 {
        (self.words[place / 16] >> (place % 16 * 4)) as u8 & 15
    }

    /// The checkers at each place.
    pub fn counts(self) -> [u8; PLACES] {
        std::array::from_fn(|place| self.count(place))
    }

    /// All checkers have been borne off.
    #[inline]
    pub const fn finished(self) -> bool {
        self.count(OFF) == CHECKERS
    }

    /// How many pips the checkers are from being borne off, a checker on the bar being 25 away.
    pub fn pips(self) -> u32 {
        (1..PLACES).map(|place| place as u32 * u32::from(self.count(place))).sum()
    }

    /// The highest place that holds a checker; 0 when all are off.
    #[inline]
    pub fn highest(self) -> usize {
        // Place 0 counts as held, whether or not it is, so that there is a bit to find.
        (self.occupied() | 1).ilog2() as usize
    }

    /// The places that hold a checker, as bits.
    #[inline]
    pub fn occupied(self) -> u32 {
        self.mask(|word| word | word >> 1 | word >> 2 | word >> 3)
    }

    /// The places that hold two checkers or more, as bits.
    #[inline]
    pub fn made(self) -> u32 {
        self.mask(|word| word >> 1 | word >> 2 | word >> 3)
    }

    /// The side with a checker moved from one place to another.
    #[inline]
    pub(crate) fn moved(self, from: usize, to: usize) -> Self {
        let mut words = self.words;
        words[from / 16] = words[from / 16].wrapping_sub(1 << (from % 16 * 4));
        words[to / 16] = words[to / 16].wrapping_add(1 << (to % 16 * 4));
        Self { words }
    }

    /// The two words.
    #[inline]
    pub(crate) fn words(self) -> [u64; 2] {
        self.words
    }

    /// One bit for each count: the lowest of its four after `spread`.
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

/// Every fourth bit of a word, side by side.
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
