//! The methods of `XMLReader`: opening documents, moving, and reading the current node.

use crate::data;
use phlox_ext_dom::{Held, held, wrap};
use phlox_ext_libxml::emit;
use phlox_ext_standard_file::stream::open;
use phlox_libxml::{Node, Reader, ReaderNumber, ReaderText, SchemaText, is_encoding};
use phlox_runtime::{Call, Level, ObjExt, PhpResult, PhpStr, Throw, Val};
use std::rc::Rc;

fn reader(call: &Call<'_>) -> Option<Rc<Reader>> {
    data(call.this()).borrow().clone()
}

fn text(bytes: Option<Vec<u8>>) -> Val {
    bytes.map_or(Val::NULL, |bytes| Val::str(&bytes))
}

/// A string argument. Throws if it is empty.
fn filled(call: &Call<'_>, index: usize) -> PhpResult<PhpStr> {
    let value = call.str(index);
    if value.is_empty() { Err(call.value_error(index, "must not be empty")) } else { Ok(value) }
}

fn property_text(call: &Call<'_>, which: ReaderText) -> PhpResult<Val> {
    Ok(Val::str(&reader(call).and_then(|reader| reader.text(which)).unwrap_or_default()))
}

fn number(call: &Call<'_>, which: ReaderNumber) -> PhpResult<i32> {
    match reader(call).map_or(0, |reader| reader.number(which)) {
        -1 => Err(call.vm.throw_error(b"Failed to read property because no XML data has been read yet")),
        number => Ok(number),
    }
}

fn property_number(call: &Call<'_>, which: ReaderNumber) -> PhpResult<Val> {
    number(call, which).map(|number| Val::int(number.into()))
}

fn property_flag(call: &Call<'_>, which: ReaderNumber) -> PhpResult<Val> {
    number(call, which).map(|number| (number != 0).into())
}

/// Reads `XMLReader::$attributeCount`.
pub fn get_attribute_count(call: &mut Call<'_>) -> PhpResult<Val> {
    property_number(call, ReaderNumber::AttributeCount)
}

/// Reads `XMLReader::$baseURI`.
pub fn get_base_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    property_text(call, ReaderText::BaseUri)
}

/// Reads `XMLReader::$depth`.
pub fn get_depth(call: &mut Call<'_>) -> PhpResult<Val> {
    property_number(call, ReaderNumber::Depth)
}

/// Reads `XMLReader::$hasAttributes`.
pub fn get_has_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    property_flag(call, ReaderNumber::HasAttributes)
}

/// Reads `XMLReader::$hasValue`.
pub fn get_has_value(call: &mut Call<'_>) -> PhpResult<Val> {
    property_flag(call, ReaderNumber::HasValue)
}

/// Reads `XMLReader::$isDefault`.
pub fn get_is_default(call: &mut Call<'_>) -> PhpResult<Val> {
    property_flag(call, ReaderNumber::IsDefault)
}

/// Reads `XMLReader::$isEmptyElement`.
pub fn get_is_empty_element(call: &mut Call<'_>) -> PhpResult<Val> {
    property_flag(call, ReaderNumber::IsEmptyElement)
}

/// Reads `XMLReader::$localName`.
pub fn get_local_name(call: &mut Call<'_>) -> PhpResult<Val> {
    property_text(call, ReaderText::LocalName)
}

/// Reads `XMLReader::$name`.
pub fn get_name(call: &mut Call<'_>) -> PhpResult<Val> {
    property_text(call, ReaderText::Name)
}

/// Reads `XMLReader::$namespaceURI`.
pub fn get_namespace_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    property_text(call, ReaderText::NamespaceUri)
}

/// Reads `XMLReader::$nodeType`.
pub fn get_node_type(call: &mut Call<'_>) -> PhpResult<Val> {
    property_number(call, ReaderNumber::NodeType)
}

/// Reads `XMLReader::$prefix`.
pub fn get_prefix(call: &mut Call<'_>) -> PhpResult<Val> {
    property_text(call, ReaderText::Prefix)
}

/// Reads `XMLReader::$value`.
pub fn get_value(call: &mut Call<'_>) -> PhpResult<Val> {
    property_text(call, ReaderText::Value)
}

/// Reads `XMLReader::$xmlLang`.
pub fn get_xml_lang(call: &mut Call<'_>) -> PhpResult<Val> {
    property_text(call, ReaderText::Language)
}

/// `XMLReader::close()`.
pub fn close(call: &mut Call<'_>) -> PhpResult<Val> {
    drop(data(call.this()).take());
    Ok(true.into())
}

/// `XMLReader::getAttribute()`.
pub fn get_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = filled(call, 0)?;
    Ok(text(reader(call).and_then(|reader| reader.attribute(&name))))
}

/// `XMLReader::getAttributeNo()`.
pub fn get_attribute_no(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = call.int(0) as i32;
    Ok(text(reader(call).and_then(|reader| reader.attribute_at(index))))
}

/// `XMLReader::getAttributeNs()`.
pub fn get_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, uri) = (filled(call, 0)?, filled(call, 1)?);
    Ok(text(reader(call).and_then(|reader| reader.attribute_ns(&name, &uri))))
}

/// `XMLReader::lookupNamespace()`.
pub fn lookup_namespace(call: &mut Call<'_>) -> PhpResult<Val> {
    let prefix = filled(call, 0)?;
    Ok(text(reader(call).and_then(|reader| reader.namespace_of(Some(&prefix)))))
}

/// `XMLReader::getParserProperty()`.
pub fn get_parser_property(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(reader) = reader(call) else { return Err(not_loaded(call)) };
    match reader.property(call.int(0) as i32) {
        -1 => Err(call.value_error(0, "must be a valid parser property")),
        on => Ok((on != 0).into()),
    }
}

fn not_loaded(call: &Call<'_>) -> Throw {
    call.vm.throw_error(b"Cannot access parser properties before loading data")
}

/// `XMLReader::setParserProperty()`.
pub fn set_parser_property(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(reader) = reader(call) else { return Err(not_loaded(call)) };
    if !reader.set_property(call.int(0) as i32, call.bool(1)) {
        return Err(call.value_error(0, "must be a valid parser property"));
    }
    Ok(true.into())
}

/// `XMLReader::isValid()`.
pub fn is_valid(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(reader(call).is_some_and(|reader| reader.number(ReaderNumber::IsValid) == 1).into())
}

/// Moves the reader, emits errors, and gives whether it moved.
fn moved(call: &Call<'_>, step: impl FnOnce(&Reader) -> bool) -> PhpResult<Val> {
    let moved = reader(call).is_some_and(|reader| step(&reader));
    emit(call)?;
    Ok(moved.into())
}

/// `XMLReader::moveToAttribute()`.
pub fn move_to_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = filled(call, 0)?;
    moved(call, |reader| reader.move_to_attribute(&name))
}

/// `XMLReader::moveToAttributeNo()`.
pub fn move_to_attribute_no(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = call.int(0) as i32;
    moved(call, |reader| reader.move_to_attribute_at(index))
}

/// `XMLReader::moveToAttributeNs()`.
pub fn move_to_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, uri) = (filled(call, 0)?, filled(call, 1)?);
    moved(call, |reader| reader.move_to_attribute_ns(&name, &uri))
}

/// `XMLReader::moveToElement()`.
pub fn move_to_element(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, Reader::move_to_element)
}

/// `XMLReader::moveToFirstAttribute()`.
pub fn move_to_first_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, Reader::move_to_first_attribute)
}

/// `XMLReader::moveToNextAttribute()`.
pub fn move_to_next_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, Reader::move_to_next_attribute)
}

/// `XMLReader::read()`.
pub fn read(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(reader) = reader(call) else {
        return Err(call.vm.throw_error(b"Data must be loaded before reading"));
    };
    let result = reader.read();
    emit(call)?;
    Ok((result == 1).into())
}

/// `XMLReader::next()`: goes to the next node behind the contents of this one, or on to one with the given name.
pub fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(reader) = reader(call) else {
        return Err(call.vm.throw_error(b"Data must be loaded before reading"));
    };
    let name = call.opt_str(0);
    let mut result = reader.next();
    while let (Some(name), 1) = (&name, result) {
        if reader.text(ReaderText::LocalName).as_deref() == Some(&name[..]) {
            break;
        }
        result = reader.next();
    }
    emit(call)?;
    Ok((result == 1).into())
}

fn inside(call: &Call<'_>, read: fn(&Reader) -> Option<Vec<u8>>) -> PhpResult<Val> {
    let result = reader(call).and_then(|reader| read(&reader));
    emit(call)?;
    Ok(Val::str(&result.unwrap_or_default()))
}

/// `XMLReader::readInnerXml()`.
pub fn read_inner_xml(call: &mut Call<'_>) -> PhpResult<Val> {
    inside(call, Reader::inner_xml)
}

/// `XMLReader::readOuterXml()`.
pub fn read_outer_xml(call: &mut Call<'_>) -> PhpResult<Val> {
    inside(call, Reader::outer_xml)
}

/// `XMLReader::readString()`.
pub fn read_string(call: &mut Call<'_>) -> PhpResult<Val> {
    inside(call, Reader::string)
}

/// The way in which a failure to open is reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failing {
    Warning,
    Throwing,
}

/// Gives a new reader to `$this`; in a static call, to a new object.
fn install(call: &Call<'_>, made: Option<Reader>, failing: Failing, message: &str) -> PhpResult<Val> {
    emit(call)?;
    let Some(made) = made else {
        if failing == Failing::Throwing {
            return Err(call.vm.throw_error(message.as_bytes()));
        }
        call.warning(message)?;
        return Ok(false.into());
    };
    if let (Some(this), Failing::Warning) = (call.object, failing) {
        drop(data(this).replace(Some(Rc::new(made))));
        return Ok(true.into());
    }
    let class = match call.static_class.filter(|_| failing == Failing::Throwing) {
        Some(class) => class.clone(),
        None => call.vm.require_class(b"XMLReader")?,
    };
    let object = call.vm.new_object(&class, Vec::new())?;
    drop(data(&object).replace(Some(Rc::new(made))));
    Ok(object.into())
}

/// The encoding argument. Throws if libxml2 does not know it.
fn encoding(call: &Call<'_>) -> PhpResult<Option<PhpStr>> {
    let encoding = call.opt_str(1);
    if encoding.is_some() {
        call.path(1)?;
    }
    if encoding.as_ref().is_some_and(|name| !is_encoding(name)) {
        return Err(call.value_error(1, "must be a valid character encoding"));
    }
    Ok(encoding)
}

fn of_uri(call: &Call<'_>, failing: Failing) -> PhpResult<Val> {
    let uri = call.path(0)?;
    if let (Some(this), Failing::Warning) = (call.object, failing) {
        drop(data(this).take());
    }
    if uri.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let encoding = encoding(call)?;
    let path = phlox_ext_dom::absolute(&uri);
    let made = Reader::of_file(&path, encoding.as_deref(), call.int(2) as i32);
    install(call, made, failing, "Unable to open source data")
}

/// `XMLReader::open()`: warns on failure.
pub fn open(call: &mut Call<'_>) -> PhpResult<Val> {
    of_uri(call, Failing::Warning)
}

/// `XMLReader::fromUri()`: throws on failure.
pub fn from_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    of_uri(call, Failing::Throwing)
}

fn of_text(call: &Call<'_>, failing: Failing) -> PhpResult<Val> {
    let source = call.str(0);
    if let (Some(this), Failing::Warning) = (call.object, failing) {
        drop(data(this).take());
    }
    if source.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let encoding = encoding(call)?;
    let base = phlox_ext_dom::working_directory();
    let made = Reader::of_text(&source, base.as_deref(), encoding.as_deref(), call.int(2) as i32);
    install(call, made, failing, "Unable to load source data")
}

/// `XMLReader::XML()`: warns on failure.
pub fn xml(call: &mut Call<'_>) -> PhpResult<Val> {
    of_text(call, Failing::Warning)
}

/// `XMLReader::fromString()`: throws on failure.
pub fn from_string(call: &mut Call<'_>) -> PhpResult<Val> {
    of_text(call, Failing::Throwing)
}

/// `XMLReader::fromStream()`, which reads the stream to its end at once.
pub fn from_stream(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(resource) = call.opt_res(0) else {
        let given = phlox_runtime::convert::value_name(&call.arg(0));
        return Err(call.type_error(0, &format!("must be of type resource, {given} given")));
    };
    let Some(stream) = open::stream_of(&resource) else {
        return Err(call
            .vm
            .throw_type_error(b"XMLReader::fromStream(): supplied resource is not a valid stream resource"));
    };
    let encoding = encoding(call)?;
    let uri = call.opt_str(3);
    let source = stream.read_all(call.vm, None)?;
    let made = Reader::of_text(&source, uri.as_deref(), encoding.as_deref(), call.int(2) as i32);
    install(call, made, Failing::Throwing, "Could not construct libxml reader")
}

fn schema_failed(call: &Call<'_>) -> PhpResult<Val> {
    call.warning("Schema contains errors")?;
    Ok(false.into())
}

fn unset_first(call: &Call<'_>) -> Throw {
    call.vm.throw_error(b"Schema must be set prior to reading")
}

/// The argument with a schema; null ends the validation.
fn schema_argument(call: &Call<'_>) -> PhpResult<Option<PhpStr>> {
    match call.opt_str(0) {
        Some(source) if source.is_empty() => Err(call.value_error(0, "must not be empty")),
        other => Ok(other),
    }
}

/// `XMLReader::setSchema()`.
pub fn set_schema(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = schema_argument(call)?;
    let Some(reader) = reader(call) else { return Err(unset_first(call)) };
    let set = reader.set_schema(file.as_deref());
    emit(call)?;
    if set { Ok(true.into()) } else { schema_failed(call) }
}

fn relax_ng(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let source = schema_argument(call)?;
    let Some(reader) = reader(call) else { return Err(unset_first(call)) };
    let path = source.as_deref().map(|source| phlox_ext_dom::absolute(source)).unwrap_or_default();
    let schema = source.as_deref().map(|source| match is_file {
        true => SchemaText::File(&path),
        false => SchemaText::Text(source),
    });
    let set = reader.set_relax_ng(schema);
    emit(call)?;
    if set == Some(true) { Ok(true.into()) } else { schema_failed(call) }
}

/// `XMLReader::setRelaxNGSchema()`.
pub fn set_relax_ng_schema(call: &mut Call<'_>) -> PhpResult<Val> {
    relax_ng(call, true)
}

/// `XMLReader::setRelaxNGSchemaSource()`.
pub fn set_relax_ng_schema_source(call: &mut Call<'_>) -> PhpResult<Val> {
    relax_ng(call, false)
}

/// `XMLReader::expand()`: a copy of the current node, for the document of the given node.
pub fn expand(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut base = None;
    if let Some(object) = call.opt_obj(0) {
        match held(&object) {
            Held::Node(node) => base = Some(node),
            _ => {
                call.warning(&format!("Couldn't fetch {}", phlox_runtime::shown(object.class_name())))?;
                return Ok(false.into());
            }
        }
    }
    let Some(reader) = reader(call) else {
        return Err(call.vm.throw_error(b"Data must be loaded before expanding"));
    };
    let document = base.and_then(|node| node.document()).or_else(|| Node::new_document(b"1.0"));
    let copy = document.and_then(|document| reader.expand(&document));
    emit(call)?;
    match copy {
        Some(Some(copy)) => wrap(call.vm, &copy),
        Some(None) => {
            call.raise(Level::Notice, b"Cannot expand this node type")?;
            Ok(false.into())
        }
        None => {
            call.warning("An Error Occurred while expanding")?;
            Ok(false.into())
        }
    }
}
