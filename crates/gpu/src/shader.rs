//! Inclusion of WGSL files without comments, indentation and empty lines. This reduces the size of the wasm modules:
//! comments are about a third of the shader source.

/// Includes WGSL files, concatenated, without comments, indentation and empty lines.
#[macro_export]
macro_rules! shader {
    ($($path:expr),+) => {{
        const WHOLE: &str = concat!($(include_str!($path)),+);
        const CODE: [u8; $crate::shader::code_len(WHOLE)] = $crate::shader::code(WHOLE);
        const TEXT: &str = match core::str::from_utf8(&CODE) {
            Ok(text) => text,
            Err(_) => panic!("stripping removes whole characters only"),
        };
        TEXT
    }};
}

/// Returns the number of bytes of `text` without comments, indentation and empty lines.
#[doc(hidden)]
pub const fn code_len(text: &str) -> usize {
    copy_code(text, &mut [])
}

/// Returns `text` without comments, indentation and empty lines; `LEN` is the result of [`code_len`].
#[doc(hidden)]
pub const fn code<const LEN: usize>(text: &str) -> [u8; LEN] {
    let mut code = [0; LEN];
    copy_code(text, &mut code);
    code
}

/// Copies `text` without comments, indentation and empty lines into `code`, truncated to the length of `code`. Returns
/// the full length in bytes.
const fn copy_code(text: &str, code: &mut [u8]) -> usize {
    let text = text.as_bytes();
    let (mut at, mut len) = (0, 0);
    let mut is_line_empty = true;
    while at < text.len() {
        if text[at] == b'/' && at + 1 < text.len() && text[at + 1] == b'/' {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
            continue;
        }
        let is_space = matches!(text[at], b' ' | b'\n');
        if !(is_space && is_line_empty) {
            if len < code.len() {
                code[len] = text[at];
            }
            len += 1;
        }
        is_line_empty = text[at] == b'\n' || (is_line_empty && is_space);
        at += 1;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::copy_code;

    #[test]
    fn comments_indentation_and_empty_lines_are_removed() {
        let text = "// Σ of a row.\n\nfn f() {\n    // Why.\n    let a = b / c; // d\n\n}\n// The end";
        let mut code = [0; 64];
        let len = copy_code(text, &mut code);
        assert_eq!(std::str::from_utf8(&code[..len]).unwrap(), "fn f() {\nlet a = b / c; \n}\n");
    }
}
