// What the kernels of a table's gradient share. Indices are sorted by the entries that they pick, in blocks: each entry's lines
// come to lie side by side in the list, in their order.
struct Uniforms {
    // Indices, how many of them a line has, and how many a block.
    count: u32, each: u32, block: u32, blocks: u32,
    entries: u32, width: u32,
    // Where indices and dy lie in the arena, the table in a slice.
    index: u32, dy: u32, table: u32,
    // From one slice to the next, how many there are, and whether (1) sums are added to what they hold.
    stride: u32, slices: u32, accumulate: u32,
}

// Where these lie in the working memory, whose first word is how much of the list is given away. Of each block and entry: how
// many of the block's indices pick it, then how many of those before the block do.
const COUNTS: u32 = 1u;
fn starts() -> u32 { return COUNTS + u.blocks * u.entries; }
fn lengths() -> u32 { return starts() + u.entries; }
fn list() -> u32 { return lengths() + u.entries; }
