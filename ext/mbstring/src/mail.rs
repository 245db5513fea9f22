//! `mb_send_mail`: a message in the language's encodings.

use crate::encoding::{Encoding, decode, encode, find};
use crate::mime;
use crate::state::{current_language, internal, substitute};
use phlox_ext_standard_file::mail;
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "mb_send_mail(string $to, string $subject, string $message, array|string $additional_headers = [], \
     ?string $additional_params = null): bool",
    mb_send_mail,
)];

/// The first line of a subject leaves room for this text.
const SUBJECT: &str = "Subject: [PHP-jp nnnnnnnn]";

/// The value of a header of this name.
fn header<'t>(headers: &'t [u8], name: &str) -> Option<&'t [u8]> {
    headers.split(|&byte| byte == b'\n').find_map(|line| {
        let (start, rest) = line.split_at_checked(name.len())?;
        let value = rest.strip_prefix(b":").filter(|_| start.eq_ignore_ascii_case(name.as_bytes()))?;
        Some(value.trim_ascii())
    })
}

/// The charset that a content type names.
fn charset(content_type: &[u8]) -> Option<PhpStr> {
    let parameter = content_type.splitn(2, |&byte| byte == b';').nth(1)?.trim_ascii();
    let (name, value) = parameter.split_at_checked(7)?;
    let value = value.trim_ascii().strip_prefix(b"=").filter(|_| name.eq_ignore_ascii_case(b"charset"))?;
    let value = value.trim_ascii().trim_ascii_start();
    let end = |byte: &u8| matches!(byte, b'"' | b' ' | b';' | b'=');
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    Some(PhpStr::new(&value[..value.iter().position(end).unwrap_or(value.len())]))
}

fn named(name: &str) -> &'static Encoding {
    find(name.as_bytes()).unwrap_or_else(crate::state::utf8)
}

fn mb_send_mail(call: &mut Call<'_>) -> PhpResult<Val> {
    let (to, subject, message) = (call.path(0)?, call.path(1)?, call.path(2)?);
    let mut headers = mail::headers_argument(call, 3)?;
    let extra = call.path(4)?;
    let language = current_language(call.vm);
    let (mut target, mut body) = (named(language.charset), named(language.body));
    let content_type = header(&headers, "content-type").map(<[u8]>::to_vec);
    if let Some(name) = content_type.as_deref().and_then(charset) {
        target = match find(&name) {
            Some(encoding) => encoding,
            None => {
                call.warning(&format!("Unsupported charset \"{name}\" - will be regarded as ascii"))?;
                named("ASCII")
            }
        };
    }
    let transfer = header(&headers, "content-transfer-encoding").map(PhpStr::new);
    if let Some(name) = &transfer {
        body = match find(name).filter(|encoding| matches!(encoding.name, "BASE64" | "7bit" | "8bit")) {
            Some(encoding) => encoding,
            None => {
                call.warning(&format!("Unsupported transfer encoding \"{name}\" - will be regarded as 8bit"))?;
                named("8bit")
            }
        };
    }
    let source = internal(call.vm);
    let line_end = mail::line_end(call.vm);
    let indent = SUBJECT.len() + line_end.len();
    let subject = mime::encode_header(&decode(source, &subject), target, language.header == "BASE64", line_end, indent);
    let converted = encode(target, &decode(source, &message), substitute(call.vm)).0;
    let bytes: Vec<u32> = converted.iter().map(|&byte| byte.into()).collect();
    let message = encode(body, &bytes, substitute(call.vm)).0;
    let mut more = Vec::new();
    if header(&headers, "mime-version").is_none() {
        more.push("MIME-Version: 1.0".to_owned());
    }
    if content_type.is_none() {
        let charset = if target.mime.is_empty() { String::new() } else { format!("; charset={}", target.mime) };
        more.push(format!("Content-Type: text/plain{charset}"));
    }
    if transfer.is_none() {
        let name = if body.mime.is_empty() { "7bit" } else { body.mime };
        more.push(format!("Content-Transfer-Encoding: {name}"));
    }
    for line in more {
        if !headers.is_empty() {
            headers.extend_from_slice(line_end);
        }
        headers.extend_from_slice(line.as_bytes());
    }
    mail::send(call, &mail::one_line(&to), &subject, &message, headers, extra)
}
