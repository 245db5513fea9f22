//! The sources of documents, schemas and entities: the caller's loader reads them all.

use crate::{c_text, copied, sys};
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::rc::Rc;

/// Reads what a URI names. `None`: it cannot be read.
pub type Loader = fn(&[u8]) -> Option<Vec<u8>>;

/// The decision about an external entity.
pub enum Entity {
    /// The entity is loaded from another URI.
    Uri(Vec<u8>),
    /// The entity's text.
    Text(Vec<u8>),
    /// The entity is refused, which is an error of the document.
    Refused,
    /// The resolver failed, and its caller knows why.
    Failed,
    /// libxml2's own loader decides.
    Default,
}

/// Decides about external entities from the public id and the system id.
pub type Resolver = Rc<dyn Fn(Option<Vec<u8>>, Option<Vec<u8>>) -> Entity>;

thread_local! {
    static LOADER: Cell<Option<Loader>> = const { Cell::new(None) };
    static RESOLVER: RefCell<Option<Resolver>> = const { RefCell::new(None) };
}

static DEFAULT_LOADER: std::sync::OnceLock<Option<sys::EntityLoader>> = std::sync::OnceLock::new();

/// Sets the function by which this thread reads URIs.
pub fn set_loader(loader: Loader) {
    crate::reports::prepare();
    LOADER.set(Some(loader));
}

/// Sets the function that decides about external entities on this thread.
pub fn set_resolver(resolver: Option<Resolver>) {
    crate::reports::prepare();
    RESOLVER.set(resolver);
}

pub(crate) fn install() {
    // SAFETY: both functions have the types that libxml2 expects and exist as long as the process. The first setting
    // is the thread's; the second is the process's, and its value is always this one.
    unsafe {
        sys::xmlParserInputBufferCreateFilenameDefault(Some(open_input));
        DEFAULT_LOADER.get_or_init(|| sys::xmlGetExternalEntityLoader());
        sys::xmlSetExternalEntityLoader(Some(load_entity));
    }
}

fn memory_input(bytes: &[u8]) -> *mut sys::InputBuffer {
    let Ok(length) = c_int::try_from(bytes.len()) else { return ptr::null_mut() };
    // SAFETY: libxml2 copies `length` bytes.
    unsafe { sys::xmlParserInputBufferCreateMem(bytes.as_ptr().cast(), length, 0) }
}

unsafe extern "C" fn open_input(uri: *const c_char, _encoding: c_int) -> *mut sys::InputBuffer {
    // SAFETY: libxml2 passes a text that ends with NUL, or null.
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
    // SAFETY: libxml2 passes texts that end with NUL, or null.
    let (system, public) = unsafe { (copied(uri.cast()), copied(id.cast())) };
    let decision = match resolver {
        Some(resolver) => catch_unwind(AssertUnwindSafe(|| resolver(public, system))).unwrap_or(Entity::Failed),
        None => Entity::Default,
    };
    // SAFETY: `parser` is the parser that asks; the texts end with NUL; new inputs belong to the parser.
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
