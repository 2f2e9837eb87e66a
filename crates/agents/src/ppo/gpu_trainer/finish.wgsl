// Checks before an optimizer step: logs the metrics, stops on numbers that are not finite, and stops the update after
// an epoch that exceeded the KL limit.

var<storage, read> settings: array<u32>;
var<storage, read_write> progress: array<u32>;
var<storage, read> measurements: array<f32>;
var<storage, read_write> control: Control;
var<storage, read> partial_norms: array<f32>;

// Returns the sum of the values of a metric from word `first` on.
fn total_of(here: u32, first: u32) -> f32 {
    var mine = 0.0;
    for (var i = here; i < u.measured; i += 256u) {
        mine += measurements[first + i];
    }
    return total(here, mine);
}

// Tests the exponent bits, because shader compilers may assume finite numbers.
fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn halt(why: u32, value: f32) {
    progress[HALTED] = why;
    progress[HALTED_VALUE] = bitcast<u32>(value);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) here: u32) {
    let squares = sum_of_squares(here, u.norms);
    var measured: array<f32, MEASUREMENTS>;
    $for(i, MEASUREMENTS)
    measured[$i] = total_of(here, u.metric_$i);
    $end
    if (here != 0u) {
        return;
    }
    if (progress[HALTED] == 0u && progress[STOPPED] == 0u) {
        if (!is_finite(squares)) {
            halt(HALTED_BY_GRADIENT, sqrt(squares));
        } else if (!is_finite(measured[POLICY_LOSS])) {
            halt(HALTED_BY_POLICY_LOSS, measured[POLICY_LOSS]);
        } else if (!is_finite(measured[VALUE_LOSS])) {
            halt(HALTED_BY_VALUE_LOSS, measured[VALUE_LOSS]);
        }
    }
    let wanted = progress[HALTED] == 0u && progress[STOPPED] == 0u;
    decide(squares, wanted);
    if (!wanted) {
        return;
    }
    let log = LOG + progress[UPDATE] * LOG_LEN;
    for (var measurement = 0u; measurement < MEASUREMENTS; measurement++) {
        progress[log + measurement] = bitcast<u32>(measured[measurement]);
    }
    progress[log + MEASUREMENTS] = bitcast<u32>(control.norm);
    progress[UPDATE] += 1u;

    let divergence = bitcast<f32>(progress[EPOCH_KL]) + measured[KL];
    progress[EPOCH_KL] = bitcast<u32>(divergence);
    progress[PLACE] += u.rows;
    if (progress[PLACE] >= u.batch) {
        let target_kl = bitcast<f32>(settings[TARGET_KL]);
        progress[STOPPED] = u32(target_kl > 0.0 && divergence / f32(u.batch) > target_kl);
        progress[EPOCH_KL] = 0u;
        progress[PLACE] = 0u;
        progress[EPOCH] += 1u;
    }
}
