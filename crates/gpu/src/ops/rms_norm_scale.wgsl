// Gradient of the scale of a root-mean-square norm: sum of dy·x̂ over the rows of each gradient slice, one invocation for
// each column.
var<storage, read> arena: array<f32>;
var<storage, read> inverses: array<f32>;
var<storage, read_write> slices: array<f32>;

fn each(i: u32) {
    let column = i % u.width;
    let slice = i / u.width;
    let end = min((slice + 1u) * u.slice, u.rows);
    var sum = 0.0;
    for (var row = slice * u.slice; row < end; row += 1u) {
        let at = row * u.width + column;
        sum += arena[u.dy + at] * arena[u.x + at] * inverses[row];
    }
    slices[u.scale + slice * u.stride + column] $if(ACCUMULATE)+=$else=$end sum;
}
