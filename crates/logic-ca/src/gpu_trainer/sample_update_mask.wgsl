// Samples the update masks of all automaton steps of a submission; each invocation samples a word of up to 32 cells of
// a row.

var<storage, read> settings: array<u32>;
var<storage, read_write> masks: array<u32>;

fn each(i: u32) {
    let step = i / u.words;
    if (step < settings[RUN]) {
        let word = i % u.words;
        let first = word % u.row_words * 32u;
        let key = vec2(settings[FIRE_KEY], settings[FIRE_KEY + 1u]);
        let rate = bitcast<f32>(settings[FIRE_RATE]);
        let lane = word / u.row_words * u.width + first;
        masks[i] = update_mask_word(key, settings[FIRST_STEP] + step, lane, min(32u, u.width - first), rate);
    }
}
