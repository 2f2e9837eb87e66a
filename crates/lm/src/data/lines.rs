//! Chunk boundaries of plain text at line ends.

use super::ByteSource;
use std::io;

/// Maximum number of bytes that are searched for a line end, starting at the approximate offset of a chunk boundary.
const SEARCH_BYTES: u64 = 4096;

/// Moves an approximate chunk boundary to a line start: returns the byte offset of the first line of `source` that
/// starts at or after byte offset `at`. `buffer` is working memory.
///
/// If no line end follows within [`SEARCH_BYTES`], the boundary is the next start of a UTF-8 character. If `at` is
/// inside the last line, the boundary is the end of the text unless the last line is longer than [`SEARCH_BYTES`]. Both
/// neighboring chunks compute the same boundary.
pub fn boundary(source: &dyn ByteSource, at: u64, buffer: &mut Vec<u8>) -> io::Result<u64> {
    let len = source.len();
    if at == 0 || at >= len {
        return Ok(at.min(len));
    }
    let from = at - 1;
    read(source, from, SEARCH_BYTES.min(len - from), buffer)?;
    let is_last = len - from <= SEARCH_BYTES;
    // A line end at the end of the text starts no line.
    let lines = &buffer[..buffer.len() - usize::from(is_last)];
    if let Some(line_end) = lines.iter().position(|&byte| byte == b'\n') {
        return Ok(at + line_end as u64);
    }
    let character = at + buffer[1..].iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count() as u64;
    if !is_last {
        return Ok(character);
    }
    // The same bytes are inspected for every `at`, so that boundaries are monotonic.
    let last = len.min(2 * SEARCH_BYTES);
    read(source, len - last, last, buffer)?;
    let has_lines = buffer[..buffer.len() - 1].contains(&b'\n');
    Ok(if has_lines { len } else { character })
}

/// Reads `bytes` bytes of the file `source` from byte offset `from` on, and replaces the content of `buffer` by these
/// bytes.
fn read(source: &dyn ByteSource, from: u64, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.resize(bytes as usize, 0);
    source.read_at(from, buffer)
}

#[cfg(test)]
mod tests {
    use super::super::MemorySource;
    use super::*;

    fn boundaries(text: &str, step: usize) -> Vec<u64> {
        let source = MemorySource::new("text", text.as_bytes());
        let starts = (0..=text.len() + step).step_by(step);
        starts.map(|at| boundary(&source, at as u64, &mut Vec::new()).unwrap()).collect()
    }

    #[test]
    fn pieces_begin_behind_line_ends() {
        assert_eq!(boundaries("one\ntwo\n\nthree", 3), [0, 4, 8, 9, 14, 14]);
        // Line ends at multiples of the step.
        assert_eq!(boundaries("ab\ncd\n", 3), [0, 3, 6, 6]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text = "a中".repeat(3000);
        for text in [text.clone(), text.clone() + "\n"] {
            for (at, found) in (0u64..).step_by(1001).zip(boundaries(&text, 1001)) {
                let character = if at % 4 < 2 { at } else { at.next_multiple_of(4) };
                assert_eq!(found, character.min(text.len() as u64));
            }
        }
    }
}
