// What the kernels of a rollout share. A lane's numbers lie in rows [row][lane], so that neighbours read neighbours.

struct Sizes {
    lanes: u32,
    horizon: u32,
    // Where the network's arena holds its observations [lanes, observation], policy [lanes, width] and values [lanes].
    observations: u32,
    policy: u32,
    values: u32,
    // How often one lane can be cut off within a rollout.
    cuts: u32,
    // How many steps a kernel for several takes.
    steps: u32,
}

@group(0) @binding(0) var<storage, read> settings: array<u32>;
@group(0) @binding(2) var<storage, read_write> lanes: array<u32>;
