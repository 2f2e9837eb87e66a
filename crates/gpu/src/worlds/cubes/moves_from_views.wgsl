// Reorders the network's outputs, one for each move: from the moves in the symmetry view that was encoded to the moves
// of the original cube.

// Index of the symmetry view in which each cube was encoded, [rows].
var<storage, read> views: array<u32>;
var<storage, read> arena: array<f32>;
var<storage, read_write> guesses: array<f32>;

fn each(index: u32) {
    let row = index / MOVES;
    let seen = tables[SEEN + views[row] * MOVES + index % MOVES];
    guesses[index] = arena[u.output + row * MOVES + seen];
}
