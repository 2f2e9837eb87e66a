// Shared by the kernels of an embedding gradient, which sort indices by the table entry that they select (counting
// sort, in blocks of indices). The sorted list contains rows of dy: the rows of one entry are adjacent, in their
// original order.

// Layout of the scratch memory: number of allocated list elements (word 0), counts [blocks, entries], then start and
// length [entries] of each entry's range in the list, then the list. A count is first the number of indices in a block
// that select the entry, later the sum over the preceding blocks.
const COUNTS: u32 = 1u;
fn starts() -> u32 { return COUNTS + u.blocks * u.entries; }
fn lengths() -> u32 { return starts() + u.entries; }
fn list() -> u32 { return lengths() + u.entries; }

// Converts an index (a whole number stored as f32) to a table entry. An index out of range is clamped.
fn entry_of(index: f32) -> u32 {
    return select(0u, u32(min(index, f32(u.entries - 1u))), index > 0.0);
}
