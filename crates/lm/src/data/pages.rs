//! Reading of articles from a MediaWiki XML export.
//!
//! A chunk contains all pages whose `<page>` tag starts in the chunk. Page text escapes `<` as an entity and cannot
//! contain the tag, so reading can start at any offset of a dump.

use super::document::{Document, DocumentCallback, ReadBuffers, read_bytes, unreadable, utf8};
use super::{ByteSource, DataError, wikitext};
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use std::ops::Range;

const BEGIN: &[u8] = b"<page>";
const END: &[u8] = b"</page>";
/// Maximum size in bytes of a page in a MediaWiki dump. Pages with a single revision are far shorter; full histories
/// can exceed memory.
const MAX_BYTES: usize = 1 << 25;

/// Reads the wiki pages of the dump `source` that start at byte offsets in `range`. Passes each page that is an article
/// to the callback `each` as one document.
pub fn read(
    source: &dyn ByteSource,
    range: Range<u64>,
    scratch: &mut ReadBuffers,
    each: &mut DocumentCallback<'_>,
) -> Result<(), DataError> {
    let ReadBuffers { bytes, page, text } = scratch;
    let from = range.start;
    // The `<page>` tag can extend past the end of the chunk.
    let searched = (range.end - from) as usize + BEGIN.len() - 1;
    read_bytes(source, from, (searched as u64).min(source.len() - from), bytes)?;
    let mut start = 0;
    while let Some(found) = bytes.get(start..searched.min(bytes.len())).and_then(|rest| find(rest, BEGIN)) {
        start += found;
        let at = from + start as u64;
        let bad = |problem: String| DataError::Page { name: source.name().to_owned(), at, problem };
        let end = end_of_page(source, from, start, bytes)?.map_err(bad)?;
        if article(utf8(source.name(), at, &bytes[start..end])?, page, text)
            .map_err(|e| bad(e.to_string()))?
        {
            each(Document { text, ends: true, file: source.name(), at })?;
        }
        start = end;
    }
    Ok(())
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|part| part == what)
}

/// Returns the index in `bytes` at which a wiki page ends; the page starts at index `start`. If the page is incomplete
/// or too long, the inner result is an error message. `bytes` holds the bytes of the file from file offset `from` on;
/// further bytes are appended until the page is complete.
fn end_of_page(
    source: &dyn ByteSource,
    from: u64,
    start: usize,
    bytes: &mut Vec<u8>,
) -> Result<Result<usize, String>, DataError> {
    let mut searched = start;
    loop {
        if let Some(found) = find(&bytes[searched..], END) {
            return Ok(Ok(searched + found + END.len()));
        }
        let (have, left) = (bytes.len(), source.len() - from - bytes.len() as u64);
        if left == 0 {
            return Ok(Err("the file ends before </page>".to_owned()));
        }
        if have - start > MAX_BYTES {
            let megabytes = MAX_BYTES >> 20;
            return Ok(Err(format!(
                "it is longer than {megabytes} MiB; use an export of current revisions only"
            )));
        }
        searched = start.max(have - (END.len() - 1).min(have));
        bytes.resize(have + left.min(1 << 16) as usize, 0);
        source.read_at(from + have as u64, &mut bytes[have..]).map_err(|error| unreadable(source, &error))?;
    }
}

/// Converts a wiki page in XML to plain text, and writes the title and the text to `text`. Returns false for redirects,
/// empty pages and pages outside the article namespace. `wikitext` is working memory.
fn article(xml: &str, wikitext: &mut String, text: &mut String) -> Result<bool, quick_xml::Error> {
    wikitext.clear();
    text.clear();
    let (mut title, mut namespace) = (String::new(), String::new());
    let mut reader = Reader::from_str(xml);
    let mut within = Vec::new();
    loop {
        let field = match within.last().copied() {
            Some("title") => Some(&mut title),
            Some("ns") => Some(&mut namespace),
            Some("text") => Some(&mut *wikitext),
            _ => None,
        };
        match (reader.read_event()?, field) {
            (Event::Start(tag), _) => {
                // Only the last revision is used.
                if tag.name().as_ref() == "text" {
                    wikitext.clear();
                }
                within.push(known(tag.name().as_ref()));
            }
            (Event::End(_), _) => _ = within.pop(),
            (Event::Empty(tag), _) if tag.name().as_ref() == "redirect" => return Ok(false),
            (Event::Text(part), Some(field)) => field.push_str(&part.xml10_content()),
            (Event::CData(part), Some(field)) => field.push_str(&part.xml10_content()),
            (Event::GeneralRef(reference), Some(field)) => resolve(&reference, field)?,
            (Event::Eof, _) => break,
            _ => {}
        }
    }
    if namespace != "0" || wikitext.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("#redirect")) {
        return Ok(false);
    }
    text.push_str(&title);
    text.push_str("\n\n");
    let before = text.len();
    wikitext::plain_text(wikitext, text);
    text.push_str("\n\n");
    Ok(text.len() > before + 2)
}

/// Returns the name of an XML element if the parser reads this element's content; otherwise an empty string.
fn known(name: &str) -> &'static str {
    match name {
        "title" => "title",
        "ns" => "ns",
        "text" => "text",
        _ => "",
    }
}

fn resolve(reference: &BytesRef<'_>, out: &mut String) -> Result<(), quick_xml::Error> {
    if let Some(character) = reference.resolve_char_ref()? {
        out.push(character);
    } else if let Some(text) = resolve_xml_entity(&reference.xml10_content()) {
        out.push_str(text);
    }
    Ok(())
}
