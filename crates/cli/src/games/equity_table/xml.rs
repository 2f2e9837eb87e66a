//! Match equity table in the XML format of GNU Backgammon (`met.dtd` in its folder `met`).

use super::entries::TableEntries;
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

/// Element with the table before and in the Crawford game.
const PRE_CRAWFORD: &str = "pre-crawford-table";
/// Element with the row after the Crawford game.
const POST_CRAWFORD: &str = "post-crawford-table";

/// Parses a table with explicit entries that are the same for both players.
///
/// # Errors
/// A message if the text is not XML, or has another table.
pub fn parse(text: &str) -> Result<TableEntries, String> {
    let mut entries = TableEntries { name: None, rows: Vec::new(), post_crawford: None };
    let mut has_table = false;
    // Names of the open elements, the innermost last.
    let mut path: Vec<String> = Vec::new();
    let mut reader = Reader::from_str(text);
    loop {
        let event = reader
            .read_event()
            .map_err(|error| format!("invalid XML at byte {}: {error}", reader.error_position()))?;
        match event {
            Event::Start(tag) => {
                let name = tag.name().as_ref().to_owned();
                match name.as_str() {
                    PRE_CRAWFORD => {
                        check_explicit(&tag)?;
                        has_table = true;
                    }
                    POST_CRAWFORD => {
                        check_explicit(&tag)?;
                        if entries.post_crawford.replace(Vec::new()).is_some() {
                            return Err("the tables of the two players differ; only tables for equal players are supported".to_owned());
                        }
                    }
                    "row" if path.last().is_some_and(|parent| parent == PRE_CRAWFORD) => {
                        entries.rows.push(Vec::new())
                    }
                    _ => {}
                }
                path.push(name);
            }
            Event::End(_) => {
                path.pop();
            }
            Event::Text(part) => {
                let part = part.xml10_content();
                let value = part.trim();
                let open: Vec<_> = path.iter().map(String::as_str).collect();
                let row = match open.as_slice() {
                    [.., "info", "name"] => {
                        entries.name.get_or_insert_default().push_str(&part);
                        continue;
                    }
                    [.., PRE_CRAWFORD, "row", "me"] => entries.rows.last_mut(),
                    [.., POST_CRAWFORD, "row", "me"] => entries.post_crawford.as_mut(),
                    _ => continue,
                };
                let number = value
                    .parse()
                    .map_err(|_| format!("the element <me> has {value:?}, which is not a number"))?;
                row.into_iter().for_each(|row| row.push(number));
            }
            Event::GeneralRef(reference) if path.last().is_some_and(|open| open == "name") => {
                let character = resolve_xml_entity(&reference.xml10_content()).unwrap_or("?");
                entries.name.get_or_insert_default().push_str(character);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match (has_table, path.last()) {
        (_, Some(open)) => Err(format!("invalid XML: the element <{open}> is not closed")),
        (false, None) => Err(format!(
            "the XML file has no element <{PRE_CRAWFORD}>; a match equity table of GNU Backgammon is needed"
        )),
        (true, None) => Ok(entries),
    }
}

/// Checks that a table consists of entries.
fn check_explicit(tag: &BytesStart<'_>) -> Result<(), String> {
    let kind = tag.try_get_attribute("type").map_err(|error| error.to_string())?;
    match kind {
        Some(kind) if kind.value != "explicit" => Err(format!(
            "the table has the type {:?}, a formula; only the type \"explicit\", a table of entries, is supported",
            kind.value
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = r#"<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<!-- A comment with <me>0.1</me>. -->
<met>
  <info><name>Example &amp; more</name><description>Two points</description><length>2</length></info>
  <pre-crawford-table type="explicit">
    <row> <me>0.5</me> <me> 0.7 </me> </row>
    <row> <me>0.3</me> <me>0.5</me> </row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both"> <row> <me>0.5</me> <me>0.48</me> </row> </post-crawford-table>
</met>"#;

    #[test]
    fn an_explicit_table_is_read() {
        let entries = parse(TABLE).unwrap();
        assert_eq!(entries.name.as_deref(), Some("Example & more"));
        assert_eq!(entries.rows, [[0.5, 0.7], [0.3, 0.5]]);
        assert_eq!(entries.post_crawford.as_deref(), Some(&[0.5, 0.48][..]));
    }

    #[test]
    fn other_files_are_refused() {
        let second = "<post-crawford-table type=\"explicit\" player=\"1\"><row/></post-crawford-table></met>";
        for (text, words) in [
            (TABLE.replace("type=\"explicit\"", "type=\"zadeh\""), "the type \"zadeh\", a formula"),
            (TABLE.replace("0.7", "high"), "\"high\", which is not a number"),
            (TABLE.replace("</met>", second), "the tables of the two players differ"),
            (TABLE.replace("</met>", ""), "the element <met> is not closed"),
            (TABLE.replace("</row>", "</me>"), "invalid XML at byte"),
            ("<svg></svg>".to_owned(), "no element <pre-crawford-table>"),
        ] {
            let message = parse(&text).err().unwrap();
            assert!(message.contains(words), "{words}: {message}");
        }
    }
}
