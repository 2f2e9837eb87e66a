// Maps the network's output for each move from the symmetry view that was encoded to the moves of the original cube.

// [rows]: index of the symmetry view in which each cube was encoded.
var<storage, read> views: array<u32>;
var<storage, read> arena: array<f32>;
var<storage, read_write> guesses: array<f32>;

fn each(index: u32) {
    let row = index / MOVES;
    let seen = tables[SEEN + views[row] * MOVES + index % MOVES];
    guesses[index] = arena[u.output + row * MOVES + seen];
}
