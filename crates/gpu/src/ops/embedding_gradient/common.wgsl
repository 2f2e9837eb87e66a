// What the kernels of a table's gradient share. Indices are sorted by the entries that they pick, in blocks: each entry's lines
// come to lie side by side in the list, in their order.

// Where these lie in the working memory, whose first word is how much of the list is given away. Of each block and entry: how
// many of the block's indices pick it, then how many of those before the block do.
const COUNTS: u32 = 1u;
fn starts() -> u32 { return COUNTS + u.blocks * u.entries; }
fn lengths() -> u32 { return starts() + u.entries; }
fn list() -> u32 { return lengths() + u.entries; }
