// Copies a buffer.
var<storage, read> source: array<vec4<u32>>;
var<storage, read_write> copied: array<vec4<u32>>;

fn each(i: u32) { copied[i] = source[i]; }
