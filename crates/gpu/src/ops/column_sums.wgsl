// Column sums for the parameter gradients of biases and norms, over one slice of the rows: of dy if SHIFT, and of dy·x̂
// if NORM. Each workgroup sums ACROSS columns, with DOWN invocations for each column.

var<storage, read> arena: array<f32>;
var<storage, read_write> slices: array<f32>;
$if(NORM)
// Mean and 1/√(variance + ε) of each row of x.
var<storage, read> kept: array<vec2<f32>>;
$end

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let column = group.x * ACROSS + t % ACROSS;
    let start = group.z * u.slice;
    let end = select(start, min(start + u.slice, u.rows), column < u.width);
    var sum = vec2<f32>();
    for (var row = start + t / ACROSS; row < end; row += DOWN) {
        let dy = arena[u.dy + row * u.width + column];
        sum += vec2<f32>(
            dy,
            $if(NORM)(arena[u.x + row * u.width + column] - kept[row].x) * kept[row].y * dy$else 0.0$end,
        );
    }
    let total = total_of(t, sum);
    if (t < ACROSS && column < u.width) {
        let place = group.z * u.stride + column;
        $if(SHIFT)
        slices[u.shift + place] $if(ACCUMULATE)+=$else=$end total.x;
        $end
        $if(NORM)
        slices[u.scale + place] $if(ACCUMULATE)+=$else=$end total.y;
        $end
    }
}
