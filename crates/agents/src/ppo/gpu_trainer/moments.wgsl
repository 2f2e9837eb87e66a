// Takes the rollout's observations and discounted returns into the moments that scale them. A workgroup does one quantity:
// the dimensions of the observation, then the discounted return. It knows the sums about the mean so far of each lane.

@group(0) @binding(0) var<storage, read> settings: array<u32>;
@group(0) @binding(1) var<storage, read_write> progress: array<u32>;
@group(0) @binding(2) var<storage, read> lanes: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) here: u32) {
    let quantity = group.x;
    let row = (SUMS + 2u * quantity) * u.lanes;
    var sum = vec2(0.0);
    for (var lane = here; lane < u.lanes; lane += 256u) {
        sum += bitcast<vec2<f32>>(vec2(lanes[row + lane], lanes[row + u.lanes + lane]));
    }
    let all = total(here, sum);
    if (here == 0u) {
        let samples = f32(u.lanes * u.horizon);
        let distance = all.x / samples;
        let variance = max(all.y / samples - distance * distance, 0.0);
        // New samples as a share of all; the host counts, for f32 could not.
        let share = bitcast<f32>(settings[select(OBSERVATION_SHARE, RETURN_SHARE, quantity == OBSERVATION_LEN)]);
        let at = MOMENTS + 2u * quantity;
        let before = bitcast<f32>(progress[at + 1u]);
        progress[at] = bitcast<u32>(fma(distance, share, bitcast<f32>(progress[at])));
        progress[at + 1u] = bitcast<u32>(
            (1.0 - share) * before + share * (variance + (1.0 - share) * distance * distance),
        );
    }
}
