// Network inputs of 3×3×3 cubes, one workgroup per cube. Encodes the symmetry view whose state is lexicographically
// smallest, one-hot by sticker and color.

// [rows, WORDS]: cube states, one byte for the position of each piece.
var<storage, read> states: array<u32>;
// [rows]: the index of a move, or the output for the index of the view.
var<storage, $if(MAPS_MOVES)read$elseread_write$end> per_row: array<u32>;
var<storage, read_write> arena: array<f32>;

const GROUP: u32 = 64u;

var<workgroup> places: array<u32, PIECES>;
// [VIEWS, WORDS]: the cube state in each symmetry view.
var<workgroup> looks: array<u32, VIEWS * WORDS>;
var<workgroup> best: array<u32, GROUP>;
var<workgroup> encoded: array<f32, INPUTS>;

// Returns the byte of a piece from the word of a cube state that contains this byte.
fn piece_of(word: u32, piece: u32) -> u32 {
    return (word >> (24u - 8u * (piece % 4u))) & 0xffu;
}

// Returns whether view a's state is smaller than view b's; ties go to the lower view.
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
        // The center sticker of a face, which never moves.
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
