// Causal attention, or a part of its gradient (FlashAttention, Dao et al., 2022). Each workgroup computes OWN tokens of
// one head, with SHARES invocations for each token.
//
// An invocation keeps the vectors and sums of its token in registers. The other tokens are loaded into workgroup memory
// in tiles of OTHERS tokens, which the invocations of a token divide among themselves. Their sums are added in a fixed
// order at the end. If BACK, the workgroup's tokens are queries, and the other tokens are keys and values up to the
// query. Otherwise the workgroup's tokens are keys or values, and the other tokens are queries from the key on.
var<storage, read_write> arena: array<f32>;
$if(GRADIENT)
// For each query: log-sum-exp of its attention scores, and Σ y·dy. The order is [lane][token], where a lane is one head
// of one sequence.
var<storage, $if(QUERIES)read_write$elseread$end> known: array<vec2<f32>>;
$end

var<workgroup> tile: array<vec4<f32>, TILE>;
$if(BACK)$else
// Copy of the entries of `known` for the queries in the current tile.
var<workgroup> known_here: array<vec2<f32>, OTHERS>;
$end

// Returns four adjacent elements of a query, key or value of one head, from `column` on. Elements beyond the last
// column are zero.
fn four(start: u32, column: u32) -> vec4<f32> {
    var value = vec4<f32>();
    $for(c, 4)
    $if(EDGE)if (column + $cu < HEAD) $end{ value[$c] = arena[start + column + $cu]; }
    $end
    return value;
}

fn set_four(start: u32, column: u32, value: vec4<f32>) {
    $for(c, 4)
    $if(EDGE)if (column + $cu < HEAD) $end{ arena[start + column + $cu] = value[$c]; }
    $end
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let number = group.x + group.y * 65535u;
    if (number >= u.workgroups) { return; }
    // A lane is one head of one sequence. Workgroups with the most work have the lowest numbers, so that they start
    // first.
    let lane = number % u.lanes;
    let first = $if(BACK)((u.workgroups - 1u - number) / u.lanes)$else (number / u.lanes)$end * OWN;
    let head = lane % u.heads;
    let first_line = lane / u.heads * u.tokens;
    let width = u.heads * HEAD;

    let place = t % OWN;
    let share = t / OWN;
    let own = first + place;
    let inside = own < u.tokens;
    let line = first_line + min(own, u.tokens - 1u);
    let query = u.qkv + line * 3u * width + head * HEAD;
    let result = line * width + head * HEAD;
    $if(LOG_SUM)
    let log_sum = u.log_sums + line * u.heads + head;
    $end
    // The query of the token if BACK, else its key, as vectors of four elements.
    $for(i, FOURS)
    let a$i = four(query$if(BACK)$else + width$end, $iu * 4u) * SCALE;
    $end
    $if(FORWARD)
    var largest = -3.4e38;
    var total = 0.0;
    $end
    $if(QUERIES)
    $for(i, FOURS)
    let b$i = four(u.dy + result, $iu * 4u);
    $end
    var products = 0.0;
    $for(i, FOURS)
    products += dot(b$i, four(u.y + result, $iu * 4u));
    $end
    let mine = vec2<f32>(arena[log_sum], products);
    if (inside && share == 0u) { known[lane * u.tokens + own] = mine; }
    $end
    $if(KEYS)
    $for(i, FOURS)
    let b$i = four(query + 2u * width, $iu * 4u);
    $end
    $end
    $for(i, FOURS)
    var sum$i = vec4<f32>();
    $end
    let end = $if(BACK)min(first + OWN, u.tokens)$elseu.tokens$end;
    for (var from_token = $if(BACK)0u$elsefirst$end; from_token < end; from_token += OTHERS) {
        let count = min(OTHERS, end - from_token);
        workgroupBarrier();
        for (var i = t; i < count * FOURS; i += THREADS) {
            let other_line = first_line + from_token + i / FOURS;
            let column = i % FOURS * 4u;
            let other_query = u.qkv + other_line * 3u * width + head * HEAD;
            $if(BACK)
            tile[i] = four(other_query + width, column);
            tile[SECOND + i] = four(other_query + 2u * width, column);
            $else
            let other_result = other_line * width + head * HEAD;
            tile[i] = four(other_query, column);
            tile[SECOND + i] = four(u.dy + other_result, column);
            $end
        }
        $if(BACK)$else
        if (t < count) { known_here[t] = known[lane * u.tokens + from_token + t]; }
        $end
        workgroupBarrier();
        for (var j = share; j < count; j += SHARES) {
            let other = from_token + j;
            if (inside && other $if(BACK)<=$else>=$end own) {
                let at = j * FOURS;
                var score_parts = a0 * tile[at];
                $for(i, 1..FOURS)
                score_parts = fma(a$i, tile[at + $iu], score_parts);
                $end
                let score = dot(score_parts, vec4<f32>(1.0));
                $if(FORWARD)
                if (score > largest) {
                    let shrunk = safe_exp(largest - score);
                    largest = score;
                    total *= shrunk;
                    $for(i, FOURS)
                    sum$i *= shrunk;
                    $end
                }
                let weight = safe_exp(score - largest);
                total += weight;
                $else
                let statistics = $if(QUERIES)mine$elseknown_here[j]$end;
                let weight = safe_exp(score - statistics.x);
                $end
                $if(VALUE_SUMS)
                $for(i, FOURS)
                sum$i = fma(vec4<f32>(weight), tile[SECOND + at + $iu], sum$i);
                $end
                $else
                var slope_parts = b0 * tile[SECOND + at];
                $for(i, 1..FOURS)
                slope_parts = fma(b$i, tile[SECOND + at + $iu], slope_parts);
                $end
                let slope = dot(slope_parts, vec4<f32>(1.0));
                let factor = weight * (slope - statistics.y) * SCALE;
                $for(i, FOURS)
                sum$i = fma(vec4<f32>(factor), tile[at + $iu], sum$i);
                $end
                $end
            }
        }
    }
    // The first invocation of a token adds the sums of the token's other invocations, in a fixed order.
    for (var giver = 1u; giver < SHARES; giver += 1u) {
        $if(FORWARD)
        workgroupBarrier();
        if (share == giver) { tile[TOTALS + place] = vec4<f32>(largest, total, 0.0, 0.0); }
        workgroupBarrier();
        let given = tile[TOTALS + place];
        let both = max(largest, given.x);
        let kept = safe_exp(largest - both);
        let taken = safe_exp(given.x - both);
        if (share == 0u) {
            largest = both;
            total = total * kept + given.y * taken;
        }
        $end
        $HAND_ON
    }
    if (inside && share == 0u) {
        $if(FORWARD)
        $for(i, FOURS)
        set_four(u.y + result, $iu * 4u, sum$i / total);
        $end
        arena[log_sum] = largest + log(total);
        $else
        let start = u.dqkv + line * 3u * width$if(KEYS) + width$end$if(VALUES) + 2u * width$end + head * HEAD;
        $for(i, FOURS)
        set_four(start, $iu * 4u, sum$i);
        $end
        $end
    }
}
