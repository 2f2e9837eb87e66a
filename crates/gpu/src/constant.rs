//! Constants of shaders, and parts that several shaders share.

use std::borrow::Cow;

/// Value of a constant of a shader.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// Number of type `u32`.
    Word(usize),
    /// Number of type `f32`.
    Number(f32),
    /// Condition.
    Flag(bool),
    /// Name of a function or type, or other WGSL text. Only `$NAME` reads it.
    Text(String),
}

impl Constant {
    /// Returns the text of the constant, which replaces `$NAME`.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Word(word) => word.to_string(),
            Self::Number(number) => format!("{number:e}f"),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => text.clone(),
        }
    }

    /// Returns the WGSL declaration of the constant; empty if the constant is text.
    pub(crate) fn declaration(&self, name: &str) -> String {
        match self {
            Self::Word(word) => format!("const {name} = {word}u;\n"),
            Self::Number(_) | Self::Flag(_) => format!("const {name} = {};\n", self.text()),
            Self::Text(_) => String::new(),
        }
    }
}

impl From<usize> for Constant {
    fn from(word: usize) -> Self {
        Self::Word(word)
    }
}

impl From<f32> for Constant {
    fn from(number: f32) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Constant {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Constant {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Constant {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Part that several shaders share: WGSL text, and constants, of which a shader may read some or none.
#[derive(Clone, Debug, Default)]
pub struct ShaderPart {
    pub(crate) text: String,
    pub(crate) constants: Vec<(Cow<'static, str>, Constant)>,
}

impl ShaderPart {
    /// Creates a part from pieces of WGSL text, which are concatenated.
    pub fn new(pieces: &[&str]) -> Self {
        Self { text: pieces.concat(), constants: Vec::new() }
    }

    /// Adds constants, each with its name.
    #[must_use]
    pub fn constants<N: Into<Cow<'static, str>>, V: Into<Constant>>(
        mut self,
        constants: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        self.constants.extend(constants.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }
}
