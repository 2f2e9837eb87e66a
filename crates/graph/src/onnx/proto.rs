//! Protocol Buffers wire format: the subset that ONNX files need (<https://protobuf.dev/programming-guides/encoding>).

/// A Protocol Buffers message under construction.
#[derive(Debug, Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// Appends an integer field (varint).
    pub(crate) fn int(mut self, field: u32, value: u64) -> Self {
        self.key(field, 0);
        self.varint(value);
        self
    }

    /// Appends an f32 field.
    pub(crate) fn float(mut self, field: u32, value: f32) -> Self {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Appends a string field.
    pub(crate) fn text(self, field: u32, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Appends a nested message.
    pub(crate) fn message(self, field: u32, message: &Message) -> Self {
        self.bytes(field, &message.0)
    }

    /// Appends a bytes field.
    pub(crate) fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        self.key(field, 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// Returns the encoded message.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    fn key(&mut self, field: u32, wire_type: u64) {
        self.varint(u64::from(field) << 3 | wire_type);
    }

    /// Appends a base-128 varint: seven bits in each byte, least significant first. The high bit of a byte is set if
    /// another byte follows.
    fn varint(&mut self, mut value: u64) {
        while value >= 128 {
            self.0.push(value as u8 | 128);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
