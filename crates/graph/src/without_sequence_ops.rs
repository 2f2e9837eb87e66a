//! List of operations in builds without the feature `sequences`.

/// Calls the macro `$with` with the unchanged list of [`for_each_op!`](crate::for_each_op).
#[doc(hidden)]
#[macro_export]
macro_rules! with_sequence_ops {
    ($with:ident { $($rows:tt)+ }) => {
        $with! { $($rows)+ }
    };
}
