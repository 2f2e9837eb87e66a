// Gathers the logits of legal actions.

// [0]: number of legal actions. [i + 1]: index of the i-th legal action in the logits.
var<storage, read> actions: array<u32>;
// Logits of all actions, starting at word `u.first`.
var<storage, read> arena: array<f32>;
var<storage, read_write> selected: array<f32>;

fn each(i: u32) {
    if (i >= actions[0]) { return; }
    selected[i] = arena[u.first + actions[i + 1u]];
}
