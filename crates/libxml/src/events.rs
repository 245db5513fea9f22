//! The event parser: reports a document as a series of events, from text that arrives in pieces.

use crate::sys;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::rc::Rc;

/// An attribute that the parser reports.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Vec<u8>,
    pub prefix: Option<Vec<u8>>,
    pub uri: Option<Vec<u8>>,
    pub value: Vec<u8>,
}

/// The name of an element.
#[derive(Clone, Debug, Default)]
pub struct ElementName {
    pub name: Vec<u8>,
    pub prefix: Option<Vec<u8>>,
    pub uri: Option<Vec<u8>>,
}

/// The receiver of the events.
pub trait Events {
    /// An element starts. False asks for its source text, which [`Events::source`] then gets.
    fn start(&self, name: ElementName, attributes: Vec<Attribute>) -> bool;
    /// The source text of an element's start, for which [`Events::start`] asked.
    fn source(&self, text: Vec<u8>);
    /// An element ends.
    fn end(&self, name: ElementName);
    /// Text, whose parts may come in several events.
    fn characters(&self, text: Vec<u8>);
    /// A processing instruction.
    fn instruction(&self, target: Vec<u8>, data: Vec<u8>);
    /// A comment.
    fn comment(&self, text: Vec<u8>);
    /// A declaration of a namespace. It comes before the start of its element.
    fn start_namespace(&self, prefix: Option<Vec<u8>>, uri: Option<Vec<u8>>);
    /// The declaration of an unparsed entity.
    fn unparsed_entity(&self, name: Vec<u8>, public: Option<Vec<u8>>, system: Option<Vec<u8>>, notation: Vec<u8>);
    /// The declaration of a notation.
    fn notation(&self, name: Vec<u8>, public: Option<Vec<u8>>, system: Option<Vec<u8>>);
    /// A reference to an external entity. False ends the parse.
    fn external_entity(&self, name: Vec<u8>, system: Option<Vec<u8>>, public: Option<Vec<u8>>) -> bool;
    /// A reference to an entity, with its text if that is known.
    fn entity(&self, name: Vec<u8>, text: Option<Vec<u8>>, predefined: bool);
}

struct Sink {
    events: Rc<dyn Events>,
    panic: RefCell<Option<Box<dyn Any + Send>>>,
}

/// A parser that is fed with pieces of text.
pub struct EventParser {
    raw: NonNull<sys::EventParser>,
    sink: Box<Sink>,
}

impl EventParser {
    /// A parser that reports to `events`. `namespaces`: names are split into prefix, URI and local name.
    pub fn new(events: Rc<dyn Events>, namespaces: bool) -> Option<EventParser> {
        crate::reports::prepare();
        let sink = Box::new(Sink { events, panic: RefCell::default() });
        // SAFETY: the sink is boxed and lives as long as the parser.
        let raw = unsafe { sys::phlox_libxml_events((&raw const *sink).cast_mut().cast(), c_int::from(namespaces)) };
        NonNull::new(raw).map(|raw| EventParser { raw, sink })
    }

    /// Lifts libxml2's limits of size and depth, or restores them.
    pub fn set_huge(&self, huge: bool) {
        // SAFETY: the parser is alive, and this value alone uses it.
        unsafe { sys::phlox_libxml_events_options(self.raw.as_ptr(), c_int::from(huge)) };
    }

    /// Feeds a piece of text; false after an error. An event of this parser must not call it.
    pub fn parse(&self, text: &[u8], last: bool) -> bool {
        let length = c_int::try_from(text.len()).unwrap_or(c_int::MAX);
        // SAFETY: the length is that of the text; the events go to the sink, which is alive.
        let ok = unsafe {
            sys::phlox_libxml_events_parse(self.raw.as_ptr(), text.as_ptr().cast(), length, c_int::from(last)) != 0
        };
        let panic = self.sink.panic.borrow_mut().take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        ok
    }

    /// libxml2's code of the last error; 0 if there was none.
    pub fn error(&self) -> i32 {
        // SAFETY: the parser is alive, and this function only reads it. That holds for the functions below, too.
        unsafe { sys::phlox_libxml_events_error(self.raw.as_ptr()) }
    }

    /// The line up to which the text was parsed.
    pub fn line(&self) -> i32 {
        unsafe { sys::phlox_libxml_events_line(self.raw.as_ptr()) }
    }

    /// The column up to which the text was parsed.
    pub fn column(&self) -> i32 {
        unsafe { sys::phlox_libxml_events_column(self.raw.as_ptr()) }
    }

    /// The byte offset up to which the text was parsed.
    pub fn byte(&self) -> i64 {
        unsafe { sys::phlox_libxml_events_byte(self.raw.as_ptr()) }
    }
}

impl Drop for EventParser {
    fn drop(&mut self) {
        // SAFETY: the parser is freed only here.
        unsafe { sys::phlox_libxml_events_free(self.raw.as_ptr()) };
    }
}

/// Reports an event. `shim.c` calls it; the numbers of events are those of its enumeration.
#[unsafe(no_mangle)]
unsafe extern "C" fn phlox_libxml_event(
    user: *mut c_void,
    event: c_int,
    texts: *const *const u8,
    lengths: *const c_int,
    count: c_int,
) -> c_int {
    // SAFETY: the shim passes the sink of a parser that is alive.
    let sink = unsafe { &*user.cast::<Sink>() };
    if sink.panic.borrow().is_some() {
        return 1;
    }
    let count = usize::try_from(count).unwrap_or(0);
    let text = |index: usize| -> Option<Vec<u8>> {
        if index >= count {
            return None;
        }
        // SAFETY: the shim passes `count` texts; each is null, ends with NUL or has the length that comes with it.
        unsafe {
            let text = *texts.add(index);
            if text.is_null() {
                return None;
            }
            match if lengths.is_null() { -1 } else { *lengths.add(index) } {
                -1 => crate::copied(text),
                length => Some(std::slice::from_raw_parts(text, usize::try_from(length).unwrap_or(0)).to_vec()),
            }
        }
    };
    let name = |index: usize| text(index).unwrap_or_default();
    let element = || ElementName { name: name(0), prefix: text(1), uri: text(2) };
    let plain = lengths.is_null();
    let attributes = || -> Vec<Attribute> {
        let width = if plain { 2 } else { 4 };
        (3..count)
            .step_by(width)
            .map(|at| match plain {
                true => Attribute { name: name(at), prefix: None, uri: None, value: name(at + 1) },
                false => Attribute { name: name(at), prefix: text(at + 1), uri: text(at + 2), value: name(at + 3) },
            })
            .collect()
    };
    let events = &sink.events;
    let work = || -> bool {
        match event {
            0 => return events.start(element(), attributes()),
            1 => events.end(element()),
            2 => events.characters(name(0)),
            3 => events.instruction(name(0), name(1)),
            4 => events.comment(name(0)),
            5 => events.unparsed_entity(name(0), text(1), text(2), name(3)),
            6 => events.notation(name(0), text(1), text(2)),
            7 => return events.external_entity(name(0), text(1), text(2)),
            8 => events.start_namespace(text(0), text(1)),
            9 => events.entity(name(0), text(1), false),
            10 => events.entity(name(0), text(1), true),
            _ => events.source(name(0)),
        }
        true
    };
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(answer) => c_int::from(answer),
        Err(panic) => {
            *sink.panic.borrow_mut() = Some(panic);
            1
        }
    }
}
