// Advances the step count after all environments have read it.

// Shared state of all environments; words 2 and 3 are the step count.
var<storage, read_write> board: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let low = board[2] + u.steps;
    board[2] = low;
    if (low < u.steps) {
        board[3] += 1u;
    }
}
