//! Writing the parts of a document.

use crate::opened;
use phlox_libxml::{Part, Writer, is_valid};
use phlox_runtime::{Call, PhpResult, PhpStr, Val};
use std::rc::Rc;

/// A call with its writer; arguments count from the first after the writer.
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

    /// Reports, and says whether it went well.
    fn done(&self, result: i32) -> PhpResult<Val> {
        phlox_ext_libxml::emit(self.call)?;
        Ok((result != -1).into())
    }

    /// A name of something. The error counts the writer as an argument, in methods, too, as PHP does.
    fn name(&self, index: usize, subject: &str) -> PhpResult<PhpStr> {
        // A name ends at a NUL, as all texts do here.
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

pub fn set_indent(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    Ok((writing.writer.set_indent(writing.flag(0)) == 0).into())
}

pub fn set_indent_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.set_indent_text(&writing.text(0)))
}

pub fn start_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::Comment, None)
}

pub fn end_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::Comment)
}

pub fn write_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::Comment, None)
}

pub fn start_cdata(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::CData, None)
}

pub fn end_cdata(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::CData)
}

pub fn write_cdata(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::CData, None)
}

pub fn start_pi(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::Instruction, Some("PI target"))
}

pub fn end_pi(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::Instruction)
}

pub fn write_pi(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::Instruction, Some("PI target"))
}

pub fn start_dtd_element(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::DtdElement, Some("element name"))
}

pub fn end_dtd_element(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::DtdElement)
}

pub fn write_dtd_element(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::DtdElement, Some("element name"))
}

pub fn start_dtd_attlist(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call, Part::DtdAttlist, Some("element name"))
}

pub fn end_dtd_attlist(call: &mut Call<'_>) -> PhpResult<Val> {
    end(call, Part::DtdAttlist)
}

pub fn write_dtd_attlist(call: &mut Call<'_>) -> PhpResult<Val> {
    write(call, Part::DtdAttlist, Some("element name"))
}

pub fn start_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "attribute name")?;
    writing.done(writing.writer.start_attribute(&name))
}

pub fn end_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_attribute())
}

pub fn write_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "attribute name")?;
    writing.done(writing.writer.write_attribute(&name, &writing.text(1)))
}

pub fn start_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(1, "attribute name")?;
    let (prefix, uri) = (writing.optional(0), writing.optional(2));
    writing.done(writing.writer.start_attribute_ns(prefix.as_deref(), &name, uri.as_deref()))
}

pub fn write_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(1, "attribute name")?;
    let (prefix, uri, value) = (writing.optional(0), writing.optional(2), writing.text(3));
    writing.done(writing.writer.write_attribute_ns(prefix.as_deref(), &name, uri.as_deref(), &value))
}

pub fn start_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "element name")?;
    writing.done(writing.writer.start_element(&name))
}

pub fn start_element_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(1, "element name")?;
    let (prefix, uri) = (writing.optional(0), writing.optional(2));
    writing.done(writing.writer.start_element_ns(prefix.as_deref(), &name, uri.as_deref()))
}

pub fn end_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_element())
}

pub fn full_end_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.full_end_element())
}

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

pub fn text(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.text(&writing.text(0)))
}

pub fn write_raw(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.raw_text(&writing.text(0)))
}

pub fn start_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let (version, encoding, standalone) = (writing.optional(0), writing.optional(1), writing.optional(2));
    let result = writing.writer.start_document(version.as_deref(), encoding.as_deref(), standalone.as_deref());
    writing.done(result)
}

pub fn end_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let result = writing.writer.end_document();
    // The end of a document is written out at once.
    crate::write_out(call)?;
    writing.done(result)
}

pub fn start_dtd(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let (name, public, system) = (writing.text(0), writing.optional(1), writing.optional(2));
    writing.done(writing.writer.start_dtd(&name, public.as_deref(), system.as_deref()))
}

pub fn end_dtd(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_dtd())
}

pub fn write_dtd(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let (name, public, system, subset) =
        (writing.text(0), writing.optional(1), writing.optional(2), writing.optional(3));
    writing.done(writing.writer.write_dtd(&name, public.as_deref(), system.as_deref(), subset.as_deref()))
}

pub fn start_dtd_entity(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "attribute name")?;
    writing.done(writing.writer.start_dtd_entity(writing.flag(1), &name))
}

pub fn end_dtd_entity(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    writing.done(writing.writer.end_dtd_entity())
}

pub fn write_dtd_entity(call: &mut Call<'_>) -> PhpResult<Val> {
    let writing = writing(call)?;
    let name = writing.name(0, "element name")?;
    let ids = [writing.optional(3), writing.optional(4), writing.optional(5)];
    let ids = [ids[0].as_deref(), ids[1].as_deref(), ids[2].as_deref()];
    writing.done(writing.writer.write_dtd_entity(writing.flag(2), &name, ids, &writing.text(1)))
}
