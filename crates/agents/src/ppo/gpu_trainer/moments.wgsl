// Merges the rollout's observations and discounted returns into the running moments (Chan, Golub and LeVeque 1979). One
// workgroup per quantity: the observation dimensions, then the discounted return. Input: each environment's sums of
// deviations from the current mean.

var<storage, read> settings: array<u32>;
var<storage, read_write> progress: array<u32>;
var<storage, read> envs: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) here: u32) {
    let quantity = group.x;
    let row = (SUMS + 2u * quantity) * u.num_envs;
    var sum = vec2(0.0);
    for (var env = here; env < u.num_envs; env += 256u) {
        sum += bitcast<vec2<f32>>(vec2(envs[row + env], envs[row + u.num_envs + env]));
    }
    let all = total(here, sum);
    if (here == 0u) {
        let samples = f32(u.num_envs * u.horizon);
        let distance = all.x / samples;
        let variance = max(all.y / samples - distance * distance, 0.0);
        // Fraction of new samples. The host computes it, because f32 cannot represent the counts exactly.
        let share = bitcast<f32>(settings[select(OBSERVATION_SHARE, RETURN_SHARE, quantity == OBSERVATION_LEN)]);
        let at = MOMENTS + 2u * quantity;
        let before = bitcast<f32>(progress[at + 1u]);
        progress[at] = bitcast<u32>(fma(distance, share, bitcast<f32>(progress[at])));
        progress[at + 1u] = bitcast<u32>(
            (1.0 - share) * before + share * (variance + (1.0 - share) * distance * distance),
        );
    }
}
