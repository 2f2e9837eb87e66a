//! Elementary functions and activation functions in WGSL.
//!
//! Both exist for numbers and for vectors of four, because some drivers do not remove the computation of unused vector
//! components. Names of functions of vectors end in 4.

use std::sync::LazyLock;

use vivarium_kernels::Activation;

use crate::template::expression;

/// Type of the argument and result of a WGSL function: a single number (`f32`) or a vector of four numbers
/// (`vec4<f32>`).
#[derive(Clone, Copy, PartialEq)]
enum Width {
    Number,
    Four,
}

impl Width {
    /// Substitutes the WGSL types of this width, and the suffix of function names, in a template such as `math.wgsl`.
    fn fill(self, template: &str) -> String {
        let values = match self {
            Width::Number => [("T", "f32"), ("U", "u32"), ("I", "i32"), ("B", "bool"), ("N", "")],
            Width::Four => {
                [("T", "vec4<f32>"), ("U", "vec4<u32>"), ("I", "vec4<i32>"), ("B", "vec4<bool>"), ("N", "4")]
            }
        };
        expression(template, &values)
    }

    /// Returns for each activation function the WGSL functions `activate_NAME(x)` and `differentiate_NAME(saved, dy)`.
    /// The latter is the gradient f′·dy, where `saved` is the input or output of the activation
    /// ([`Activation::saves_input`]).
    fn activations(self) -> String {
        let functions = Activation::ALL.iter().map(|activation| {
            let (name, [forward, gradient]) = (activation.name(), activation.wgsl());
            self.fill(&format!(
                "fn activate_{name}$N(x: $T) -> $T {{ {forward} }}\n\
                 fn differentiate_{name}$N(saved: $T, dy: $T) -> $T {{ {gradient} }}\n"
            ))
        });
        functions.collect()
    }
}

/// Returns WGSL functions for shaders to include, with the formulas and error bounds of the CPU engine. The functions
/// `safe_tanh`, `safe_exp` and `safe_sigmoid` are included for single numbers and, with the suffix 4, for vectors of
/// four. The activation functions (`activate_relu4(x)`, …) and their gradients (`differentiate_relu4(saved, dy)`, …)
/// are included for vectors of four.
pub fn math_wgsl() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let template = crate::shader!("math.wgsl");
        [Width::Number.fill(template), Width::Four.fill(template), Width::Four.activations()].concat()
    });
    &TEXT
}

/// Returns the WGSL source of the activation functions and their derivatives for `f32` scalars, such as
/// `activate_relu(x)`. [`math_wgsl`] has these functions for vectors of four.
pub(crate) fn activations_of_numbers() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| Width::Number.activations());
    &TEXT
}
