//! Arena allocator: assigns an arena offset to each value of an execution plan when the plan is compiled.

/// Best-fit allocator of arena offsets. Values whose lifetimes do not overlap may have the same offset.
#[derive(Debug)]
pub struct ArenaAllocator {
    /// Alignment of every block, in elements.
    alignment: usize,
    /// Allocated blocks: (offset, length) in elements.
    used: Vec<(usize, usize)>,
    /// Free blocks: (offset, length) in elements, in order of offset. Adjacent free blocks are merged.
    free: Vec<(usize, usize)>,
    len: usize,
}

impl ArenaAllocator {
    /// Creates an empty arena whose blocks are aligned to `alignment` elements.
    pub fn new(alignment: usize) -> Self {
        Self { alignment, used: Vec::new(), free: Vec::new(), len: 0 }
    }

    /// Allocates a block of `len` elements and returns its offset.
    pub fn allocate(&mut self, len: usize) -> usize {
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
                // A free block at the end of the arena is extended.
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

    /// Frees the block at `offset`. Does nothing if the block is already free.
    pub fn free(&mut self, offset: usize) {
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

    /// Returns the minimum arena length in elements: the largest end of any block that was allocated so far.
    #[allow(clippy::len_without_is_empty)] // The length to reserve, not the length of a collection.
    pub fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_blocks_are_reused_and_merged() {
        let mut arena = ArenaAllocator::new(16);
        let [a, b, c] = [10, 20, 30].map(|len| arena.allocate(len));
        assert_eq!((a, b, c, arena.len()), (0, 16, 48, 80));
        arena.free(a);
        arena.free(b);
        arena.free(b);
        assert_eq!(arena.allocate(48), 0, "16 and 32 freed side by side hold 48");
        arena.free(c);
        assert_eq!(arena.allocate(64), 48, "the free end grows");
        assert_eq!(arena.len(), 112);
    }

    #[test]
    fn the_best_fit_is_selected() {
        let mut arena = ArenaAllocator::new(16);
        let offsets = [64, 16, 32, 16].map(|len| arena.allocate(len));
        arena.free(offsets[0]);
        arena.free(offsets[2]);
        assert_eq!(arena.allocate(20), offsets[2]);
    }
}
