//! Tokens of the Smart Game Format (<https://www.red-bean.com/sgf/sgf4.html>). Crates for this format read games of Go;
//! a backgammon record needs game trees, nodes and properties only.

use super::match_record::RecordError;

/// Property of a node: name and values, without escapes.
pub(super) struct SgfProperty {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// Game tree: the nodes of its first variation.
pub(super) type SgfNodes = Vec<Vec<SgfProperty>>;

/// Parses a collection of game trees. Of several variations, the first is returned.
pub(super) fn parse(text: &str) -> Result<Vec<SgfNodes>, RecordError> {
    let mut reader = Reader { rest: text, line: 1 };
    let mut trees = Vec::new();
    while reader.peek().is_some() {
        reader.expect('(', "a game tree begins with a parenthesis")?;
        let mut nodes = Vec::new();
        reader.tree(&mut nodes)?;
        trees.push(nodes);
    }
    Ok(trees)
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

impl Reader<'_> {
    /// Returns the next character after white space.
    fn peek(&mut self) -> Option<char> {
        while let Some(next) = self.rest.chars().next() {
            if !next.is_whitespace() {
                return Some(next);
            }
            self.next();
        }
        None
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        self.line += usize::from(next == '\n');
        Some(next)
    }

    fn error(&self, problem: &str) -> RecordError {
        RecordError::Syntax { line: self.line, problem: problem.to_owned() }
    }

    fn expect(&mut self, wanted: char, problem: &str) -> Result<(), RecordError> {
        if self.peek() != Some(wanted) {
            return Err(self.error(problem));
        }
        self.next();
        Ok(())
    }

    /// Reads a game tree after its opening parenthesis. Appends its nodes and the nodes of its first variation.
    fn tree(&mut self, nodes: &mut SgfNodes) -> Result<(), RecordError> {
        // Depth of the open trees, and whether the nodes of the present tree belong to the first variation. A loop, not
        // a recursion: files may be nested deeply.
        let mut open = vec![true];
        let mut closed_variation = false;
        while let Some(&is_first) = open.last() {
            match self.peek() {
                Some(';') => {
                    self.next();
                    let node = self.node()?;
                    if is_first && !closed_variation {
                        nodes.push(node);
                    }
                }
                Some('(') => {
                    self.next();
                    open.push(is_first && !closed_variation);
                }
                Some(')') => {
                    self.next();
                    open.pop();
                    closed_variation |= is_first;
                }
                Some(_) => return Err(self.error("a node begins with a semicolon")),
                None => {
                    return Err(self.error("the text ends within a game tree; its parenthesis is missing"));
                }
            }
        }
        Ok(())
    }

    fn node(&mut self) -> Result<Vec<SgfProperty>, RecordError> {
        let mut properties = Vec::new();
        while self.peek().is_some_and(|next| next.is_ascii_alphabetic()) {
            let mut name = String::new();
            while let Some(letter) = self.rest.chars().next().filter(char::is_ascii_alphabetic) {
                name.push(letter);
                self.next();
            }
            let mut values = Vec::new();
            while self.peek() == Some('[') {
                self.next();
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.error(&format!("property {name} has no value in brackets")));
            }
            properties.push(SgfProperty { name, values });
        }
        Ok(properties)
    }

    /// Reads a value after its opening bracket.
    fn value(&mut self) -> Result<String, RecordError> {
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    // An escaped end of line continues the line.
                    Some('\n') => {}
                    Some(escaped) => value.push(escaped),
                    None => break,
                },
                Some(character) => value.push(character),
                None => break,
            }
        }
        Err(self.error("the text ends within a value; its bracket is missing"))
    }
}
