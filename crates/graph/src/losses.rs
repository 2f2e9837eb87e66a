//! Loss functions that are composed of other operations.

use crate::graph::Graph;
use crate::ids::Value;

impl Graph {
    /// Appends the Huber loss (Huber 1964, <https://doi.org/10.1214/aoms/1177703732>) of errors x, element by element:
    /// ½·x² for |x| ≤ `delta`, else `delta`·(|x| − ½·`delta`). With `delta` = 0 the loss is ½·x² everywhere.
    pub fn huber(&mut self, error: Value, delta: f32) -> Value {
        if delta == 0.0 {
            let square = self.square(error);
            return self.scale(square, 0.5);
        }
        // m·(|x| − ½·m) with m = min(|x|, delta).
        let size = self.abs(error);
        let small = self.clamp(size, 0.0, delta);
        let half = self.scale(small, 0.5);
        let rest = self.sub(size, half);
        self.mul(small, rest)
    }

    /// Appends the cross-entropy −Σ t·ln p of the target probabilities t and the predicted probabilities p =
    /// softmax(logits): two operands \[…, n\] give \[…, 1\].
    pub fn soft_cross_entropy(&mut self, logits: Value, target: Value) -> Value {
        let log_probabilities = self.log_softmax(logits);
        let terms = self.mul(target, log_probabilities);
        let sum = self.sum(terms);
        self.neg(sum)
    }

    /// Appends the binary cross-entropy of logits z and targets t in \[0, 1\], element by element: −t·ln σ(z) −
    /// (1 − t)·ln(1 − σ(z)), in the overflow-free form max(z, 0) − t·z + ln(1 + e^−|z|).
    pub fn binary_cross_entropy(&mut self, logits: Value, target: Value) -> Value {
        let positive = self.relu(logits);
        let towards = self.mul(target, logits);
        let linear = self.sub(positive, towards);
        let size = self.abs(logits);
        let away = self.neg(size);
        let small = self.exp(away);
        let one_more = self.offset(small, 1.0);
        let log = self.ln(one_more);
        self.add(linear, log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;

    #[test]
    fn losses_match_their_definitions() {
        let mut g = Graph::new();
        let [x, t] = ["x", "t"].map(|name| g.input(name, &[3]));
        let losses =
            [g.huber(x, 1.5), g.huber(x, 0.0), g.binary_cross_entropy(x, t), g.soft_cross_entropy(x, t)];
        let (xs, ts) = ([-3.0f64, 0.25, 1.5, 40.0, -1.0, 0.0], [0.5, 0.25, 0.25, 0.0, 1.0, 0.0]);
        let found = reference::evaluate(&g, &[], 2, &[&xs, &ts], &losses);
        let huber = |x: f64| if x.abs() <= 1.5 { 0.5 * x * x } else { 1.5 * (x.abs() - 0.75) };
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        for (i, (&x, &t)) in xs.iter().zip(&ts).enumerate() {
            let [huber_loss, square, entropy] = [0, 1, 2].map(|loss| found[loss][i]);
            assert!((huber_loss - huber(x)).abs() < 1e-9 && (square - 0.5 * x * x).abs() < 1e-9);
            let expected = -t * sigmoid(x).ln() - (1.0 - t) * sigmoid(-x).ln();
            assert!((entropy - expected).abs() < 1e-9, "{entropy} instead of {expected}");
        }
        for (row, (x, t)) in xs.chunks(3).zip(ts.chunks(3)).enumerate() {
            let total: f64 = x.iter().map(|x| x.exp()).sum();
            let expected: f64 = x.iter().zip(t).map(|(x, t)| -t * (x - total.ln())).sum();
            assert!((found[3][row] - expected).abs() < 1e-9);
        }
    }
}
