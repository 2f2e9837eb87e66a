// Advances the step count after all environments have read it.

var<storage, read_write> board: Board;

@compute @workgroup_size(1)
fn main() {
    board.tick_low += u.steps;
    if (board.tick_low < u.steps) {
        board.tick_high += 1u;
    }
}
