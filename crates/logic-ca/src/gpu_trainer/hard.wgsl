// Interpreter of hard circuits, bit-sliced: 32 cells of a row per word. The circuit is data: stages of independent
// instructions, which the invocations of a workgroup execute in parallel. A workgroup evaluates WIDE words at a time
// and keeps their values in workgroup memory. A workgroup that owns whole boards runs several steps per dispatch.

struct Sizes {
    // First step of this dispatch, counted from the first step of the run, and maximum number of steps of this
    // dispatch.
    first: u32,
    most: u32,
    channels: u32,
    height: u32,
    width: u32,
    periodic: u32,
    // Number of words per row, per plane, and per workgroup.
    row_words: u32,
    words: u32,
    share: u32,
    // Number of states in the ring buffer `planes`.
    kept: u32,
    // Number of stages, and offset in `code` of the slots that hold the outputs.
    stages: u32,
    outputs: u32,
    // 1 if there is an update mask, and the offset of the masks in `bits`, [step of the run][words].
    asynchronous: u32,
    mask_offset: u32,
    // Offset in `settings` of two words: number of steps of the run, and index of the initial state in `planes`.
    run: u32,
}

@group(0) @binding(0) var<storage, read> code: array<u32>;
@group(0) @binding(1) var<storage, read> functions: array<u32>;
@group(0) @binding(2) var<storage, read> bits: array<u32>;
@group(0) @binding(3) var<storage, read> settings: array<u32>;
// States as bit planes, [state][channel][words]; a ring buffer of `kept` states.
@group(0) @binding(4) var<storage, read_write> planes: array<u32>;
@group(0) @binding(5) var<uniform> s: Sizes;

var<workgroup> slots: array<u32, 4096>;

// Returns the neighbors at neighborhood position `place` of the 32 cells of a word, in the plane at offset `base`.
fn neighbors(base: u32, word: u32, place: u32) -> u32 {
    let row = word / s.row_words;
    let k = word % s.row_words;
    let at_top = row % s.height == 0u;
    let at_bottom = row % s.height == s.height - 1u;
    var source = row;
    if (place < 3u) {
        if (at_top && s.periodic == 0u) {
            return 0u;
        }
        source = select(row - 1u, row + s.height - 1u, at_top);
    } else if (place > 5u) {
        if (at_bottom && s.periodic == 0u) {
            return 0u;
        }
        source = select(row + 1u, row + 1u - s.height, at_bottom);
    }
    let at = base + source * s.row_words;
    let here = planes[at + k];
    let last = s.row_words - 1u;
    let end = (s.width - 1u) % 32u;
    if (place % 3u == 0u) {
        if (k > 0u) {
            return (here << 1u) | (planes[at + k - 1u] >> 31u);
        }
        return (here << 1u) | ((planes[at + last] >> end) & s.periodic);
    }
    if (place % 3u == 2u) {
        if (k < last) {
            return (here >> 1u) | (planes[at + k + 1u] << 31u);
        }
        return (here >> 1u) | ((planes[at] & s.periodic) << end);
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
    let state = settings[s.run + 1u] + step;
    let old_at = state % s.kept * s.channels * s.words;
    let new_at = (state + 1u) % s.kept * s.channels * s.words;
    for (var stage = 0u; stage < s.stages; stage++) {
        let start = code[stage];
        let count = code[stage + 1u] - start;
        workgroupBarrier();
        for (var i = t; i < count * WIDE; i += THREADS) {
            let at = s.stages + 1u + 2u * (start + i / WIDE);
            let word = first + i % WIDE;
            let operands = code[at];
            let rest = code[at + 1u];
            let function_at = rest >> 16u;
            var value = 0u;
            if (function_at == LOAD) {
                if (word < end) {
                    value = neighbors(old_at + (operands & 0xffffu) * s.words, word, operands >> 16u);
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
    for (var i = t; i < s.channels * WIDE; i += THREADS) {
        let channel = i / WIDE;
        let word = first + i % WIDE;
        if (word < end) {
            var value = slots[code[s.outputs + channel] * WIDE + i % WIDE];
            let at = channel * s.words + word;
            if (s.asynchronous == 1u) {
                let old = planes[old_at + at];
                value = old ^ ((old ^ value) & bits[s.mask_offset + step * s.words + word]);
            }
            let used = min(s.width - word % s.row_words * 32u, 32u);
            planes[new_at + at] = value & (0xffffffffu >> (32u - used));
        }
    }
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let start = (group.x + group.y * 65535u) * s.share;
    for (var i = 0u; i < s.most; i++) {
        let step = s.first + i;
        if (step < settings[s.run]) {
            for (var done = 0u; done < s.share; done += WIDE) {
                advance(step, start + done, min(start + s.share, s.words), t);
                workgroupBarrier();
            }
        }
        storageBarrier();
    }
}
