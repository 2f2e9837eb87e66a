// Dynamics of Acrobot-v1, with the same order of operations as the CPU environment. Constants: torque, alpha, beta,
// gamma, gamma (alpha - gamma), g (c m1 + l m2), g c m2, with the symbols of the CPU environment.

fn derivative(c: Constants, state: State, torque: f32, push: f32) -> State {
    let upper_turned = sin_cos(state[0]);
    let lower_turned = sin_cos(state[1]);
    let sin1 = upper_turned.x;
    let cos1 = upper_turned.y;
    let sin2 = lower_turned.x;
    let cos2 = lower_turned.y;
    let omega1 = state[2];
    let omega2 = state[3];
    let d2 = fma(cos2, c[2], c[3]);
    let d1 = fma(cos2, 2.0 * c[2], c[1]);
    // beta sin theta2, and sin(theta1 + theta2) by the addition theorem.
    let swing = sin2 * c[2];
    let phi2 = fma(sin1, cos2, cos1 * sin2) * c[6];
    let phi1 = fma(-swing, omega2 * fma(omega1, 2.0, omega2), fma(sin1, c[5], phi2));
    let upper = push - phi1;
    let lower = fma(-swing, omega1 * omega1, torque - phi2);
    let bent = cos2 * c[2];
    let inverse = 1.0 / fma(-bent, bent, c[4]);
    return State(
        omega1,
        omega2,
        fma(upper, c[3], -(d2 * lower)) * inverse,
        fma(d1, lower, -(d2 * upper)) * inverse,
    );
}

// Returns state + by · slope, a partial step of the Runge-Kutta method.
fn along(slope: State, by: f32, state: State) -> State {
    return State(
        fma(slope[0], by, state[0]),
        fma(slope[1], by, state[1]),
        fma(slope[2], by, state[2]),
        fma(slope[3], by, state[3]),
    );
}

fn world_step(c: Constants, state: State, action: f32, push: f32, random: f32) -> Transition {
    let torque = (action - 1.0) * c[0];
    // Classical Runge-Kutta method (RK4) with a step of 0.2 s.
    let k1 = derivative(c, state, torque, push);
    let k2 = derivative(c, along(k1, 0.1, state), torque, push);
    let k3 = derivative(c, along(k2, 0.1, state), torque, push);
    let k4 = derivative(c, along(k3, 0.2, state), torque, push);
    let sum = along(k4, 1.0, along(k3, 2.0, along(k2, 2.0, k1)));
    let after = along(sum, 0.033333335, state);
    let theta1 = wrap(after[0]);
    let theta2 = wrap(after[1]);
    let upper_turned = sin_cos(theta1);
    let lower_turned = sin_cos(theta2);
    // Height of the tip, negated: cos theta1 + cos(theta1 + theta2).
    let depth = fma(upper_turned.y, lower_turned.y, fma(-upper_turned.x, lower_turned.x, upper_turned.y));
    let ended = depth < -1.0;
    let next = State(
        theta1,
        theta2,
        clamp(after[2], -12.566371, 12.566371),
        clamp(after[3], -28.274334, 28.274334),
    );
    return Transition(next, select(-1.0, 0.0, ended), ended);
}

fn world_initial(c: Constants, uniform4: vec4<f32>) -> State {
    let start = (uniform4 - vec4(0.5)) * 0.2;
    return State(start.x, start.y, start.z, start.w);
}

fn world_observe(state: State) -> Observation {
    let upper_turned = sin_cos(state[0]);
    let lower_turned = sin_cos(state[1]);
    return Observation(upper_turned.y, upper_turned.x, lower_turned.y, lower_turned.x, state[2], state[3]);
}
