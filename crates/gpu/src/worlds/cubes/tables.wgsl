// Sizes and look-up tables of the 3×3×3 cube.
const CORNER_WORDS = 2u;
const PLACES = 24u;
var<storage, read> tables: array<u32>;
