// Scrambles of the 3×3×3 cube with the random numbers of the CPU. One invocation tracks four pieces; all invocations of
// a scramble draw the same turns.

// The seed and the stream of the first scramble, each low word first.
var<storage, read> draws: vec4<u32>;
// [scrambles, depth, WORDS]: the cube after each turn.
var<storage, read_write> states: array<u32>;
// [scrambles, depth]: the index of the move that undoes the turn.
var<storage, read_write> undo: array<u32>;

// Upper word of a product with a factor below 2¹⁶.
fn upper(word: u32, count: u32) -> u32 {
    return ((word >> 16u) * count + (((word & 0xffffu) * count) >> 16u)) >> 16u;
}

// Random integer below `count`: the block, as a 64-bit fraction with the second word first, times `count`.
fn below(block: vec2<u32>, count: u32) -> u32 {
    let carried = upper(block.x, count);
    let sum = block.y * count + carried;
    return upper(block.y, count) + select(0u, 1u, sum < carried);
}

fn each(i: u32) {
    let scramble = i / WORDS;
    let word = i % WORDS;
    // Streams have 64 bits: the upper 32 change the key.
    let stream = draws.z + scramble;
    let key = vec2(draws.x, draws.y ^ (draws.w + select(0u, 1u, stream < scramble)));
    let kind = select(0u, 1u, word >= CORNER_WORDS);
    var places = (4u * (word - kind * CORNER_WORDS) + vec4(0u, 1u, 2u, 3u)) * (3u - kind);
    // Moves that the next draw excludes: index of the first move, and number of moves.
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
