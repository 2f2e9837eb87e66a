//! Parameters as values that are repeated for each batch row, and their gradients: column sums over the batch rows.

use vivarium_graph::PlanStep;
use vivarium_graph::op::{ParameterGradientOp, ParameterOp};

use super::column_sums::{ColumnSumsArgs, column_sums};
use super::form::{Form, LayerOp};
use crate::GpuError;
use crate::emit::{InlineValue, LayerRecorder};

lower!(ParameterOp, |op| Form::Inline(InlineValue::Parameter(op.0)));
lower!(ParameterGradientOp, |op| Form::Layer(op));

impl LayerOp for ParameterGradientOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let accumulate = layers.accumulates(&[self.0]);
        // All elements are columns, regardless of the parameter's lines.
        let (rows, width, dy) = (layers.rows, layers.parameter_len(self.0), layers.value(step.operands[0]));
        let columns = ColumnSumsArgs { rows, width, dy, parameter: layers.parameter(self.0), accumulate };
        let slices = layers.slices();
        column_sums(layers.recorder, layers.arena, &slices, &columns)
    }
}
