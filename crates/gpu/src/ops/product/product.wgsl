// Matrix product C[m, n] = Σ_k A[m, k]·B[k, n]. Each workgroup computes one tile of BM rows and BN columns; each
// iteration of its main loop advances by BK along k.
//
// Both operands are staged in workgroup memory as vectors of four along m and n. For each step of k, an invocation thus
// reads one vector for every four of its rows and columns. Workgroup memory holds two blocks of the operands: while an
// iteration multiplies one block, it loads the next one, so that one barrier per iteration suffices.
//
// An invocation computes 4·HALVES rows and 4·QUADS columns. A quad is a vector of four adjacent columns; quad number j
// in row 4·h + r is the variable c$h$r_$j. Each quad has its own variable, because some drivers keep arrays in memory.
var<storage, $ARENA_ACCESS> arena: array<$ARENA_ELEMENT>;
var<storage, $OTHER_ACCESS> other: array<$OTHER_ELEMENT>;
$if(TOGETHER)
var<private> u: Uniforms;
$end

var<workgroup> tile: array<vec4<f32>, TILE_LEN>;

// Returns the elements of A in the rows m to m + 3 at step k of the inner dimension; zeros beyond the edges of the
// matrix and from step `k_end` on. `load_b` does the same for the columns of B. If the rows of the stored matrix run
// along k, the four elements are in four rows.
fn load_a(m: u32, k: u32, k_end: u32) -> vec4<f32> {
    if (k >= k_end) { return vec4<f32>(); }
    return $if(A_ALONG_DEPTH)read_column_arena(u.a, m, u.m, u.k, k)$else read_arena(u.a, k, u.m, m)$end;
}

fn load_b(n: u32, k: u32, k_end: u32) -> vec4<f32> {
    if (k >= k_end) { return vec4<f32>(); }
    $if(B_ALONG_DEPTH)
    return $if(GRADIENT)read_column_arena$else read_column_other$end(u.b, n, u.n, u.k, k);
    $else
    return $if(GRADIENT)read_arena$else read_other$end(u.b, k, u.n, n);
    $end
}

// Returns the position of vector `number` of a staged operand: its index along m or n, and its step of k. An operand has
// `quads` vectors per step. Adjacent invocations load adjacent vectors. If the rows of the stored matrix run along k,
// the steps of at most eight vectors are loaded together, because they are adjacent in the stored matrix.
fn place_of(number: u32, along_depth: bool, quads: u32) -> vec2<u32> {
    let group = select(quads, min(quads, 8u), along_depth);
    return vec2(number % group + group * (number / (group * BK)), number / group % BK);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    $if(TOGETHER)
    // Several products share a dispatch: selects the uniforms of this workgroup's product, and the index of its part of
    // the inner dimension k. The local `u` shadows the private `u`, because only the local one is uniform for the
    // compiler.
    u = all[group.z % PRODUCTS];
    let u = all[group.z % PRODUCTS];
    let part = group.z / PRODUCTS;
    $else
    let part = group.z;
    $end
    let number = group.x + group.y * 65535u;
    let first_m = (number / u.tiles_n) * BM;
    let first_n = (number % u.tiles_n) * BN;
    if (first_m >= u.m) { return; }
    let k_start = part * u.slice;
    let k_end = min(k_start + u.slice, u.k);

    // Position of this invocation in the tile: column, row, and index of its share of k.
    let place = t % GRID;
    $if(PATCHES)
    // 32 consecutive invocations form a patch of 8 × 4, which minimizes the number of distinct workgroup-memory words
    // that they read.
    let tx = place % 8u + 8u * (place / 32u % (ACROSS / 8u));
    let ty = place / 8u % 4u + 4u * (place / (4u * ACROSS));
    $else
    let tx = place % ACROSS;
    let ty = place / ACROSS;
    $end
    let share = t / GRID;
    $for(h, HALVES)$for(r, 4)$for(j, QUADS)
    var c$h$r_$j = vec4<f32>();
    $end$end$end
    $if(COLUMN_SUMS)
    var column_sum = vec4<f32>();
    $end
    // Vectors that this invocation loads in each iteration.
    $for(i, A_LOADS)
    let a_place$i = place_of(t + $iu * THREADS, A_ALONG_DEPTH, A_QUADS);
    var a_next$i = vec4<f32>();
    $end
    $for(i, B_LOADS)
    let b_place$i = place_of(t + $iu * THREADS, B_ALONG_DEPTH, B_QUADS);
    var b_next$i = vec4<f32>();
    $end
    // Position of the current block in workgroup memory.
    var block = 0u;
    for (var k = k_start; k < k_end + BK; k += BK) {
        // The load overlaps with the multiplication of the previous block. The last iteration only multiplies.
        if (k < k_end) {
            $for(i, A_LOADS)
            $if(A_RAGGED)if (t + $iu * THREADS < A_VECTORS) $end{
                a_next$i = load_a(first_m + a_place$i.x * 4u, k + a_place$i.y, k_end);
            }
            $end
            $for(i, B_LOADS)
            $if(B_RAGGED)if (t + $iu * THREADS < B_VECTORS) $end{
                b_next$i = load_b(first_n + b_place$i.x * 4u, k + b_place$i.y, k_end);
            }
            $end
        }
        if (k > k_start) {
            // Multiplies UNROLLED steps of k in each iteration.
            var a_at = block + share * A_QUADS + ty;
            var b_at = block + B_BASE + share * B_QUADS + tx;
            for (var step = 0u; step < STEPS; step += 1u) {
                $for(s, UNROLLED)
                {
                    $for(h, HALVES)
                    let a$h = tile[a_at + ($su * SPLIT * A_QUADS + $hu * DOWN)];
                    $end
                    $for(j, QUADS)
                    let b$j = tile[b_at + ($su * SPLIT * B_QUADS + $ju * ACROSS)];
                    $end
                    $for(h, HALVES)$for(r, 4)$for(j, QUADS)
                    c$h$r_$j = fma(vec4<f32>(a$h[$r]), b$j, c$h$r_$j);
                    $end$end$end
                }
                $end
                a_at += UNROLLED * SPLIT * A_QUADS;
                b_at += UNROLLED * SPLIT * B_QUADS;
            }
            $if(COLUMN_SUMS)
            // Bias gradient: the workgroups with the first rows also sum the columns of dy.
            if (first_m == 0u && t < B_QUADS) {
                for (var line = 0u; line < BK; line += 1u) {
                    column_sum += tile[block + B_BASE + line * B_QUADS + t];
                }
            }
            $end
        }
        // Stores the loaded block beside the one that other invocations may still multiply.
        block = BLOCK_LEN - block;
        if (k < k_end) {
            $for(i, A_LOADS)
            $if(A_RAGGED)if (t + $iu * THREADS < A_VECTORS) $end{
                tile[block + a_place$i.y * A_QUADS + a_place$i.x] = a_next$i;
            }
            $end
            $for(i, B_LOADS)
            $if(B_RAGGED)if (t + $iu * THREADS < B_VECTORS) $end{
                tile[block + B_BASE + b_place$i.y * B_QUADS + b_place$i.x] = b_next$i;
            }
            $end
        }
        workgroupBarrier();
    }
    // Adds the partial sums of the shares of k (split-K) by a tree reduction in a fixed order.
    $for(d, HALVINGS)
    workgroupBarrier();
    if (share >= (SPLIT >> ($du + 1u)) && share < (SPLIT >> $du)) {
        let start = (share - (SPLIT >> ($du + 1u))) * SHARE_LEN + place;
        $for(h, HALVES)$for(r, 4)$for(j, QUADS)
        tile[start + (($hu * 4u + $ru) * QUADS + $ju) * GRID] = c$h$r_$j;
        $end$end$end
    }
    workgroupBarrier();
    if (share < (SPLIT >> ($du + 1u))) {
        let start = share * SHARE_LEN + place;
        $for(h, HALVES)$for(r, 4)$for(j, QUADS)
        c$h$r_$j += tile[start + (($hu * 4u + $ru) * QUADS + $ju) * GRID];
        $end$end$end
    }
    $end
    $for(j, QUADS)
    let n$j = first_n + ($ju * ACROSS + tx) * 4u;
    $end
    $for(h, HALVES)$for(r, 4)
    let m$h$r = first_m + ty * 4u + ($hu * DOWN * 4u + $ru);
    $end$end
    $if(BIAS)
    $for(j, QUADS)
    let bias$j = read_other(u.bias, 0u, u.n, n$j);
    $for(h, HALVES)$for(r, 4)
    c$h$r_$j += bias$j;
    $end$end
    $end
    $end
    $if(NORM)
    // Layer norm if CENTERED, else root-mean-square norm. Rows fit one workgroup, and each invocation has a part of
    // four rows. Row sums pass through workgroup memory, and all invocations add them in the same order. Columns beyond
    // the last are zero and do not change the mean.
    workgroupBarrier();
    $if(CENTERED)
    tile[ty * ACROSS + tx] = vec4<f32>(
        $for(r, 4)
        dot(c0$r_0$for(j, 1..QUADS) + c0$r_$j$end, vec4<f32>(1.0)),
        $end
    );
    workgroupBarrier();
    var mean = vec4<f32>();
    for (var other_x = 0u; other_x < ACROSS; other_x += 1u) { mean += tile[ty * ACROSS + other_x]; }
    mean /= f32(u.n);
    $for(j, QUADS)
    let inside$j = select(vec4<f32>(0.0), vec4<f32>(1.0), n$j + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(u.n));
    $for(r, 4)
    c0$r_$j = (c0$r_$j - mean[$r]) * inside$j;
    $end
    $end
    workgroupBarrier();
    $end
    tile[ty * ACROSS + tx] = vec4<f32>(
        $for(r, 4)
        dot(c0$r_0 * c0$r_0$for(j, 1..QUADS) + c0$r_$j * c0$r_$j$end, vec4<f32>(1.0)),
        $end
    );
    workgroupBarrier();
    var variance = vec4<f32>();
    for (var other_x = 0u; other_x < ACROSS; other_x += 1u) { variance += tile[ty * ACROSS + other_x]; }
    variance /= f32(u.n);
    let inverse_deviation = 1.0 / sqrt(variance + vec4<f32>(EPSILON));
    $for(j, QUADS)
    let scale$j = read_other(u.scale, 0u, u.n, n$j);
    $if(SHIFT)
    let shift$j = read_other(u.shift, 0u, u.n, n$j);
    $end
    $for(r, 4)
    c0$r_$j = c0$r_$j * inverse_deviation[$r] * scale$j$if(SHIFT) + shift$j$end;
    $end
    $end
    $end
    // Only the invocations with share 0 have the complete sums.
    $if(IS_SPLIT)if (share == 0u) $end{
        $for(h, HALVES)$for(r, 4)
        if (m$h$r < u.m) {
            $for(j, QUADS)
            $if(GRADIENT)
            write_other(
                u.c + part * u.stride, m$h$r, u.n, n$j,
                c$h$r_$j$if(ACCUMULATE) + read_other(u.c + part * u.stride, m$h$r, u.n, n$j)$end,
            );
            $else
            let sum_$j = c$h$r_$j$if(RESIDUAL) + read_arena(u.residual, m$h$r, u.n, n$j)$end;
            write_arena(
                u.c, m$h$r, u.n, n$j,
                $if(ACTIVATED)$ACTIVATION($if(SLOPED)read_arena(u.saved, m$h$r, u.n, n$j), $end sum_$j)$else sum_$j$end,
            );
            $end
            $end
        }
        $end$end
    }
    $if(COLUMN_SUMS)
    if (first_m == 0u && t < B_QUADS) {
        let start = u.bias + part * u.stride;
        let column = first_n + t * 4u;
        $if(ACCUMULATE)
        column_sum += read_other(start, 0u, u.n, column);
        $end
        write_other(start, 0u, u.n, column, column_sum);
    }
    $end
}
