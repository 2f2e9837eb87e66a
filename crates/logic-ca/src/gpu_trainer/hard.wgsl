// Interpreter of hard circuits, bit-sliced: 32 cells of a row per word. The circuit is data: stages of independent
// instructions, which the invocations of a workgroup execute in parallel. A workgroup evaluates WIDE words at a time
// and keeps their values in workgroup memory. A workgroup that owns whole boards runs several steps per dispatch.

var<storage, read> code: array<u32>;
var<storage, read> functions: array<u32>;
var<storage, read> bits: array<u32>;
var<storage, read> settings: array<u32>;
// States as bit planes, [state][channel][words]; a ring buffer of `kept` states.
var<storage, read_write> planes: array<u32>;

var<workgroup> slots: array<u32, 4096>;

// Returns the neighbors at neighborhood position `place` of the 32 cells of a word, in the plane at offset `base`.
fn neighbors(base: u32, word: u32, place: u32) -> u32 {
    let row = word / u.row_words;
    let k = word % u.row_words;
    let at_top = row % u.height == 0u;
    let at_bottom = row % u.height == u.height - 1u;
    var source = row;
    if (place < 3u) {
        if (at_top && u.periodic == 0u) {
            return 0u;
        }
        source = select(row - 1u, row + u.height - 1u, at_top);
    } else if (place > 5u) {
        if (at_bottom && u.periodic == 0u) {
            return 0u;
        }
        source = select(row + 1u, row + 1u - u.height, at_bottom);
    }
    let at = base + source * u.row_words;
    let here = planes[at + k];
    let last = u.row_words - 1u;
    let end = (u.width - 1u) % 32u;
    if (place % 3u == 0u) {
        if (k > 0u) {
            return (here << 1u) | (planes[at + k - 1u] >> 31u);
        }
        return (here << 1u) | ((planes[at + last] >> end) & u.periodic);
    }
    if (place % 3u == 2u) {
        if (k < last) {
            return (here >> 1u) | (planes[at + k + 1u] << 31u);
        }
        return (here >> 1u) | ((planes[at] & u.periodic) << end);
    }
    return here;
}

// Evaluates the gate function with the truth table `table` bitwise for 32 input pairs.
fn evaluated(table: u32, a: u32, b: u32) -> u32 {
    let both = 0u - (table & 1u);
    let a_alone = 0u - ((table >> 1u) & 1u);
    let b_alone = 0u - ((table >> 2u) & 1u);
    let neither = 0u - ((table >> 3u) & 1u);
    return (both & a & b) | (a_alone & a & ~b) | (b_alone & ~a & b) | (neither & ~a & ~b);
}

// Runs one automaton step for up to WIDE words from word `first` on; `end` is the end of this workgroup's words.
fn advance(step: u32, first: u32, end: u32, t: u32) {
    let state = settings[u.run + 1u] + step;
    let old_at = state % u.kept * u.channels * u.words;
    let new_at = (state + 1u) % u.kept * u.channels * u.words;
    for (var stage = 0u; stage < u.stages; stage++) {
        let start = code[stage];
        let count = code[stage + 1u] - start;
        workgroupBarrier();
        for (var i = t; i < count * WIDE; i += THREADS) {
            let at = u.stages + 1u + 2u * (start + i / WIDE);
            let word = first + i % WIDE;
            let operands = code[at];
            let rest = code[at + 1u];
            let function_at = rest >> 16u;
            var value = 0u;
            if (function_at == LOAD) {
                if (word < end) {
                    value = neighbors(old_at + (operands & 0xffffu) * u.words, word, operands >> 16u);
                }
            } else {
                let a = slots[(operands & 0xffffu) * WIDE + i % WIDE];
                let b = slots[(operands >> 16u) * WIDE + i % WIDE];
                value = evaluated(functions[function_at], a, b);
            }
            slots[(rest & 0xffffu) * WIDE + i % WIDE] = value;
        }
    }
    workgroupBarrier();
    for (var i = t; i < u.channels * WIDE; i += THREADS) {
        let channel = i / WIDE;
        let word = first + i % WIDE;
        if (word < end) {
            var value = slots[code[u.outputs + channel] * WIDE + i % WIDE];
            let at = channel * u.words + word;
            if (u.asynchronous == 1u) {
                let old = planes[old_at + at];
                value = old ^ ((old ^ value) & bits[u.mask_offset + step * u.words + word]);
            }
            let used = min(u.width - word % u.row_words * 32u, 32u);
            planes[new_at + at] = value & (0xffffffffu >> (32u - used));
        }
    }
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let start = (group.x + group.y * 65535u) * u.share;
    for (var i = 0u; i < u.most; i++) {
        let step = u.first + i;
        if (step < settings[u.run]) {
            for (var done = 0u; done < u.share; done += WIDE) {
                advance(step, start + done, min(start + u.share, u.words), t);
                workgroupBarrier();
            }
        }
        storageBarrier();
    }
}
