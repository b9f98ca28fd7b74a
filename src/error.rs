//! What can go wrong, as a stable code and a message that says what was wrong and what to do (rule H1).

use std::fmt;

/// The stable code of an [`Error`]; its text form is what JavaScript callers see as `code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// A definition that no provider would take: no name, a name that is too long, a schema of the wrong kind.
    InvalidTool,
    /// Two tools of one callable name.
    DuplicateName,
    /// A tool named like the search tool.
    ReservedName,
    /// One of the limits of [`Limits`](crate::Limits).
    LimitExceeded,
    /// Text that is not JSON, or JSON that holds no list of tools.
    InvalidJson,
    /// An option outside of what it may be.
    InvalidOption,
    /// A query of white space, or of a lone `+`.
    EmptyQuery,
    /// A query without one word character.
    NoTokens,
    /// `select:` with nothing behind it.
    EmptySelect,
    /// A regular expression that does not compile.
    InvalidPattern,
    /// A regular expression over 200 characters.
    PatternTooLong,
    /// Snapshot bytes of another version, or damaged ones.
    InvalidSnapshot,
    /// More tools than a session's `max_tools` lets a request carry.
    TooManyTools,
    /// What the model wrote is no search call; only ever part of a reply.
    InvalidInput,
}

impl ErrorCode {
    /// The code as text, in the spelling of the public contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidTool => "invalid_tool",
            Self::DuplicateName => "duplicate_name",
            Self::ReservedName => "reserved_name",
            Self::LimitExceeded => "limit_exceeded",
            Self::InvalidJson => "invalid_json",
            Self::InvalidOption => "invalid_option",
            Self::EmptyQuery => "empty_query",
            Self::NoTokens => "no_tokens",
            Self::EmptySelect => "empty_select",
            Self::InvalidPattern => "invalid_pattern",
            Self::PatternTooLong => "pattern_too_long",
            Self::InvalidSnapshot => "invalid_snapshot",
            Self::TooManyTools => "too_many_tools",
            Self::InvalidInput => "invalid_input",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    code: ErrorCode,
    message: String,
    place: Option<usize>,
}

impl Error {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place: None }
    }

    /// Says which of the added definitions it is about.
    pub(crate) fn at(self, place: usize) -> Self {
        Self { place: Some(place), ..self }
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// What was wrong and what to do, in one sentence or two.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place among the added definitions of the one that is the reason, counted from 0; `None` where no single one is.
    pub fn place(&self) -> Option<usize> {
        self.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;
