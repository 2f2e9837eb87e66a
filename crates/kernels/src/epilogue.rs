//! Epilogue of a matrix product or normalization: operations on the result while the result is in the cache.

use crate::activation::{self, Activation};
use crate::layernorm::{self, LayerNorm};
use crate::reduce;
use crate::rmsnorm::{self, RmsNorm};
use crate::simd::Level;

/// Epilogue y ← activation(norm(y) + residual) of a layer with result y. Each part is optional.
///
/// `P` is the type of a parameter of the normalization, `V` the type of a matrix of the shape of y. Both are slices for
/// the kernels of this crate, and ids or buffer offsets in execution plans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epilogue<P, V> {
    /// Normalization of each row of the layer's result y, applied first.
    pub norm: Option<Norm<P>>,
    /// Matrix that is added to the layer's result y after the normalization.
    pub residual: Option<V>,
    /// Activation function or its derivative, applied last.
    pub activation: EpilogueActivation<V>,
}

/// Normalization of each row of a \[rows, n\] matrix. `P` is the type of a parameter of n elements: a slice, an id or a
/// buffer offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm<P> {
    /// Layer normalization γ·(x − mean)/√(variance + ε) + β ([`layernorm`]).
    Layer {
        /// Gain γ of the normalization.
        scale: P,
        /// Offset β; `None` for a layer normalization without offset.
        shift: Option<P>,
    },
    /// Root-mean-square normalization γ·x/√(mean(x²) + ε) ([`rmsnorm`]).
    Rms {
        /// Gain γ of the normalization.
        scale: P,
    },
}

/// Constant ε of both kinds of normalization, added to the variance or to the mean of the squares.
pub const NORM_EPSILON: f32 = 1e-5;

impl<P: Copy> Norm<P> {
    /// Converts each parameter of the normalization by `parameter`, such as from an id to a slice.
    #[inline]
    pub fn map<Q>(self, parameter: impl Fn(P) -> Q) -> Norm<Q> {
        match self {
            Norm::Layer { scale, shift } => {
                Norm::Layer { scale: parameter(scale), shift: shift.map(&parameter) }
            }
            Norm::Rms { scale } => Norm::Rms { scale: parameter(scale) },
        }
    }

    /// Returns the gain γ of the normalization.
    pub fn scale(&self) -> P {
        let (Norm::Layer { scale, .. } | Norm::Rms { scale }) = *self;
        scale
    }

    /// Returns whether the normalization subtracts the mean of the row: true for layer normalization only.
    pub fn is_centered(&self) -> bool {
        matches!(self, Norm::Layer { .. })
    }

    /// Returns the offset β, or `None` if the normalization has no offset.
    pub fn shift(&self) -> Option<P> {
        match *self {
            Norm::Layer { shift, .. } => shift,
            Norm::Rms { .. } => None,
        }
    }

    /// Returns the parameters of the normalization: the gain, then the offset if the normalization has one.
    pub fn parameters(&self) -> impl Iterator<Item = P> + use<P> {
        [Some(self.scale()), self.shift()].into_iter().flatten()
    }
}

/// Last operation of an [`Epilogue`]: none, an activation function, or multiplication by its derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EpilogueActivation<V> {
    /// No operation: the layer's result y is unchanged.
    #[default]
    None,
    /// Application of an activation function f to the layer's result: y ← f(y).
    Forward(Activation),
    /// Multiplication of a gradient y by the derivative of an activation function: y ← y·f′.
    Gradient {
        /// Activation function f.
        activation: Activation,
        /// Input or output of f, from which f′ is computed; [`Activation::saves_input`] states which.
        saved: V,
    },
}

/// Epilogue of a CPU kernel, with slices as operands.
pub type KernelEpilogue<'a> = Epilogue<&'a [f32], &'a [f32]>;

impl<P, V> Default for Epilogue<P, V> {
    fn default() -> Self {
        Self { norm: None, residual: None, activation: EpilogueActivation::None }
    }
}

impl<P: Copy, V: Copy> Epilogue<P, V> {
    /// Converts the operands of the epilogue, such as from ids to slices: `parameter` converts each parameter of the
    /// normalization, `value` each matrix.
    #[inline]
    pub fn map<Q, W>(self, parameter: impl Fn(P) -> Q, value: impl Fn(V) -> W) -> Epilogue<Q, W> {
        Epilogue {
            norm: self.norm.map(|norm| norm.map(parameter)),
            residual: self.residual.map(&value),
            activation: match self.activation {
                EpilogueActivation::None => EpilogueActivation::None,
                EpilogueActivation::Forward(activation) => EpilogueActivation::Forward(activation),
                EpilogueActivation::Gradient { activation, saved } => {
                    EpilogueActivation::Gradient { activation, saved: value(saved) }
                }
            },
        }
    }

    /// Returns the epilogue with its operands replaced by `()`. The result identifies which operations the epilogue
    /// has.
    pub fn parts(&self) -> Epilogue<(), ()> {
        self.map(|_| (), |_| ())
    }

    /// Returns the matrices that the epilogue reads, all of the shape of the layer's result: the residual, and the
    /// saved input or output of an activation.
    pub fn operands(&self) -> impl Iterator<Item = &V> {
        let saved = match &self.activation {
            EpilogueActivation::None | EpilogueActivation::Forward(_) => None,
            EpilogueActivation::Gradient { saved, .. } => Some(saved),
        };
        self.residual.iter().chain(saved)
    }
}

impl KernelEpilogue<'_> {
    /// Applies the epilogue in place to the layer's result y, a matrix of contiguous rows.
    pub fn apply(&self, level: Level, y: &mut [f32]) {
        let forward = match self.activation {
            EpilogueActivation::Forward(activation) => Some(activation),
            EpilogueActivation::None | EpilogueActivation::Gradient { .. } => None,
        };
        if let Some(Norm::Layer { scale, shift }) = self.norm {
            let norm = LayerNorm { gain: scale, shift, epsilon: NORM_EPSILON };
            layernorm::forward(level, y, &norm, self.residual, forward);
        } else {
            if let Some(Norm::Rms { scale }) = self.norm {
                rmsnorm::forward(level, y, &RmsNorm { gain: scale, epsilon: NORM_EPSILON });
            }
            if let Some(residual) = self.residual {
                reduce::add(level, residual, y);
            }
            if let Some(activation) = forward {
                activation::forward(level, activation, y);
            }
        }
        if let EpilogueActivation::Gradient { activation, saved } = self.activation {
            activation::backward(level, activation, saved, y);
        }
    }
}
