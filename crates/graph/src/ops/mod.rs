//! Behavior of the operations, one family of operations in each file: builder methods with shape checks, gradient rule,
//! f64 reference, ONNX form, fusion and CPU kernel. The module [`op`](crate::op) has the types of the operations and
//! their list.
//!
//! Reading order: `operation.rs` (the trait that each file implements), then any file. This module contains the
//! dispatch from [`Op`] to these files.

mod operation;

use operation::Operation;

use crate::call::{StepCall, StepOutputs};
use crate::for_each_op;
use crate::graph::GraphNode;
use crate::ids::Value;
use crate::onnx::form::OnnxForm;
use crate::op::*;
use crate::plan::Plan;
use crate::reference_call::ReferenceCall;
use crate::step::{Epilogue, Fusion, PlanStep};
use crate::tape::GradientTape;

macro_rules! define_dispatch {
    ($($file:ident: $($variant:ident($op:ident)),+;)+) => {
        $(mod $file;)+

        /// The methods of the trait `Operation`, dispatched on the variant of [`Op`].
        impl Op {
            /// Returns the operation's name for error messages and listings.
            pub fn name(&self) -> &'static str {
                match self { $($(Op::$variant(op) => op.name(),)+)+ }
            }

            pub(crate) fn reads_parameters(&self) -> bool {
                match self { $($(Op::$variant(_) => <$op as Operation>::READS_PARAMETERS,)+)+ }
            }

            pub(crate) fn accumulates(&self) -> bool {
                match self { $($(Op::$variant(_) => <$op as Operation>::ACCUMULATES,)+)+ }
            }

            pub(crate) fn multiplies_weights(&self) -> bool {
                match self { $($(Op::$variant(_) => <$op as Operation>::MULTIPLIES_WEIGHTS,)+)+ }
            }

            pub(crate) fn passes_gradient(&self) -> bool {
                match self { $($(Op::$variant(op) => op.passes_gradient(),)+)+ }
            }

            pub(crate) fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
                match self { $($(Op::$variant(op) => Operation::gradient(op, node, dy, tape),)+)+ }
            }

            pub(crate) fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
                match self { $($(Op::$variant(op) => Operation::reference(op, call),)+)+ }
            }

            pub(crate) fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
                match self { $($(Op::$variant(op) => op.onnx(form),)+)+ }
            }

            pub(crate) fn accepts(&self, epilogue: &Epilogue) -> bool {
                match self { $($(Op::$variant(op) => op.accepts(epilogue),)+)+ }
            }

            pub(crate) fn join(&self, fusion: &Fusion<'_>) -> Option<PlanStep> {
                match self { $($(Op::$variant(op) => Operation::join(op, fusion),)+)+ }
            }

            pub(crate) fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
                match self { $($(Op::$variant(op) => Operation::scratch_len(op, plan, step),)+)+ }
            }

            #[inline]
            pub(crate) fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
                match self { $($(Op::$variant(op) => Operation::run(op, call, target),)+)+ }
            }
        }
    };
}
for_each_op!(define_dispatch);
