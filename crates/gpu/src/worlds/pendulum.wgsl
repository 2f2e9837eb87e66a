// Dynamics of Pendulum-v1, with the same order of operations as the CPU environment. Constants: torque of one unit of
// action, 3g/2l, 3/(m l^2).

fn world_step(c: Constants, state: State, action: f32, push: f32, random: f32) -> Transition {
    let theta = state[0];
    let torque = clamp(action, -2.0, 2.0) * c[0];
    let cost = fma(torque * torque, 0.001, fma(state[1] * state[1], 0.1, theta * theta));
    let acceleration = fma(sin_cos(theta).x, c[1], (torque + push) * c[2]);
    let theta_dot = clamp(fma(acceleration, 0.05, state[1]), -8.0, 8.0);
    return Transition(State(wrap(fma(theta_dot, 0.05, theta)), theta_dot), -cost, false);
}

fn world_initial(c: Constants, uniform4: vec4<f32>) -> State {
    return State((uniform4.x - 0.5) * 6.2831855, (uniform4.y - 0.5) * 2.0);
}

fn world_observe(state: State) -> Observation {
    let turned = sin_cos(state[0]);
    return Observation(turned.y, turned.x, state[1]);
}
