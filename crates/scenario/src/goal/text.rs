//! The text of a GOAL file as tokens: words, numbers and signs, without comments.

use crate::diagnostic::quoted;

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    /// The byte position of its first character.
    pub at: usize,
    pub token: Token<'a>,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A keyword or label.
    Word(&'a str),
    /// `None` if it is too large.
    Number(Option<u64>),
    /// -1.
    Any,
    /// A bracket, colon or semicolon.
    Sign(char),
    /// Any other character.
    Strange(&'a str),
    /// A comment without an end.
    Unclosed,
    /// The end of the file.
    End,
}

impl Token<'_> {
    /// For messages.
    pub(crate) fn described(&self) -> String {
        match self {
            Token::Word(word) => quoted(word),
            Token::Number(Some(number)) => format!("the number {number}"),
            Token::Number(None) => "a number that is too large".into(),
            Token::Any => "-1".into(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Strange(text) => quoted(text),
            Token::Unclosed => "a comment that does not end".into(),
            Token::End => "the end of the file".into(),
        }
    }
}

/// The tokens of a text, one after the other.
pub(super) struct Pieces<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token; at the end, the end token repeatedly.
    pub(crate) fn next(&mut self) -> Piece<'a> {
        let (piece, end) = self.read(self.at);
        self.at = end;
        piece
    }

    /// The next token, without consuming it.
    pub(crate) fn peek(&self) -> Piece<'a> {
        self.read(self.at).0
    }

    /// Whether the next two tokens are this word and a number: `tag 3` is an annotation, `tag: calc 3` an operation.
    pub(crate) fn follows_with_number(&self, word: &str) -> bool {
        let (piece, end) = self.read(self.at);
        piece.token == Token::Word(word) && matches!(self.read(end).0.token, Token::Number(_) | Token::Any)
    }

    /// The token at or after a byte, and where it ends.
    fn read(&self, mut at: usize) -> (Piece<'a>, usize) {
        let bytes = self.text.as_bytes();
        loop {
            match (bytes.get(at), bytes.get(at + 1)) {
                (Some(byte), _) if byte.is_ascii_whitespace() => at += 1,
                (Some(b'/'), Some(b'/')) => at = self.text[at..].find('\n').map_or(bytes.len(), |line| at + line),
                (Some(b'/'), Some(b'*')) => match self.text[at + 2..].find("*/") {
                    Some(length) => at += length + 4,
                    None => return (Piece { at, token: Token::Unclosed }, bytes.len()),
                },
                _ => break,
            }
        }
        let Some(&first) = bytes.get(at) else { return (Piece { at, token: Token::End }, at) };
        let while_true = |good: fn(&u8) -> bool| at + bytes[at..].iter().take_while(|byte| good(byte)).count();
        let (token, end) = match first {
            b'{' | b'}' | b':' | b';' => (Token::Sign(char::from(first)), at + 1),
            b'-' if bytes.get(at + 1) == Some(&b'1') && !bytes.get(at + 2).is_some_and(u8::is_ascii_digit) => {
                (Token::Any, at + 2)
            }
            b'0'..=b'9' => {
                let end = while_true(u8::is_ascii_digit);
                (Token::Number(self.text[at..end].parse().ok()), end)
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let end = while_true(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                (Token::Word(&self.text[at..end]), end)
            }
            _ => {
                let length = self.text[at..].chars().next().map_or(1, char::len_utf8);
                (Token::Strange(&self.text[at..at + length]), at + length)
            }
        };
        (Piece { at, token }, end)
    }
}
