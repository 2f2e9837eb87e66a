// Dynamics of CartPole-v1, with the same order of operations as the CPU environment. Constants: gravity, F/M, 1/M, m
// l/M, 4l/3, where M is the mass of cart and pole, m the mass of the pole, and l half its length.

fn world_step(c: Constants, state: State, action: f32, push: f32, random: f32) -> Transition {
    let theta = state[2];
    let theta_dot = state[3];
    // Range reduction is needed beyond ±π/4 only. Episodes never reach such angles, but states that the host has set
    // may have them.
    var turned = sin_cos_reduced(theta);
    if (abs(theta) > 0.7853982) {
        turned = sin_cos(theta);
    }
    let sin = turned.x;
    let cos = turned.y;
    // Action 0 or 1 becomes -F/M or F/M.
    let force = fma(push, c[2], fma(action, 2.0 * c[1], -c[1]));
    let pull = cos * c[3];
    let temp = fma(theta_dot * theta_dot * c[3], sin, force);
    let theta_acc = fma(sin, c[0], -(cos * temp)) / fma(-pull, cos, c[4]);
    let x_acc = fma(-pull, theta_acc, temp);
    // Explicit Euler: positions are updated with the velocities before the step.
    let next = State(
        fma(state[1], 0.02, state[0]),
        fma(x_acc, 0.02, state[1]),
        fma(theta_dot, 0.02, theta),
        fma(theta_acc, 0.02, theta_dot),
    );
    return Transition(next, 1.0, abs(next[0]) > 2.4 || abs(next[2]) > 0.20943952);
}

fn world_initial(c: Constants, uniform4: vec4<f32>) -> State {
    let start = (uniform4 - vec4(0.5)) * 0.1;
    return State(start.x, start.y, start.z, start.w);
}

fn world_observe(state: State) -> Observation {
    return state;
}
