// What the kernels share that judge a whole rollout.

struct Sizes {
    lanes: u32,
    horizon: u32,
}

@group(0) @binding(0) var<storage, read> settings: array<u32>;
@group(0) @binding(1) var<storage, read_write> progress: array<u32>;
@group(0) @binding(2) var<storage, read_write> lanes: array<u32>;
