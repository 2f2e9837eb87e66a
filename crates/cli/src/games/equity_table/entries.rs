//! Entries of a file with a match equity table.

/// Entries of a table file: a row for each number of points that the first player needs.
pub struct TableEntries {
    /// Name of the table.
    pub name: Option<String>,
    /// Probabilities of the first player.
    pub rows: Vec<Vec<f64>>,
    /// Probabilities after the Crawford game; `None` if the file has none.
    pub post_crawford: Option<Vec<f64>>,
}
