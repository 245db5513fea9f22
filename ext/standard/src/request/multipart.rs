//! Forms in parts (RFC 7578): fields, and files, which are stored in the folder for uploads.

use super::arriving::Arriving;
use super::{MAX_INPUT_VARS, too_many};
use crate::url::register_variable;
use memchr::memmem;
use phlox_ext_standard_file::filesystem::create_unique;
use phlox_ext_standard_file::sapi;
use phlox_runtime::ini::{IniAccess, IniBool, IniInt, IniQuantity, IniString, not_empty};
use phlox_runtime::{PhpArr, Val, Vm};
use std::io::Write;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The setting behind [`Limits::parts`].
pub static MAX_MULTIPART_BODY_PARTS: IniInt = IniInt::new("max_multipart_body_parts", "-1", IniAccess::PerDir);
pub static MAX_FILE_UPLOADS: IniInt = IniInt::new("max_file_uploads", "20", IniAccess::PerDir);
pub static UPLOAD_MAX_FILESIZE: IniQuantity = IniQuantity::new("upload_max_filesize", "2M", IniAccess::PerDir);
pub static FILE_UPLOADS: IniBool = IniBool::new("file_uploads", "1", IniAccess::System);

/// Where uploaded files are kept, if not where temporary files are.
pub static UPLOAD_TMP_DIR: IniString = IniString::unset("upload_tmp_dir", IniAccess::System).on_change(not_empty);

/// Limits of what is accepted of a form.
pub struct Limits {
    pub variables: i64,
    /// Most parts of a form; -1: as many as the limits of fields and files together.
    pub parts: i64,
    pub files: i64,
    pub file_bytes: i64,
    pub uploads: bool,
}

impl Limits {
    /// The limits of the settings.
    pub fn configured(vm: &Vm) -> Limits {
        Limits {
            variables: vm.ini.get(&MAX_INPUT_VARS),
            parts: vm.ini.get(&MAX_MULTIPART_BODY_PARTS),
            files: vm.ini.get(&MAX_FILE_UPLOADS),
            file_bytes: vm.ini.get(&UPLOAD_MAX_FILESIZE),
            uploads: vm.ini.get(&FILE_UPLOADS),
        }
    }
}

/// The `UPLOAD_ERR_*` codes.
const TOO_LARGE: i64 = 1;
const LARGER_THAN_FORM_SAYS: i64 = 2;
const PARTIAL: i64 = 3;
const NO_FILE: i64 = 4;
const CANNOT_WRITE: i64 = 7;
const STOPPED: i64 = 8;

/// The headers of a part.
#[derive(Default)]
struct Part {
    name: Option<Vec<u8>>,
    filename: Option<Vec<u8>>,
    media_type: Vec<u8>,
}

/// The boundary that the content type names; the error is PHP's message.
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

/// Observes a form while it arrives. `arrived` counts the bytes of the whole body.
pub trait Observer {
    fn field(&mut self, vm: &Vm, name: &[u8], value: &[u8]);
    /// A file begins. `false`: the file is not wanted.
    fn file_start(&mut self, vm: &Vm, field: &[u8], name: &[u8], arrived: u64) -> bool;
    /// `length` bytes of the file have arrived. `false`: the rest is not wanted.
    fn file_data(&mut self, vm: &Vm, length: u64, arrived: u64) -> bool;
    fn file_end(&mut self, vm: &Vm, stored: Option<&[u8]>, error: i64, arrived: u64);
    fn end(&mut self, vm: &Vm, arrived: u64);
}

/// Reads the fields and files of a form. `None` if its content type names no valid boundary.
pub fn parse(
    vm: &Vm,
    content_type: &[u8],
    mut body: Arriving<'_>,
    limits: &Limits,
    observer: Option<Box<dyn Observer>>,
    problem: &mut dyn FnMut(&str),
) -> Option<(Val, Val)> {
    let boundary = match boundary(content_type) {
        Ok(boundary) => boundary,
        Err(text) => {
            problem(text);
            return None;
        }
    };
    let marker = [b"--", &boundary[..]].concat();
    let mut form = Form {
        vm,
        limits,
        observer,
        marker: [b"\n", &marker[..]].concat(),
        fields: PhpArr::new().into(),
        files: PhpArr::new().into(),
        form_limit: 0,
        counts: [0; 3],
    };
    let part_limit = if limits.parts < 0 { limits.variables.saturating_add(limits.files) } else { limits.parts };
    body.at = body.find(&marker, 0, &mut |_, _| {}).unwrap_or(body.bytes.len());
    let mut parts = 0;
    while body.starts_with(&marker) {
        body.at += marker.len();
        if body.starts_with(b"--") {
            break;
        }
        let Some(line_end) = body.find(b"\n", body.at, &mut |_, _| {}) else { break };
        body.at = line_end + 1;
        parts += 1;
        if parts > part_limit {
            problem(&format!(
                "Multipart body parts limit exceeded {part_limit}. To increase the limit change max_multipart_body_parts in php.ini."
            ));
            break;
        }
        let part = read_headers(&mut body);
        if !form.take(part, &mut body, problem) {
            break;
        }
    }
    while body.more() {}
    if let Some(observer) = &mut form.observer {
        observer.end(vm, body.bytes.len() as u64);
    }
    Some((form.fields, form.files))
}

fn read_headers(body: &mut Arriving<'_>) -> Part {
    let mut part = Part::default();
    loop {
        let line = body.line();
        if line.is_empty() {
            return part;
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
    observer: Option<Box<dyn Observer>>,
    /// The boundary with the end of line that belongs to it.
    marker: Vec<u8>,
    fields: Val,
    files: Val,
    /// `MAX_FILE_SIZE`, which the form may give before its files.
    form_limit: i64,
    /// Fields, files, files without a name.
    counts: [i64; 3],
}

impl Form<'_> {
    /// Adds a part; `false` if no further part is accepted.
    fn take(&mut self, part: Part, body: &mut Arriving<'_>, problem: &mut dyn FnMut(&str)) -> bool {
        let Some(filename) = &part.filename else {
            let (data, _) = body.data(&self.marker, &mut |_, _| {});
            let Some(name) = &part.name else {
                problem("File Upload Mime headers garbled");
                return false;
            };
            let data = &body.bytes[data];
            if let Some(observer) = self.observer.as_mut().filter(|_| !data.is_empty()) {
                observer.field(self.vm, name, data);
            }
            self.counts[0] += 1;
            if self.counts[0] > self.limits.variables {
                if self.counts[0] == self.limits.variables + 1 {
                    problem(&too_many(self.limits.variables));
                }
                return true;
            }
            if name.eq_ignore_ascii_case(b"MAX_FILE_SIZE") {
                self.form_limit = String::from_utf8_lossy(data).trim().parse().unwrap_or(0);
            }
            register_variable(&mut self.fields, name, Val::str(data));
            return true;
        };
        let name = match self.file_name(&part, filename, problem) {
            Some(name) if self.file_starts(&name, filename, body) => name,
            _ => {
                body.data(&self.marker, &mut |_, _| {});
                return true;
            }
        };
        self.add_file(&name, filename, &part, body);
        true
    }

    /// The field's name, which is made up if it has none. `None` if the file is not accepted.
    fn file_name(&mut self, part: &Part, filename: &[u8], problem: &mut dyn FnMut(&str)) -> Option<Vec<u8>> {
        if !self.limits.uploads {
            return None;
        }
        let name = part.name.clone().unwrap_or_else(|| {
            self.counts[2] += 1;
            (self.counts[2] - 1).to_string().into_bytes()
        });
        if !well_formed(&name) {
            return None;
        }
        if !filename.is_empty() {
            self.counts[1] += 1;
            if self.counts[1] > self.limits.files {
                if self.counts[1] == self.limits.files + 1 {
                    problem("Maximum number of allowable file uploads has been exceeded");
                }
                return None;
            }
        }
        Some(name)
    }

    fn file_starts(&mut self, name: &[u8], filename: &[u8], body: &Arriving<'_>) -> bool {
        let arrived = body.bytes.len() as u64;
        self.observer.as_mut().is_none_or(|observer| observer.file_start(self.vm, name, filename, arrived))
    }

    /// Reads a file's data: where the data lie in the body, whether they are complete, and whether the observer still
    /// wants the file.
    fn receive_file(&mut self, filename: &[u8], body: &mut Arriving<'_>) -> (Range<usize>, bool, bool) {
        let (vm, mut wanted) = (self.vm, true);
        let observer = &mut self.observer;
        let (data, is_whole) = body.data(&self.marker, &mut |length, arrived| {
            if let Some(observer) = observer.as_mut().filter(|_| wanted && length > 0 && !filename.is_empty()) {
                wanted = observer.file_data(vm, length, arrived);
            }
        });
        (data, is_whole, wanted)
    }

    fn add_file(&mut self, name: &[u8], filename: &[u8], part: &Part, body: &mut Arriving<'_>) {
        let (data, is_whole, wanted) = self.receive_file(filename, body);
        let data = &body.bytes[data];
        let size = data.len() as i64;
        let stored = if filename.is_empty() {
            Err(NO_FILE)
        } else if !wanted {
            Err(STOPPED)
        } else if self.limits.file_bytes > 0 && size > self.limits.file_bytes {
            Err(TOO_LARGE)
        } else if self.form_limit > 0 && size > self.form_limit {
            Err(LARGER_THAN_FORM_SAYS)
        } else if !is_whole {
            Err(PARTIAL)
        } else {
            store(self.vm, data).ok_or(CANNOT_WRITE)
        };
        if let Some(observer) = &mut self.observer {
            let error = stored.as_ref().err().copied().unwrap_or(0);
            observer.file_end(self.vm, stored.as_deref().ok(), error, body.bytes.len() as u64);
        }
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

/// Writes an upload to a file; gives its path, `None` if it cannot be written.
fn store(vm: &Vm, data: &[u8]) -> Option<Vec<u8>> {
    let configured = vm.ini.get(&UPLOAD_TMP_DIR);
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
