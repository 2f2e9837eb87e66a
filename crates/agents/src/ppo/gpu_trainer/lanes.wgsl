// What the kernels that go over lanes share. A lane's numbers lie in rows [row][lane], so that neighbors read neighbors.

@group(0) @binding(0) var<storage, read> settings: array<u32>;
@group(0) @binding(1) var<storage, read> progress: array<u32>;
@group(0) @binding(2) var<storage, read_write> lanes: array<u32>;
@group(0) @binding(3) var<storage, read_write> arena: array<f32>;

fn setting(at: u32) -> f32 {
    return bitcast<f32>(settings[at]);
}

// What the network sees of the number x of dimension d.
fn normalized(x: f32, d: u32) -> f32 {
    if (settings[NORMALIZE_OBSERVATIONS] == 0u) {
        return x;
    }
    let mean = bitcast<f32>(progress[MOMENTS + 2u * d]);
    let variance = bitcast<f32>(progress[MOMENTS + 2u * d + 1u]);
    return clamp((x - mean) / sqrt(variance + EPSILON), -OBSERVATION_LIMIT, OBSERVATION_LIMIT);
}
