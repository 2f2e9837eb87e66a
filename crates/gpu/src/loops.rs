//! Check that the loops of a kernel end, because wgpu compiles trusted kernels without a limit of iterations.
//!
//! Each iteration must begin with the comparison of a counter with a bound, and must end with a step of the counter
//! towards the bound: `for (var i = a; i < n; i += 4u)`. The loop must not change the bound, nor the counter elsewhere.
//! The increment of a counter is a constant or `max(x, 1u)`. The check assumes that bounds are sizes of buffers and
//! dispatches, far below 2³²: a step does not overflow, and a bound such as `n - 1u` does not underflow.

use std::collections::HashSet;

use wgpu::naga::{
    AddressSpace, BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, MathFunction,
    Module, ScalarKind, Statement, StorageAccess, TypeInner,
};

/// Returns the name of the first function with a loop that may be endless, or `None` if all loops of the module end.
pub(crate) fn find_endless_loop(module: &Module) -> Option<String> {
    let entry_points = module.entry_points.iter().map(|entry| &entry.function);
    let mut functions = module.functions.iter().map(|(_, function)| function).chain(entry_points);
    let endless = functions.find(|function| {
        let mut all_end = true;
        each_statement(&function.body, &mut |statement| {
            if let Statement::Loop { body, continuing, .. } = statement {
                all_end &= LoopCheck::new(module, function, [body, continuing]).ends(body, continuing);
            }
        });
        !all_end
    });
    endless.map(|function| function.name.clone().unwrap_or_else(|| "main".to_owned()))
}

/// Calls `visit` for each statement of a block, including nested statements.
fn each_statement<'a>(block: &'a Block, visit: &mut impl FnMut(&'a Statement)) {
    for statement in block {
        visit(statement);
        match statement {
            Statement::Block(block) => each_statement(block, visit),
            Statement::If { accept: a, reject: b, .. } | Statement::Loop { body: a, continuing: b, .. } => {
                each_statement(a, visit);
                each_statement(b, visit);
            }
            Statement::Switch { cases, .. } => {
                cases.iter().for_each(|case| each_statement(&case.body, visit));
            }
            _ => {}
        }
    }
}

/// Check of one loop of a shader function: the expressions that the loop evaluates, and the local variables that the
/// loop changes.
struct LoopCheck<'a> {
    module: &'a Module,
    function: &'a Function,
    /// Expressions that an iteration of the checked loop evaluates.
    evaluated: HashSet<Handle<Expression>>,
    /// Local variables that the checked loop may change, with one entry for each statement that may change the
    /// variable.
    changed: Vec<Handle<LocalVariable>>,
}

impl<'a> LoopCheck<'a> {
    fn new(module: &'a Module, function: &'a Function, blocks: [&Block; 2]) -> Self {
        let (evaluated, changed) = (HashSet::new(), Vec::new());
        let mut check = Self { module, function, evaluated, changed };
        for block in blocks {
            each_statement(block, &mut |statement| match statement {
                Statement::Emit(range) => check.evaluated.extend(range.clone()),
                Statement::Store { pointer, .. } | Statement::Atomic { pointer, .. } => {
                    check.change(*pointer)
                }
                Statement::Call { arguments, .. } => {
                    arguments.iter().for_each(|&argument| check.change(argument));
                }
                _ => {}
            });
        }
        check
    }

    /// Adds to `changed` the local variable into which `pointer` points. Does nothing if `pointer` does not point into
    /// a local variable.
    fn change(&mut self, pointer: Handle<Expression>) {
        if let Expression::LocalVariable(variable) = self.function.expressions[self.root(pointer)] {
            self.changed.push(variable);
        }
    }

    /// Returns the expression of the variable or function argument that a pointer points into, also if the pointer
    /// selects an element or field.
    fn root(&self, pointer: Handle<Expression>) -> Handle<Expression> {
        match self.function.expressions[pointer] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => self.root(base),
            _ => pointer,
        }
    }

    fn ends(&self, body: &Block, continuing: &Block) -> bool {
        let Some(Statement::If { condition, accept, reject }) =
            body.iter().find(|statement| !matches!(statement, Statement::Emit(_)))
        else {
            return false;
        };
        if !accept.is_empty() || !matches!(reject[..], [Statement::Break]) {
            return false;
        }
        let Expression::Binary { op: comparison, left, right: bound } = self.function.expressions[*condition]
        else {
            return false;
        };
        // The loop compares the counter, or the counter plus a constant.
        let (counter, has_offset) = match self.function.expressions[left] {
            Expression::Binary { op: BinaryOperator::Add, left: counter, right }
                if self.constant(right).is_some() =>
            {
                (self.counter(counter), true)
            }
            _ => (self.counter(left), false),
        };
        let Some((counter, (operator, by))) =
            counter.and_then(|counter| Some((counter, self.step(counter, continuing)?)))
        else {
            return false;
        };
        let constant = |expression| self.constant(expression).unwrap_or(0);
        let approaches = match (comparison, operator) {
            (BinaryOperator::Less | BinaryOperator::LessEqual, BinaryOperator::Add) => self.is_positive(by),
            // A step down ends at 0, which must not fulfill the comparison: no offset, and no negative bound.
            _ if has_offset => false,
            (BinaryOperator::Greater, BinaryOperator::Subtract) => constant(by) == 1,
            (BinaryOperator::Greater, BinaryOperator::Divide) => {
                constant(by) >= 2 && self.constant(bound).is_some_and(|bound| bound >= 0)
            }
            (BinaryOperator::GreaterEqual, BinaryOperator::Divide) => {
                constant(by) >= 2 && constant(bound) >= 1
            }
            _ => false,
        };
        let times = self.changed.iter().filter(|&&changed| changed == counter).count();
        approaches && times == 1 && self.is_invariant(bound)
    }

    /// Returns the loop counter if `expression` is one: the local integer variable whose value the expression loads in
    /// each iteration. Returns `None` if the expression is anything else, or is evaluated outside of the loop.
    fn counter(&self, expression: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        let Expression::Load { pointer } = self.function.expressions[expression] else { return None };
        let Expression::LocalVariable(variable) = self.function.expressions[pointer] else { return None };
        let TypeInner::Scalar(scalar) = self.module.types[self.function.local_variables[variable].ty].inner
        else {
            return None;
        };
        let is_integer = matches!(scalar.kind, ScalarKind::Uint | ScalarKind::Sint);
        (is_integer && self.evaluated.contains(&expression)).then_some(variable)
    }

    /// Returns the operator and the right operand of the assignment to the loop counter that ends each iteration, such
    /// as `+` and `4u` for `i = i + 4u`. Returns `None` if an iteration ends with anything else.
    fn step(
        &self,
        counter: Handle<LocalVariable>,
        continuing: &Block,
    ) -> Option<(BinaryOperator, Handle<Expression>)> {
        let mut statements = continuing.iter().filter(|statement| !matches!(statement, Statement::Emit(_)));
        let (Some(&Statement::Store { pointer, value }), None) = (statements.next(), statements.next())
        else {
            return None;
        };
        let Expression::LocalVariable(target) = self.function.expressions[pointer] else { return None };
        let Expression::Binary { op, left, right } = self.function.expressions[value] else { return None };
        (target == counter && self.counter(left) == Some(counter)).then_some((op, right))
    }

    /// Returns whether the step of a loop counter is at least 1: a positive constant, or the maximum of a number and a
    /// positive constant.
    fn is_positive(&self, step: Handle<Expression>) -> bool {
        let constant = match self.function.expressions[step] {
            Expression::Math { fun: MathFunction::Max, arg1: Some(least), .. } => least,
            _ => step,
        };
        self.constant(constant).is_some_and(|constant| constant >= 1)
    }

    /// Returns the value of an integer literal or named integer constant; `None` for any other expression.
    fn constant(&self, expression: Handle<Expression>) -> Option<i64> {
        let of_literal = |expression: &Expression| match *expression {
            Expression::Literal(Literal::U32(value)) => Some(i64::from(value)),
            Expression::Literal(Literal::I32(value)) => Some(i64::from(value)),
            _ => None,
        };
        match self.function.expressions[expression] {
            Expression::Constant(constant) => {
                of_literal(&self.module.global_expressions[self.module.constants[constant].init])
            }
            ref expression => of_literal(expression),
        }
    }

    /// Returns whether an expression has the same value in all iterations of the loop.
    fn is_invariant(&self, expression: Handle<Expression>) -> bool {
        if !self.evaluated.contains(&expression) {
            return true;
        }
        let all =
            |operands: &[Handle<Expression>]| operands.iter().all(|&operand| self.is_invariant(operand));
        match self.function.expressions[expression] {
            Expression::Unary { expr, .. } | Expression::As { expr, .. } => all(&[expr]),
            Expression::Binary { left, right, .. } => all(&[left, right]),
            Expression::Select { condition, accept, reject } => all(&[condition, accept, reject]),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                [Some(arg), arg1, arg2, arg3].into_iter().flatten().all(|operand| self.is_invariant(operand))
            }
            Expression::AccessIndex { base, .. } => all(&[base]),
            Expression::Access { base, index } => all(&[base, index]),
            Expression::Load { pointer } => {
                let is_constant = match self.function.expressions[self.root(pointer)] {
                    Expression::LocalVariable(variable) => !self.changed.contains(&variable),
                    Expression::GlobalVariable(variable) => {
                        match self.module.global_variables[variable].space {
                            AddressSpace::Uniform => true,
                            AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
                            _ => false,
                        }
                    }
                    _ => false,
                };
                is_constant && all(&[pointer])
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::find_endless_loop;

    /// Returns whether the check accepts a shader function with these statements: whether all of its loops end.
    fn ends(statements: &str) -> bool {
        let text = format!(
            "struct Uniforms {{ n: u32, m: u32 }}
             @group(0) @binding(0) var<uniform> u: Uniforms;
             @group(0) @binding(1) var<storage, read> sizes: array<u32>;
             @group(0) @binding(2) var<storage, read_write> state: array<u32>;
             const STRIDE = 256u;
             fn change(x: ptr<function, u32>) {{ *x = 0u; }}
             fn size() -> u32 {{ return state[0]; }}
             @compute @workgroup_size(1) fn main(@builtin(local_invocation_index) t: u32) {{
                 var end = u.n;
                 let size_before = size();
                 {statements}
             }}"
        );
        let module = wgpu::naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
        find_endless_loop(&module).is_none()
    }

    #[test]
    fn loops_that_count_to_a_bound_end() {
        for text in [
            "for (var i = t; i < u.n; i += STRIDE) { state[i] = 1u; }",
            "for (var i = 0u; i < 4u * sizes[t] + min(u.n, u.m); i++) { if (i == 2u) { continue; } }",
            "for (var i = 0u; i < end; i++) { for (var j = i; j < i + 3u; j++) { state[j] = i; } }",
            "for (var i = 0u; i + 4u <= end; i += 4u) { state[i] = 1u; }",
            "for (var i = 0u; i < size_before; i++) { state[i] = 1u; }",
            "for (var half = 128u; half >= 1u; half /= 2u) { state[half] = 1u; }",
            "for (var i = u.n; i > 0u; i--) { state[i] = 1u; }",
            "let step = max(u.m, 1u); for (var i = 0u; i < u.n; i += step) { state[i] = 1u; }",
        ] {
            assert!(ends(text), "{text}");
        }
    }

    #[test]
    fn loops_without_a_bound_are_found() {
        for text in [
            "loop { if (state[0] == 1u) { break; } }",
            "while (state[0] == 0u) { state[1] = 1u; }",
            "for (var i = 0u; i < u.n; ) { state[i] = 1u; }",
            "for (var i = 0u; i < u.n; i -= 1u) { state[i] = 1u; }",
            "for (var i = 0u; i < u.n; i += 0u) { state[i] = 1u; }",
            "for (var i = 0u; i < u.n; i += u.m) { state[i] = 1u; }",
            "for (var i = 0u; i < u.n; i++) { i = 0u; }",
            "for (var i = 0u; i < u.n; i++) { change(&i); }",
            "for (var i = 0u; i < end; i++) { end += 1u; }",
            "for (var i = 0u; i < state[0]; i++) { state[0] += 1u; }",
            "for (var i = 0u; i < size(); i++) { state[0] += 1u; }",
            "for (var i = 0u; t < u.n; i++) { state[i] = 1u; }",
            "for (var i = 0u; i != u.n; i++) { state[i] = 1u; }",
            "for (var i = 8u; i >= 0u; i /= 2u) { state[i] = 1u; }",
            "for (var i = 8u; i > 0u; i -= 3u) { state[i] = 1u; }",
            "for (var x = 0.0; x < 1e9; x += 1.0) { state[0] = u32(x); }",
            "for (var i = 0u; i < 4u; i++) { for (var j = 0u; j < i; i++) { state[j] = 1u; } }",
            "var j = 0u; for (var i = 0u; i < u.n; j = i + 1u) { i = 0u; }",
            "for (var i = 8u; i + 1u > 0u; i /= 2u) { state[i] = 1u; }",
            "for (var i = 8u; i + 1u >= 1u; i /= 2u) { state[i] = 1u; }",
            "for (var i = 8; i > -1; i /= 2) { state[0] = 1u; }",
        ] {
            assert!(!ends(text), "{text}");
        }
    }
}
