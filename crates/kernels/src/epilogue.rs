//! Epilogue of a matrix product or layer normalization: what follows on the result while it is in the cache.

use crate::activation::{self, Activation};
use crate::layernorm::{self, LayerNorm};
use crate::reduce;
use crate::simd::Level;

/// Epilogue y ← activation(norm(y) + residual). Each part is optional.
///
/// The operands are slices for the kernels of this crate, and ids or offsets in plans: `N` stands for the parameters of
/// a layer normalization, `V` for a matrix of the shape of y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epilogue<N, V> {
    /// Layer normalization of each row of y, applied first.
    pub norm: Option<N>,
    /// Matrix that is added to y after the normalization.
    pub residual: Option<V>,
    /// Activation function or its derivative, applied last.
    pub activation: EpilogueActivation<V>,
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
pub type KernelEpilogue<'a> = Epilogue<LayerNorm<'a>, &'a [f32]>;

impl<N, V> Default for Epilogue<N, V> {
    fn default() -> Self {
        Self { norm: None, residual: None, activation: EpilogueActivation::None }
    }
}

impl<N, V> Epilogue<N, V> {
    /// Returns the same epilogue with other operands: `norm` converts the parameters of the layer normalization,
    /// `value` each matrix.
    #[inline]
    pub fn map<M, W>(self, norm: impl FnOnce(N) -> M, value: impl Fn(V) -> W) -> Epilogue<M, W> {
        Epilogue {
            norm: self.norm.map(norm),
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
    pub fn parts(&self) -> Epilogue<(), ()>
    where
        N: Copy,
        V: Copy,
    {
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
        if let Some(norm) = &self.norm {
            layernorm::forward(level, y, norm, self.residual, forward);
        } else {
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
