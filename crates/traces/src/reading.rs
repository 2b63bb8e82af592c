//! A trace from its file, node by node. Its first bytes determine its form: gzip by its magic number, JSON by its
//! bracket.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::header::{Form, TraceHeader};
use crate::limits::{Allowance, CountedInput};
use crate::node::TraceNode;
use crate::protobuf::ProtobufMessages;
use crate::{TraceError, json};

/// Passes every node of a trace to `take`, in the order of the file. The header describes what was read; the error, why
/// it was not all.
///
/// Memory does not depend on the length of the trace. Errors: the file does not exist, is truncated, or is no trace;
/// and those that `take` returns.
pub fn read(
    path: &Path,
    take: &mut dyn FnMut(TraceNode) -> Result<(), TraceError>,
) -> (TraceHeader, Option<TraceError>) {
    let mut header = TraceHeader::default();
    let error = read_into(path, &mut header, take).err();
    (header, error)
}

fn read_into(
    path: &Path,
    header: &mut TraceHeader,
    take: &mut dyn FnMut(TraceNode) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => TraceError::new(&name, "there is no such file", "name a trace that is there"),
        _ => TraceError::new(&name, format!("it cannot be read: {error}"), "name a file that may be read"),
    };
    if path.is_dir() {
        return Err(TraceError::new(&name, "it is a folder", "name the traces in it"));
    }
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable)?);
    let packed = file.fill_buf().map_err(unreadable)?.starts_with(&[0x1f, 0x8b]);
    if packed {
        let input = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file));
        header.form = Form::EtGzip;
        nodes(input, &name, header, take)
    } else {
        nodes(file, &name, header, take)
    }
}

/// Some editors write it before a text; a protobuf trace that began so would have more than a megabyte of metadata.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn nodes<R: BufRead>(
    mut input: R,
    name: &str,
    header: &mut TraceHeader,
    take: &mut dyn FnMut(TraceNode) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    if input.fill_buf().unwrap_or_default().starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    let start = input.fill_buf().unwrap_or_default();
    // A protobuf trace begins with the length of its metadata, a tag or an end; a bracket and a blank or a quote after
    // it would be metadata of 123 or 91 bytes with an impossible first tag.
    let mut first = start.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
    let bracket = first.next();
    let follows = first.next();
    let is_json = matches!((bracket, follows), (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{' | b']')));
    if is_json {
        header.form = if header.form == Form::EtGzip { Form::JsonGzip } else { Form::Json };
        let allowance = Allowance::default();
        let mut counted = CountedInput::new(input, &allowance);
        let result = json::read(&mut counted, &allowance, name, header, take);
        header.bytes = counted.bytes;
        return result;
    }
    let mut messages = ProtobufMessages::new(input, name);
    let result = (|| {
        header.version = messages.version()?;
        while let Some(node) = messages.node()? {
            take(node)?;
        }
        Ok(())
    })();
    header.bytes = messages.at;
    result
}
