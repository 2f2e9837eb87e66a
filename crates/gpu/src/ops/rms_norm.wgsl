// Root-mean-square norm of each row of x, or, if GRADIENT, its input gradient dx = (g − x̂·mean(g·x̂))/√(mean(x²) + ε) with
// x̂ = x/√(mean(x²) + ε) and g = scale·dy. LANES invocations process each row. Writes y or dx at the arena offset `y`.
var<storage, read_write> arena: array<f32>;
var<storage, read> parameters: array<f32>;
$if(GRADIENT)
// 1/√(mean(x²) + ε) of each row of x.
var<storage, read_write> inverses: array<f32>;
$end

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let row = (group.x + group.y * 65535u) * (THREADS / LANES) + t / LANES;
    // No columns for rows beyond the last.
    let columns = select(0u, u.width, row < u.rows);
    let lane = t % LANES;
    let start = u.x + row * u.width;
    var squares = 0.0;
    for (var j = lane; j < columns; j += LANES) { squares += arena[start + j] * arena[start + j]; }
    let inverse = 1.0 / sqrt(row_sum(t, squares) / f32(u.width) + EPSILON);
    $if(GRADIENT)
    let start_dy = u.dy + row * u.width;
    var products = 0.0;
    for (var j = lane; j < columns; j += LANES) {
        products += parameters[u.scale + j] * arena[start_dy + j] * arena[start + j] * inverse;
    }
    let mean = row_sum(t, products) / f32(u.width);
    for (var j = lane; j < columns; j += LANES) {
        let g = parameters[u.scale + j] * arena[start_dy + j];
        arena[u.y + row * u.width + j] = (g - arena[start + j] * inverse * mean) * inverse;
    }
    if (lane == 0u && columns > 0u) { inverses[row] = inverse; }
    $else
    for (var j = lane; j < columns; j += LANES) {
        arena[u.y + row * u.width + j] = arena[start + j] * inverse * parameters[u.scale + j];
    }
    $end
}
