// Self-check kernel: computes tanh x and eˣ of each element x.
var<storage, read_write> arena: array<f32>;

fn each(i: u32) {
    let x = arena[u.from_word + i];
    arena[u.to_word + i] = safe_tanh(x);
    arena[u.to_word + u.count + i] = safe_exp(x);
}
