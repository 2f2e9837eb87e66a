//! Tree reductions in WGSL, and word offsets that host and kernels share.

use crate::template::part;

/// Declares a module of constants: the word offsets of the fields of a device buffer, in sequence. A field has one word, or
/// the number after its name. The constant `WORDS` is the sum, and `NAMED` lists the pairs (name, offset), so that a
/// [`ShaderPart`](crate::ShaderPart) can declare the same constants in WGSL.
#[macro_export]
macro_rules! word_offsets {
    ($(#[$doc:meta])* mod $module:ident { $($(#[$note:meta])* $name:ident $(: $words:literal)?,)+ }) => {
        $(#[$doc])*
        pub(super) mod $module {
            $crate::word_offsets!(@after 0; $($(#[$note])* $name $(: $words)?,)+);
            pub const NAMED: &[(&str, usize)] = &[$((stringify!($name), $name)),+];
        }
    };
    (@after $offset:expr;) => {
        #[allow(dead_code, reason = "the last field of some buffers has a size that is known at run time")]
        pub const WORDS: usize = $offset;
    };
    (@after $offset:expr; $(#[$note:meta])* $name:ident, $($rest:tt)*) => {
        $crate::word_offsets!(@after $offset; $(#[$note])* $name: 1, $($rest)*);
    };
    (@after $offset:expr; $(#[$note:meta])* $name:ident: $words:literal, $($rest:tt)*) => {
        $(#[$note])* pub const $name: usize = $offset;
        $crate::word_offsets!(@after $name + $words; $($rest)*);
    };
}

/// Returns the WGSL of `fn name(t: u32, value: element) -> element`: a tree reduction (sum) over the 256 invocations of
/// a workgroup, in the same order on every device. All invocations must call the function.
pub fn sum_wgsl(name: &str, element: &str) -> String {
    TreeReduction { name, element, threads: 256, lanes: 256, stride: 1, join: "a + b" }.wgsl()
}

/// Tree reduction, such as a sum or maximum, over values of the invocations of a workgroup. The order of operations is
/// the same on every device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeReduction<'a> {
    /// Name of the generated WGSL function `fn name(t: u32, value: element) -> element`, where `t` is the index of the
    /// invocation in its workgroup. All invocations must call the function.
    pub name: &'a str,
    /// WGSL type of the values that are reduced.
    pub element: &'a str,
    /// Number of invocations in a workgroup that calls the reduction.
    pub threads: usize,
    /// Number of consecutive invocations in a group, a power of two. Each group of invocations is reduced separately.
    pub lanes: usize,
    /// Number of results of a group, a power of two. The values of a group form a row-major matrix with `stride`
    /// columns, and each column is reduced to one result.
    pub stride: usize,
    /// WGSL expression that combines two values `a` and `b`, such as `a + b`.
    pub join: &'a str,
}

impl TreeReduction<'_> {
    /// Returns the WGSL of the reduction function and of the workgroup memory that it uses.
    pub(crate) fn wgsl(&self) -> String {
        part(
            crate::shader!("tree_reduction.wgsl"),
            &[
                ("NAME", &self.name),
                ("ELEMENT", &self.element),
                ("THREADS", &self.threads),
                ("LANES", &self.lanes),
                ("HALF", &(self.lanes / 2)),
                ("STRIDE", &self.stride),
                ("JOIN", &self.join),
            ],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::TreeReduction;

    #[test]
    fn a_tree_is_valid() {
        let tree =
            TreeReduction { name: "sum", element: "f32", threads: 64, lanes: 16, stride: 4, join: "a + b" };
        wgpu::naga::front::wgsl::parse_str(&tree.wgsl()).expect("it is WGSL");
    }
}
