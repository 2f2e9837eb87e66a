// Shared by the kernels of an embedding gradient. Counting sort: indices are sorted in blocks by the table entry that
// they select. In the resulting list, the rows of dy that belong to an entry are adjacent and keep their order.

// Layout of the scratch memory: number of allocated list elements (word 0), counts [blocks, entries], starts [entries]
// and lengths [entries] of the entries' ranges in the list, and the list. A count is first the number of indices in the
// block that select the entry, later the sum over the preceding blocks.
const COUNTS: u32 = 1u;
fn starts() -> u32 { return COUNTS + u.blocks * u.entries; }
fn lengths() -> u32 { return starts() + u.entries; }
fn list() -> u32 { return lengths() + u.entries; }

// Returns the table entry that an index selects, clamped to the valid range.
fn entry_of(index: f32) -> u32 {
    return select(0u, u32(min(index, f32(u.entries - 1u))), index > 0.0);
}
