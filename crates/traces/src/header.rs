//! The form of a trace and what it states about itself, before its nodes.

/// The form of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Protobuf.
    #[default]
    Et,
    /// Protobuf, gzipped.
    EtGzip,
    /// JSON.
    Json,
    /// JSON, gzipped.
    JsonGzip,
}

impl Form {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Form::Et => "et",
            Form::EtGzip => "et, gzip (bytes: unpacked)",
            Form::Json => "json",
            Form::JsonGzip => "json, gzip (bytes: unpacked)",
        }
    }
}

/// What a trace states about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceHeader {
    /// Its form.
    pub form: Form,
    /// Its length (B), unpacked; as far as it has been read.
    pub bytes: u64,
    /// Its version; often empty.
    pub version: String,
}
