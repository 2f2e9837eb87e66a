// Shared by the kernels of an embedding gradient. Counting sort: indices are sorted by the entry that they select, in
// blocks, so that the lines of each entry are adjacent in a list and keep their order.

// Layout of the scratch memory. Word 0 is the number of allocated list elements. The next words are counts [blocks,
// entries]: first the number of indices in the block that select the entry, later the sum over the preceding blocks.
const COUNTS: u32 = 1u;
fn starts() -> u32 { return COUNTS + u.blocks * u.entries; }
fn lengths() -> u32 { return starts() + u.entries; }
fn list() -> u32 { return lengths() + u.entries; }
