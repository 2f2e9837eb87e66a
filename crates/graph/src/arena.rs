//! The arena's layout: which stretches are free while the steps go by.

/// An allocator that runs once, at compile time, over the lifetimes of a plan's values: smallest free stretch first.
#[derive(Debug)]
pub struct ArenaAllocator {
    /// What every stretch starts at a multiple of.
    alignment: usize,
    /// Stretches in use, (offset, length).
    used: Vec<(usize, usize)>,
    /// Free stretches below `len`, (offset, length), by offset, no two touching.
    free: Vec<(usize, usize)>,
    len: usize,
}

impl ArenaAllocator {
    /// An empty arena whose stretches start at multiples of `alignment` numbers.
    pub fn new(alignment: usize) -> Self {
        Self { alignment, used: Vec::new(), free: Vec::new(), len: 0 }
    }

    /// Room for `len` numbers; gives where it starts.
    pub fn take(&mut self, len: usize) -> usize {
        let len = len.next_multiple_of(self.alignment);
        let best = (0..self.free.len()).filter(|&i| self.free[i].1 >= len).min_by_key(|&i| self.free[i].1);
        let offset = match best {
            Some(i) => {
                let (offset, free) = self.free[i];
                if free == len {
                    self.free.remove(i);
                } else {
                    self.free[i] = (offset + len, free - len);
                }
                offset
            }
            None => {
                // The last free stretch may reach the end: then only the rest is new.
                let offset = match self.free.last() {
                    Some(&(offset, free)) if offset + free == self.len => {
                        self.free.pop();
                        offset
                    }
                    _ => self.len,
                };
                self.len = offset + len;
                offset
            }
        };
        self.used.push((offset, len));
        offset
    }

    /// Frees what starts at `offset`; freeing it again does nothing, as where one value is both operands.
    pub fn give_back(&mut self, offset: usize) {
        let Some(i) = self.used.iter().position(|used| used.0 == offset) else { return };
        let (_, len) = self.used.swap_remove(i);
        let at = self.free.partition_point(|free| free.0 < offset);
        self.free.insert(at, (offset, len));
        self.free.dedup_by(|next, previous| {
            let touching = previous.0 + previous.1 == next.0;
            if touching {
                previous.1 += next.1;
            }
            touching
        });
    }

    /// How long the arena must be for everything that was asked.
    #[allow(clippy::len_without_is_empty)] // It is a length to reserve, not that of a collection.
    pub fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_used_again_and_stretches_grow_together() {
        let mut arena = ArenaAllocator::new(16);
        let [a, b, c] = [10, 20, 30].map(|len| arena.take(len));
        assert_eq!((a, b, c, arena.len()), (0, 16, 48, 80));
        arena.give_back(a);
        arena.give_back(b);
        arena.give_back(b);
        assert_eq!(arena.take(48), 0, "16 and 32 freed side by side hold 48");
        arena.give_back(c);
        assert_eq!(arena.take(64), 48, "the free end grows");
        assert_eq!(arena.len(), 112);
    }

    #[test]
    fn the_smallest_stretch_that_fits_is_taken() {
        let mut arena = ArenaAllocator::new(16);
        let offsets = [64, 16, 32, 16].map(|len| arena.take(len));
        arena.give_back(offsets[0]);
        arena.give_back(offsets[2]);
        assert_eq!(arena.take(20), offsets[2]);
    }
}
