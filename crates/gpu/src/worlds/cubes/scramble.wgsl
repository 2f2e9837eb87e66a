// Scrambles 3×3×3 cubes by random moves, with the random numbers of the CPU engine. One invocation computes the
// positions of four pieces; all invocations of a scramble draw the same moves.

// Seed, and stream index of the first scramble, each as two words with the low word first.
var<storage, read> draws: vec4<u32>;
// State of the cube after each move, [scrambles, depth, WORDS].
var<storage, read_write> states: array<u32>;
// Index of the inverse of each move, [scrambles, depth].
var<storage, read_write> undo: array<u32>;

// Returns the upper 32 bits of word · count, for count below 2¹⁶.
fn upper(word: u32, count: u32) -> u32 {
    return ((word >> 16u) * count + (((word & 0xffffu) * count) >> 16u)) >> 16u;
}

// Returns a random integer below `count`: the upper part of the random block, a 64-bit integer with the low word first,
// times `count`.
fn below(block: vec2<u32>, count: u32) -> u32 {
    let carried = upper(block.x, count);
    let sum = block.y * count + carried;
    return upper(block.y, count) + select(0u, 1u, sum < carried);
}

fn each(i: u32) {
    let scramble = i / WORDS;
    let word = i % WORDS;
    // Stream indices have 64 bits. The upper 32 bits are combined with the key.
    let stream = draws.z + scramble;
    let key = vec2(draws.x, draws.y ^ (draws.w + select(0u, 1u, stream < scramble)));
    let kind = select(0u, 1u, word >= CORNER_WORDS);
    var places = (4u * (word - kind * CORNER_WORDS) + vec4(0u, 1u, 2u, 3u)) * (3u - kind);
    // Range of moves that the next draw excludes: index of the first move, and number of moves. A move that undoes the
    // previous move, or turns the same face again, would shorten the scramble.
    var barred = vec2(0u, 0u);
    for (var turn = 0u; turn < u.depth; turn += 1u) {
        let choice = below(threefry(key, vec2(stream, turn)), MOVES - barred.y);
        let action = select(choice + barred.y, choice, choice < barred.x);
        let table = TURNS + (2u * action + kind) * PLACES;
        places = vec4(
            tables[table + places.x],
            tables[table + places.y],
            tables[table + places.z],
            tables[table + places.w],
        );
        let row = scramble * u.depth + turn;
        states[row * WORDS + word] =
            (places.x << 24u) | (places.y << 16u) | (places.z << 8u) | places.w;
        let face = action / 3u * 3u;
        let inverse = select(face + 2u - action % 3u, action ^ 1u, QUARTER);
        barred = select(vec2(face, 3u), vec2(inverse, 1u), QUARTER);
        if (word == 0u) {
            undo[row] = inverse;
        }
    }
}
