//! Bytes in the order and with the names that GPT-2 gives them (Radford et al., "Language Models are Unsupervised
//! Multitask Learners", 2019): bytes that print well in Latin-1 come first and stand for themselves, the others follow
//! under the characters from U+0100 on. So a token is a string without spaces that a file can hold.

/// Whether a byte stands for itself.
const fn prints(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

/// All bytes, in the order of their tokens.
pub const BYTES: [u8; 256] = {
    let mut order = [0; 256];
    let (mut place, mut code) = (0, 0);
    while code < 512 {
        let byte = code as u8;
        if (code < 256) == prints(byte) {
            order[place] = byte;
            place += 1;
        }
        code += 1;
    }
    order
};

/// The token of each byte.
pub const TOKENS: [u8; 256] = {
    let mut tokens = [0; 256];
    let mut token = 0;
    while token < 256 {
        tokens[BYTES[token] as usize] = token as u8;
        token += 1;
    }
    tokens
};

/// How many bytes stand for themselves.
const PRINTING: u8 = 188;

/// The character that a byte has in a file.
fn character(byte: u8) -> char {
    let token = TOKENS[usize::from(byte)];
    if token < PRINTING {
        char::from(byte)
    } else {
        char::from_u32(0x100 + u32::from(token - PRINTING)).unwrap_or('?')
    }
}

/// The byte that a character of a file stands for.
fn byte(character: char) -> Option<u8> {
    match character as u32 {
        code @ 0..256 => prints(code as u8).then_some(code as u8),
        code => BYTES.get(usize::from(PRINTING) + code as usize - 0x100).copied(),
    }
}

/// Bytes as a file names them.
pub fn write(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| character(byte)).collect()
}

/// What [`write`] wrote; `None` if a character stands for no byte.
pub fn read(name: &str) -> Option<Vec<u8>> {
    name.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_one_token_and_one_name() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(read(&write(&all)), Some(all.clone()));
        let mut sorted = BYTES.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, all);
        assert_eq!(BYTES.iter().filter(|&&byte| prints(byte)).count(), usize::from(PRINTING));
    }

    #[test]
    fn names_are_those_of_gpt_2() {
        // A few lines of its `vocab.json`.
        assert_eq!(write(b" \n\tAz~"), "ĠĊĉAz~");
        assert_eq!(write("é".as_bytes()), "Ã©");
        assert_eq!([b'!', b'~', 0xff, 0, b' '].map(|byte| TOKENS[usize::from(byte)]), [0, 93, 187, 188, 220]);
        assert_eq!(read("a b"), None);
        assert_eq!(read("中"), None);
    }
}
