//! Epilogue of a matrix product or normalization: what follows on the result while it is in the cache.

use crate::activation::{self, Activation};
use crate::layernorm::{self, LayerNorm};
use crate::reduce;
use crate::rmsnorm::{self, RmsNorm};
use crate::simd::Level;

/// Epilogue y ← activation(norm(y) + residual). Each part is optional.
///
/// The operands are slices for the kernels of this crate, and ids or offsets in plans: `P` stands for a parameter of the
/// normalization, `V` for a matrix of the shape of y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epilogue<P, V> {
    /// Normalization of each row of y, applied first.
    pub norm: Option<Norm<P>>,
    /// Matrix that is added to y after the normalization.
    pub residual: Option<V>,
    /// Activation function or its derivative, applied last.
    pub activation: EpilogueActivation<V>,
}

/// Normalization of each row of a \[rows, n\] matrix. `P` stands for a parameter of n elements, as in [`Epilogue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm<P> {
    /// Layer normalization γ·(x − mean)/√(variance + ε) + β ([`layernorm`]).
    Layer {
        /// Gain γ.
        scale: P,
        /// Offset β; `None` for a layer normalization without offset.
        shift: Option<P>,
    },
    /// Root-mean-square normalization γ·x/√(mean(x²) + ε) ([`rmsnorm`]).
    Rms {
        /// Gain γ.
        scale: P,
    },
}

/// ε of a [`Norm`], added to the variance or the mean of the squares.
pub const NORM_EPSILON: f32 = 1e-5;

impl<P: Copy> Norm<P> {
    /// Returns the same normalization with other parameters.
    #[inline]
    pub fn map<Q>(self, parameter: impl Fn(P) -> Q) -> Norm<Q> {
        match self {
            Norm::Layer { scale, shift } => {
                Norm::Layer { scale: parameter(scale), shift: shift.map(&parameter) }
            }
            Norm::Rms { scale } => Norm::Rms { scale: parameter(scale) },
        }
    }

    /// Returns the gain γ.
    pub fn scale(&self) -> P {
        let (Norm::Layer { scale, .. } | Norm::Rms { scale }) = *self;
        scale
    }

    /// Returns whether the mean of the row is subtracted, as only a layer normalization does.
    pub fn is_centered(&self) -> bool {
        matches!(self, Norm::Layer { .. })
    }

    /// Returns the offset β, which only a layer normalization may have.
    pub fn shift(&self) -> Option<P> {
        match *self {
            Norm::Layer { shift, .. } => shift,
            Norm::Rms { .. } => None,
        }
    }

    /// Returns the parameters: gain, and offset if there is one.
    pub fn parameters(&self) -> impl Iterator<Item = P> + use<P> {
        [Some(self.scale()), self.shift()].into_iter().flatten()
    }
}

/// Last part of an [`Epilogue`]: an activation function, or its derivative as a factor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EpilogueActivation<V> {
    /// y is unchanged.
    #[default]
    None,
    /// y ← activation(y).
    Forward(Activation),
    /// y ← y·activation′, for a gradient y.
    Gradient {
        /// Activation function whose derivative is the factor.
        activation: Activation,
        /// Input or output of the activation, from which the derivative is computed ([`Activation::saves_input`]).
        saved: V,
    },
}

/// Epilogue of a kernel on the CPU, with slices as operands.
pub type KernelEpilogue<'a> = Epilogue<&'a [f32], &'a [f32]>;

impl<P, V> Default for Epilogue<P, V> {
    fn default() -> Self {
        Self { norm: None, residual: None, activation: EpilogueActivation::None }
    }
}

impl<P: Copy, V: Copy> Epilogue<P, V> {
    /// Returns the same epilogue with other operands: `parameter` converts each parameter of the normalization, `value`
    /// each matrix.
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

    /// Returns the epilogue without operands, which shows the parts that it has.
    pub fn parts(&self) -> Epilogue<(), ()> {
        self.map(|_| (), |_| ())
    }

    /// Returns the matrices that the epilogue reads, all of the shape of y: residual and saved activation.
    pub fn operands(&self) -> impl Iterator<Item = &V> {
        let saved = match &self.activation {
            EpilogueActivation::None | EpilogueActivation::Forward(_) => None,
            EpilogueActivation::Gradient { saved, .. } => Some(saved),
        };
        self.residual.iter().chain(saved)
    }
}

impl KernelEpilogue<'_> {
    /// Applies the epilogue in place to y, a matrix of contiguous rows.
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
