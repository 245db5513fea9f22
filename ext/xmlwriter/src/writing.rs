//! The functions that write the parts of a document.

use crate::opened;
use phlox_libxml::{Part, Writer, is_valid};
use phlox_runtime::{Call, PhpResult, PhpStr, Val};
use std::rc::Rc;

/// A call with its writer. Indexes of arguments do not count the writer.
struct Writing<'a, 'b> {
    call: &'a Call<'b>,
    writer: Rc<Writer>,
    first: usize,
}

impl Writing<'_, '_> {
    fn text(&self, index: usize) -> PhpStr {
        self.call.str(self.first + index)
    }

    fn optional(&self, index: usize) -> Option<PhpStr> {
        self.call.opt_str(self.first + index)
    }

    fn flag(&self, index: usize) -> bool {
        self.call.bool(self.first + index)
    }

    /// Emits errors, and gives whether the call succeeded: libxml2's result is not -1.
    fn done(&self, result: i32) -> PhpResult<Val> {
        phlox_ext_libxml::emit(self.call)?;
        Ok((result != -1).into())
    }

    /// An argument that must be a name. The error counts the writer as an argument even in methods, as PHP does.
    fn name(&self, index: usize, subject: &str) -> PhpResult<PhpStr> {
        // libxml2's texts end at the first NUL, and so do names.
        let name = PhpStr::new(phlox_runtime::until_nul(&self.text(index)));
        if is_valid(&name, false) {
            return Ok(name);
        }
        let name = phlox_runtime::shown(&name).into_owned();
        Err(self.call.value_error(index + 1, &format!("must be a valid {subject}, \"{name}\" given")))
    }
}

fn writing<'a, 'b>(call: &'a Call<'b>) -> PhpResult<Writing<'a, 'b>> {
    let (writer, _, first) = opened(call)?;
    Ok(Writing { call, writer, first })
}

fn start(call: &Call<'_>, part: Part, subject: Option<&str>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = match subject {
        Some(subject) => writing.name(0, subject)?,
        None => PhpStr::empty(),
    };
    writing.done(writing.writer.start(part, &name))
}

fn end(call: &Call<'_>, part: Part) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end(part))
}

fn write(call: &Call<'_>, part: Part, subject: Option<&str>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let (name, text) = match subject {
        Some(subject) => (writing.name(0, subject)?, writing.text(1)),
        None => (PhpStr::empty(), writing.text(0)),
    };
    writing.done(writing.writer.write(part, &name, &text))
}

/// `XMLWriter::setIndent()` and `xmlwriter_set_indent()`.
pub fn set_indent(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    Ok((writing.writer.set_indent(writing.flag(0)) == 0).into())
}

/// `XMLWriter::setIndentString()` and `xmlwriter_set_indent_string()`.
pub fn set_indent_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.set_indent_text(&writing.text(0)))
}

/// `XMLWriter::startComment()` and `xmlwriter_start_comment()`.
pub fn start_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::Comment, None)
}

/// `XMLWriter::endComment()` and `xmlwriter_end_comment()`.
pub fn end_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::Comment)
}

/// `XMLWriter::writeComment()` and `xmlwriter_write_comment()`.
pub fn write_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::Comment, None)
}

/// `XMLWriter::startCdata()` and `xmlwriter_start_cdata()`.
pub fn start_cdata(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::CData, None)
}

/// `XMLWriter::endCdata()` and `xmlwriter_end_cdata()`.
pub fn end_cdata(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::CData)
}

/// `XMLWriter::writeCdata()` and `xmlwriter_write_cdata()`.
pub fn write_cdata(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::CData, None)
}

/// `XMLWriter::startPi()` and `xmlwriter_start_pi()`.
pub fn start_pi(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::Instruction, Some("PI target"))
}

/// `XMLWriter::endPi()` and `xmlwriter_end_pi()`.
pub fn end_pi(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::Instruction)
}

/// `XMLWriter::writePi()` and `xmlwriter_write_pi()`.
pub fn write_pi(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::Instruction, Some("PI target"))
}

/// `XMLWriter::startDtdElement()` and `xmlwriter_start_dtd_element()`.
pub fn start_dtd_element(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::DtdElement, Some("element name"))
}

/// `XMLWriter::endDtdElement()` and `xmlwriter_end_dtd_element()`.
pub fn end_dtd_element(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::DtdElement)
}

/// `XMLWriter::writeDtdElement()` and `xmlwriter_write_dtd_element()`.
pub fn write_dtd_element(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::DtdElement, Some("element name"))
}

/// `XMLWriter::startDtdAttlist()` and `xmlwriter_start_dtd_attlist()`.
pub fn start_dtd_attlist(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::DtdAttlist, Some("element name"))
}

/// `XMLWriter::endDtdAttlist()` and `xmlwriter_end_dtd_attlist()`.
pub fn end_dtd_attlist(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::DtdAttlist)
}

/// `XMLWriter::writeDtdAttlist()` and `xmlwriter_write_dtd_attlist()`.
pub fn write_dtd_attlist(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::DtdAttlist, Some("element name"))
}

/// `XMLWriter::startAttribute()` and `xmlwriter_start_attribute()`.
pub fn start_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "attribute name")?;
    writing.done(writing.writer.start_attribute(&name))
}

/// `XMLWriter::endAttribute()` and `xmlwriter_end_attribute()`.
pub fn end_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_attribute())
}

/// `XMLWriter::writeAttribute()` and `xmlwriter_write_attribute()`.
pub fn write_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "attribute name")?;
    writing.done(writing.writer.write_attribute(&name, &writing.text(1)))
}

/// `XMLWriter::startAttributeNs()` and `xmlwriter_start_attribute_ns()`.
pub fn start_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(1, "attribute name")?;
    let (prefix, uri) = (writing.optional(0), writing.optional(2));
    writing.done(writing.writer.start_attribute_ns(prefix.as_deref(), &name, uri.as_deref()))
}

/// `XMLWriter::writeAttributeNs()` and `xmlwriter_write_attribute_ns()`.
pub fn write_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(1, "attribute name")?;
    let (prefix, uri, value) = (writing.optional(0), writing.optional(2), writing.text(3));
    writing.done(writing.writer.write_attribute_ns(prefix.as_deref(), &name, uri.as_deref(), &value))
}

/// `XMLWriter::startElement()` and `xmlwriter_start_element()`.
pub fn start_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "element name")?;
    writing.done(writing.writer.start_element(&name))
}

/// `XMLWriter::startElementNs()` and `xmlwriter_start_element_ns()`.
pub fn start_element_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(1, "element name")?;
    let (prefix, uri) = (writing.optional(0), writing.optional(2));
    writing.done(writing.writer.start_element_ns(prefix.as_deref(), &name, uri.as_deref()))
}

/// `XMLWriter::endElement()` and `xmlwriter_end_element()`.
pub fn end_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_element())
}

/// `XMLWriter::fullEndElement()` and `xmlwriter_full_end_element()`.
pub fn full_end_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.full_end_element())
}

/// `XMLWriter::writeElement()` and `xmlwriter_write_element()`: without a content, the element is written as an empty
/// one.
pub fn write_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "element name")?;
    if let Some(content) = writing.optional(1) {
        return writing.done(writing.writer.write_element(&name, &content));
    }
    if writing.writer.start_element(&name) == -1 {
        return writing.done(-1);
    }
    writing.done(writing.writer.end_element())
}

/// `XMLWriter::writeElementNs()` and `xmlwriter_write_element_ns()`: without a content, the element is written as an
/// empty one.
pub fn write_element_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(1, "element name")?;
    let (prefix, uri) = (writing.optional(0), writing.optional(2));
    if let Some(content) = writing.optional(3) {
        let result = writing.writer.write_element_ns(prefix.as_deref(), &name, uri.as_deref(), &content);
        return writing.done(result);
    }
    if writing.writer.start_element_ns(prefix.as_deref(), &name, uri.as_deref()) == -1 {
        return writing.done(-1);
    }
    writing.done(writing.writer.end_element())
}

/// `XMLWriter::text()` and `xmlwriter_text()`.
pub fn text(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.text(&writing.text(0)))
}

/// `XMLWriter::writeRaw()` and `xmlwriter_write_raw()`.
pub fn write_raw(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.raw_text(&writing.text(0)))
}

/// `XMLWriter::startDocument()` and `xmlwriter_start_document()`.
pub fn start_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let (version, encoding, standalone) = (writing.optional(0), writing.optional(1), writing.optional(2));
    let result = writing.writer.start_document(version.as_deref(), encoding.as_deref(), standalone.as_deref());
    writing.done(result)
}

/// `XMLWriter::endDocument()` and `xmlwriter_end_document()`: flushes the writer.
pub fn end_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let result = writing.writer.end_document();
    // PHP flushes the writer at the end of a document.
    crate::write_out(call)?;
    writing.done(result)
}

/// `XMLWriter::startDtd()` and `xmlwriter_start_dtd()`.
pub fn start_dtd(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let (name, public, system) = (writing.text(0), writing.optional(1), writing.optional(2));
    writing.done(writing.writer.start_dtd(&name, public.as_deref(), system.as_deref()))
}

/// `XMLWriter::endDtd()` and `xmlwriter_end_dtd()`.
pub fn end_dtd(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_dtd())
}

/// `XMLWriter::writeDtd()` and `xmlwriter_write_dtd()`.
pub fn write_dtd(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let (name, public, system, subset) =
        (writing.text(0), writing.optional(1), writing.optional(2), writing.optional(3));
    writing.done(writing.writer.write_dtd(&name, public.as_deref(), system.as_deref(), subset.as_deref()))
}

/// `XMLWriter::startDtdEntity()` and `xmlwriter_start_dtd_entity()`.
pub fn start_dtd_entity(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "attribute name")?;
    writing.done(writing.writer.start_dtd_entity(writing.flag(1), &name))
}

/// `XMLWriter::endDtdEntity()` and `xmlwriter_end_dtd_entity()`.
pub fn end_dtd_entity(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_dtd_entity())
}

/// `XMLWriter::writeDtdEntity()` and `xmlwriter_write_dtd_entity()`.
pub fn write_dtd_entity(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "element name")?;
    let ids = [writing.optional(3), writing.optional(4), writing.optional(5)];
    let ids = [ids[0].as_deref(), ids[1].as_deref(), ids[2].as_deref()];
    writing.done(writing.writer.write_dtd_entity(writing.flag(2), &name, ids, &writing.text(1)))
}
