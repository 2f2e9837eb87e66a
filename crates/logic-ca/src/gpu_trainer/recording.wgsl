// Recording of the first board, soft and hard, as bytes 0 to 255 in the order [step][channel][cell]. An invocation
// packs four bytes.

var<storage, read> states: array<f32>;
var<storage, read> planes: array<u32>;
// States of the soft automaton, then states of the hard automaton.
var<storage, read_write> recording: array<u32>;

fn each(i: u32) {
    var soft = 0u;
    var hard = 0u;
    for (var k = 0u; k < 4u; k++) {
        let place = i * 4u + k;
        let row = place / CELLS;
        let cell = place % CELLS;
        if (row < (STEPS + 1u) * CHANNELS) {
            let value = states[row * BOARDS * PADDED + cell];
            soft |= u32(clamp(value, 0.0, 1.0) * 255.0 + 0.5) << (8u * k);
            let column = cell % WIDTH;
            let word = planes[row * WORDS + cell / WIDTH * ROW_WORDS + column / 32u];
            hard |= (255u * ((word >> (column % 32u)) & 1u)) << (8u * k);
        }
    }
    recording[i] = soft;
    recording[RECORDING_WORDS + i] = hard;
}
