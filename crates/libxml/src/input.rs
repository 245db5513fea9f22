//! Where documents, schemas and entities are read from: always through the caller's loader.

use crate::{c_text, copied, sys};
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::rc::Rc;

/// Reads what a URI names; `None`: it cannot be read.
pub type Loader = fn(&[u8]) -> Option<Vec<u8>>;

/// What an external entity stands for.
pub enum Entity {
    /// Another place to load from.
    Uri(Vec<u8>),
    /// The text itself.
    Text(Vec<u8>),
    /// It is refused, which is an error of the document.
    Refused,
    /// There is no answer, about which the caller knows more.
    Failed,
    /// As if there were no resolver.
    Default,
}

/// Decides about external entities from the public id, the URI and the place of the document.
pub type Resolver = Rc<dyn Fn(Option<Vec<u8>>, Option<Vec<u8>>) -> Entity>;

thread_local! {
    static LOADER: Cell<Option<Loader>> = const { Cell::new(None) };
    static RESOLVER: RefCell<Option<Resolver>> = const { RefCell::new(None) };
}

static DEFAULT_LOADER: std::sync::OnceLock<Option<sys::EntityLoader>> = std::sync::OnceLock::new();

/// Sets how this thread reads URIs.
pub fn set_loader(loader: Loader) {
    crate::reports::prepare();
    LOADER.set(Some(loader));
}

/// Sets who decides about external entities.
pub fn set_resolver(resolver: Option<Resolver>) {
    crate::reports::prepare();
    RESOLVER.set(resolver);
}

pub(crate) fn install() {
    // SAFETY: both functions have the right types and stay valid for ever. The first setting is the thread's own, the
    // second is the process's and always the same.
    unsafe {
        sys::xmlParserInputBufferCreateFilenameDefault(Some(open_input));
        DEFAULT_LOADER.get_or_init(|| sys::xmlGetExternalEntityLoader());
        sys::xmlSetExternalEntityLoader(Some(load_entity));
    }
}

fn memory_input(bytes: &[u8]) -> *mut sys::InputBuffer {
    let Ok(length) = c_int::try_from(bytes.len()) else { return ptr::null_mut() };
    // SAFETY: the bytes are copied.
    unsafe { sys::xmlParserInputBufferCreateMem(bytes.as_ptr().cast(), length, 0) }
}

unsafe extern "C" fn open_input(uri: *const c_char, _encoding: c_int) -> *mut sys::InputBuffer {
    // SAFETY: libxml2 passes a text or null.
    let Some(uri) = (unsafe { copied(uri.cast()) }) else { return ptr::null_mut() };
    let Some(loader) = LOADER.get() else { return ptr::null_mut() };
    match catch_unwind(AssertUnwindSafe(|| loader(&uri))) {
        Ok(Some(bytes)) => memory_input(&bytes),
        _ => ptr::null_mut(),
    }
}

unsafe extern "C" fn load_entity(
    uri: *const c_char,
    id: *const c_char,
    parser: *mut sys::ParserCtxt,
) -> *mut sys::ParserInput {
    let resolver = RESOLVER.try_with(|resolver| resolver.try_borrow().ok().and_then(|r| r.clone())).ok().flatten();
    // SAFETY: libxml2 passes texts or null.
    let (system, public) = unsafe { (copied(uri.cast()), copied(id.cast())) };
    let decision = match resolver {
        Some(resolver) => catch_unwind(AssertUnwindSafe(|| resolver(public, system))).unwrap_or(Entity::Failed),
        None => Entity::Default,
    };
    // SAFETY: the parser is the one that asks; the texts end with NUL; new inputs are the parser's.
    unsafe {
        match decision {
            Entity::Default => match DEFAULT_LOADER.get().copied().flatten() {
                Some(load) => load(uri, id, parser),
                None => ptr::null_mut(),
            },
            Entity::Uri(uri) => sys::xmlNewInputFromFile(parser, c_text(&uri).as_ptr()),
            Entity::Text(text) => {
                let buffer = memory_input(&text);
                if buffer.is_null() { ptr::null_mut() } else { sys::xmlNewIOInputStream(parser, buffer, 0) }
            }
            Entity::Refused => {
                sys::phlox_libxml_refused(parser, id);
                ptr::null_mut()
            }
            Entity::Failed => ptr::null_mut(),
        }
    }
}
