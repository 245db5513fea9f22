//! The `xmlwriter` extension. Functions and methods share their bodies.
#![forbid(unsafe_code)]

mod writing;

use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::open;
use phlox_libxml::Writer;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Edges, Extension, FnDef, NativeClass, NativeData, PhpObj, PhpRes, PhpResult, Val, Vm};
use std::cell::RefCell;
use std::rc::Rc;
use writing::*;

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "XMLWriter",
    decl: include_str!("../stubs/XMLWriter.stub.php"),
    methods: &[
        ("openUri", open_uri),
        ("toUri", to_uri),
        ("openMemory", open_memory),
        ("toMemory", to_memory),
        ("toStream", to_stream),
        ("setIndent", set_indent),
        ("setIndentString", set_indent_string),
        ("startComment", start_comment),
        ("endComment", end_comment),
        ("startAttribute", start_attribute),
        ("endAttribute", end_attribute),
        ("writeAttribute", write_attribute),
        ("startAttributeNs", start_attribute_ns),
        ("writeAttributeNs", write_attribute_ns),
        ("startElement", start_element),
        ("endElement", end_element),
        ("fullEndElement", full_end_element),
        ("startElementNs", start_element_ns),
        ("writeElement", write_element),
        ("writeElementNs", write_element_ns),
        ("startPi", start_pi),
        ("endPi", end_pi),
        ("writePi", write_pi),
        ("startCdata", start_cdata),
        ("endCdata", end_cdata),
        ("writeCdata", write_cdata),
        ("text", text),
        ("writeRaw", write_raw),
        ("startDocument", start_document),
        ("endDocument", end_document),
        ("writeComment", write_comment),
        ("startDtd", start_dtd),
        ("endDtd", end_dtd),
        ("writeDtd", write_dtd),
        ("startDtdElement", start_dtd_element),
        ("endDtdElement", end_dtd_element),
        ("writeDtdElement", write_dtd_element),
        ("startDtdAttlist", start_dtd_attlist),
        ("endDtdAttlist", end_dtd_attlist),
        ("writeDtdAttlist", write_dtd_attlist),
        ("startDtdEntity", start_dtd_entity),
        ("endDtdEntity", end_dtd_entity),
        ("writeDtdEntity", write_dtd_entity),
        ("outputMemory", output_memory),
        ("flush", flush),
    ],
    hooks: NativeHooks { create: Some(create), no_clone: true, destruct: Some(finish), ..NativeHooks::NONE },
}];

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("xmlwriter_open_uri(string $uri): \\XMLWriter|false", open_uri),
    FnDef::new("xmlwriter_open_memory(): \\XMLWriter|false", open_memory),
    FnDef::new("xmlwriter_set_indent(\\XMLWriter $writer, bool $enable): bool", set_indent),
    FnDef::new("xmlwriter_set_indent_string(\\XMLWriter $writer, string $indentation): bool", set_indent_string),
    FnDef::new("xmlwriter_start_comment(\\XMLWriter $writer): bool", start_comment),
    FnDef::new("xmlwriter_end_comment(\\XMLWriter $writer): bool", end_comment),
    FnDef::new("xmlwriter_start_attribute(\\XMLWriter $writer, string $name): bool", start_attribute),
    FnDef::new("xmlwriter_end_attribute(\\XMLWriter $writer): bool", end_attribute),
    FnDef::new("xmlwriter_write_attribute(\\XMLWriter $writer, string $name, string $value): bool", write_attribute),
    FnDef::new(
        "xmlwriter_start_attribute_ns(\\XMLWriter $writer, ?string $prefix, string $name, \
         ?string $namespace): bool",
        start_attribute_ns,
    ),
    FnDef::new(
        "xmlwriter_write_attribute_ns(\\XMLWriter $writer, ?string $prefix, string $name, \
         ?string $namespace, string $value): bool",
        write_attribute_ns,
    ),
    FnDef::new("xmlwriter_start_element(\\XMLWriter $writer, string $name): bool", start_element),
    FnDef::new("xmlwriter_end_element(\\XMLWriter $writer): bool", end_element),
    FnDef::new("xmlwriter_full_end_element(\\XMLWriter $writer): bool", full_end_element),
    FnDef::new(
        "xmlwriter_start_element_ns(\\XMLWriter $writer, ?string $prefix, string $name, \
         ?string $namespace): bool",
        start_element_ns,
    ),
    FnDef::new(
        "xmlwriter_write_element(\\XMLWriter $writer, string $name, \
         ?string $content = null): bool",
        write_element,
    ),
    FnDef::new(
        "xmlwriter_write_element_ns(\\XMLWriter $writer, ?string $prefix, string $name, \
         ?string $namespace, ?string $content = null): bool",
        write_element_ns,
    ),
    FnDef::new("xmlwriter_start_pi(\\XMLWriter $writer, string $target): bool", start_pi),
    FnDef::new("xmlwriter_end_pi(\\XMLWriter $writer): bool", end_pi),
    FnDef::new("xmlwriter_write_pi(\\XMLWriter $writer, string $target, string $content): bool", write_pi),
    FnDef::new("xmlwriter_start_cdata(\\XMLWriter $writer): bool", start_cdata),
    FnDef::new("xmlwriter_end_cdata(\\XMLWriter $writer): bool", end_cdata),
    FnDef::new("xmlwriter_write_cdata(\\XMLWriter $writer, string $content): bool", write_cdata),
    FnDef::new("xmlwriter_text(\\XMLWriter $writer, string $content): bool", text),
    FnDef::new("xmlwriter_write_raw(\\XMLWriter $writer, string $content): bool", write_raw),
    FnDef::new(
        "xmlwriter_start_document(\\XMLWriter $writer, ?string $version = \"1.0\", \
         ?string $encoding = null, ?string $standalone = null): bool",
        start_document,
    ),
    FnDef::new("xmlwriter_end_document(\\XMLWriter $writer): bool", end_document),
    FnDef::new("xmlwriter_write_comment(\\XMLWriter $writer, string $content): bool", write_comment),
    FnDef::new(
        "xmlwriter_start_dtd(\\XMLWriter $writer, string $qualifiedName, ?string $publicId = null, \
         ?string $systemId = null): bool",
        start_dtd,
    ),
    FnDef::new("xmlwriter_end_dtd(\\XMLWriter $writer): bool", end_dtd),
    FnDef::new(
        "xmlwriter_write_dtd(\\XMLWriter $writer, string $name, ?string $publicId = null, \
         ?string $systemId = null, ?string $content = null): bool",
        write_dtd,
    ),
    FnDef::new("xmlwriter_start_dtd_element(\\XMLWriter $writer, string $qualifiedName): bool", start_dtd_element),
    FnDef::new("xmlwriter_end_dtd_element(\\XMLWriter $writer): bool", end_dtd_element),
    FnDef::new(
        "xmlwriter_write_dtd_element(\\XMLWriter $writer, string $name, \
         string $content): bool",
        write_dtd_element,
    ),
    FnDef::new("xmlwriter_start_dtd_attlist(\\XMLWriter $writer, string $name): bool", start_dtd_attlist),
    FnDef::new("xmlwriter_end_dtd_attlist(\\XMLWriter $writer): bool", end_dtd_attlist),
    FnDef::new(
        "xmlwriter_write_dtd_attlist(\\XMLWriter $writer, string $name, \
         string $content): bool",
        write_dtd_attlist,
    ),
    FnDef::new("xmlwriter_start_dtd_entity(\\XMLWriter $writer, string $name, bool $isParam): bool", start_dtd_entity),
    FnDef::new("xmlwriter_end_dtd_entity(\\XMLWriter $writer): bool", end_dtd_entity),
    FnDef::new(
        "xmlwriter_write_dtd_entity(\\XMLWriter $writer, string $name, string $content, \
         bool $isParam = false, ?string $publicId = null, ?string $systemId = null, ?string $notationData = null): bool",
        write_dtd_entity,
    ),
    FnDef::new("xmlwriter_output_memory(\\XMLWriter $writer, bool $flush = true): string", output_memory),
    FnDef::new("xmlwriter_flush(\\XMLWriter $writer, bool $empty = true): string|int", flush),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "xmlwriter",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};

/// The target of the text.
enum Target {
    Memory,
    /// A stream, with a resource that keeps its number taken and shows it in `get_resources()`.
    Stream(Rc<Stream>, #[expect(dead_code, reason = "it only has to live")] PhpRes),
}

/// The native part of a writer.
#[derive(Default)]
struct Data {
    open: RefCell<Option<(Rc<Writer>, Rc<Target>)>>,
}

impl NativeData for Data {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Data::default()));
}

fn data(object: &PhpObj) -> &Data {
    object.native::<Data>().unwrap_or_else(|| unreachable!("every XMLWriter has its data"))
}

/// Writes the rest of the text to the stream when the object is destroyed.
fn finish(vm: &Vm, object: &PhpObj) {
    let open = data(object).open.take();
    if let Some((writer, target)) = open {
        if let Err(throw) = pass_on(vm, &writer, &target) {
            vm.set_pending(throw);
        }
    }
}

/// Moves the text from the writer to the stream, and gives its length.
fn pass_on(vm: &Vm, writer: &Writer, target: &Target) -> PhpResult<usize> {
    let Target::Stream(stream, _) = target else { return Ok(0) };
    let text = writer.contents(true);
    if !text.is_empty() && !stream.is_closed() {
        stream.write(vm, &text)?;
    }
    Ok(text.len())
}

/// Gives a new writer to `$this`; in a call of a function, to a new object.
fn install(call: &Call<'_>, target: Target) -> PhpResult<Val> {
    let Some(writer) = Writer::new() else { return Ok(false.into()) };
    let row = Some((Rc::new(writer), Rc::new(target)));
    if let Some(this) = call.object {
        finish(call.vm, this);
        *data(this).open.borrow_mut() = row;
        return Ok(true.into());
    }
    let class = match call.static_class {
        Some(class) => class.clone(),
        None => call.vm.require_class(b"XMLWriter")?,
    };
    let object = match call.static_class {
        Some(_) => call.vm.new_object(&class, Vec::new())?,
        None => call.vm.instantiate(&class)?,
    };
    *data(&object).open.borrow_mut() = row;
    Ok(object.into())
}

fn open_memory(call: &mut Call<'_>) -> PhpResult<Val> {
    install(call, Target::Memory)
}

fn to_memory(call: &mut Call<'_>) -> PhpResult<Val> {
    install(call, Target::Memory)
}

/// The file that a URI names. `None`: its directory does not exist.
fn file_of(uri: &[u8]) -> Option<Vec<u8>> {
    let path = match uri.strip_prefix(b"file://") {
        Some(rest) => rest.strip_prefix(b"localhost").unwrap_or(rest),
        None if open::scheme(uri).is_some() => return Some(uri.to_vec()),
        None => uri,
    };
    const PATH_MAX: usize = 4096;
    if path == b"/" || path.len() >= PATH_MAX {
        return None;
    }
    let directory = match path.iter().rposition(|&byte| byte == b'/') {
        Some(0) | None => return Some(path.to_vec()),
        Some(end) => &path[..end],
    };
    open::os(directory).exists().then(|| path.to_vec())
}

fn open_stream(call: &Call<'_>, path: &[u8]) -> PhpResult<Option<Rc<Stream>>> {
    open::open(call.vm, path, "wb", &phlox_ext_libxml::loading::options(call.vm))
}

fn open_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    let uri = call.path(0)?;
    if uri.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let Some(path) = file_of(&uri) else {
        call.warning("Unable to resolve file path")?;
        return Ok(false.into());
    };
    match open_stream(call, &path)? {
        Some(stream) => {
            stream.unclosable.set(true);
            install(call, Target::Stream(stream.clone(), open::resource(stream)))
        }
        None => Ok(false.into()),
    }
}

fn to_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    let uri = call.path(0)?;
    if uri.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let Some(path) = file_of(&uri) else {
        return Err(call.value_error(0, "must resolve to a valid file path"));
    };
    match open_stream(call, &path)? {
        Some(stream) => {
            stream.unclosable.set(true);
            install(call, Target::Stream(stream.clone(), open::resource(stream)))
        }
        None => Err(call.vm.throw_error(b"Could not construct libxml writer")),
    }
}

fn to_stream(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(resource) = call.opt_res(0) else {
        let given = phlox_runtime::convert::value_name(&call.arg(0));
        return Err(call.type_error(0, &format!("must be of type resource, {given} given")));
    };
    match open::stream_of(&resource) {
        Some(stream) => install(call, Target::Stream(stream, resource)),
        None => Err(call.type_error(0, "must be an open stream resource")),
    }
}

fn output_memory(call: &mut Call<'_>) -> PhpResult<Val> {
    flushed(call, true)
}

fn flush(call: &mut Call<'_>) -> PhpResult<Val> {
    flushed(call, false)
}

fn flushed(call: &Call<'_>, as_text: bool) -> PhpResult<Val> {
    let (writer, target, first) = opened(call)?;
    if matches!(*target, Target::Memory) {
        return Ok(Val::str(&writer.contents(call.bool(first))));
    }
    if as_text {
        return Ok(Val::str(b""));
    }
    Ok(Val::int(pass_on(call.vm, &writer, &target)? as i64))
}

/// Moves the text so far to the target, unless that is memory.
fn write_out(call: &Call<'_>) -> PhpResult<()> {
    let (writer, target, _) = opened(call)?;
    if !matches!(*target, Target::Memory) {
        pass_on(call.vm, &writer, &target)?;
    }
    Ok(())
}

/// The writer of a call, its target, and the index of the first argument after the writer.
fn opened(call: &Call<'_>) -> PhpResult<(Rc<Writer>, Rc<Target>, usize)> {
    let (object, first) = match call.object {
        Some(this) => (Some(this.clone()), 0),
        None => (call.opt_obj(0), 1),
    };
    let open = object.and_then(|object| data(&object).open.borrow().clone());
    match open {
        Some((writer, target)) => Ok((writer, target, first)),
        None => Err(call.vm.throw_error(b"Invalid or uninitialized XMLWriter object")),
    }
}
