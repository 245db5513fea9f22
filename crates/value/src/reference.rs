//! Reference boxes (`&$x`) and resources.

use crate::gc;
use crate::header::{Header, KIND_REF, KIND_RES};
use crate::heap;
use crate::slot::Slot;
use crate::val::{TI_REF, TI_RES, Val};
use std::any::Any;
use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;

/// A typed property that a reference is bound to; writes through the reference obey its type.
pub type TypeSource = Rc<dyn Any>;

/// The memory of a reference.
#[repr(C)]
pub(crate) struct RefBox {
    header: Header,
    value: Slot,
    #[expect(clippy::box_collection, reason = "one word: most references have none")]
    sources: Cell<Option<Box<Vec<TypeSource>>>>,
}

const _: () = assert!(size_of::<RefBox>() == 32);

/// A counted handle of a reference box.
#[repr(transparent)]
pub struct PhpRef(NonNull<RefBox>);

impl PhpRef {
    /// A reference to a value.
    pub fn new(value: Val) -> PhpRef {
        PhpRef::holding(ManuallyDrop::new(value))
    }

    /// A reference to a value, which is moved only when there is memory for the box; an undefined value becomes null.
    #[inline]
    pub fn holding(value: ManuallyDrop<Val>) -> PhpRef {
        let block = heap::allocate(size_of::<RefBox>()).cast::<RefBox>();
        let value = ManuallyDrop::into_inner(value).or_null();
        debug_assert!(!value.is_ref(), "a reference never holds a reference");
        // SAFETY: a fresh block of the right size.
        unsafe {
            block.write(RefBox { header: Header::new(KIND_REF), value: Slot::new(value), sources: Cell::new(None) });
            PhpRef(NonNull::new_unchecked(block))
        }
    }

    /// The value, which moves if this is the last handle of the reference.
    #[inline]
    pub fn into_value(self) -> Val {
        // SAFETY: nothing else looks at the sources while this reads them.
        let has_sources = unsafe { (*self.inner().sources.as_ptr()).is_some() };
        if self.refcount() > 1 || has_sources {
            return self.get();
        }
        gc::forget_root(&self.inner().header);
        let reference = ManuallyDrop::new(self);
        let value = reference.inner().value.replace(Val::NULL);
        // SAFETY: this was the last handle, and the box holds nothing that is to be dropped.
        unsafe { heap::release(reference.0.as_ptr().cast(), size_of::<RefBox>()) };
        value
    }

    #[inline]
    fn inner(&self) -> &RefBox {
        // SAFETY: the handle owns a count, so the box is live.
        unsafe { self.0.as_ref() }
    }

    /// The place of the value.
    #[inline]
    pub fn slot(&self) -> &Slot {
        &self.inner().value
    }

    /// A counted copy of the value.
    #[inline]
    pub fn get(&self) -> Val {
        self.inner().value.get()
    }

    /// Stores a value; the old one is dropped.
    #[inline]
    pub fn set(&self, value: Val) {
        self.inner().value.set(value);
    }

    /// Whether both handles are of one reference.
    #[inline]
    pub fn ptr_eq(&self, other: &PhpRef) -> bool {
        self.0 == other.0
    }

    /// The number of handles of the reference.
    #[inline]
    pub fn refcount(&self) -> u32 {
        self.inner().header.rc.get()
    }

    /// Whether the reference is bound to typed properties.
    #[inline]
    pub fn has_sources(&self) -> bool {
        let sources = self.inner().sources.take();
        let has = sources.is_some();
        self.inner().sources.set(sources);
        has
    }

    /// The typed properties that the reference is bound to.
    #[inline]
    pub fn sources(&self) -> Vec<TypeSource> {
        let sources = self.inner().sources.take();
        let copy = sources.as_ref().map_or_else(Vec::new, |list| list.to_vec());
        self.inner().sources.set(sources);
        copy
    }

    /// Binds the reference to a typed property.
    #[inline]
    pub fn add_source(&self, source: TypeSource) {
        let mut sources = self.inner().sources.take().unwrap_or_default();
        sources.push(source);
        self.inner().sources.set(Some(sources));
    }

    /// Removes one binding to this source.
    #[inline]
    pub fn remove_source(&self, source: &TypeSource) {
        let Some(mut sources) = self.inner().sources.take() else { return };
        if let Some(at) = sources.iter().position(|s| std::ptr::addr_eq(Rc::as_ptr(s), Rc::as_ptr(source))) {
            sources.swap_remove(at);
        }
        self.inner().sources.set((!sources.is_empty()).then_some(sources));
    }

    /// Address of the box: its identity in dumps.
    #[inline]
    pub fn id(&self) -> usize {
        self.0.as_ptr() as usize
    }
}

impl Clone for PhpRef {
    #[inline]
    fn clone(&self) -> PhpRef {
        self.inner().header.incref();
        PhpRef(self.0)
    }
}

impl Drop for PhpRef {
    #[inline]
    fn drop(&mut self) {
        let header = &self.inner().header;
        let rc = header.rc.get() - 1;
        header.rc.set(rc);
        if rc > 0 {
            gc::possible_root(header);
            return;
        }
        gc::forget_root(header);
        // SAFETY: the last count is gone; the box is dropped once, then the block is released with its size.
        unsafe {
            std::ptr::drop_in_place(self.0.as_ptr());
            heap::release(self.0.as_ptr().cast(), size_of::<RefBox>());
        }
    }
}

impl From<PhpRef> for Val {
    #[inline]
    fn from(reference: PhpRef) -> Val {
        Val::from_raw(ManuallyDrop::new(reference).0.as_ptr().cast(), TI_REF)
    }
}

#[repr(C)]
struct ResBox {
    header: Header,
    id: i64,
    kind: Cell<&'static str>,
    data: RefCell<Option<Box<dyn Any>>>,
}

/// A resource: an id, a type name and native data. A closed one has no data and the type `Unknown`.
#[repr(transparent)]
pub struct PhpRes(NonNull<ResBox>);

thread_local! {
    static NEXT_RESOURCE: Cell<i64> = const { Cell::new(1) };
    /// Every resource that some handle exists of, by id.
    static LIVE: RefCell<BTreeMap<i64, NonNull<ResBox>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Handles of all live resources, in the order of their ids.
pub fn live_resources() -> Vec<PhpRes> {
    let hold = |place: &NonNull<ResBox>| {
        // SAFETY: a box is in the table while it is live; its count is incremented before anything can release one.
        unsafe { place.as_ref().header.incref() };
        PhpRes(*place)
    };
    LIVE.with_borrow(|live| live.values().map(hold).collect())
}

/// Starts numbering resources from 1 again. Resources that are still held keep their numbers and are no longer listed.
pub(crate) fn forget_resources() {
    NEXT_RESOURCE.set(1);
    LIVE.with_borrow_mut(BTreeMap::clear);
}

impl PhpRes {
    /// A new resource with the next id.
    pub fn new(kind: &'static str, data: Box<dyn Any>) -> PhpRes {
        let id = NEXT_RESOURCE.get();
        NEXT_RESOURCE.set(id + 1);
        let boxed = Box::new(ResBox {
            header: Header::new(KIND_RES),
            id,
            kind: Cell::new(kind),
            data: RefCell::new(Some(data)),
        });
        let place = NonNull::from(Box::leak(boxed));
        LIVE.with_borrow_mut(|live| live.insert(id, place));
        PhpRes(place)
    }

    #[inline]
    fn inner(&self) -> &ResBox {
        // SAFETY: the handle owns a count, so the box is live.
        unsafe { self.0.as_ref() }
    }

    /// The resource's id.
    #[inline]
    pub fn id(&self) -> i64 {
        self.inner().id
    }

    /// The type name (`get_resource_type`).
    #[inline]
    pub fn kind(&self) -> &'static str {
        self.inner().kind.get()
    }

    /// Whether the resource is closed.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.inner().kind.get() == "Unknown"
    }

    /// The native data, if it is of type `T`, the resource is open, and the data is not borrowed mutably.
    #[inline]
    pub fn data<T: 'static>(&self) -> Option<Ref<'_, T>> {
        Ref::filter_map(self.inner().data.try_borrow().ok()?, |data| data.as_ref()?.downcast_ref()).ok()
    }

    /// Closes the resource: takes the data out and turns the type into `Unknown`.
    #[inline]
    pub fn close(&self) -> Option<Box<dyn Any>> {
        self.inner().kind.set("Unknown");
        self.inner().data.try_borrow_mut().ok()?.take()
    }

    /// Whether both handles are of one resource.
    #[inline]
    pub fn ptr_eq(&self, other: &PhpRes) -> bool {
        self.0 == other.0
    }
}

impl Clone for PhpRes {
    #[inline]
    fn clone(&self) -> PhpRes {
        self.inner().header.incref();
        PhpRes(self.0)
    }
}

impl Drop for PhpRes {
    #[inline]
    fn drop(&mut self) {
        let rc = self.inner().header.rc.get() - 1;
        self.inner().header.rc.set(rc);
        if rc == 0 {
            let id = self.inner().id;
            // At the end of the thread the table may be destroyed already.
            let _ = LIVE.try_with(|live| {
                let mut live = live.borrow_mut();
                // The number may be another resource's, if this one outlived its request.
                if live.get(&id) == Some(&self.0) {
                    live.remove(&id);
                }
            });
            // SAFETY: the last count is gone, and the box came from `Box::leak`.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

impl From<PhpRes> for Val {
    #[inline]
    fn from(resource: PhpRes) -> Val {
        Val::from_raw(ManuallyDrop::new(resource).0.as_ptr().cast(), TI_RES)
    }
}

/// The offset of the cell in a reference's box.
pub(crate) const CELL_OFFSET: usize = std::mem::offset_of!(RefBox, value);

/// Whether a reference is bound to typed properties; for `raw`.
///
/// # Safety
/// The payload is a reference.
#[inline(always)]
pub(crate) unsafe fn is_typed(payload: u64) -> bool {
    // SAFETY: the payload is a live reference's address, and nothing changes the sources meanwhile.
    unsafe { (*(*(payload as *const RefBox)).sources.as_ptr()).is_some() }
}

/// The cell in a reference's box; for `raw`.
///
/// # Safety
/// The payload is a reference.
#[inline(always)]
pub(crate) unsafe fn place_of(payload: u64) -> *mut Val {
    // SAFETY: the payload is a live reference's address; a slot is a transparent cell.
    unsafe { (&raw mut (*(payload as *mut RefBox)).value).cast::<Val>() }
}
