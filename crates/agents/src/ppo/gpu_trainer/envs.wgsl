// Bindings and functions shared by kernels over environments. The environment buffer is [row][env], for coalesced
// access.

var<storage, read> settings: array<u32>;
var<storage, read> progress: array<u32>;
var<storage, read_write> envs: array<u32>;
var<storage, read_write> arena: array<f32>;

fn setting(at: u32) -> f32 {
    return bitcast<f32>(settings[at]);
}

// Normalizes x, the value of observation dimension d.
fn normalized(x: f32, d: u32) -> f32 {
    if (settings[NORMALIZE_OBSERVATIONS] == 0u) {
        return x;
    }
    let mean = bitcast<f32>(progress[MOMENTS + 2u * d]);
    let variance = bitcast<f32>(progress[MOMENTS + 2u * d + 1u]);
    return clamp((x - mean) / sqrt(variance + EPSILON), -OBSERVATION_LIMIT, OBSERVATION_LIMIT);
}
