var<storage, read_write> control: Control;
var<storage, read> partial_norms: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    let squares = sum_of_squares(local, u.count);
    if (local == 0u) { decide(squares, true); }
}
