//! The error of training that diverged.

/// A loss, a gradient or an action is infinite or not a number. The weights are those before the gradient step that would have
/// spoilt them.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} is {value} after {updates} updates; it must be a finite number")]
pub struct NotFinite {
    /// The quantity, such as `the loss`.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// Gradient steps taken before.
    pub updates: u64,
}

impl NotFinite {
    /// Checks some quantities after this many gradient steps.
    ///
    /// # Errors
    /// [`NotFinite`] for the first one that is not finite.
    pub fn check(
        updates: u64,
        quantities: impl IntoIterator<Item = (&'static str, f64)>,
    ) -> Result<(), Self> {
        let found = quantities.into_iter().find(|(_, value)| !value.is_finite());
        found.map_or(Ok(()), |(what, value)| Err(Self { what, value, updates }))
    }
}
