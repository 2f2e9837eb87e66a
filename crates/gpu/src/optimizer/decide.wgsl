// Gradient clipping, and the decision whether to apply an optimizer step. The shader must have these bindings:
// var<storage, read_write> control: Control;      var<storage, read> partial_norms: array<f32>;

// Returns the squared gradient norm Σ g², the total of `count` partial sums. All 256 invocations of the workgroup must
// call the function.
fn sum_of_squares(local: u32, count: u32) -> f32 {
    var sum = 0.0;
    for (var i = local; i < count; i += 256u) { sum += partial_norms[i]; }
    return norm_total(local, sum);
}

// Prepares the next optimizer step, given the squared gradient norm. Skips the step if the norm is not finite or
// `wanted` is false. Called by one invocation.
fn decide(squares: f32, wanted: bool) {
    let norm = sqrt(squares);
    let finite = (bitcast<u32>(norm) & 0x7f800000u) != 0x7f800000u;
    control.norm = norm;
    control.apply = 0u;
    if (!finite) { control.refused += 1u; }
    if (!finite || !wanted) { return; }
    control.step += 1u;
    let t = f32(control.step);
    control.correction1 = 1.0 / one_minus_exp(t * control.log_beta1);
    control.correction2 = 1.0 / one_minus_exp(t * control.log_beta2);
    let clips = control.largest_norm > 0.0 && norm > control.largest_norm;
    control.scale = select(1.0, control.largest_norm / norm, clips);
    control.apply = 1u;
}
