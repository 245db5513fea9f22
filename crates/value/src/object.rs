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

/// The part of a class that the memory of its objects needs; `payload` is the runtime's class.
pub struct ClassHeader {
    id: u32,
    payload_type: TypeId,
    payload: Box<dyn Any>,
    has_destructor: bool,
    /// Whether new objects of the class may run PHP code when they are freed.
    notes_destructor: bool,
}

/// A counted class.
pub type ClassRef = Rc<ClassHeader>;

thread_local! {
    static NEXT_CLASS: Cell<u32> = const { Cell::new(1) };
}

impl ClassHeader {
    /// A class with a payload of the runtime. `has_destructor` also means that new objects may run PHP code when they are freed.
    #[inline]
    pub fn new<T: Any>(payload: T, has_destructor: bool) -> ClassRef {
        ClassHeader::new_with(has_destructor, has_destructor, |_| payload)
    }

    /// A class whose payload is built from the class's id. With `notes_destructor`, new objects may run PHP code when they are
    /// freed; without it, code that creates such objects calls [`raw::note_destructors`].
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

    /// The class's id, which is unique in the process.
    #[inline]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The runtime's class.
    #[inline]
    pub fn payload<T: Any>(&self) -> &T {
        assert!(self.payload_type == TypeId::of::<T>(), "a class header carries the runtime's one class type");
        // SAFETY: the type of the payload was just compared.
        unsafe { &*(&raw const *self.payload).cast::<T>() }
    }
}

/// The native part of an object of a builtin class.
pub trait NativeData: Any {
    /// Tells the collector every value that is held, once, and does nothing else. A value that is held but not told leaks in a
    /// cycle, one that is told twice may be emptied while it is in use, and dropping a value ends the process.
    fn trace(&self, edges: &mut Edges);
    /// Drops all values held; called when the collector found the object to be garbage.
    fn clear(&self);
    /// The number of arrays that this data stands for and that were not made yet: the collector's figures include them.
    fn pending_arrays(&self) -> usize {
        0
    }
    /// The native data of a clone; `None` if the clone starts without native data.
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

/// The slot whose value may be made on first use: the trace of a throwable. Until then the slot is undefined, so that code that
/// reads slots in place takes the slow path, and the object's native data knows what to make.
pub const PENDING_SLOT: usize = 5;

const HEADER_BYTES: usize = size_of::<ObjHeader>();
const _: () = assert!(HEADER_BYTES == 40);
/// The offset of an object's class, for compiled code.
pub(crate) const CLASS_OFFSET: usize = std::mem::offset_of!(ObjHeader, class);
pub(crate) const SLOTS_OFFSET: usize = HEADER_BYTES;

/// The number to add to the class word of an object to get the class's identity: an `Rc` points to its counts, which precede its
/// contents.
pub(crate) fn class_delta() -> usize {
    let probe: Rc<u64> = Rc::new(0);
    // SAFETY: an `Rc` of a sized type is one pointer.
    let word: usize = unsafe { std::mem::transmute_copy(&probe) };
    Rc::as_ptr(&probe) as usize - word
}
const _: () = assert!(align_of::<ClassHeader>() <= align_of::<u64>());

/// A counted handle of an object.
#[repr(transparent)]
pub struct PhpObj(NonNull<ObjHeader>);

/// Functions of the runtime that are called at certain moments of an object's life.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// Calls the destructor.
    pub destruct: fn(&PhpObj),
    /// Calls the destructor of an object that the collector found to be garbage.
    pub destruct_garbage: fn(&PhpObj),
    /// Called when an object with weak references is freed; the argument is [`PhpObj::address`].
    pub weak_freed: fn(usize),
    /// Called when an object is freed whose slot (given by its index) holds a reference that obeys typed properties.
    pub typed_reference_freed: fn(&ClassRef, usize, &PhpRef),
    /// Fills in the pending slot of an object, whose slots are about to be read.
    pub complete: fn(&PhpObj),
    /// Returns the entries of all weak maps.
    pub ephemerons: fn() -> Vec<gc::Ephemeron>,
}

/// The entries of all weak maps, from the runtime's hook.
pub(crate) fn ephemerons() -> Vec<gc::Ephemeron> {
    HOOKS.get().map_or_else(Vec::new, |hooks| (hooks.ephemerons)())
}

thread_local! {
    static HOOKS: Cell<Option<Hooks>> = const { Cell::new(None) };
    /// Set while the request ends: no destructor runs any more.
    static SHUTDOWN: Cell<bool> = const { Cell::new(false) };
    static RELEASE_DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Whether some object waits in `RELEASE_LATER`.
    static RELEASE_WAITS: Cell<bool> = const { Cell::new(false) };
    /// Set while compiled code runs: destructors are deferred to the next place where PHP code can run.
    static DEFERS: Cell<bool> = const { Cell::new(false) };
    /// Objects whose destructors are deferred. It is never dropped, so that access needs no check whether it was.
    static WAITING: ManuallyDrop<RefCell<Vec<PhpObj>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
    /// Objects whose release is deferred, because releases were nested too deeply. Never dropped, for access without a check.
    static RELEASE_LATER: ManuallyDrop<RefCell<Vec<PhpObj>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// Frees the objects whose release was deferred because releases were nested too deeply.
#[cold]
#[inline(never)]
fn release_waiting() {
    while let Some(next) = RELEASE_LATER.with(|later| later.borrow_mut().pop()) {
        drop(next);
    }
    RELEASE_WAITS.set(false);
}

/// Releases nested more deeply than this are queued, so that a long linked list cannot exhaust the stack.
const RELEASE_DEPTH_MAX: u32 = 2000;

/// Installs the runtime's hooks for this thread.
#[inline]
pub fn set_hooks(hooks: Hooks) {
    HOOKS.set(Some(hooks));
}

/// Turns destructors off on this thread (at the end of a request, or after a fatal error), or on again.
#[inline]
pub fn set_shutdown(on: bool) {
    SHUTDOWN.set(on);
    if on {
        DEFERS.set(false);
        // The deferred objects are freed without their destructors.
        drop(WAITING.with(|waiting| std::mem::take(&mut *waiting.borrow_mut())));
    }
}

/// Defers destructors, or stops that: compiled code keeps its frames in registers, where PHP code could not see them. Returns the
/// old setting, which the caller restores at the end. [`interrupt::DESTRUCT`] is raised when a destructor was deferred.
///
/// [`interrupt::DESTRUCT`]: crate::interrupt::DESTRUCT
#[inline(always)]
pub fn defer_destructors(defers: bool) -> bool {
    DEFERS.replace(defers)
}

/// Whether destructors are deferred at the moment.
#[inline(always)]
pub fn defers_destructors() -> bool {
    DEFERS.get()
}

/// Runs the deferred destructors, in the order in which their objects were released.
#[cold]
#[inline(never)]
pub fn run_deferred_destructors() {
    interrupt::lower(interrupt::DESTRUCT);
    let defers = DEFERS.replace(false);
    let waiting = WAITING.with(|waiting| std::mem::take(&mut *waiting.borrow_mut()));
    // Each handle is the object's last reference, unless other code has found the object in the meantime.
    waiting.into_iter().for_each(drop);
    DEFERS.set(defers);
}

/// The live objects whose destructors have not run, in the order of their handles. The reference counts of other objects are not
/// touched, so that none becomes a possible root.
pub fn objects_with_destructors() -> Vec<PhpObj> {
    let live = handles::addresses().filter_map(|address| NonNull::new(address as *mut ObjHeader));
    let wanted = live.filter(|&pointer| {
        let object = ManuallyDrop::new(PhpObj(pointer));
        object.wants_destructor() && !object.header().has(FLAG_FREED)
    });
    wanted.map(PhpObj::counted).collect()
}

/// All live objects, in the order of their handles.
pub(crate) fn all() -> Vec<PhpObj> {
    let live = handles::addresses().filter_map(|address| NonNull::new(address as *mut ObjHeader));
    live.map(PhpObj::counted).collect()
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
        // SAFETY: the words are read from live values, which `defaults` borrows.
        unsafe {
            PhpObj::with_slots(class, defaults.len(), |index| {
                let default = &raw const defaults[index];
                (raw::payload(default), raw::tag(default), 0)
            })
        }
    }

    /// A new object of this object's class with copies of the declared slots and their marks. References that nobody shares
    /// become values.
    pub fn copy_slots(&self) -> PhpObj {
        let count = self.slots().len();
        // SAFETY: the cells read are slots of this object, or the cell of a reference that such a slot keeps alive.
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

    /// A new object whose slots hold retained copies of values, given as payload, tag and mark.
    ///
    /// # Safety
    /// Each payload and tag belong together, and are those of a live value.
    #[inline(always)]
    unsafe fn with_slots(class: ClassRef, slot_count: usize, words: impl Fn(usize) -> (u64, u32, u32)) -> PhpObj {
        let slot_count = slot_count as u32;
        if class.notes_destructor {
            raw::note_destructors();
        }
        let block = heap::allocate(object_bytes(slot_count)).cast::<ObjHeader>();
        // SAFETY: the block has room for the header and the slots; all of them are written here, before anything reads them.
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
        // SAFETY: no other handle of the object exists yet.
        unsafe { (*pointer.as_ptr()).handle = handle };
        PhpObj(pointer)
    }

    #[inline]
    fn counted(pointer: NonNull<ObjHeader>) -> PhpObj {
        // SAFETY: the handle table has the addresses of live objects only.
        unsafe { pointer.as_ref() }.header.incref();
        PhpObj(pointer)
    }

    #[inline]
    fn inner(&self) -> &ObjHeader {
        // SAFETY: the handle owns a count, so the object is live.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub(crate) fn header(&self) -> &Header {
        &self.inner().header
    }

    /// The object's class.
    #[inline]
    pub fn class_header(&self) -> &ClassRef {
        &self.inner().class
    }

    /// The id that `var_dump` and `spl_object_id` show.
    #[inline]
    pub fn handle(&self) -> u32 {
        self.inner().handle
    }

    /// Releases the object's id: the object stands for something that is no object in PHP. No PHP code may see it.
    pub fn release_handle(&self) {
        let handle = self.handle();
        if handle != 0 {
            // SAFETY: the handle owns a count, and no borrow of the header is live here.
            unsafe { (*self.0.as_ptr()).handle = 0 };
            handles::remove(handle);
        }
    }

    /// The declared properties' slots, in the class's slot order. A pending slot is filled in first.
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

    /// Makes [`PENDING_SLOT`] pending: its value is made from `data` on first use. The object has no native data yet.
    pub fn set_pending(&self, data: Rc<dyn NativeData>) {
        debug_assert!(!self.has_native());
        self.slots_in_place()[PENDING_SLOT].set(Val::UNDEF);
        self.set_native(data);
        self.header().set(FLAG_PENDING);
    }

    /// The declared properties' slots without filling in a pending one, for callers that do not read [`PENDING_SLOT`].
    #[inline]
    pub fn slots_in_place(&self) -> &[Slot] {
        let inner = self.inner();
        // SAFETY: `slot_count` initialised slots follow the header.
        unsafe {
            let first = self.0.as_ptr().cast::<u8>().add(HEADER_BYTES).cast::<Slot>();
            std::slice::from_raw_parts(first, inner.slot_count as usize)
        }
    }

    /// A counted copy of the dynamic properties' table.
    #[inline]
    pub fn dynamic(&self) -> Option<PhpArr> {
        // SAFETY: cloning the table's handle increments a count and runs no other code.
        unsafe { (*self.inner().dynamic.get()).clone() }
    }

    /// Whether the object has dynamic properties.
    #[inline]
    pub fn has_dynamic(&self) -> bool {
        // SAFETY: the table's length is read, and no other code runs meanwhile.
        unsafe { (*self.inner().dynamic.get()).as_ref().is_some_and(|table| !table.is_empty()) }
    }

    /// Moves the dynamic properties' table out (an empty one if there is none), lets `f` change it, and puts it back.
    #[inline]
    pub fn update_dynamic<R>(&self, f: impl FnOnce(&mut PhpArr) -> R) -> R {
        // SAFETY: the table is moved out while `f` runs, so nothing can alias it.
        let mut table = unsafe { (*self.inner().dynamic.get()).take() }.unwrap_or_default();
        let result = f(&mut table);
        self.set_dynamic(Some(table));
        result
    }

    /// Adds a dynamic property that the object does not have, under a name that stands for no integer.
    pub fn add_dynamic(&self, name: &PhpStr, value: Val) {
        // SAFETY: adding an element runs no code that could look at the table.
        let table = unsafe { &mut *self.inner().dynamic.get() };
        let table = table.get_or_insert_with(|| PhpArr::with_hash_capacity(1));
        table.add_new(Key::Str(name), value);
    }

    /// Replaces the dynamic properties' table.
    #[inline]
    pub fn set_dynamic(&self, table: Option<PhpArr>) {
        // SAFETY: the table is swapped in one step; the old one is dropped afterwards, when the borrow has ended.
        let old = unsafe { std::mem::replace(&mut *self.inner().dynamic.get(), table) };
        drop(old);
    }

    /// Whether the object has native data.
    #[inline]
    pub fn has_native(&self) -> bool {
        self.inner().native.get().is_some()
    }

    /// The native data, if it is of type `T`.
    #[inline]
    pub fn native<T: NativeData>(&self) -> Option<&T> {
        self.inner().native.get_as()
    }

    /// A counted handle of the native data, if it is of type `T`: it outlives the object if necessary.
    #[inline]
    pub fn native_counted<T: NativeData>(&self) -> Option<Rc<T>> {
        self.inner().native.counted_as()
    }

    /// The native data, whose type the caller knows.
    ///
    /// # Safety
    /// The object has native data of this type.
    #[inline]
    pub unsafe fn native_unchecked<T: NativeData>(&self) -> &T {
        let data = self.inner().native.get().map_or(std::ptr::null(), |data| Rc::as_ptr(data).cast::<T>());
        // SAFETY: the object has native data of type `T`.
        unsafe { &*data }
    }

    /// A counted handle of the native data.
    #[inline]
    pub fn native_data(&self) -> Option<Rc<dyn NativeData>> {
        self.inner().native.get().cloned()
    }

    /// Gives the object its native data; later calls do nothing.
    #[inline]
    pub fn set_native(&self, data: Rc<dyn NativeData>) {
        self.inner().native.set(data);
    }

    /// Whether both handles are of one object.
    #[inline]
    pub fn ptr_eq(&self, other: &PhpObj) -> bool {
        self.0 == other.0
    }

    /// The address of the object: its identity in weak tables.
    #[inline]
    pub fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// The number of references to the object.
    #[inline]
    pub fn refcount(&self) -> u32 {
        self.header().rc.get()
    }

    /// Makes [`Hooks::weak_freed`] be called when the object is freed.
    #[inline]
    pub fn mark_weakly_referenced(&self) {
        self.header().set(FLAG_WEAK);
    }

    /// Whether [`Hooks::weak_freed`] will be called when the object is freed.
    #[inline]
    pub fn is_weakly_referenced(&self) -> bool {
        self.header().has(FLAG_WEAK)
    }

    /// Marks the destructor as run, so that it does not run (again), as after a failed constructor.
    #[inline]
    pub fn mark_destructed(&self) {
        self.header().set(FLAG_DESTRUCTED);
    }

    /// Lets the destructor run again: the object starts another life.
    #[inline]
    pub fn unmark_destructed(&self) {
        self.header().clear(FLAG_DESTRUCTED);
    }

    /// Enters a traversal; false if one is inside the object already.
    #[inline]
    pub fn protect(&self) -> bool {
        if self.header().has(FLAG_PROTECTED) {
            return false;
        }
        self.header().set(FLAG_PROTECTED);
        true
    }

    /// Leaves a traversal that [`PhpObj::protect`] entered.
    #[inline]
    pub fn unprotect(&self) {
        self.header().clear(FLAG_PROTECTED);
    }

    /// Whether a traversal is inside the object.
    #[inline]
    pub fn is_protected(&self) -> bool {
        self.header().has(FLAG_PROTECTED)
    }

    /// Whether the class has a destructor that has not run yet for this object and may run.
    #[inline]
    pub fn wants_destructor(&self) -> bool {
        self.inner().class.has_destructor && !self.header().has(FLAG_DESTRUCTED) && !SHUTDOWN.get()
    }

    /// Runs the destructor now, unless it has run.
    #[inline]
    pub fn run_destructor(&self) {
        if self.wants_destructor() {
            self.header().set(FLAG_DESTRUCTED);
            if let Some(hooks) = HOOKS.get() {
                (hooks.destruct)(self);
            }
        }
    }

    /// Runs the destructor of an object that the collector found, unless it has run.
    pub(crate) fn run_destructor_of_garbage(&self) {
        if self.wants_destructor() {
            self.header().set(FLAG_DESTRUCTED);
            if let Some(hooks) = HOOKS.get() {
                (hooks.destruct_garbage)(self);
            }
        }
    }

    /// Whether the object has a table of dynamic properties that nobody shares; for the collector.
    #[inline]
    pub(crate) fn owns_dynamic(&self) -> bool {
        // SAFETY: nothing is stored in the place while the borrow lives.
        unsafe { &*self.inner().dynamic.get() }.as_ref().is_some_and(|table| table.borrowed_val().refcount() == 1)
    }

    /// The number of arrays that the native data stands for; for the collector.
    pub(crate) fn pending_arrays(&self) -> usize {
        if !self.header().has(FLAG_PENDING) {
            return 0;
        }
        self.inner().native.get().map_or(0, |native| native.pending_arrays())
    }

    /// The handle as a value that owns no count; for the collector.
    #[inline]
    pub(crate) fn borrowed_val(&self) -> ManuallyDrop<Val> {
        ManuallyDrop::new(Val::from_raw(self.0.as_ptr().cast(), TI_OBJ))
    }

    /// Calls `visit` with every value that the object holds; for the collector.
    #[inline(always)]
    pub(crate) fn trace(&self, visit: &mut impl FnMut(&Val)) {
        if self.header().has(FLAG_FREED) {
            return;
        }
        for slot in self.slots_in_place() {
            visit(slot.peek());
        }
        // SAFETY: a traversal stores nothing in the object.
        if let Some(table) = unsafe { &*self.inner().dynamic.get() } {
            // The object owns the table, which is a node for the collector nevertheless.
            visit(&table.borrowed_val());
        }
        if let Some(native) = self.inner().native.get() {
            gc::show(|edges| native.trace(edges), visit);
        }
    }

    /// Drops every value that the object holds; for the collector.
    #[inline]
    pub(crate) fn clear_contents(&self) {
        for slot in self.slots_in_place() {
            slot.set(Val::UNDEF);
        }
        self.set_dynamic(None);
        self.clear_native();
    }

    /// Lets go of everything that the object holds, at the end of a request: its destructor will not run.
    pub(crate) fn let_go(&self) {
        self.mark_destructed();
        self.clear_contents();
    }

    /// Destroys the object, whose last reference was released: runs or defers the destructor, and frees the memory.
    #[inline(never)]
    fn release(&mut self) {
        if self.wants_destructor() {
            if DEFERS.get() {
                self.header().rc.set(1);
                WAITING.with(|waiting| waiting.borrow_mut().push(PhpObj(self.0)));
                return interrupt::raise(interrupt::DESTRUCT);
            }
            // The destructor gets a live object, which it may store somewhere.
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

    /// Tells the runtime that the object is freed, if there are weak references to it.
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
        // Contents are released first, in slot order; the object has a count meanwhile, for code that runs during that.
        self.header().rc.set(1);
        let (handle, slot_count) = (self.inner().handle, self.inner().slot_count);
        if self.header().has(FLAG_PENDING) {
            self.release_pending_slots();
        }
        // SAFETY: the slots follow the header, and stay in place while they are emptied.
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
        // SAFETY: no reference to the object is left; its fields are dropped once, then the block is released.
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

    /// Empties the slots of an object with a pending slot, whose native data is released when its turn comes.
    #[cold]
    #[inline(never)]
    fn release_pending_slots(&self) {
        for (index, slot) in self.slots_in_place().iter().enumerate() {
            if index == PENDING_SLOT {
                self.clear_native();
            }
            // SAFETY: the cell is one of the object's slots; a slot is a transparent cell.
            unsafe { self.release_slot(std::ptr::from_ref(slot).cast::<Val>().cast_mut()) }
        }
    }

    /// Empties a slot and releases its value.
    ///
    /// # Safety
    /// `place` is one of this object's slots.
    #[inline(always)]
    unsafe fn release_slot(&self, place: *mut Val) {
        // SAFETY: `place` is a live cell of this object; its value is released once, after the slot is empty.
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

/// The class of an object, as the address of its counted header; for `raw`.
///
/// # Safety
/// The payload is an object.
#[inline(always)]
pub(crate) unsafe fn class_of(payload: u64) -> *const ClassHeader {
    // SAFETY: the payload is a live object's address.
    unsafe { Rc::as_ptr(&(*(payload as *const ObjHeader)).class) }
}

/// The table of an object's dynamic properties; for `raw`.
///
/// # Safety
/// The payload is an object, in which nothing is stored while the table is borrowed.
#[inline(always)]
pub(crate) unsafe fn dynamic_of<'a>(payload: u64) -> Option<&'a PhpArr> {
    // SAFETY: the payload is a live object's address, and nothing changes the table meanwhile.
    unsafe { (*(*(payload as *const ObjHeader)).dynamic.get()).as_ref() }
}

/// The cell of a declared property; for `raw`.
///
/// # Safety
/// The payload is an object with more than `slot` slots.
#[inline(always)]
pub(crate) unsafe fn slot_of(payload: u64, slot: usize) -> *mut Val {
    // SAFETY: more than `slot` slots follow the header of the object.
    unsafe { (payload as *mut u8).add(HEADER_BYTES).cast::<Val>().add(slot) }
}
