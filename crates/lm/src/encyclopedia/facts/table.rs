//! Tables in text files: a line for each row, bars between its fields.

/// The rows of a table, each of so many fields.
pub fn rows<const FIELDS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; FIELDS]> {
    table.lines().map(|line| {
        debug_assert_eq!(line.split('|').count(), FIELDS, "{line}");
        let mut fields = line.split('|').map(str::trim);
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    })
}

/// The items of a field, which commas separate.
pub fn list(field: &'static str) -> Vec<&'static str> {
    field.split(", ").filter(|item| !item.is_empty()).collect()
}

/// The number in a field; 0 for none.
pub fn number(field: &str) -> u16 {
    field.parse().unwrap_or_default()
}
