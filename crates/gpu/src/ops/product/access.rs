//! WGSL functions for matrix access and activations.

use std::fmt::Write;

use vivarium_graph::{Activation, EpilogueActivation};
use vivarium_kernels::epilogue::Epilogue;

use super::kind::COMPONENTS;

/// Returns the functions that read and write four adjacent elements of a row-major matrix in a buffer.
pub(super) fn accessors(buffer: &str, fours: bool, writes: bool) -> String {
    let mut text = String::new();
    let parameters = "start: u32, line: u32, width: u32, column: u32";
    let at = "start + line * width + column";
    if fours {
        let _ = writeln!(
            text,
            "fn read_{buffer}({parameters}) -> vec4<f32> {{
    if (column >= width) {{ return vec4<f32>(); }}
    return {buffer}[({at}) >> 2u];
}}"
        );
        if writes {
            let _ = writeln!(
                text,
                "fn write_{buffer}({parameters}, value: vec4<f32>) {{
    if (column < width) {{ {buffer}[({at}) >> 2u] = value; }}
}}"
            );
        }
        return text;
    }
    let each = |statement: &dyn Fn(usize, &str) -> String| {
        (0..4).fold(String::new(), |mut all, i| {
            let _ = writeln!(all, "    if (column + {i}u < width) {{ {} }}", statement(i, COMPONENTS[i]));
            all
        })
    };
    let reads = each(&|i, component| format!("v.{component} = {buffer}[at + {i}u];"));
    let _ = writeln!(
        text,
        "fn read_{buffer}({parameters}) -> vec4<f32> {{
    let at = {at};
    var v = vec4<f32>();
{reads}    return v;
}}"
    );
    if writes {
        let stores = each(&|i, component| format!("{buffer}[at + {i}u] = value.{component};"));
        let _ = writeln!(
            text,
            "fn write_{buffer}({parameters}, value: vec4<f32>) {{
    let at = {at};
{stores}}}"
        );
    }
    text
}

/// Returns the WGSL that applies residual and activation of an epilogue to a vector of four. `read` returns the WGSL of
/// the operand at the offset with this name, `residual` or `saved`.
pub(crate) fn finished(epilogue: &Epilogue<(), ()>, value: &str, read: impl Fn(&str) -> String) -> String {
    let value = match epilogue.residual {
        Some(()) => format!("({value} + {})", read("residual")),
        None => value.to_owned(),
    };
    match epilogue.activation {
        EpilogueActivation::Forward(activation) => activated(activation, &value),
        EpilogueActivation::Gradient { activation, .. } => {
            let slope = match activation {
                Activation::None => return value,
                Activation::Relu => "relu_slope4",
                Activation::Tanh => "tanh_slope4",
                Activation::Gelu => "gelu_slope4",
            };
            format!("{value} * {slope}({})", read("saved"))
        }
    }
}

fn activated(activation: Activation, value: &str) -> String {
    match activation {
        Activation::None => value.to_owned(),
        Activation::Relu => format!("relu4({value})"),
        Activation::Tanh => format!("safe_tanh4({value})"),
        Activation::Gelu => format!("gelu4({value})"),
    }
}
