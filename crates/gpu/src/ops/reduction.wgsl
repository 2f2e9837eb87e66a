// Sum, softmax or log-softmax of each line (vector of `width` elements along the last axis) of `a`, written to `y`. If
// GRADIENT, the gradient of softmax or log-softmax from its result `a` and the result's gradient `b`. LANES invocations
// process each line.
var<storage, read_write> arena: array<f32>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let line = (group.x + group.y * 65535u) * (THREADS / LANES) + t / LANES;
    // Invocations beyond the last line have no elements, but all invocations must reach every barrier.
    let width = select(0u, u.width, line < u.lines);
    let start = line * u.width;
    let lane = t % LANES;
    let lanes = LANES;
$if(SUM)
    var sum = 0.0;
    for (var i = lane; i < width; i += lanes) { sum += arena[u.a + start + i]; }
    sum = total(t, sum);
    if (lane < width && lane == 0u) { arena[u.y + line] = sum; }
$end
$if(SOFTMAX)
    var top = -3.4e38;
    for (var i = lane; i < width; i += lanes) { top = max(top, arena[u.a + start + i]); }
    top = largest(t, top);
    var sum = 0.0;
    for (var i = lane; i < width; i += lanes) { sum += safe_exp(arena[u.a + start + i] - top); }
    sum = total(t, sum);
    let log_sum = log(sum);
    for (var i = lane; i < width; i += lanes) {
        let x = arena[u.a + start + i];
        arena[u.y + start + i] = $if(LOG)(x - top) - log_sum$else safe_exp(x - top) / sum$end;
    }
$end
$if(GRADIENT)
    var sum = 0.0;
    for (var i = lane; i < width; i += lanes) {
        let y = arena[u.a + start + i];
        let dy = arena[u.b + start + i];
        sum += $if(LOG)dy$else dy * y$end;
    }
    sum = total(t, sum);
    for (var i = lane; i < width; i += lanes) {
        let y = arena[u.a + start + i];
        let dy = arena[u.b + start + i];
        arena[u.y + start + i] = $if(LOG)dy - safe_exp(y) * sum$else y * (dy - sum)$end;
    }
$end
}
