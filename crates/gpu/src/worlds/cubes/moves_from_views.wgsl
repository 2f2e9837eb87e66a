// Maps the network's output for each move from the symmetry view that was encoded to the moves of the original cube.

// [rows]: the view of each cube.
@group(0) @binding(1) var<storage, read> views: array<u32>;
@group(0) @binding(2) var<storage, read> arena: array<f32>;
@group(0) @binding(3) var<storage, read_write> guesses: array<f32>;

fn each(index: u32) {
    let row = index / MOVES;
    let seen = tables[SEEN + views[row] * MOVES + index % MOVES];
    guesses[index] = arena[u.output + row * MOVES + seen];
}
