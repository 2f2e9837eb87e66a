//! Operations without operands (constants, settings, the seed of the backward pass), whose values shaders compute
//! inline.

use vivarium_graph::op::{ConstantOp, InputOp, SeedOp, SettingOp};

use super::form::Form;
use crate::emit::InlineValue;

// Plans have no steps for inputs: shaders read inputs directly from the arena.
lower!(InputOp, |_| Form::Unsupported);
lower!(SettingOp, |op| Form::Inline(InlineValue::Setting(op.0)));
lower!(ConstantOp, |op| Form::Inline(InlineValue::Constant(op.0)));
lower!(SeedOp, |_| Form::Inline(InlineValue::Seed));
