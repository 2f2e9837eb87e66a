//! Parser of the text tables that hold the facts: one row per line, fields separated by `|`.

/// Returns the rows of a text table, each with `FIELDS` fields.
pub fn rows<const FIELDS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; FIELDS]> {
    table.lines().map(|line| {
        debug_assert_eq!(line.split('|').count(), FIELDS, "{line}");
        let mut fields = line.split('|').map(str::trim);
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    })
}

/// Returns the comma-separated items of a table field.
pub fn list(field: &'static str) -> Vec<&'static str> {
    field.split(", ").filter(|item| !item.is_empty()).collect()
}

/// Parses the number in a table field; returns 0 if the field is not a number.
pub fn number(field: &str) -> u16 {
    field.parse().unwrap_or_default()
}
