// Shared code of layer norm and its gradient. $LANES invocations (or a subgroup) process each row. They compute first
// the mean, then the variance from the deviations, as the CPU engine does. Words starting with a dollar sign are filled
// in by layer_norm.rs.

@group(0) @binding(0) var<storage, read_write> arena: array<f32>;
@group(0) @binding(1) var<storage, read> parameters: array<f32>;
$BINDING

$ROW_SUM
$MATH

// Mean and 1/√(variance + ε) of the row at `start`; `columns` is 0 for rows beyond the last.
fn statistics(start: u32, columns: u32, lane: u32, lanes: u32) -> vec2<f32> {
    var sum = 0.0;
    for (var j = lane; j < columns; j += lanes) { sum += arena[start + j]; }
    let mean = row_sum(vec2<f32>(sum, 0.0)).x / f32(u.width);
    var squares = 0.0;
    for (var j = lane; j < columns; j += lanes) {
        let deviation = arena[start + j] - mean;
        squares += deviation * deviation;
    }
    let variance = row_sum(vec2<f32>(squares, 0.0)).x / f32(u.width);
    return vec2<f32>(mean, 1.0 / sqrt(variance + $EPSILON));
}

$DO_ROW

$MAIN
