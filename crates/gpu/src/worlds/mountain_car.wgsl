// Dynamics of MountainCar-v0, with the same order of operations as the CPU environment. Constants: engine acceleration,
// gravity.

fn world_step(c: Constants, state: State, action: f32, push: f32, random: f32) -> Transition {
    let engine = (action - 1.0) * c[0] + push;
    let slope = sin_cos(state[0] * 3.0).y;
    var v = clamp(state[1] + fma(slope, -c[1], engine), -0.07, 0.07);
    let x = clamp(state[0] + v, -1.2, 0.6);
    // The collision with the left wall is inelastic.
    if (x == -1.2 && v < 0.0) {
        v = 0.0;
    }
    return Transition(State(x, v), -1.0, x >= 0.5 && v >= 0.0);
}

fn world_initial(c: Constants, uniform4: vec4<f32>) -> State {
    return State(uniform4.x * 0.20000002 - 0.6, 0.0);
}

fn world_observe(state: State) -> Observation {
    return state;
}
