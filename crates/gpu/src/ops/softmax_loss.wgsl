// Cross-entropy loss of each row of logits at its target index, with LANES invocations for each row. If GRADIENT, also
// overwrites the logits with their gradient. The uniforms `logits`, `target_place`, `loss` and `dloss` are offsets in
// the arena.
var<storage, read_write> arena: array<f32>;

// Merges the partial results (maximum, sum of e^(logit − maximum)) of two sets of logits (online softmax; Milakov and
// Gimelshein, 2018).
fn join_softmax(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let largest = max(a.x, b.x);
    return vec2<f32>(largest, a.y * safe_exp(a.x - largest) + b.y * safe_exp(b.x - largest));
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let line = (group.x + group.y * 65535u) * (THREADS / LANES) + t / LANES;
    let inside = line < u.lines;
    // Invocations beyond the last row have no elements, but all invocations must reach every barrier.
    let entries = select(0u, u.entries, inside);
    let start = u.logits + line * u.entries;
    let lane = t % LANES;
    var found = vec2<f32>(-3.4e38, 0.0);
    for (var i = lane; i < entries; i += LANES) {
        let logit = arena[start + i];
        if (logit > found.x) {
            found = vec2<f32>(logit, found.y * safe_exp(found.x - logit) + 1.0);
        } else {
            found.y += safe_exp(logit - found.x);
        }
    }
    let all = joined(t, found);
    let log_sum = all.x + log(all.y);
    if (!inside) { return; }
    let index = arena[u.target_place + line];
    let chosen = select(0u, u32(min(index, f32(u.entries - 1u))), index > 0.0);
    $if(GRADIENT)
    {
        let d = arena[u.dloss + line];
        for (var i = lane; i < entries; i += LANES) {
            let logit = arena[start + i];
            if (i == chosen) { arena[u.loss + line] = log_sum - logit; }
            arena[start + i] = safe_exp(logit - log_sum) * d - select(0.0, d, i == chosen);
        }
    }
    $else
    if (lane == 0u) { arena[u.loss + line] = log_sum - arena[start + chosen]; }
    $end
}
