//! Objects' memory: header, declared property slots, dynamic properties, native data.

use crate::gc;
use crate::gc::Edges;
use crate::handles;
use crate::header::{FLAG_DESTRUCTED, FLAG_FREED, FLAG_PENDING, FLAG_PROTECTED, FLAG_WEAK, Header, KIND_OBJ};
use crate::heap;
use crate::native_cell::NativeCell;
use crate::slot::Slot;
use crate::val::{COUNTED, TI_OBJ, TI_REF, Val};
use crate::{Key, PhpArr, PhpRef, PhpStr, interrupt, raw};
use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;

/// What the memory of an object needs to know of its class; `payload` is the runtime's class.
pub struct ClassHeader {
    id: u32,
    payload_type: TypeId,
    payload: Box<dyn Any>,
    has_destructor: bool,
    /// New objects mean that PHP code may run when something is freed.
    notes_destructor: bool,
}

/// A counted class.
pub type ClassRef = Rc<ClassHeader>;

thread_local! {
    static NEXT_CLASS: Cell<u32> = const { Cell::new(1) };
}

impl ClassHeader {
    #[inline]
    pub fn new<T: Any>(payload: T, has_destructor: bool) -> ClassRef {
        ClassHeader::new_with(has_destructor, has_destructor, |_| payload)
    }

    /// As [`ClassHeader::new`], for a payload that contains the class's id. `notes_destructor`: new objects may run PHP code
    /// when they are freed; else who makes them says so ([`raw::note_destructors`]).
    #[inline]
    pub fn new_with<T: Any>(has_destructor: bool, notes_destructor: bool, build: impl FnOnce(u32) -> T) -> ClassRef {
        let id = NEXT_CLASS.get();
        NEXT_CLASS.set(id + 1);
        Rc::new(ClassHeader {
            id,
            payload_type: TypeId::of::<T>(),
            payload: Box::new(build(id)),
            has_destructor,
            notes_destructor,
        })
    }

    /// Unique among the process's classes.
    #[inline]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The runtime's class.
    #[inline]
    pub fn payload<T: Any>(&self) -> &T {
        assert!(self.payload_type == TypeId::of::<T>(), "a class header carries the runtime's one class type");
        // SAFETY: the type was just compared.
        unsafe { &*(&raw const *self.payload).cast::<T>() }
    }
}

/// The native part of an object of a builtin class.
pub trait NativeData: Any {
    /// Tells the collector every value that is held, once, and does nothing else: what is held and not told of leaks in cycles, what
    /// is told of twice may be emptied while it is in use, and dropping a value ends the process.
    fn trace(&self, edges: &mut Edges);
    /// Drops all values held (the collector found the object to be garbage).
    fn clear(&self);
    /// How many arrays it stands for that are not made yet: the collector's figures have them.
    fn pending_arrays(&self) -> usize {
        0
    }
    /// What `clone` copies; `None`: the clone starts without native data.
    #[inline]
    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        None
    }
}

#[repr(C)]
struct ObjHeader {
    header: Header,
    class: ClassRef,
    handle: u32,
    slot_count: u32,
    dynamic: UnsafeCell<Option<PhpArr>>,
    native: NativeCell,
}

/// The slot whose value may be made on first use: the trace of a throwable. Until then it is undefined, so that who reads it
/// in place has to ask, and the object's native data knows what to make.
pub const PENDING_SLOT: usize = 5;

const HEADER_BYTES: usize = size_of::<ObjHeader>();
const _: () = assert!(HEADER_BYTES == 40);
/// For compiled code.
pub(crate) const CLASS_OFFSET: usize = std::mem::offset_of!(ObjHeader, class);
pub(crate) const SLOTS_OFFSET: usize = HEADER_BYTES;

/// What is to be added to the word of an object's class to get the class's identity: the counts before what an `Rc` holds.
pub(crate) fn class_delta() -> usize {
    let probe: Rc<u64> = Rc::new(0);
    // SAFETY: an `Rc` is one pointer.
    let word: usize = unsafe { std::mem::transmute_copy(&probe) };
    Rc::as_ptr(&probe) as usize - word
}
const _: () = assert!(align_of::<ClassHeader>() <= align_of::<u64>());

/// A counted handle of an object.
#[repr(transparent)]
pub struct PhpObj(NonNull<ObjHeader>);

/// What the runtime does at certain moments of an object's life.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// Calls the destructor.
    pub destruct: fn(&PhpObj),
    /// As `destruct`, for an object that the collector found.
    pub destruct_garbage: fn(&PhpObj),
    /// An object with weak references goes away; the argument is [`PhpObj::address`].
    pub weak_freed: fn(usize),
    /// An object goes away whose slot (the number) holds a reference that obeys typed properties.
    pub typed_reference_freed: fn(&ClassRef, usize, &PhpRef),
    /// Somebody looks at the slots of an object with a pending one: fills that in.
    pub complete: fn(&PhpObj),
    /// The entries of all weak maps.
    pub ephemerons: fn() -> Vec<gc::Ephemeron>,
}

pub(crate) fn ephemerons() -> Vec<gc::Ephemeron> {
    HOOKS.get().map_or_else(Vec::new, |hooks| (hooks.ephemerons)())
}

thread_local! {
    static HOOKS: Cell<Option<Hooks>> = const { Cell::new(None) };
    /// Set while the request ends: no destructor runs any more.
    static SHUTDOWN: Cell<bool> = const { Cell::new(false) };
    static RELEASE_DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Does something wait in `RELEASE_LATER`?
    static RELEASE_WAITS: Cell<bool> = const { Cell::new(false) };
    /// Set while compiled code runs: destructors wait for the next place where PHP code can run.
    static DEFERS: Cell<bool> = const { Cell::new(false) };
    /// Objects whose destructors wait. Never dropped, so that finding it takes no look at whether it was.
    static WAITING: ManuallyDrop<RefCell<Vec<PhpObj>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
    /// Never dropped, as `WAITING`.
    static RELEASE_LATER: ManuallyDrop<RefCell<Vec<PhpObj>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// Frees the objects that had to wait because too many were being freed.
#[cold]
#[inline(never)]
fn release_waiting() {
    while let Some(next) = RELEASE_LATER.with(|later| later.borrow_mut().pop()) {
        drop(next);
    }
    RELEASE_WAITS.set(false);
}

/// Nested releases beyond this depth wait in a queue, so that a long linked list cannot exhaust the stack.
const RELEASE_DEPTH_MAX: u32 = 2000;

/// Installs the runtime's hooks for this thread.
#[inline]
pub fn set_hooks(hooks: Hooks) {
    HOOKS.set(Some(hooks));
}

/// After this no destructor runs on this thread (end of request, or a fatal error).
#[inline]
pub fn set_shutdown(on: bool) {
    SHUTDOWN.set(on);
    if on {
        DEFERS.set(false);
        // They go without their destructors.
        drop(WAITING.with(|waiting| std::mem::take(&mut *waiting.borrow_mut())));
    }
}

/// Has destructors wait, or no longer, as compiled code starts and ends: it shows its frames nowhere that PHP code could
/// look at. What was said before, which is to be said again at the end. Where some wait, [`interrupt::DESTRUCT`] is raised.
///
/// [`interrupt::DESTRUCT`]: crate::interrupt::DESTRUCT
#[inline(always)]
pub fn defer_destructors(defers: bool) -> bool {
    DEFERS.replace(defers)
}

/// Do destructors wait?
#[inline(always)]
pub fn defers_destructors() -> bool {
    DEFERS.get()
}

/// Runs the destructors that had to wait, in the order in which their objects were given up.
#[cold]
#[inline(never)]
pub fn run_deferred_destructors() {
    interrupt::lower(interrupt::DESTRUCT);
    let defers = DEFERS.replace(false);
    let waiting = WAITING.with(|waiting| std::mem::take(&mut *waiting.borrow_mut()));
    // The count that each has is its last one, unless somebody has found it in the meantime.
    waiting.into_iter().for_each(drop);
    DEFERS.set(defers);
}

/// The live objects whose destructors have not run, in the order of their handles. The others are not touched: nobody is told that
/// a count of theirs was given up.
pub fn objects_with_destructors() -> Vec<PhpObj> {
    let live = handles::addresses().filter_map(|address| NonNull::new(address as *mut ObjHeader));
    let wanted = live.filter(|&pointer| {
        let object = ManuallyDrop::new(PhpObj(pointer));
        object.wants_destructor() && !object.header().has(FLAG_FREED)
    });
    wanted.map(PhpObj::counted).collect()
}

/// The live object with a handle.
#[inline]
pub fn object_by_handle(handle: u32) -> Option<PhpObj> {
    NonNull::new(handles::address_of(handle)? as *mut ObjHeader).map(PhpObj::counted)
}

#[inline]
fn object_bytes(slots: u32) -> usize {
    HEADER_BYTES + slots as usize * size_of::<Slot>()
}

impl PhpObj {
    /// A new object whose declared slots are copies of `defaults`.
    pub fn new(class: ClassRef, defaults: &[Val]) -> PhpObj {
        // SAFETY: the words are those of live values.
        unsafe {
            PhpObj::with_slots(class, defaults.len(), |index| {
                let default = &raw const defaults[index];
                (raw::payload(default), raw::tag(default), 0)
            })
        }
    }

    /// A new object of the same class with copies of the declared slots and their marks. References that nobody shares become
    /// values.
    pub fn copy_slots(&self) -> PhpObj {
        let count = self.slots().len();
        // SAFETY: the object's slots; what a reference holds lives as long as that.
        unsafe {
            PhpObj::with_slots(self.class_header().clone(), count, |index| {
                let place = slot_of(self.0.as_ptr() as u64, index);
                let mark = raw::aux(place);
                let is_own = raw::tag(place) == TI_REF && raw::count(raw::payload(place)) == 1;
                let place = if is_own { raw::ref_place(raw::payload(place)) } else { place };
                (raw::payload(place), raw::tag(place), mark)
            })
        }
    }

    /// A new object whose slots hold copies of values; they are given as payloads, tags and marks.
    ///
    /// # Safety
    /// Payload and tag belong together, and are those of a live value.
    #[inline(always)]
    unsafe fn with_slots(class: ClassRef, slot_count: usize, words: impl Fn(usize) -> (u64, u32, u32)) -> PhpObj {
        let slot_count = slot_count as u32;
        if class.notes_destructor {
            raw::note_destructors();
        }
        let block = heap::allocate(object_bytes(slot_count)).cast::<ObjHeader>();
        // SAFETY: the block has room for the header and the slots; all are written before use.
        let pointer = unsafe {
            block.write(ObjHeader {
                header: Header::new(KIND_OBJ),
                class,
                handle: 0,
                slot_count,
                dynamic: UnsafeCell::new(None),
                native: NativeCell::default(),
            });
            let slots = block.cast::<u8>().add(HEADER_BYTES).cast::<Val>();
            for index in 0..slot_count as usize {
                let (payload, tag, mark) = words(index);
                raw::retain(payload, tag);
                raw::write(slots.add(index), payload, tag);
                raw::set_aux(slots.add(index), mark);
            }
            NonNull::new_unchecked(block)
        };
        let handle = handles::insert(block as usize);
        // SAFETY: nobody else has the object yet.
        unsafe { (*pointer.as_ptr()).handle = handle };
        PhpObj(pointer)
    }

    #[inline]
    fn counted(pointer: NonNull<ObjHeader>) -> PhpObj {
        // SAFETY: the store holds live objects only.
        unsafe { pointer.as_ref() }.header.incref();
        PhpObj(pointer)
    }

    #[inline]
    fn inner(&self) -> &ObjHeader {
        // SAFETY: the handle owns a count.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub(crate) fn header(&self) -> &Header {
        &self.inner().header
    }

    #[inline]
    pub fn class_header(&self) -> &ClassRef {
        &self.inner().class
    }

    /// The id that `var_dump` and `spl_object_id` show.
    #[inline]
    pub fn handle(&self) -> u32 {
        self.inner().handle
    }

    /// The object gives its id up: it stands for something that is no object in PHP. No PHP code may see it.
    pub fn give_up_handle(&self) {
        let handle = self.handle();
        if handle != 0 {
            // SAFETY: the handle owns a count, and no reference to the header is held here.
            unsafe { (*self.0.as_ptr()).handle = 0 };
            handles::remove(handle);
        }
    }

    /// The declared properties' slots, in the class's slot order.
    #[inline]
    pub fn slots(&self) -> &[Slot] {
        if self.header().has(FLAG_PENDING) {
            self.complete();
        }
        self.slots_in_place()
    }

    #[cold]
    #[inline(never)]
    fn complete(&self) {
        self.header().clear(FLAG_PENDING);
        if let Some(hooks) = HOOKS.get() {
            (hooks.complete)(self);
        }
    }

    /// The value of [`PENDING_SLOT`] is made when somebody looks, from this native data; the object has none yet.
    pub fn set_pending(&self, data: Rc<dyn NativeData>) {
        debug_assert!(!self.has_native());
        self.slots_in_place()[PENDING_SLOT].set(Val::UNDEF);
        self.set_native(data);
        self.header().set(FLAG_PENDING);
    }

    /// As [`PhpObj::slots`], for who does not look at [`PENDING_SLOT`].
    #[inline]
    pub fn slots_in_place(&self) -> &[Slot] {
        let inner = self.inner();
        // SAFETY: `slot_count` slots follow the header.
        unsafe {
            let first = self.0.as_ptr().cast::<u8>().add(HEADER_BYTES).cast::<Slot>();
            std::slice::from_raw_parts(first, inner.slot_count as usize)
        }
    }

    /// A counted copy of the dynamic properties' table.
    #[inline]
    pub fn dynamic(&self) -> Option<PhpArr> {
        // SAFETY: cloning only counts.
        unsafe { (*self.inner().dynamic.get()).clone() }
    }

    #[inline]
    pub fn has_dynamic(&self) -> bool {
        // SAFETY: reads lengths only.
        unsafe { (*self.inner().dynamic.get()).as_ref().is_some_and(|table| !table.is_empty()) }
    }

    /// Lets `f` change the dynamic properties' table (created when absent) in a private copy of the place.
    #[inline]
    pub fn update_dynamic<R>(&self, f: impl FnOnce(&mut PhpArr) -> R) -> R {
        // SAFETY: the table moves out while `f` runs, so nothing can alias it.
        let mut table = unsafe { (*self.inner().dynamic.get()).take() }.unwrap_or_default();
        let result = f(&mut table);
        self.set_dynamic(Some(table));
        result
    }

    /// Gives the object a dynamic property that it does not have, under a name that stands for no integer.
    pub fn add_dynamic(&self, name: &PhpStr, value: Val) {
        // SAFETY: nothing else looks at the table while an element is added, which runs no code.
        let table = unsafe { &mut *self.inner().dynamic.get() };
        let table = table.get_or_insert_with(|| PhpArr::with_hash_capacity(1));
        table.add_new(Key::Str(name), value);
    }

    #[inline]
    pub fn set_dynamic(&self, table: Option<PhpArr>) {
        // SAFETY: swapped in one step; the old table is dropped afterwards.
        let old = unsafe { std::mem::replace(&mut *self.inner().dynamic.get(), table) };
        drop(old);
    }

    /// Does it hold something that only builtin code knows?
    #[inline]
    pub fn has_native(&self) -> bool {
        self.inner().native.get().is_some()
    }

    /// The native data, if it is of type `T`.
    #[inline]
    pub fn native<T: NativeData>(&self) -> Option<&T> {
        self.inner().native.get_as()
    }

    /// As [`PhpObj::native`], counted: kept alive whatever becomes of the object.
    #[inline]
    pub fn native_counted<T: NativeData>(&self) -> Option<Rc<T>> {
        self.inner().native.counted_as()
    }

    /// As [`PhpObj::native`], without asking what it is.
    ///
    /// # Safety
    /// The object has native data of this type.
    #[inline]
    pub unsafe fn native_unchecked<T: NativeData>(&self) -> &T {
        let data = self.inner().native.get().map_or(std::ptr::null(), |data| Rc::as_ptr(data).cast::<T>());
        // SAFETY: by the caller.
        unsafe { &*data }
    }

    /// The native data, counted.
    #[inline]
    pub fn native_data(&self) -> Option<Rc<dyn NativeData>> {
        self.inner().native.get().cloned()
    }

    /// Gives the object its native data; only the first call counts.
    #[inline]
    pub fn set_native(&self, data: Rc<dyn NativeData>) {
        self.inner().native.set(data);
    }

    #[inline]
    pub fn ptr_eq(&self, other: &PhpObj) -> bool {
        self.0 == other.0
    }

    /// Address of the object: its identity in weak tables.
    #[inline]
    pub fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    #[inline]
    pub fn refcount(&self) -> u32 {
        self.header().rc.get()
    }

    /// Asks for `weak_freed` when the object goes away.
    #[inline]
    pub fn mark_weakly_referenced(&self) {
        self.header().set(FLAG_WEAK);
    }

    /// Was `weak_freed` asked for?
    #[inline]
    pub fn is_weakly_referenced(&self) -> bool {
        self.header().has(FLAG_WEAK)
    }

    /// The destructor will not run (any more), as after a failed constructor.
    #[inline]
    pub fn mark_destructed(&self) {
        self.header().set(FLAG_DESTRUCTED);
    }

    /// The destructor may run again: the object starts another life.
    #[inline]
    pub fn unmark_destructed(&self) {
        self.header().clear(FLAG_DESTRUCTED);
    }

    /// Enters a traversal; false when one is already inside the object.
    #[inline]
    pub fn protect(&self) -> bool {
        if self.header().has(FLAG_PROTECTED) {
            return false;
        }
        self.header().set(FLAG_PROTECTED);
        true
    }

    /// Leaves a traversal.
    #[inline]
    pub fn unprotect(&self) {
        self.header().clear(FLAG_PROTECTED);
    }

    #[inline]
    pub fn is_protected(&self) -> bool {
        self.header().has(FLAG_PROTECTED)
    }

    /// Does the class have a destructor that has not run yet?
    #[inline]
    pub fn wants_destructor(&self) -> bool {
        self.inner().class.has_destructor && !self.header().has(FLAG_DESTRUCTED) && !SHUTDOWN.get()
    }

    /// Runs the destructor now, once.
    #[inline]
    pub fn run_destructor(&self) {
        if self.wants_destructor() {
            self.header().set(FLAG_DESTRUCTED);
            if let Some(hooks) = HOOKS.get() {
                (hooks.destruct)(self);
            }
        }
    }

    /// As [`PhpObj::run_destructor`], for the collector.
    pub(crate) fn run_destructor_of_garbage(&self) {
        if self.wants_destructor() {
            self.header().set(FLAG_DESTRUCTED);
            if let Some(hooks) = HOOKS.get() {
                (hooks.destruct_garbage)(self);
            }
        }
    }

    /// For the collector: does it have a table of dynamic properties that nobody shares?
    #[inline]
    pub(crate) fn owns_dynamic(&self) -> bool {
        // SAFETY: nothing is stored while the reference lives.
        unsafe { &*self.inner().dynamic.get() }.as_ref().is_some_and(|table| table.borrowed_val().refcount() == 1)
    }

    /// For the collector: how many arrays its native data stands for.
    pub(crate) fn pending_arrays(&self) -> usize {
        if !self.header().has(FLAG_PENDING) {
            return 0;
        }
        self.inner().native.get().map_or(0, |native| native.pending_arrays())
    }

    #[inline]
    pub(crate) fn borrowed_val(&self) -> ManuallyDrop<Val> {
        ManuallyDrop::new(Val::from_raw(self.0.as_ptr().cast(), TI_OBJ))
    }

    /// For the collector: every value the object holds.
    #[inline(always)]
    pub(crate) fn trace(&self, visit: &mut impl FnMut(&Val)) {
        if self.header().has(FLAG_FREED) {
            return;
        }
        for slot in self.slots_in_place() {
            visit(slot.peek());
        }
        // SAFETY: traversal stores nothing.
        if let Some(table) = unsafe { &*self.inner().dynamic.get() } {
            // The table is owned by the object: it is a node of its own only when somebody else shares it.
            visit(&table.borrowed_val());
        }
        if let Some(native) = self.inner().native.get() {
            gc::show(|edges| native.trace(edges), visit);
        }
    }

    /// For the collector: drops every value the object holds.
    #[inline]
    pub(crate) fn clear_contents(&self) {
        for slot in self.slots_in_place() {
            slot.set(Val::UNDEF);
        }
        self.set_dynamic(None);
        self.clear_native();
    }

    /// The last count is gone.
    #[inline(never)]
    fn release(&mut self) {
        if self.wants_destructor() {
            if DEFERS.get() {
                self.header().rc.set(1);
                WAITING.with(|waiting| waiting.borrow_mut().push(PhpObj(self.0)));
                return interrupt::raise(interrupt::DESTRUCT);
            }
            // The destructor sees a live object and may keep it.
            self.header().rc.set(1);
            self.run_destructor();
            let rc = self.header().rc.get() - 1;
            self.header().rc.set(rc);
            if rc > 0 {
                gc::possible_root(self.header());
                return;
            }
        }
        if RELEASE_DEPTH.get() >= RELEASE_DEPTH_MAX {
            self.header().rc.set(1);
            RELEASE_LATER.with(|later| later.borrow_mut().push(PhpObj(self.0)));
            return RELEASE_WAITS.set(true);
        }
        RELEASE_DEPTH.set(RELEASE_DEPTH.get() + 1);
        self.free();
        RELEASE_DEPTH.set(RELEASE_DEPTH.get() - 1);
        if RELEASE_WAITS.get() && RELEASE_DEPTH.get() == 0 {
            release_waiting();
        }
    }

    /// Weak references to the object become empty.
    pub(crate) fn tell_weak_holders(&self) {
        if self.header().has(FLAG_WEAK)
            && let Some(hooks) = HOOKS.get()
        {
            self.header().clear(FLAG_WEAK);
            (hooks.weak_freed)(self.address());
        }
    }

    fn free(&mut self) {
        gc::forget_root(self.header());
        self.tell_weak_holders();
        self.header().set(FLAG_FREED);
        // Contents go first, in slot order; code that runs meanwhile must not find the object again.
        self.header().rc.set(1);
        let (handle, slot_count) = (self.inner().handle, self.inner().slot_count);
        if self.header().has(FLAG_PENDING) {
            self.release_pending_slots();
        }
        // SAFETY: the slots follow the header, and stay there while they are emptied.
        unsafe {
            let first = slot_of(self.0.as_ptr() as u64, 0);
            let mut place = first;
            let end = first.add(slot_count as usize);
            while place < end {
                if raw::tag(place) & COUNTED != 0 {
                    self.release_slot(place);
                }
                place = place.add(1);
            }
        }
        // SAFETY: nobody else can reach the object; its fields are dropped once, then the block is returned.
        unsafe {
            std::ptr::drop_in_place(self.0.as_ptr());
            heap::release(self.0.as_ptr().cast(), object_bytes(slot_count));
        }
        if handle != 0 {
            handles::remove(handle);
        }
    }

    fn clear_native(&self) {
        if let Some(native) = self.inner().native.get() {
            native.clear();
        }
    }

    /// The slots of an object with a pending one go, and what is pending in its turn.
    #[cold]
    #[inline(never)]
    fn release_pending_slots(&self) {
        for (index, slot) in self.slots_in_place().iter().enumerate() {
            if index == PENDING_SLOT {
                self.clear_native();
            }
            // SAFETY: one of the object's slots, which is a cell.
            unsafe { self.release_slot(std::ptr::from_ref(slot).cast::<Val>().cast_mut()) }
        }
    }

    /// Gives up what a slot holds.
    ///
    /// # Safety
    /// The place is one of the object's slots.
    #[inline(always)]
    unsafe fn release_slot(&self, place: *mut Val) {
        // SAFETY: by the caller; what it held is given up once, after the slot is empty.
        unsafe {
            let (payload, tag) = (raw::payload(place), raw::tag(place));
            raw::write_tag(place, raw::TI_UNDEF);
            if tag == TI_REF {
                let index = place.offset_from(slot_of(self.0.as_ptr() as u64, 0)) as usize;
                return self.release_reference(index, raw::value(payload, tag));
            }
            if !raw::release_shared(payload, tag) {
                raw::release_counted(payload, tag);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn release_reference(&self, index: usize, value: Val) {
        if let (Some(reference), Some(hooks)) = (value.as_ref().filter(|r| r.has_sources()), HOOKS.get()) {
            (hooks.typed_reference_freed)(&self.inner().class, index, reference);
        }
    }
}

impl Clone for PhpObj {
    #[inline]
    fn clone(&self) -> PhpObj {
        self.header().incref();
        PhpObj(self.0)
    }
}

impl Drop for PhpObj {
    #[inline]
    fn drop(&mut self) {
        let rc = self.header().rc.get() - 1;
        self.header().rc.set(rc);
        if rc == 0 {
            self.release();
        } else {
            gc::possible_root(self.header());
        }
    }
}

impl From<PhpObj> for Val {
    #[inline]
    fn from(object: PhpObj) -> Val {
        Val::from_raw(ManuallyDrop::new(object).0.as_ptr().cast(), TI_OBJ)
    }
}

impl From<&PhpObj> for Val {
    #[inline]
    fn from(object: &PhpObj) -> Val {
        object.clone().into()
    }
}

impl std::fmt::Debug for PhpObj {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "object#{}", self.handle())
    }
}

/// For `raw`: the class of an object, by the address of the counted header.
///
/// # Safety
/// The payload is an object.
#[inline(always)]
pub(crate) unsafe fn class_of(payload: u64) -> *const ClassHeader {
    // SAFETY: by the caller.
    unsafe { Rc::as_ptr(&(*(payload as *const ObjHeader)).class) }
}

/// For `raw`: the table of an object's dynamic properties.
///
/// # Safety
/// The payload is an object; nothing is stored in it while the table is looked at.
#[inline(always)]
pub(crate) unsafe fn dynamic_of<'a>(payload: u64) -> Option<&'a PhpArr> {
    // SAFETY: by the caller.
    unsafe { (*(*(payload as *const ObjHeader)).dynamic.get()).as_ref() }
}

/// For `raw`: a declared property's cell.
///
/// # Safety
/// The payload is an object with more than `slot` slots.
#[inline(always)]
pub(crate) unsafe fn slot_of(payload: u64, slot: usize) -> *mut Val {
    // SAFETY: by the caller; the slots follow the header.
    unsafe { (payload as *mut u8).add(HEADER_BYTES).cast::<Val>().add(slot) }
}
