// Advances the shared step count of a batch of environments, in a dispatch after all environments have read the count.

var<storage, read_write> board: Board;

@compute @workgroup_size(1)
fn main() {
    board.tick_low += u.steps;
    if (board.tick_low < u.steps) {
        board.tick_high += 1u;
    }
}
