// Shared by the kernels of an embedding gradient. Counting sort: indices are sorted by the entry that they select, in
// blocks, so that the lines of each entry are adjacent in a list and keep their order.

// Layout of the scratch memory. Word 0 is the number of allocated list elements. Counts of each block and entry: first
// the number of the block's indices with the entry, later the sum over the preceding blocks.
const COUNTS: u32 = 1u;
fn starts() -> u32 { return COUNTS + u.blocks * u.entries; }
fn lengths() -> u32 { return starts() + u.entries; }
fn list() -> u32 { return lengths() + u.entries; }
