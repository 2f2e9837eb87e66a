// Samples the batch of an epoch: initial states of the soft and hard automata, rounding flags and update masks. An
// invocation samples a word of up to 32 cells of a row. The random numbers equal the CPU learner's.

var<storage, read_write> bits: array<u32>;
var<storage, read_write> states: array<f32>;
var<storage, read_write> planes: array<u32>;

const HEIGHT = CELLS / WIDTH;

// Returns the random bits of the block of 64 lanes that contains `lane`, for one channel.
fn noise(channel: u32, lane: u32) -> vec2<u32> {
    let step = channel * ((BOARDS * CELLS + 63u) / 64u) + lane / 64u;
    return threefry(vec2(settings[START_KEY], settings[START_KEY + 1u]), vec2(settings[EPOCH], step));
}

fn neighborhood(board: u32) -> u32 {
    let key = vec2(settings[START_KEY], settings[START_KEY + 1u]);
    return threefry(key, vec2(settings[EPOCH], board)).x % 512u;
}

fn start(channel: u32, word: u32) {
    let row = word / ROW_WORDS;
    let board = row / HEIGHT;
    let first = word % ROW_WORDS * 32u;
    let kind = settings[START_KIND];
    var drawn = vec2(0u);
    if (kind == NEIGHBORHOODS) {
        drawn.x = neighborhood(board);
    }
    var plane = 0u;
    for (var column = first; column < min(first + 32u, WIDTH); column++) {
        let cell = row % HEIGHT * WIDTH + column;
        let lane = board * CELLS + cell;
        var bit = 0u;
        if (kind == RANDOM) {
            if (column == first || lane % 64u == 0u) {
                drawn = noise(channel, lane);
            }
            bit = (select(drawn.x, drawn.y, lane % 64u >= 32u) >> (lane % 32u)) & 1u;
        } else if (kind == SEED) {
            bit = select(0u, 1u, cell == HEIGHT / 2u * WIDTH + WIDTH / 2u);
        } else if (kind == NEIGHBORHOODS) {
            bit = (drawn.x >> cell) & 1u;
        }
        states[(channel * BOARDS + board) * PADDED + cell] = f32(bit);
        plane |= bit << (column - first);
    }
    planes[channel * WORDS + word] = plane;
}

fn each(i: u32) {
    if (i < CHANNELS * WORDS) {
        start(i / WORDS, i % WORDS);
    } else if (i < CHANNELS * WORDS + STEPS) {
        let step = i - CHANNELS * WORDS;
        // The last state is never rounded, because the loss needs the unrounded cells.
        bits[ROUNDED_AT + step] = select(0u, 1u, step + 1u < STEPS && is_hard(GATES + step));
    } else if (ASYNCHRONOUS && i < (CHANNELS + STEPS) * WORDS + STEPS) {
        let number = i - CHANNELS * WORDS - STEPS;
        let word = number % WORDS;
        let first = word % ROW_WORDS * 32u;
        let key = vec2(settings[FIRE_KEY], settings[FIRE_KEY + 1u]);
        let lane = word / ROW_WORDS * WIDTH + first;
        let rate = bitcast<f32>(settings[FIRE_RATE]);
        bits[UPDATE_MASK_AT + number] = update_mask_word(key, number / WORDS, lane, min(32u, WIDTH - first), rate);
    }
}
