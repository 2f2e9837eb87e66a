// Network inputs of 3×3×3 cubes, one workgroup for each cube. A symmetry view is the cube as seen after a rotation or
// reflection. The view with the lexicographically smallest state is encoded, one-hot by sticker and color.

// Cube states [rows, WORDS]. A state has one byte for the position of each piece.
var<storage, read> states: array<u32>;
// For each row: if MAPS_MOVES the index of a move (input), else the index of the encoded symmetry view (output).
var<storage, $if(MAPS_MOVES)read$elseread_write$end> per_row: array<u32>;
var<storage, read_write> arena: array<f32>;

const GROUP: u32 = 64u;

var<workgroup> places: array<u32, PIECES>;
// State of the cube in each symmetry view, [VIEWS, WORDS].
var<workgroup> looks: array<u32, VIEWS * WORDS>;
var<workgroup> best: array<u32, GROUP>;
var<workgroup> encoded: array<f32, INPUTS>;

// Returns the byte of a piece, given the word of the cube state that contains this byte.
fn piece_of(word: u32, piece: u32) -> u32 {
    return (word >> (24u - 8u * (piece % 4u))) & 0xffu;
}

// Returns whether the state in symmetry view a is lexicographically smaller than the state in view b. Equal states are
// ordered by view index.
fn is_before(a: u32, b: u32) -> bool {
    for (var word = 0u; word < WORDS; word += 1u) {
        let x = looks[a * WORDS + word];
        let y = looks[b * WORDS + word];
        if (x != y) { return x < y; }
    }
    return a < b;
}

@compute @workgroup_size(GROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = group.x + group.y * 65535u;
    if (row >= u.rows) { return; }
    if (local < PIECES) {
        places[local] = piece_of(states[row * WORDS + local / 4u], local);
    }
    for (var input = local; input < INPUTS; input += GROUP) {
        encoded[input] = 0.0;
    }
    workgroupBarrier();
    if (local < VIEWS) {
        for (var word = 0u; word < WORDS; word += 1u) {
            var look = 0u;
            for (var piece = 4u * word; piece < 4u * word + 4u; piece += 1u) {
                let seen = local * PIECES + piece;
                look = (look << 8u) | tables[LOOKS + seen * PLACES + places[tables[SOURCES + seen]]];
            }
            looks[local * WORDS + word] = look;
        }
    }
    best[local] = select(0u, local, local < VIEWS);
    for (var half = GROUP / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local < half && is_before(best[local + half], best[local])) {
            best[local] = best[local + half];
        }
    }
    workgroupBarrier();
    let view = best[0];
    if (local < PIECES) {
        let place = piece_of(looks[view * WORDS + local / 4u], local);
        let ones = tables[STICKERS + local * PLACES + place];
        encoded[ones & 1023u] = 1.0;
        encoded[(ones >> 10u) & 1023u] = 1.0;
        encoded[ones >> 20u] = 1.0;
    } else if (local < PIECES + 6u) {
        // Center sticker of a face. Centers never move.
        let face = local - PIECES;
        encoded[6u * (9u * face + 4u) + face] = 1.0;
    }
    workgroupBarrier();
    for (var input = local; input < INPUTS; input += GROUP) {
        arena[u.input + row * INPUTS + input] = encoded[input];
    }
    if (local == 0u) {
        $if(MAPS_MOVES)
        arena[u.output + row] = f32(tables[SEEN + view * MOVES + per_row[row]]);
        $else
        per_row[row] = view;
        $end
    }
}
