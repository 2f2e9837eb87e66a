//! Reference implementations that only tests use.

use crate::adam::AdamStep;
use crate::attention::AttentionSizes;

/// Computes the softmax of the row x into y.
pub fn softmax_row(x: &[f32], y: &mut [f32]) {
    let max = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f64 = x.iter().map(|&x| f64::from(x - max).exp()).sum();
    for (y, &x) in y.iter_mut().zip(x) {
        *y = (f64::from(x - max).exp() / total) as f32;
    }
}

/// Computes the log-softmax of the row x into y.
pub fn log_softmax_row(x: &[f32], y: &mut [f32]) {
    let max = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f64 = x.iter().map(|&x| f64::from(x - max).exp()).sum();
    for (y, &x) in y.iter_mut().zip(x) {
        *y = (f64::from(x - max) - total.ln()) as f32;
    }
}

/// Computes the gradient dx of the softmax of one row, from its output y and the output gradient dy.
pub fn softmax_backward_row(y: &[f32], dy: &[f32], dx: &mut [f32]) {
    let dot: f64 = y.iter().zip(dy).map(|(&y, &dy)| f64::from(y) * f64::from(dy)).sum();
    for ((dx, &y), &dy) in dx.iter_mut().zip(y).zip(dy) {
        *dx = (f64::from(y) * (f64::from(dy) - dot)) as f32;
    }
}

/// Computes the gradient dx of the log-softmax of one row, from its output y and the output gradient dy.
pub fn log_softmax_backward_row(y: &[f32], dy: &[f32], dx: &mut [f32]) {
    let total: f64 = dy.iter().map(|&dy| f64::from(dy)).sum();
    for ((dx, &y), &dy) in dx.iter_mut().zip(y).zip(dy) {
        *dx = (f64::from(dy) - f64::from(y).exp() * total) as f32;
    }
}

/// Computes sums of table rows: y\[row\] = Σⱼ table\[index\[row, j\]\] for indices \[rows, k\] and a table \[entries,
/// n\].
pub fn embedding(k: usize, n: usize, indices: &[f32], table: &[f32], y: &mut [f32]) {
    let entries = table.len() / n;
    for (indices, y) in indices.chunks_exact(k).zip(y.chunks_exact_mut(n)) {
        let row = |index: f32| &table[(index as usize).min(entries - 1) * n..][..n];
        for (column, y) in y.iter_mut().enumerate() {
            *y = indices.iter().map(|&index| f64::from(row(index)[column])).sum::<f64>() as f32;
        }
    }
}

/// Adds the gradient of [`embedding`] to `dtable` \[entries, n\]: dtable\[index\[row, j\]\] += dy\[row\] for each row
/// and each j.
pub fn embedding_gradient(k: usize, n: usize, indices: &[f32], dy: &[f32], dtable: &mut [f32]) {
    let entries = dtable.len() / n;
    for (indices, dy) in indices.chunks_exact(k).zip(dy.chunks_exact(n)) {
        for &index in indices {
            let row = &mut dtable[(index as usize).min(entries - 1) * n..][..n];
            row.iter_mut().zip(dy).for_each(|(sum, dy)| *sum += dy);
        }
    }
}

/// Computes causal attention over one sequence in f64: from `qkv` \[tokens, 3·width\], the outputs `y` \[tokens,
/// width\] and the log-sum-exp of the scores \[tokens, heads\].
pub fn attention(shape: AttentionSizes, qkv: &[f32], y: &mut [f32], log_sum_exps: &mut [f32]) {
    let AttentionSizes { tokens, heads, head_width } = shape;
    for (head, i) in (0..heads).flat_map(|head| (0..tokens).map(move |i| (head, i))) {
        let (weights, log_sum) = attention_weights(shape, qkv, head, i);
        for c in 0..head_width {
            let value = |j: usize| f64::from(qkv[(3 * j + 2) * shape.width() + head * head_width + c]);
            let sum: f64 = weights.iter().enumerate().map(|(j, weight)| weight * value(j)).sum();
            y[i * shape.width() + head * head_width + c] = sum as f32;
        }
        log_sum_exps[i * heads + head] = log_sum as f32;
    }
}

/// Computes the gradient `dqkv` \[tokens, 3·width\] of [`attention`] from the output gradient `dy` \[tokens, width\],
/// in f64.
pub fn attention_backward(shape: AttentionSizes, qkv: &[f32], dy: &[f32], dqkv: &mut [f32]) {
    let AttentionSizes { tokens, heads, head_width } = shape;
    let scale = 1.0 / (head_width as f64).sqrt();
    let mut sums = vec![0.0; dqkv.len()];
    for (head, i) in (0..heads).flat_map(|head| (0..tokens).map(move |i| (head, i))) {
        let (weights, _) = attention_weights(shape, qkv, head, i);
        let at =
            |token: usize, part: usize, c: usize| (3 * token + part) * shape.width() + head * head_width + c;
        let dy_of = |c: usize| f64::from(dy[i * shape.width() + head * head_width + c]);
        let dweight = |j: usize| (0..head_width).map(|c| dy_of(c) * f64::from(qkv[at(j, 2, c)])).sum::<f64>();
        let mean: f64 = weights.iter().enumerate().map(|(j, weight)| weight * dweight(j)).sum();
        for (j, weight) in weights.iter().enumerate() {
            let dscore = weight * (dweight(j) - mean);
            for c in 0..head_width {
                sums[at(i, 0, c)] += scale * dscore * f64::from(qkv[at(j, 1, c)]);
                sums[at(j, 1, c)] += scale * dscore * f64::from(qkv[at(i, 0, c)]);
                sums[at(j, 2, c)] += weight * dy_of(c);
            }
        }
    }
    dqkv.iter_mut().zip(sums).for_each(|(d, sum)| *d = sum as f32);
}

/// Returns the attention weights of token `i` in head `head`, one for each token up to `i`, and the log-sum-exp of its
/// scores.
fn attention_weights(shape: AttentionSizes, qkv: &[f32], head: usize, i: usize) -> (Vec<f64>, f64) {
    let of = |token: usize, part: usize| {
        let numbers =
            &qkv[(3 * token + part) * shape.width() + head * shape.head_width..][..shape.head_width];
        numbers.iter().copied().map(f64::from)
    };
    let score =
        |j: usize| of(i, 0).zip(of(j, 1)).map(|(q, k)| q * k).sum::<f64>() / (shape.head_width as f64).sqrt();
    let scores: Vec<f64> = (0..=i).map(score).collect();
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = largest + scores.iter().map(|score| (score - largest).exp()).sum::<f64>().ln();
    (scores.iter().map(|score| (score - log_sum).exp()).collect(), log_sum)
}

/// Computes the cross-entropy loss −ln softmax(x·Wᵀ)\[target\] of each row of x \[rows, n\], for the weights w
/// \[vocabulary, n\] of an output head.
pub fn head_losses(n: usize, x: &[f32], w: &[f32], targets: &[f32], losses: &mut [f32]) {
    for ((x, &target), loss) in x.chunks_exact(n).zip(targets).zip(losses) {
        let logs = head_log_softmax(x, w);
        *loss = -logs[(target as usize).min(logs.len() - 1)] as f32;
    }
}

/// Computes the gradient `dx` \[rows, n\] of [`head_losses`], and adds the weight gradient to `dw` \[vocabulary, n\].
/// `dlosses` \[rows\] is the gradient with respect to each loss.
pub fn head_gradient(
    n: usize,
    x: &[f32],
    w: &[f32],
    targets: &[f32],
    dlosses: &[f32],
    dx: &mut [f32],
    dw: &mut [f32],
) {
    let mut sums: Vec<f64> = dw.iter().copied().map(f64::from).collect();
    let rows = x.chunks_exact(n).zip(dx.chunks_exact_mut(n)).zip(targets).zip(dlosses);
    for (((x, dx), &target), &dloss) in rows {
        let mut dlogits: Vec<f64> = head_log_softmax(x, w).into_iter().map(f64::exp).collect();
        let last = dlogits.len() - 1;
        dlogits[(target as usize).min(last)] -= 1.0;
        dlogits.iter_mut().for_each(|d| *d *= f64::from(dloss));
        for (j, dx) in dx.iter_mut().enumerate() {
            *dx = dlogits.iter().enumerate().map(|(v, d)| d * f64::from(w[v * n + j])).sum::<f64>() as f32;
        }
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += dlogits[i / n] * f64::from(x[i % n]);
        }
    }
    dw.iter_mut().zip(sums).for_each(|(d, sum)| *d = sum as f32);
}

/// Returns the log-softmax of the logits w·x for one row x and weights w \[vocabulary, n\].
fn head_log_softmax(x: &[f32], w: &[f32]) -> Vec<f64> {
    let dot = |w: &[f32]| w.iter().zip(x).map(|(&w, &x)| f64::from(w) * f64::from(x)).sum::<f64>();
    let logits: Vec<f64> = w.chunks_exact(x.len()).map(dot).collect();
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = largest + logits.iter().map(|logit| (logit - largest).exp()).sum::<f64>().ln();
    logits.iter().map(|logit| logit - log_sum).collect()
}

/// Takes one AdamW step: updates parameters and moments in place. All slices have the same length.
pub fn adam(params: &mut [f32], gradients: &[f32], m: &mut [f32], v: &mut [f32], settings: &AdamStep) {
    let (first, second) = settings.bias_corrections();
    for i in 0..params.len() {
        let g = gradients[i];
        m[i] = settings.beta1 * m[i] + (1.0 - settings.beta1) * g;
        v[i] = settings.beta2 * v[i] + (1.0 - settings.beta2) * g * g;
        let update = m[i] * first / ((v[i] * second).sqrt() + settings.epsilon);
        params[i] -= settings.learning_rate * (update + settings.weight_decay * params[i]);
    }
}
