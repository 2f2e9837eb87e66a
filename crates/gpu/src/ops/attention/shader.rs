//! WGSL of attention and of the parts of its gradient.

use crate::builder::Shader;
use crate::math::math_wgsl;
use crate::template::part;

/// Number of tokens whose results one workgroup computes.
pub(super) const OWN: usize = 32;
/// Number of invocations of a workgroup that together compute the result of one token.
const SHARES: usize = 4;
const THREADS: usize = OWN * SHARES;
/// Size of a workgroup's memory, in vectors of four f32 values (16 KiB).
const MEMORY: usize = 1024;
/// Number of vectors of four f32 values that the invocations of one token exchange at a time through workgroup memory
/// to add their partial sums.
const HANDED_ON: usize = 16;

/// Pass of attention or of its gradient: the result that a shader computes for the tokens of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttentionPass {
    /// Attention outputs of queries. Each query reads the keys and values up to its own position.
    Forward,
    /// Gradient of queries, computed from the keys and values up to the position of each query. Also stores two numbers
    /// of each query, the log-sum-exp of its scores and the dot product of its output and output gradient, for
    /// [`Self::Keys`] and [`Self::Values`].
    Queries,
    /// Gradient of keys, computed from the queries at and after the position of each key.
    Keys,
    /// Gradient of values, computed from the queries at and after the position of each value.
    Values,
}

impl AttentionPass {
    /// Returns whether the workgroup computes results of queries, which read earlier tokens, and not of keys or values.
    pub(super) fn looks_back(self) -> bool {
        matches!(self, AttentionPass::Forward | AttentionPass::Queries)
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            AttentionPass::Forward => "attention",
            AttentionPass::Queries => "attention_query_gradient",
            AttentionPass::Keys => "attention_key_gradient",
            AttentionPass::Values => "attention_value_gradient",
        }
    }
}

/// Attention pass and head width, from which the WGSL of the pass is generated.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttentionShader {
    pub(super) pass: AttentionPass,
    pub(super) head_width: usize,
}

impl AttentionShader {
    /// Returns the number of vectors of four f32 values that hold a query, key or value of one head.
    fn fours(&self) -> usize {
        self.head_width.div_ceil(4)
    }

    /// Returns the number of tokens that a workgroup loads into its memory at a time. The workgroup loads keys and
    /// values if it computes results of queries, and loads queries if it computes gradients of keys or values.
    fn others(&self) -> usize {
        let known = if self.pass.looks_back() { 0 } else { OWN / 2 };
        let most = ((MEMORY - known) / (2 * self.fours())).min(OWN);
        // Rounds down to a multiple of `SHARES`, if large enough.
        if most > SHARES { most - most % SHARES } else { most }
    }

    /// Returns the shader of this attention pass. The caller adds the buffers and uniforms.
    pub(super) fn shader<'a>(&self) -> Shader<'a> {
        let (pass, others, fours) = (self.pass, self.others(), self.fours());
        let is_forward = pass == AttentionPass::Forward;
        let totals = OWN * HANDED_ON.min(fours);
        // The invocations of a token exchange their partial sums in parts that fit the workgroup memory.
        let hand_on = (0..fours).step_by(HANDED_ON).map(|first| {
            let stop = (first + HANDED_ON).min(fours);
            let values: [(_, &dyn std::fmt::Display); 3] =
                [("START", &first), ("STOP", &stop), ("FORWARD", &is_forward)];
            part(crate::shader!("hand_on.wgsl"), &values)
        });
        Shader::own(pass.label(), &[math_wgsl(), crate::shader!("attention.wgsl")])
            .constants([
                ("OWN", OWN),
                ("SHARES", SHARES),
                ("THREADS", THREADS),
                ("OTHERS", others),
                ("SECOND", others * fours),
                ("TILE", (2 * others * fours).max(totals + OWN)),
                ("TOTALS", totals),
                ("HEAD", self.head_width),
                ("FOURS", fours),
            ])
            .constants([
                ("EDGE", !self.head_width.is_multiple_of(4)),
                ("BACK", pass.looks_back()),
                ("FORWARD", is_forward),
                ("GRADIENT", !is_forward),
                ("QUERIES", pass == AttentionPass::Queries),
                ("KEYS", pass == AttentionPass::Keys),
                ("VALUES", pass == AttentionPass::Values),
                ("LOG_SUM", pass.looks_back()),
                ("VALUE_SUMS", is_forward || pass == AttentionPass::Values),
            ])
            .constants([("SCALE", 1.0 / (self.head_width as f32).sqrt())])
            .constants([("HAND_ON", hand_on.collect::<String>())])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AttentionArgs, WIDEST_HEAD};
    use super::{AttentionPass, AttentionShader, MEMORY};

    #[test]
    fn every_kernel_is_valid_and_within_the_limits_of_all_adapters() {
        for pass in
            [AttentionPass::Forward, AttentionPass::Queries, AttentionPass::Keys, AttentionPass::Values]
        {
            for head_width in [1, 4, 6, 32, 64, 80, 128, WIDEST_HEAD] {
                let kernel = AttentionShader { pass, head_width };
                let args = AttentionArgs { head_width, ..AttentionArgs::default() };
                let shader = kernel.shader().uniforms(args.uniforms(pass, [0; 2]));
                let module = shader.validated();
                let layouts = module
                    .global_variables
                    .iter()
                    .filter(|(_, variable)| variable.space == wgpu::naga::AddressSpace::WorkGroup);
                let bytes: u32 =
                    layouts.map(|(_, variable)| module.types[variable.ty].inner.size(module.to_ctx())).sum();
                assert!(bytes as usize <= 16 * MEMORY && kernel.others() > 0, "{kernel:?}: {bytes} bytes");
            }
        }
    }
}
