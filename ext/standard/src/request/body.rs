//! The body of a request: forms in either encoding, within the limits of the settings.

use super::arriving::Arriving;
use super::multipart::{self, Limits};
use super::{Uploads, pairs, parameter, set_global, warn};
use phlox_ext_standard_file::sapi;
use phlox_runtime::ini::{IniAccess, IniBool, IniQuantity};
use phlox_runtime::quantity::quantity;
use phlox_runtime::request::Body;
use phlox_runtime::{Call, Key, PhpArr, PhpResult, Val, Vm, convert};
use std::io::Read;

/// How large a form may be, in bytes; 0: as large as it is.
pub static POST_MAX_SIZE: IniQuantity = IniQuantity::new("post_max_size", "8M", IniAccess::PerDir);

/// Forms are read before the script runs.
pub static ENABLE_POST_DATA_READING: IniBool = IniBool::new("enable_post_data_reading", "1", IniAccess::PerDir);

/// A form in parts, with files.
const MULTIPART: &[u8] = b"multipart/form-data";
const ENCODED: &[u8] = b"application/x-www-form-urlencoded";

/// The type without its parameters.
fn media_type(text: &[u8]) -> Vec<u8> {
    let end = text.iter().position(|byte| b";, ".contains(byte)).unwrap_or(text.len());
    text[..end].to_ascii_lowercase()
}

/// Reads the body and makes `$_POST` and `$_FILES`.
pub(super) fn read(vm: &Vm) {
    let request = vm.request.borrow().clone();
    let reader = Body(&*request);
    let method = parameter(vm, "REQUEST_METHOD");
    let length = String::from_utf8_lossy(&parameter(vm, "CONTENT_LENGTH")).trim().parse::<u64>().unwrap_or(0);
    let limit = vm.ini.get(&POST_MAX_SIZE);
    let is_form = method.eq_ignore_ascii_case(b"POST");
    if is_form && limit > 0 && length > limit as u64 {
        warn(vm, &format!("POST Content-Length of {length} bytes exceeds the limit of {limit} bytes"));
        return;
    }
    let kind = parameter(vm, "CONTENT_TYPE");
    let parses = is_form && vm.ini.get(&ENABLE_POST_DATA_READING);
    match &media_type(&kind)[..] {
        ENCODED if parses => {
            let body = sapi::Body::receive(reader, length);
            set_global(vm, "_POST", pairs(vm, &body.bytes(), b"&"));
            *sapi::request(vm).body.borrow_mut() = body;
        }
        // A form in parts is parsed while it arrives, so scripts cannot read the body.
        MULTIPART if parses => {
            let (mut problems, limits) = (Vec::new(), Limits::configured(vm));
            let observer = vm.data::<Uploads>("upload observers").0.get().and_then(|make| make(vm, length));
            let body = Arriving::new(Box::new(reader.take(length)));
            let form = multipart::parse(vm, &kind, body, &limits, observer, &mut |text: &str| {
                problems.push(text.to_owned());
            });
            if let Some((fields, files)) = form {
                set_global(vm, "_POST", fields);
                set_global(vm, "_FILES", files);
            }
            problems.iter().for_each(|problem| warn(vm, problem));
        }
        _ => *sapi::request(vm).body.borrow_mut() = sapi::Body::receive(reader, length),
    }
}

/// The options of `request_parse_body` have the names of settings.
const OPTIONS: [&str; 5] =
    ["post_max_size", "max_input_vars", "max_multipart_body_parts", "max_file_uploads", "upload_max_filesize"];

/// The limits of one call: those of the settings, unless the options override them.
fn limits_of(call: &Call<'_>) -> PhpResult<(Limits, i64)> {
    let configured = Limits::configured(call.vm);
    let body = call.vm.ini.get(&POST_MAX_SIZE);
    let mut values = [body, configured.variables, configured.parts, configured.files, configured.file_bytes];
    for (key, value) in &call.opt_arr(0).unwrap_or_default() {
        let Key::Str(name) = key else {
            return Err(call.vm.throw_value_error(b"Invalid integer key in $options argument"));
        };
        let Some(index) = OPTIONS.iter().position(|known| known.as_bytes() == &name[..]) else {
            let text = format!("Invalid key \"{name}\" in $options argument");
            return Err(call.vm.throw_value_error(text.as_bytes()));
        };
        let value = value.deref();
        values[index] = match (value.as_int(), value.as_str()) {
            (Some(int), _) => int,
            (None, Some(_)) => {
                let (value, problem) = quantity(&convert::to_str(call.vm, &value)?);
                if let Some(problem) = problem {
                    call.vm.warning(problem.as_bytes())?;
                }
                value
            }
            _ => {
                let given = convert::value_name(&value);
                let text = format!("Invalid {given} value in $options argument");
                return Err(call.vm.throw_value_error(text.as_bytes()));
            }
        };
    }
    let [body, variables, parts, files, file_bytes] = values;
    Ok((Limits { variables, parts, files, file_bytes, uploads: configured.uploads }, body))
}

/// `request_parse_body()`
pub fn request_parse_body(call: &mut Call<'_>) -> PhpResult<Val> {
    let (limits, body_limit) = limits_of(call)?;
    let refused = |text: &str| call.vm.throw_class(b"RequestParseBodyException", text.as_bytes(), 0);
    let kind = parameter(call.vm, "CONTENT_TYPE");
    if kind.is_empty() {
        return Err(refused("Request does not provide a content type"));
    }
    let size = sapi::request(call.vm).body.borrow().len();
    if body_limit > 0 && size > body_limit as u64 {
        let text = format!("POST Content-Length of {size} bytes exceeds the limit of {body_limit} bytes");
        return Err(refused(&text));
    }
    let body = sapi::request(call.vm).body.borrow().bytes();
    let (fields, files) = match &media_type(&kind)[..] {
        ENCODED => (pairs(call.vm, &body, b"&"), Val::from(PhpArr::new())),
        MULTIPART => {
            let mut problem = None;
            let form = multipart::parse(call.vm, &kind, Arriving::whole(body), &limits, None, &mut |text: &str| {
                problem.get_or_insert_with(|| text.to_owned());
            });
            match (problem, form) {
                (Some(problem), _) => return Err(refused(&problem)),
                (None, Some(form)) => form,
                (None, None) => (PhpArr::new().into(), PhpArr::new().into()),
            }
        }
        other => return Err(refused(&format!("Content-Type \"{}\" is not supported", String::from_utf8_lossy(other)))),
    };
    Ok(PhpArr::from_vec(vec![fields, files]).into())
}
