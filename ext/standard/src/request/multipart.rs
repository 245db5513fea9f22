//! Forms in parts (RFC 7578): fields, and files that are put where the settings say.

use super::too_many;
use crate::url::register_variable;
use memchr::memmem;
use phlox_ext_standard_file::filesystem::create_unique;
use phlox_ext_standard_file::sapi;
use phlox_runtime::{PhpArr, Val, Vm};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// How much of a form is taken.
pub struct Limits {
    pub variables: i64,
    /// -1: as many as fields and files together.
    pub parts: i64,
    pub files: i64,
    pub file_bytes: i64,
    pub uploads: bool,
}

impl Limits {
    pub fn configured(vm: &Vm) -> Limits {
        Limits {
            variables: vm.ini.int("max_input_vars"),
            parts: vm.ini.int("max_multipart_body_parts"),
            files: vm.ini.int("max_file_uploads"),
            file_bytes: vm.ini.quantity("upload_max_filesize"),
            uploads: vm.ini.bool("file_uploads"),
        }
    }
}

/// The `UPLOAD_ERR_*` codes.
const TOO_LARGE: i64 = 1;
const LARGER_THAN_FORM_SAYS: i64 = 2;
const PARTIAL: i64 = 3;
const NO_FILE: i64 = 4;
const CANNOT_WRITE: i64 = 7;

/// One part: its headers' parameters and its data.
struct Part<'b> {
    name: Option<Vec<u8>>,
    filename: Option<Vec<u8>>,
    media_type: Vec<u8>,
    data: &'b [u8],
    /// The boundary behind it was there.
    is_whole: bool,
}

/// The boundary that the content type names; an error says what is wrong with it.
fn boundary(content_type: &[u8]) -> Result<Vec<u8>, &'static str> {
    let lower = content_type.to_ascii_lowercase();
    let missing = "Missing boundary in multipart/form-data POST data";
    let at = memmem::find(&lower, b"boundary").ok_or(missing)?;
    let rest = &content_type[at..];
    let rest = &rest[rest.iter().position(|&byte| byte == b'=').ok_or(missing)? + 1..];
    match rest.strip_prefix(b"\"") {
        Some(quoted) => {
            let end = quoted.iter().position(|&byte| byte == b'"');
            Ok(quoted[..end.ok_or("Invalid boundary in multipart/form-data POST data")?].to_vec())
        }
        None => {
            let end = rest.iter().position(|byte| b",;".contains(byte)).unwrap_or(rest.len());
            Ok(rest[..end].to_vec())
        }
    }
}

/// Fields and files. `None`: the form cannot be read at all.
pub fn parse(
    vm: &Vm,
    content_type: &[u8],
    body: &[u8],
    limits: &Limits,
    problem: &mut dyn FnMut(&str),
) -> Option<(Val, Val)> {
    let boundary = match boundary(content_type) {
        Ok(boundary) => boundary,
        Err(text) => {
            problem(text);
            return None;
        }
    };
    let mut form =
        Form { vm, limits, fields: PhpArr::new().into(), files: PhpArr::new().into(), form_limit: 0, counts: [0; 3] };
    let part_limit = if limits.parts < 0 { limits.variables.saturating_add(limits.files) } else { limits.parts };
    let marker = [b"--", &boundary[..]].concat();
    let mut rest = &body[memmem::find(body, &marker).unwrap_or(body.len())..];
    let mut parts = 0;
    while let Some(after) = rest.strip_prefix(&marker[..]) {
        if after.starts_with(b"--") {
            break;
        }
        let Some(line_end) = memchr::memchr(b'\n', after) else { break };
        parts += 1;
        if parts > part_limit {
            problem(&format!(
                "Multipart body parts limit exceeded {part_limit}. To increase the limit change max_multipart_body_parts in php.ini."
            ));
            break;
        }
        let (part, following) = read_part(&after[line_end + 1..], &marker);
        rest = following;
        if !form.take(part, problem) {
            break;
        }
    }
    Some((form.fields, form.files))
}

/// The part at the beginning, and the text from the next boundary on.
fn read_part<'b>(text: &'b [u8], marker: &[u8]) -> (Part<'b>, &'b [u8]) {
    let mut part = Part { name: None, filename: None, media_type: Vec::new(), data: b"", is_whole: false };
    let mut rest = text;
    loop {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        rest = rest.get(end + 1..).unwrap_or_default();
        if line.is_empty() {
            break;
        }
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default().trim_ascii();
        match &line[..colon].to_ascii_lowercase()[..] {
            b"content-disposition" => {
                part.name = parameter(value, b"name");
                part.filename = parameter(value, b"filename");
            }
            b"content-type" => part.media_type = value.to_vec(),
            _ => {}
        }
    }
    // An empty part has its boundary at once.
    if rest.starts_with(marker) {
        part.is_whole = true;
        return (part, rest);
    }
    let with_line = [b"\n", marker].concat();
    match memmem::find(rest, &with_line) {
        Some(at) => {
            part.is_whole = true;
            part.data = rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]);
            (part, &rest[at + 1..])
        }
        None => {
            part.data = rest;
            (part, b"")
        }
    }
}

/// `name="value"` among parameters separated by semicolons; a backslash hides a quote.
fn parameter(text: &[u8], wanted: &[u8]) -> Option<Vec<u8>> {
    let mut rest = text;
    while !rest.is_empty() {
        let mut value: Option<Vec<u8>> = None;
        let mut name = Vec::new();
        let mut quote = None;
        let mut at = 0;
        while at < rest.len() {
            let byte = rest[at];
            at += 1;
            match (quote, byte) {
                (None, b';') => break,
                (None, b'=') if value.is_none() => {
                    value = Some(Vec::new());
                    continue;
                }
                (None, b'"' | b'\'') if value.as_ref().is_some_and(Vec::is_empty) => {
                    quote = Some(byte);
                    continue;
                }
                (Some(mark), byte) if byte == mark => {
                    quote = None;
                    continue;
                }
                _ => {}
            }
            let hides = byte == b'\\'
                && rest.get(at).is_some_and(|&next| Some(next) == quote || (quote.is_some() && next == b'\\'));
            let byte = if hides {
                at += 1;
                rest[at - 1]
            } else {
                byte
            };
            value.as_mut().unwrap_or(&mut name).push(byte);
        }
        if name.trim_ascii().eq_ignore_ascii_case(wanted) {
            return value;
        }
        rest = &rest[at..];
    }
    None
}

/// A form being read.
struct Form<'f> {
    vm: &'f Vm,
    limits: &'f Limits,
    fields: Val,
    files: Val,
    /// `MAX_FILE_SIZE`, which the form may give before its files.
    form_limit: i64,
    /// Fields, files, files without a name.
    counts: [i64; 3],
}

impl Form<'_> {
    /// Takes a part; `false`: nothing may follow.
    fn take(&mut self, part: Part<'_>, problem: &mut dyn FnMut(&str)) -> bool {
        let Some(filename) = &part.filename else {
            let Some(name) = &part.name else {
                problem("File Upload Mime headers garbled");
                return false;
            };
            self.counts[0] += 1;
            if self.counts[0] > self.limits.variables {
                problem(&too_many(self.limits.variables));
                return true;
            }
            if name.eq_ignore_ascii_case(b"MAX_FILE_SIZE") {
                self.form_limit = String::from_utf8_lossy(part.data).trim().parse().unwrap_or(0);
            }
            register_variable(&mut self.fields, name, Val::str(part.data));
            return true;
        };
        if !self.limits.uploads {
            return true;
        }
        let name = part.name.clone().unwrap_or_else(|| {
            self.counts[2] += 1;
            (self.counts[2] - 1).to_string().into_bytes()
        });
        if !well_formed(&name) {
            return true;
        }
        if !filename.is_empty() {
            self.counts[1] += 1;
            if self.counts[1] > self.limits.files {
                if self.counts[1] == self.limits.files + 1 {
                    problem("Maximum number of allowable file uploads has been exceeded");
                }
                return true;
            }
        }
        self.add_file(&name, filename, &part);
        true
    }

    fn add_file(&mut self, name: &[u8], filename: &[u8], part: &Part<'_>) {
        let size = part.data.len() as i64;
        let stored = if filename.is_empty() {
            Err(NO_FILE)
        } else if self.limits.file_bytes > 0 && size > self.limits.file_bytes {
            Err(TOO_LARGE)
        } else if self.form_limit > 0 && size > self.form_limit {
            Err(LARGER_THAN_FORM_SAYS)
        } else if !part.is_whole {
            Err(PARTIAL)
        } else {
            store(self.vm, part.data).ok_or(CANNOT_WRITE)
        };
        let base = filename.iter().rposition(|byte| b"/\\".contains(byte)).map_or(0, |slash| slash + 1);
        let kept = stored.is_ok();
        let rows: [(&str, Val); 6] = [
            ("name", Val::str(&filename[base..])),
            ("full_path", Val::str(filename)),
            ("type", Val::str(if kept { &part.media_type } else { b"" })),
            ("tmp_name", Val::str(stored.as_deref().unwrap_or_default())),
            ("error", Val::int(stored.as_ref().err().copied().unwrap_or(0))),
            ("size", Val::int(if kept { size } else { 0 })),
        ];
        // `file[a]` becomes `file[name][a]`.
        let bracket = name.iter().position(|&byte| byte == b'[').unwrap_or(name.len());
        for (key, value) in rows {
            let path = [&name[..bracket], b"[", key.as_bytes(), b"]", &name[bracket..]].concat();
            register_variable(&mut self.files, &path, value);
        }
    }
}

/// Do the brackets of a name open and close in turn?
fn well_formed(name: &[u8]) -> bool {
    let mut open = false;
    for byte in name {
        match (byte, open) {
            (b'[', false) => open = true,
            (b']', true) => open = false,
            (b'[' | b']', _) => return false,
            _ => {}
        }
    }
    !open
}

/// Puts a file where uploads are kept; `None`: it cannot be written.
fn store(vm: &Vm, data: &[u8]) -> Option<Vec<u8>> {
    let configured = vm.ini.string("upload_tmp_dir");
    let folder = match configured.is_empty() {
        true => std::env::temp_dir(),
        false => PathBuf::from(std::ffi::OsStr::from_bytes(&configured)),
    };
    let (mut file, path) = create_unique(&folder, b"php")?;
    file.write_all(data).ok()?;
    let name = path.into_os_string().into_encoded_bytes();
    sapi::request(vm).uploads.borrow_mut().insert(name.clone());
    Some(name)
}
