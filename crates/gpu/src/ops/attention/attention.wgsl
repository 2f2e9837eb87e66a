// Causal attention, or a part of its gradient (FlashAttention, Dao et al., 2022). Each workgroup computes $OWN tokens
// of one head, with $SHARES invocations per token.
//
// An invocation keeps the vectors and sums of its token in registers. The other tokens are loaded into workgroup memory
// in tiles of $OTHERS. The invocations of a token share the tokens of a tile; their sums are added in a fixed order at
// the end. Words starting with a dollar sign are filled in by shader.rs.
struct Uniforms {
    tokens: u32, heads: u32, lanes: u32, workgroups: u32,
    qkv: u32, y: u32, dy: u32, dqkv: u32,
    log_sums: u32,
}
@group(0) @binding(0) var<storage, read_write> arena: array<f32>;
$BINDINGS var<uniform> u: Uniforms;

const HEAD = $HEADu;
const WIDTH_IN_FOURS = $FOURSu;
const SCALE = $SCALE;

var<workgroup> tile: array<vec4<f32>, $TILE>;
$MEMORY
$MATH

// Four elements of a head from a column on; zeros beyond its last column.
fn four(start: u32, column: u32) -> vec4<f32> {
    $FOUR
}

fn set_four(start: u32, column: u32, value: vec4<f32>) {
    $SET_FOUR
}

@compute @workgroup_size($THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let number = group.x + group.y * 65535u;
    if (number >= u.workgroups) { return; }
    // A lane is one head of one sequence. Workgroups with the most work come first.
    let lane = number % u.lanes;
    let first = $FIRST * $OWNu;
    let head = lane % u.heads;
    let first_line = lane / u.heads * u.tokens;
    let width = u.heads * HEAD;

    let place = t % $OWNu;
    let share = t / $OWNu;
    let own = first + place;
    let inside = own < u.tokens;
    let line = first_line + min(own, u.tokens - 1u);
    let query = u.qkv + line * 3u * width + head * HEAD;
    let result = line * width + head * HEAD;
    let log_sum = u.log_sums + line * u.heads + head;
$OWN_VECTORS
    let end = $END;
    for (var from_token = $START; from_token < end; from_token += $OTHERSu) {
        let count = min($OTHERSu, end - from_token);
        workgroupBarrier();
        for (var i = t; i < count * WIDTH_IN_FOURS; i += $THREADSu) {
            let other_line = first_line + from_token + i / WIDTH_IN_FOURS;
            let column = i % WIDTH_IN_FOURS * 4u;
            let other_query = u.qkv + other_line * 3u * width + head * HEAD;
            let other_result = other_line * width + head * HEAD;
            tile[i] = four($TILE_A, column);
            tile[$SECONDu + i] = four($TILE_B, column);
        }
        $LOAD_KNOWN
        workgroupBarrier();
        for (var j = share; j < count; j += $SHARESu) {
            let other = from_token + j;
            if (inside && $SEEN) {
                let at = j * WIDTH_IN_FOURS;
$STEP
            }
        }
    }
$GATHER
    if (inside && share == 0u) {
$STORE
    }
}
