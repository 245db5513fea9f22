//! `Dom\HTMLDocument`: HTML as the standard reads and writes it.

mod parse;
mod problems;
mod serialize;

use crate::errors;
use crate::loading::write_file;
use crate::objects::{HTML, optional_argument, settings, this, wrap};
use crate::serialize::Style;
use encoding_rs::Encoding;
use parse::How;
use phlox_ext_standard_file::stream::open;
use phlox_libxml::{Kind, Node};
use phlox_runtime::{Call, PhpResult, Val};
pub use serialize::is_void;

const NO_IMPLIED: i64 = 1 << 13;
const COMPACT: i64 = 1 << 16;
const NO_ERROR: i64 = 1 << 5;
const NO_DEFAULT_NAMESPACE: i64 = 1 << 31;

/// The number of bytes that are searched for the name of the encoding, as the HTML standard has it.
const PRESCAN: usize = 1024;

fn new_document(encoding: &'static Encoding) -> Option<Node> {
    let document = Node::new_html_document()?;
    document.set_encoding(Some(encoding.name().as_bytes()));
    settings(&document).modern.set(true);
    Some(document)
}

fn finished(call: &Call<'_>, document: Option<Node>) -> PhpResult<Val> {
    match document {
        Some(document) => wrap(call.vm, &document),
        None => Err(errors::raise(call.vm, errors::INVALID_STATE)),
    }
}

/// `Dom\HTMLDocument::createEmpty()`.
pub fn create_empty(call: &mut Call<'_>) -> PhpResult<Val> {
    match Encoding::for_label(&call.str(0)) {
        Some(encoding) => finished(call, new_document(encoding)),
        None => Err(call.value_error(0, "must be a valid document encoding")),
    }
}

/// `Dom\Implementation::createHTMLDocument()`.
pub fn create_html_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let title = call.opt_str(0);
    let document = new_document(encoding_rs::UTF_8);
    if let Some(document) = &document {
        let text = "<!DOCTYPE html><html><head></head><body></body></html>";
        parse::document(document, &How { text, no_namespace: false, no_implied: false });
        let head = document.root_element().and_then(|root| root.first_child());
        if let (Some(head), Some(title)) = (head, title) {
            let element = Node::new_element(Some(document), b"title");
            let text = Node::new_text(Some(document), &title);
            if let (Some(element), Some(text)) = (element, text) {
                element.set_namespace(document.detached_namespace(Some(HTML), None).as_ref());
                element.insert_child(&text, None);
                head.insert_child(&element, None);
            }
        }
    }
    finished(call, document)
}

fn load(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let (source, options) = (call.str(0), call.int(1));
    if options & !(NO_IMPLIED | COMPACT | NO_ERROR | NO_DEFAULT_NAMESPACE) != 0 {
        return Err(call.value_error(
            1,
            "contains invalid flags (allowed flags: LIBXML_NOERROR, LIBXML_COMPACT, LIBXML_HTML_NOIMPLIED, \
             Dom\\HTML_NO_DEFAULT_NS)",
        ));
    }
    if is_file {
        call.path(0)?;
        if phlox_ext_libxml::has_encoded_nul(&source) {
            return Err(call.value_error(0, "must not contain percent-encoded NUL bytes"));
        }
        if call.opt_str(2).is_some_and(|name| name.contains(&0)) {
            return Err(call.value_error(2, "must not contain any null bytes"));
        }
    }
    let wanted = match call.opt_str(2) {
        None => None,
        Some(name) => match Encoding::for_label(&name) {
            Some(encoding) => Some(encoding),
            None => return Err(call.value_error(2, "must be a valid document encoding")),
        },
    };
    let mut url = None;
    let bytes = if is_file {
        let how = phlox_ext_libxml::loading::options(call.vm);
        let Some(stream) = open::open(call.vm, &source, "rb", &how)? else {
            let text = [b"Cannot open file '", &source[..], b"'"].concat();
            return Err(call.vm.throw_class(b"Exception", &text, 0));
        };
        let bytes = stream.read_all(call.vm, None)?;
        stream.close(call.vm)?;
        url = Some(document_url(&source));
        bytes
    } else {
        source.to_vec()
    };
    let (encoding, text) = decode(&bytes, wanted);
    let Some(document) = new_document(encoding) else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    if let Some(url) = url {
        document.set_url(Some(&url));
    }
    let how =
        How { text: &text, no_namespace: options & NO_DEFAULT_NAMESPACE != 0, no_implied: options & NO_IMPLIED != 0 };
    parse::document(&document, &how);
    if options & (NO_ERROR | NO_IMPLIED) == 0 {
        report_prologue(call, &text, is_file.then_some(&source[..]))?;
    }
    wrap(call.vm, &document)
}

/// The value of `documentURI` for a file: its name as a URL.
fn document_url(source: &[u8]) -> Vec<u8> {
    if open::scheme(source).is_some() {
        return source.to_vec();
    }
    [b"file://", &crate::loading::absolute(source)[..]].concat()
}

/// Reports the parse errors before the first element.
fn report_prologue(call: &Call<'_>, text: &str, file: Option<&[u8]>) -> PhpResult<()> {
    for problem in problems::of_prologue(text) {
        let (line, column) = problems::place(text, problem.start);
        phlox_ext_libxml::report_html(call, problem.message, file, line, (column, problem.length as i32))?;
    }
    Ok(())
}

/// `Dom\HTMLDocument::createFromFile()`.
pub fn create_from_file(call: &mut Call<'_>) -> PhpResult<Val> {
    load(call, true)
}

/// `Dom\HTMLDocument::createFromString()`.
pub fn create_from_string(call: &mut Call<'_>) -> PhpResult<Val> {
    load(call, false)
}

/// Decodes a text by the wanted encoding, the byte order mark, the encoding that the text names, or UTF-8.
fn decode(bytes: &[u8], wanted: Option<&'static Encoding>) -> (&'static Encoding, String) {
    let marked = Encoding::for_bom(bytes);
    let (encoding, skipped) = match (wanted, marked) {
        (Some(wanted), Some((marked, length))) if wanted == marked => (wanted, length),
        (Some(wanted), _) => (wanted, 0),
        (None, Some((marked, length))) => (marked, length),
        (None, None) => (named_encoding(bytes).unwrap_or(encoding_rs::UTF_8), 0),
    };
    let (text, _) = encoding.decode_without_bom_handling(&bytes[skipped..]);
    (encoding, text.into_owned())
}

/// The encoding that a `meta` at the beginning names.
fn named_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes[..bytes.len().min(PRESCAN)].to_ascii_lowercase();
    let mut rest = &start[..];
    loop {
        let at = rest.windows(5).position(|part| part == b"<meta" || part.starts_with(b"<!--"))?;
        rest = &rest[at..];
        if rest.starts_with(b"<!--") {
            let end = rest.windows(3).skip(2).position(|part| part == b"-->")?;
            rest = &rest[end + 5..];
            continue;
        }
        let end = rest.iter().position(|&byte| byte == b'>').unwrap_or(rest.len());
        if let Some(found) = charset_of(&rest[..end]) {
            // A text whose `meta` was found byte by byte is not UTF-16, so the standard says UTF-8.
            let wide = found == encoding_rs::UTF_16LE || found == encoding_rs::UTF_16BE;
            return Some(if wide { encoding_rs::UTF_8 } else { found });
        }
        rest = &rest[end..];
    }
}

/// The encoding that `charset=` names in a tag.
fn charset_of(tag: &[u8]) -> Option<&'static Encoding> {
    let at = tag.windows(7).position(|part| part == b"charset")? + 7;
    let value = tag[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = value.first().copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let value = if quote.is_some() { &value[1..] } else { value };
    let ends = |byte: &u8| match quote {
        Some(quote) => *byte == quote || *byte == b'"',
        None => byte.is_ascii_whitespace() || matches!(byte, b';' | b'"' | b'\'' | b'/'),
    };
    let end = value.iter().position(ends).unwrap_or(value.len());
    Encoding::for_label(&value[..end])
}

/// A text in the document's encoding.
fn encoded(document: &Node, text: Vec<u8>) -> Vec<u8> {
    let encoding = document.encoding().and_then(|name| Encoding::for_label(&name)).unwrap_or(encoding_rs::UTF_8);
    if encoding == encoding_rs::UTF_8 {
        return text;
    }
    let text = String::from_utf8_lossy(&text);
    if encoding == encoding_rs::UTF_16LE {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    if encoding == encoding_rs::UTF_16BE {
        return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    }
    encoding.encode(&text).0.into_owned()
}

/// `Dom\HTMLDocument::saveHtml()`.
pub fn save_html(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, node) = (this(call)?, optional_argument(call, 0)?);
    if node.as_ref().is_some_and(|node| node.document().as_ref() != Some(&document)) {
        return Err(errors::raise(call.vm, errors::WRONG_DOCUMENT));
    }
    let text = serialize::outer(node.as_ref().unwrap_or(&document));
    Ok(Val::str(&encoded(&document, text)))
}

/// `Dom\HTMLDocument::saveHtmlFile()`: gives the number of bytes, or false where the file cannot be opened.
pub fn save_html_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, path) = (this(call)?, call.path(0)?);
    let text = encoded(&document, serialize::outer(&document));
    let written = write_file(call, &path, &text)?;
    Ok(written.map_or_else(|| false.into(), |size| Val::int(size as i64)))
}

/// Whether a node is an HTML template, whose contents are not its children. Copies of a template have no contents, as
/// in PHP.
pub fn is_template(node: &Node) -> bool {
    node.is(Kind::Element) && node.name_is(b"template") && node.namespace_uri().as_deref() == Some(crate::objects::HTML)
}

/// The node whose children are serialised as the contents of a node: a template's contents, or the node itself.
pub fn inside(node: &Node) -> Node {
    if is_template(node) { node.contents() } else { None }.unwrap_or_else(|| node.clone())
}

fn is_html_document(node: &Node) -> bool {
    node.document().is_some_and(|document| document.is(Kind::HtmlDocument))
}

/// Reads `Dom\Element::$innerHTML`.
pub fn get_inner_html(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    if is_html_document(&element) {
        return Ok(Val::str(&serialize::inner(&element)));
    }
    match crate::serialize::inner(&element, Style { well_formed: true, ..Style::default() }) {
        Some(text) => Ok(Val::str(&text)),
        None => {
            let text = "The resulting XML serialization is not well-formed";
            Err(errors::raise_with(call.vm, errors::SYNTAX, text))
        }
    }
}

/// Sets `Dom\Element::$innerHTML`.
pub fn set_inner_html(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, text) = (this(call)?, call.str(0));
    let fragment = if is_html_document(&element) {
        parse::fragment(&element, &String::from_utf8_lossy(&text))
    } else {
        let fragment = crate::loading::parse_inside(&element, &text);
        if fragment.is_none() {
            return Err(errors::raise_with(call.vm, errors::SYNTAX, "XML fragment is not well-formed"));
        }
        fragment
    };
    let element = if is_template(&element) { element.make_contents().unwrap_or(element) } else { element };
    element.take_children();
    if let Some(fragment) = fragment {
        while let Some(child) = fragment.first_child() {
            child.unlink();
            element.insert_child(&child, None);
        }
    }
    Ok(Val::NULL)
}
