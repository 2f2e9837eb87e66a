//! Softmax, log-softmax, sums of lines, and their gradients.

use vivarium_graph::PlanStep;

use super::gather::picked;
use super::reduction::Reduction;
use crate::emit::{Column, ElementOperands, LineShader};

/// Combines the names of variables to one expression by `join`, from left to right.
fn fold(names: &[String], join: impl Fn(String, &String) -> String) -> String {
    let (first, rest) = names.split_first().expect("a line has a number at least");
    rest.iter().fold(first.clone(), join)
}

fn sum(terms: &[String]) -> String {
    fold(terms, |sum, term| format!("{sum} + {term}"))
}

/// Generates the WGSL of a reduction over lines whose elements fit in registers.
pub(super) fn lines(reduction: Reduction, step: &PlanStep, lines: &mut LineShader<'_>) {
    let (result, id) = (step.results[0], step.results[0].index());
    let x = lines.columns(step.operands[0]);
    let largest = |lines: &mut LineShader<'_>, x: &[String]| {
        let largest = fold(x, |largest, x| format!("max({largest}, {x})"));
        lines.text().name(format!("m{id}"), &largest)
    };
    let total = |lines: &mut LineShader<'_>, total: &str| lines.text().name(format!("s{id}"), total);
    let columns: Vec<String> = match reduction {
        Reduction::Sum => vec![sum(&x)],
        Reduction::LogSoftmax => {
            let largest = largest(lines, &x);
            let powers: Vec<String> = x.iter().map(|x| format!("safe_exp({x} - {largest})")).collect();
            let total = total(lines, &format!("log({})", sum(&powers)));
            x.iter().map(|x| format!("{x} - {largest} - {total}")).collect()
        }
        Reduction::Softmax => {
            let largest = largest(lines, &x);
            let power = |(c, x): (usize, &String)| {
                lines.text().name(format!("e{id}_{c}"), &format!("safe_exp({x} - {largest})"))
            };
            let powers: Vec<String> = x.iter().enumerate().map(power).collect();
            let total = total(lines, &sum(&powers));
            powers.iter().map(|power| format!("{power} / ({total})")).collect()
        }
        Reduction::SoftmaxGradient => {
            let dy = lines.columns(step.operands[1]);
            let products: Vec<String> = x.iter().zip(&dy).map(|(y, dy)| format!("{y} * {dy}")).collect();
            let dot = total(lines, &sum(&products));
            x.iter().zip(&dy).map(|(y, dy)| format!("{y} * ({dy} - {dot})")).collect()
        }
        Reduction::LogSoftmaxGradient => {
            let dy = lines.columns(step.operands[1]);
            let total = total(lines, &sum(&dy));
            x.iter().zip(&dy).map(|(y, dy)| format!("{dy} - safe_exp({y}) * {total}")).collect()
        }
    };
    lines.define(result, &columns);
}

/// Returns the expression of the gradient of the cross-entropy: dx = d − eʸ·d at the target index, −eʸ·d elsewhere.
pub(super) fn cross_entropy(step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
    let n = cells.width(step.results[0]);
    let picked = picked(step.operands[0], n, step.results[0], cells);
    let d = cells.number(step.operands[1], &Column::Known(0));
    let y = cells.number(step.operands[2], column);
    format!("select(zero, {d}, {picked} == {}) - safe_exp({y}) * {d}", column.wgsl())
}
