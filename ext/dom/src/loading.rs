//! Loading and saving documents as text and files, and validating them.

use crate::errors::{self, fail};
use crate::namespaces;
use crate::objects::{Held, held, hold, is_modern, optional_argument, settings, this, wrap};
use crate::serialize::Style;
use phlox_ext_libxml::emit;
use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::open;
use phlox_libxml::{Kind, Node, Parse, Parsed, SchemaText, parse_html, parse_xml, save_options};
use phlox_runtime::{Call, PhpResult, PhpStr, Throw, Val};
use std::rc::Rc;

const DTD_ATTRIBUTES: i64 = 8;
const DTD_VALID: i64 = 16;
const SUBSTITUTE_ENTITIES: i64 = 2;
const NO_BLANKS: i64 = 256;
const RECOVER: i64 = 1;
const NO_INCLUDE_NODES: i64 = 1 << 15;

/// Options of saving: empty elements are written with two tags; no XML declaration is written.
const SAVE_NO_EMPTY: i64 = 4;
const SAVE_NO_DECLARATION: i64 = 2;

/// The working directory with a trailing slash. `None`: it cannot be determined.
pub fn working_directory() -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    let mut path = std::env::current_dir().ok()?.into_os_string().into_vec();
    if path.last() != Some(&b'/') {
        path.push(b'/');
    }
    Some(path)
}

/// The absolute path of a file name. A URL stays, except that `file://` is removed.
pub fn absolute(name: &[u8]) -> Vec<u8> {
    if open::scheme(name).is_some() {
        return match name.strip_prefix(b"file://") {
            Some(rest) => rest.strip_prefix(b"localhost").unwrap_or(rest).to_vec(),
            None => name.to_vec(),
        };
    }
    use std::os::unix::ffi::OsStringExt;
    if let Ok(path) = std::fs::canonicalize(open::os(name)) {
        return path.into_os_string().into_vec();
    }
    match name.first() {
        Some(b'/') => name.to_vec(),
        _ => [&working_directory().unwrap_or_default()[..], name].concat(),
    }
}

/// Parses a text or a file with the document's settings and the call's options.
fn parse(document: Option<&Node>, source: &[u8], is_file: bool, mut options: i64, encoding: Option<&[u8]>) -> Parsed {
    let known = document.map(settings).unwrap_or_default();
    let recover = known.recover.get() || options & RECOVER != 0;
    let flags = [
        (known.validate_on_parse.get(), DTD_VALID),
        (known.resolve_externals.get(), DTD_ATTRIBUTES),
        (known.substitute_entities.get(), SUBSTITUTE_ENTITIES),
        (!known.preserve_white_space.get(), NO_BLANKS),
        (recover, RECOVER),
    ];
    for (on, flag) in flags {
        if on {
            options |= flag;
        }
    }
    let path = if is_file { absolute(source) } else { Vec::new() };
    let directory = if is_file { None } else { working_directory() };
    let parsed = parse_xml(&Parse {
        options: options as i32,
        text: (!is_file).then_some(source),
        url: is_file.then_some(&path),
        directory: directory.as_deref(),
        encoding,
        recover,
        placed_messages: true,
    });
    if let (Some(document), Some(directory)) = (&parsed.document, &directory) {
        if document.url().is_none() {
            document.set_url(Some(directory));
        }
    }
    parsed
}

/// Parses a text as the contents of an element of the new DOM and gives a fragment. `None`: it is not well-formed
/// there.
pub fn parse_inside(element: &Node, text: &[u8]) -> Option<Node> {
    const QUIET: i32 = (1 << 5) | (1 << 6) | (1 << 21);
    let name = element.qualified_name();
    let mut source = [b"<", &name[..]].concat();
    for (prefix, uri) in namespaces::prefixes_in_scope(element, false) {
        source.extend([b" xmlns:", &prefix[..], b"=\"", &uri, b"\""].concat());
    }
    if let Some(uri) = namespaces::located(element, None) {
        source.extend([b" xmlns=\"", &uri[..], b"\""].concat());
    }
    source.extend([b">", text, b"</", &name[..], b">"].concat());
    let how = Parse { options: QUIET, text: Some(&source), encoding: Some(b"UTF-8"), ..Parse::default() };
    let parsed = parse_xml(&how);
    phlox_ext_libxml::clear();
    let document = parsed.document.filter(|_| parsed.names_are_bound)?;
    let top = document.first_child().filter(|top| top.next().is_none())?;
    let fragment = Node::new_fragment(element.document().as_ref())?;
    crate::serialize::attach_declarations(&document);
    while let Some(child) = top.first_child() {
        child.move_to_document(&element.document()?);
        fragment.insert_child(&child, None);
    }
    Some(fragment)
}

/// Makes `$this` stand for a parsed document, which takes over the settings of the old one.
fn replace(call: &Call<'_>, document: Node) -> PhpResult<Val> {
    if let Held::Node(old) = held(call.this()) {
        document.set_extra(Rc::new((*settings(&old)).clone()));
    }
    hold(call.this(), document);
    Ok(true.into())
}

fn load_xml(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let (source, options) = (call.str(0), call.int(1));
    if source.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if i32::try_from(options).is_err() {
        call.warning("Invalid options")?;
        return Ok(false.into());
    }
    if is_file {
        call.path(0)?;
    }
    let old = match held(call.this()) {
        Held::Node(node) => Some(node),
        _ => None,
    };
    let parsed = parse(old.as_ref(), &source, is_file, options, None);
    emit(call)?;
    match parsed.document {
        Some(document) => replace(call, document),
        None => Ok(false.into()),
    }
}

/// `DOMDocument::load()`.
pub fn load(call: &mut Call<'_>) -> PhpResult<Val> {
    load_xml(call, true)
}

/// `DOMDocument::loadXML()`.
pub fn load_xml_text(call: &mut Call<'_>) -> PhpResult<Val> {
    load_xml(call, false)
}

fn load_html_from(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let (source, options) = (call.str(0), call.int(1));
    if source.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if i32::try_from(options).is_err() {
        call.warning("Invalid options")?;
        return Ok(false.into());
    }
    if is_file {
        call.path(0)?;
    }
    let parsed = parse_html(&Parse {
        options: options as i32,
        text: (!is_file).then_some(&source[..]),
        url: is_file.then_some(&source[..]),
        placed_messages: true,
        ..Parse::default()
    });
    emit(call)?;
    match parsed.document {
        Some(document) => replace(call, document),
        None => Ok(false.into()),
    }
}

/// `DOMDocument::loadHTML()`.
pub fn load_html(call: &mut Call<'_>) -> PhpResult<Val> {
    load_html_from(call, false)
}

/// `DOMDocument::loadHTMLFile()`.
pub fn load_htmlfile(call: &mut Call<'_>) -> PhpResult<Val> {
    load_html_from(call, true)
}

/// Opens a file for writing through PHP's streams. `None`: it cannot be opened, which was reported.
pub fn file_to_write(call: &Call<'_>, path: &[u8]) -> PhpResult<Option<Rc<Stream>>> {
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if phlox_ext_libxml::has_encoded_nul(path) {
        call.warning(phlox_ext_libxml::NUL_IN_URI)?;
        return Ok(None);
    }
    open::open(call.vm, path, "wb", &phlox_ext_libxml::loading::options(call.vm))
}

/// Writes a file and gives its size. `None`: it cannot be opened.
pub fn write_file(call: &Call<'_>, path: &[u8], text: &[u8]) -> PhpResult<Option<usize>> {
    let Some(stream) = file_to_write(call, path)? else { return Ok(None) };
    stream.write(call.vm, text)?;
    stream.close(call.vm)?;
    Ok(Some(text.len()))
}

/// `DOMDocument::save()`: gives the number of bytes.
pub fn save(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, path, options) = (this(call)?, call.path(0)?, call.int(1));
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let text = document_text(&document, options);
    emit(call)?;
    let written = write_file(call, &path, &text.unwrap_or_default())?;
    Ok(written.map_or_else(|| false.into(), |size| Val::int(size as i64)))
}

/// The style in which a document of the new DOM is written.
fn style(document: &Node, options: i64) -> Style {
    let format = settings(document).format_output.get();
    Style { format, no_empty: options & SAVE_NO_EMPTY != 0, well_formed: false }
}

/// A document's text with its declaration, in its encoding. `None`: it cannot be written.
fn document_text(document: &Node, options: i64) -> Option<Vec<u8>> {
    let known = settings(document);
    if is_modern(document) {
        return crate::serialize::document(document, options & SAVE_NO_DECLARATION == 0, style(document, options));
    }
    let mut flags = save_options::AS_XML;
    if known.format_output.get() {
        flags |= save_options::FORMAT;
    }
    if options & SAVE_NO_EMPTY != 0 {
        flags |= save_options::NO_EMPTY;
    }
    if options & SAVE_NO_DECLARATION != 0 {
        flags |= save_options::NO_DECLARATION;
    }
    let encoding = document.encoding();
    document.save(encoding.as_deref(), flags)
}

/// `DOMDocument::saveXML()` and `Dom\XMLDocument::saveXml()`.
pub fn save_xml(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, node, options) = (this(call)?, optional_argument(call, 0)?, call.int(1));
    let known = settings(&document);
    let text = match &node {
        Some(node) => {
            if node.document().as_ref() != Some(&document) {
                return fail(call, &document, errors::WRONG_DOCUMENT);
            }
            if is_modern(&document) {
                crate::serialize::node(node, style(&document, options))
            } else {
                node.save_node(known.format_output.get(), options & SAVE_NO_EMPTY != 0)
            }
        }
        None => document_text(&document, options),
    };
    emit(call)?;
    Ok(text.map_or_else(|| false.into(), |text| Val::str(&text)))
}

/// `Dom\XMLDocument::saveXmlFile()`.
pub fn save_xml_file(call: &mut Call<'_>) -> PhpResult<Val> {
    save(call)
}

/// `DOMDocument::saveHTML()`.
pub fn save_html(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, node) = (this(call)?, optional_argument(call, 0)?);
    let format = settings(&document).format_output.get();
    let text = match &node {
        None => document.save_html_document(format).filter(|text| !text.is_empty()),
        Some(node) if node.document().as_ref() != Some(&document) => {
            return fail(call, &document, errors::WRONG_DOCUMENT);
        }
        Some(node) if node.is(Kind::Fragment) => {
            Some(node.children().filter_map(|child| child.save_html_node(format)).collect::<Vec<_>>().concat())
        }
        Some(node) => node.save_html_node(format),
    };
    emit(call)?;
    Ok(text.map_or_else(|| false.into(), |text| Val::str(&text)))
}

/// `DOMDocument::saveHTMLFile()`: a file that cannot be opened counts as zero bytes written.
pub fn save_htmlfile(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, path) = (this(call)?, call.path(0)?);
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    document.name_html_encoding();
    let text = document.save_html_document(settings(&document).format_output.get()).unwrap_or_default();
    // A file that cannot be opened gives 0 here, as PHP does.
    let written = write_file(call, &path, &text)?.unwrap_or(0);
    Ok(Val::int(written as i64))
}

/// `DOMDocument::validate()` and `Dom\XMLDocument::validate()`: by the document's own document type.
pub fn validate(call: &mut Call<'_>) -> PhpResult<Val> {
    let valid = this(call)?.is_valid_by_dtd();
    emit(call)?;
    Ok(valid.into())
}

/// The schema argument of a call: the absolute name of a file, or the text of the schema.
fn schema(call: &Call<'_>, is_file: bool) -> PhpResult<Vec<u8>> {
    let source = call.str(0);
    if source.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    Ok(if is_file { absolute(&call.path(0)?) } else { source.to_vec() })
}

fn judged(call: &Call<'_>, valid: Option<bool>, what: &str) -> PhpResult<Val> {
    emit(call)?;
    if valid.is_none() {
        call.warning(&format!("Invalid {what}"))?;
    }
    Ok(valid.unwrap_or(false).into())
}

fn by_schema(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let (document, source) = (this(call)?, schema(call, is_file)?);
    let schema = if is_file { SchemaText::File(&source) } else { SchemaText::Text(&source) };
    judged(call, document.is_valid_by_schema(schema, (call.int(1) & 1) as i32), "Schema")
}

fn by_relax_ng(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let (document, source) = (this(call)?, schema(call, is_file)?);
    let schema = if is_file { SchemaText::File(&source) } else { SchemaText::Text(&source) };
    judged(call, document.is_valid_by_relax_ng(schema), "RelaxNG")
}

/// `DOMDocument::schemaValidate()` and `Dom\Document::schemaValidate()`.
pub fn schema_validate(call: &mut Call<'_>) -> PhpResult<Val> {
    by_schema(call, true)
}

/// `DOMDocument::schemaValidateSource()` and `Dom\Document::schemaValidateSource()`.
pub fn schema_validate_source(call: &mut Call<'_>) -> PhpResult<Val> {
    by_schema(call, false)
}

/// `DOMDocument::relaxNGValidate()` and `Dom\Document::relaxNgValidate()`.
pub fn relax_ngvalidate(call: &mut Call<'_>) -> PhpResult<Val> {
    by_relax_ng(call, true)
}

/// `DOMDocument::relaxNGValidateSource()` and `Dom\Document::relaxNgValidateSource()`.
pub fn relax_ngvalidate_source(call: &mut Call<'_>) -> PhpResult<Val> {
    by_relax_ng(call, false)
}

/// `DOMDocument::xinclude()` and `Dom\XMLDocument::xinclude()`.
pub fn xinclude(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, flags) = (this(call)?, call.int(0));
    let Ok(flags) = i32::try_from(flags | NO_INCLUDE_NODES) else {
        if is_modern(&document) {
            return Err(call.value_error(0, "is too large"));
        }
        call.warning("Invalid flags")?;
        return Ok(false.into());
    };
    let count = document.process_includes(flags);
    emit(call)?;
    if is_modern(&document) {
        return match count {
            Some(count) => Ok(Val::int(count.into())),
            None => Err(errors::raise(call.vm, errors::INVALID_MODIFICATION)),
        };
    }
    Ok(match count {
        Some(0) => false.into(),
        Some(count) => Val::int(count.into()),
        None => Val::int(-1),
    })
}

// `Dom\XMLDocument`.

fn as_modern(call: &Call<'_>, document: Node) -> PhpResult<Val> {
    settings(&document).modern.set(true);
    crate::serialize::attach_declarations(&document);
    wrap(call.vm, &document)
}

/// `Dom\XMLDocument::createEmpty()`.
pub fn create_empty(call: &mut Call<'_>) -> PhpResult<Val> {
    let (version, encoding) = (call.str(0), call.str(1));
    if !phlox_libxml::is_encoding(&encoding) {
        return Err(call.value_error(1, "is not a valid document encoding"));
    }
    let Some(document) = Node::new_document(&version) else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    document.set_encoding(Some(&encoding));
    as_modern(call, document)
}

/// The options of libxml2 that the new DOM accepts.
const MODERN_OPTIONS: i64 = 1
    | SUBSTITUTE_ENTITIES
    | 4
    | DTD_ATTRIBUTES
    | DTD_VALID
    | 32
    | 64
    | NO_BLANKS
    | 1024
    | 2048
    | 8192
    | 16384
    | 65536
    | 524_288
    | 4_194_304
    | 128;

fn modern_document(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let (source, options) = (call.str(0), call.int(1));
    if source.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if is_file {
        call.path(0)?;
    }
    if options & !MODERN_OPTIONS != 0 || i32::try_from(options).is_err() {
        return Err(call.value_error(1, "contains invalid flags (allowed flags: LIBXML_RECOVER, LIBXML_NOENT, LIBXML_DTDLOAD, LIBXML_DTDATTR, LIBXML_DTDVALID, LIBXML_NOERROR, LIBXML_NOWARNING, LIBXML_NOBLANKS, LIBXML_XINCLUDE, LIBXML_NSCLEAN, LIBXML_NOCDATA, LIBXML_NONET, LIBXML_PEDANTIC, LIBXML_COMPACT, LIBXML_PARSEHUGE, LIBXML_BIGLINES)"));
    }
    let encoding = call.opt_str(2);
    if let Some(encoding) = &encoding {
        if !phlox_libxml::is_encoding(encoding) {
            return Err(call.value_error(2, "must be a valid document encoding"));
        }
    }
    let parsed = parse(None, &source, is_file, options, encoding.as_deref());
    emit(call)?;
    match parsed.document {
        Some(document) => {
            if let Some(encoding) = &encoding {
                document.set_encoding(Some(encoding));
            } else if document.encoding().is_none() {
                document.set_encoding(Some(b"UTF-8"));
            }
            if let Some(path) = document.url().filter(|url| is_file && open::scheme(url).is_none()) {
                document.set_url(Some(&[b"file://", &path[..]].concat()));
            }
            as_modern(call, document)
        }
        None if !parsed.started && is_file => Err(cannot_open(call, &source)),
        None => Err(errors::raise_with(call.vm, errors::SYNTAX, "XML fragment is not well-formed")),
    }
}

fn cannot_open(call: &Call<'_>, path: &PhpStr) -> Throw {
    call.vm.throw_class(b"Exception", &[b"Cannot open file '", &path[..], b"'"].concat(), 0)
}

/// `Dom\XMLDocument::createFromFile()`.
pub fn create_from_file(call: &mut Call<'_>) -> PhpResult<Val> {
    modern_document(call, true)
}

/// `Dom\XMLDocument::createFromString()`.
pub fn create_from_string(call: &mut Call<'_>) -> PhpResult<Val> {
    modern_document(call, false)
}
