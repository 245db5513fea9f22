//! Functions made ready to run: oplines with handlers and byte offsets, with literals and inline caches behind them.

use crate::declared::{Declared, IN_REFERENCE, all_taken_kinds, by_ref_bits, kinds_of};
use crate::frame::{CELL, HEADER};
use crate::handlers::{self, Handler};
use crate::switch::{self, StringTable, SwitchMap};
use crate::tier::generators::BodySite;
use crate::tier::{self, FuncSite, LoopSite};
use phlox_hhbc::{FuncFlags, StrId, SwitchTable, TypeMask};
use phlox_lower::facts::Number;
use phlox_lower::{
    ITER_CELLS, Literal, Live, Lowered, NO_SITE, NO_TARGET, OpCode, Operand, Opline, Path, PathStep, lower,
};
use phlox_runtime::extension::FastPathFn;
use phlox_runtime::{ClassExt, Func, FuncBody, Key, NativeFn, PhpArr, Val, Vm};
use phlox_value::raw;
use std::alloc::{Layout, alloc, handle_alloc_error};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// One opline. Operands are byte offsets from the frame, or from the opline for literals.
#[repr(C)]
pub struct Op {
    pub handler: Handler,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    /// Displacement in bytes of a jump, or displacement of an inline cache, or a number.
    pub d: i32,
}

/// The fields that calls read fill the first line of the processor's cache.
const _: () = assert!(std::mem::offset_of!(FuncCode, native) == 64);

pub const OP_BYTES: usize = size_of::<Op>();
const _: () = assert!(OP_BYTES == 24);

/// The kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    None,
    Tmp,
    Local,
    Lit,
    This,
}

impl Kind {
    /// The kind of an operand.
    pub fn of(operand: Operand) -> Kind {
        match operand {
            Operand::None => Kind::None,
            Operand::Tmp(_) => Kind::Tmp,
            Operand::Local(_) => Kind::Local,
            Operand::Lit(_) => Kind::Lit,
            Operand::This => Kind::This,
        }
    }
}

/// What slow paths need to know of an opline. It is as long as an opline, so that it is found without a division.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Meta {
    pub op: OpCode,
    pub a: Kind,
    pub b: Kind,
    pub c: Kind,
    pub n: u32,
    /// The number of the opline's inline cache; of a Yield, of the resume point behind it.
    pub site: u32,
    pub pc: u32,
    pub live: u32,
    /// Of the head of a watched loop: the loop's number.
    pub loop_site: u32,
}

const _: () = assert!(size_of::<Meta>() == OP_BYTES);

/// An entry of an inline cache: the class or function that the opline met (0: none), and what was found for it.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Site {
    pub key: u64,
    pub value: u64,
    /// A class whose objects a typed property accepts.
    pub class: u64,
}

/// A method of Generator that resumes the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratorStep {
    Next,
    Send,
}

impl GeneratorStep {
    fn of(func: &Func) -> Option<GeneratorStep> {
        let of_generator = func.scope.get().is_some_and(|class| class.class().name.as_bytes() == b"Generator");
        match func.name.as_bytes() {
            b"next" if of_generator => Some(GeneratorStep::Next),
            b"send" if of_generator => Some(GeneratorStep::Send),
            _ => None,
        }
    }
}

/// A function that can run. Programs of many small functions wait for the first line of the processor's cache that it fills.
#[repr(C, align(64))]
pub struct FuncCode {
    /// The fast path of a call may enter the function: it is a lowered PHP function that needs nothing special.
    pub is_simple: Cell<bool>,
    /// `is_simple`, and the function has no captured variables, which would have to be bound.
    pub is_plain: Cell<bool>,
    pub is_native: bool,
    /// Some parameter is by reference.
    pub has_by_ref: bool,
    pub required: u32,
    /// Parameters that are neither variadic nor required.
    pub optional: u32,
    /// Cells of locals and iterators, which are empty when the function starts.
    pub cleared: u32,
    pub frame_bytes: Cell<u32>,
    pub locals: u32,
    /// Parameters that are not variadic.
    pub params: u32,
    /// Arguments that the function takes at most.
    pub most: u32,
    /// The opline to start with when only the required arguments were passed.
    pub start: Cell<*const Op>,
    /// The oplines to start with, by the number of arguments beyond the required ones.
    pub entries: Cell<*const *const Op>,
    /// Inline caches, in pairs: the second entry of each is for a second class at the same opline. See [`FuncCode::site`].
    sites: Cell<*mut Site>,
    /// Which arguments are passed by reference, as bits of their numbers modulo 64.
    by_ref: u64,

    /// A builtin function's body, unless there is something to report before it runs.
    pub native: Option<NativeFn>,
    /// A builtin function's fast path.
    pub fast_path: Option<FastPathFn>,
    /// A builtin function with a body that returns no reference and resumes no generator.
    pub is_plain_native: bool,
    /// The function is `count` or `sizeof`.
    pub counts: bool,
    /// The function is `call_user_func`.
    pub passes_on: bool,
    /// The function is `func_num_args`.
    pub counts_arguments: bool,
    /// Of `is_int` and the like: the types for which the function says true, as bits of their tags.
    pub tested_kinds: u32,
    pub iters: u32,
    pub ops: Cell<*const Op>,
    /// The member paths, by number.
    pub walks: Cell<*const Walk>,
    /// Bytes from an opline to its [`Meta`].
    meta_offset: Cell<isize>,

    /// Of `strlen` and `count`: what the function measures.
    pub measures: Option<Measure>,
    /// Whether the function is `Generator::next` or `Generator::send`.
    pub generator_step: Option<GeneratorStep>,
    /// A closure's function that captures variables.
    pub has_captures: bool,
    /// See [`FuncCode::counts_own_arguments`].
    counts_own: Cell<bool>,
    /// Without a reference of its own: the function owns this code.
    func: ManuallyDrop<Rc<Func>>,
    /// Of a builtin function: the types that each parameter takes without a conversion, as bits of tags; copies for a variadic one.
    pub taken_kinds: Box<[u32]>,
    /// Of a builtin function: the values of parameters that were not passed.
    pub defaults: OnceCell<Vec<Val>>,
    body: OnceCell<Body>,
    /// The loops whose iterations are counted, and that are compiled when they are hot.
    loops: OnceCell<Box<[LoopSite]>>,
    /// The resume points of a generator's body, one behind each `yield` that may get one.
    bodies: OnceCell<Box<[BodySite]>>,
    /// The start of the function, if its calls are watched.
    func_site: OnceCell<Option<Box<FuncSite>>>,
    /// Type feedback from side exits: the types that oplines read when a guard in front of them had failed, as bits of their tags.
    noted: RefCell<HashMap<u32, u32>>,
    /// Type feedback from shortly before the function was compiled.
    pub observed: tier::Observed,
    /// Type feedback of method calls and property accesses: classes of objects, and the methods found for them.
    noted_calls: RefCell<HashMap<u32, Vec<(u64, u64)>>>,
    /// How often its compiled code has left by a side exit.
    pub exits: Cell<u32>,
    /// Type feedback of loops' entries: types of variables that the code did not fit, by the loop's opline and the variable.
    noted_entries: RefCell<HashMap<(u32, u32), u32>>,
}

/// A member path whose operands are resolved to byte offsets and pointers.
pub struct Walk {
    pub base: Kind,
    /// Byte offset of a base in the frame.
    pub offset: u32,
    /// Byte offset of the first temporary: keys from there on are consumed.
    pub first_tmp: u32,
    /// Some key is a temporary, and consumed.
    pub consumes: bool,
    pub steps: Box<[WalkStep]>,
}

/// A step of a [`Walk`].
#[derive(Clone, Copy)]
pub enum WalkStep {
    /// An element by a key at a byte offset of the frame.
    Elem(u32),
    /// An element by a literal key.
    ElemLiteral(*mut Val),
    /// An element by a literal string that stands for no integer.
    ElemName(*mut Val),
    /// A property by name, with its inline cache.
    Prop(StrId, *mut Site),
    New,
    /// The static property in an inline cache: its cell, the types that it takes, and the late static binding class, if it matters.
    Static(*mut Site),
}

/// What lowering has made of a function.
pub struct Body {
    pub switches: Vec<SwitchMap>,
    pub meta: Vec<Meta>,
    pub walks: Vec<Walk>,
    pub lowered: Lowered,
    entries: Vec<*const Op>,
}

impl FuncCode {
    /// The code of a function, made on first use.
    pub fn of(func: &Rc<Func>) -> *const FuncCode {
        let made = func.prepared.get_or_init(|| Box::new(FuncCode::new(func)));
        debug_assert!(made.is::<FuncCode>());
        // Only this interpreter prepares functions in a process, so the prepared form is a `FuncCode`.
        std::ptr::from_ref(&**made).cast()
    }

    fn new(func: &Rc<Func>) -> FuncCode {
        let is_native = !matches!(func.body, FuncBody::User);
        let (locals, iters) = match is_native {
            true => (0, 0),
            false => (func.code().locals.len() as u32, func.code().num_iters),
        };
        let native = match func.body {
            FuncBody::Native(body) if !func.deprecated.get() => Some(body),
            _ => None,
        };
        let generator_step = GeneratorStep::of(func);
        FuncCode {
            is_simple: Cell::new(false),
            is_plain: Cell::new(false),
            is_native,
            native,
            is_plain_native: native.is_some() && generator_step.is_none() && !func.returns_by_ref(),
            counts: native.is_some() && func.scope.get().is_none() && matches!(&func.name[..], b"count" | b"sizeof"),
            passes_on: native.is_some() && func.scope.get().is_none() && &func.name[..] == b"call_user_func",
            fast_path: func.fast_path,
            counts_arguments: native.is_some() && func.scope.get().is_none() && &func.name[..] == b"func_num_args",
            tested_kinds: if is_native && func.scope.get().is_none() { tested_kinds(&func.name) } else { 0 },
            measures: if is_native && func.scope.get().is_none() { Measure::named(&func.name) } else { None },
            generator_step,
            has_captures: !is_native && !func.code().captures.is_empty(),
            has_by_ref: func.params.iter().any(|p| p.by_ref),
            by_ref: by_ref_bits(func),
            params: func.declared as u32,
            required: func.required as u32,
            optional: (func.declared as u32).saturating_sub(func.required as u32),
            most: if func.is_variadic() { u32::MAX } else { func.declared as u32 },
            locals,
            iters,
            cleared: locals + iters * ITER_CELLS,
            frame_bytes: Cell::new(0),
            counts_own: Cell::new(false),
            start: Cell::new(std::ptr::null()),
            entries: Cell::new(std::ptr::null()),
            ops: Cell::new(std::ptr::null()),
            sites: Cell::new(std::ptr::null_mut()),
            walks: Cell::new(std::ptr::null()),
            meta_offset: Cell::new(0),
            // SAFETY: the handle is never dropped, so it needs no reference of its own.
            func: ManuallyDrop::new(unsafe { Rc::from_raw(Rc::as_ptr(func)) }),
            taken_kinds: if is_native { all_taken_kinds(func) } else { Box::default() },
            defaults: OnceCell::new(),
            body: OnceCell::new(),
            loops: OnceCell::new(),
            bodies: OnceCell::new(),
            func_site: OnceCell::new(),
            noted: RefCell::default(),
            observed: tier::Observed::default(),
            noted_calls: RefCell::default(),
            exits: Cell::new(0),
            noted_entries: RefCell::default(),
        }
    }

    /// The function.
    pub fn func(&self) -> &Rc<Func> {
        &self.func
    }

    /// The function, with a reference of its own.
    pub fn func_rc(&self) -> Rc<Func> {
        Rc::clone(&self.func)
    }

    /// Whether argument `index` may be passed by reference: true for all that are, and for some that are not.
    #[inline(always)]
    pub fn may_be_by_ref(&self, index: u32) -> bool {
        self.by_ref >> (index % u64::BITS) & 1 != 0
    }

    /// Whether a builtin function takes the value in a cell for parameter `index` without a conversion.
    ///
    /// # Safety
    /// The cell is live.
    #[inline(always)]
    pub unsafe fn takes(&self, index: usize, cell: *mut Val) -> bool {
        let Some(kinds) = self.taken_kinds.get(index).or(self.taken_kinds.last()) else { return false };
        // SAFETY: the caller says that the cell is alive.
        unsafe { FuncCode::is_one_of(*kinds, cell) }
    }

    /// Whether the type of the value in a cell is among types as [`FuncCode::taken_kinds`] has them.
    ///
    /// # Safety
    /// The cell is live.
    #[inline(always)]
    pub unsafe fn is_one_of(kinds: u32, cell: *mut Val) -> bool {
        // SAFETY: the caller says that the cell is alive.
        unsafe {
            let tag = raw::tag(cell);
            if kinds & IN_REFERENCE == 0 {
                return kinds >> (tag & 0xff) & 1 != 0;
            }
            tag == raw::TI_REF && kinds >> (raw::tag(raw::look_through(cell)) & 0xff) & 1 != 0
        }
    }

    /// The resume point behind the Yield at an opline, if it may be compiled.
    pub fn body_site(&self, at: u32) -> Option<&BodySite> {
        let bodies = self.bodies.get()?;
        bodies.iter().find(|site| site.follows(at))
    }

    /// The resume point behind a Yield that is described by `meta`; null: there is none.
    #[inline(always)]
    pub fn body_site_of(&self, meta: &Meta) -> *const BodySite {
        let site = self.bodies.get().and_then(|bodies| bodies.get(meta.site as usize));
        site.filter(|_| meta.op == OpCode::Yield).map_or(std::ptr::null(), std::ptr::from_ref)
    }

    /// Whether a loop of the function has made enough iterations to be compiled.
    pub fn has_hot_loop(&self) -> bool {
        self.loops.get().is_some_and(|loops| loops.iter().any(LoopSite::is_hot))
    }

    /// The loops that are watched, in the order of their heads.
    pub fn watched_loops(&self) -> &[LoopSite] {
        self.loops.get().map_or(&[], |loops| loops)
    }

    /// The first watched loop; null: there is none.
    #[inline(always)]
    pub fn loops(&self) -> *const LoopSite {
        self.loops.get().map_or(std::ptr::null(), |loops| loops.as_ptr())
    }

    /// Whether the function asks for the number of its arguments (`func_num_args()`).
    #[inline(always)]
    pub fn counts_own_arguments(&self) -> bool {
        self.counts_own.get()
    }

    /// The start of the function, if its calls are watched.
    #[inline(always)]
    pub fn func_site(&self) -> Option<&FuncSite> {
        self.func_site.get()?.as_deref()
    }

    /// Type feedback of an opline from side exits, as bits of types.
    pub fn noted(&self, at: u32) -> u32 {
        self.noted.borrow().get(&at).copied().unwrap_or(0)
    }

    /// Adds the type of a tag to an opline's type feedback.
    pub fn note(&self, at: u32, tag: u32) {
        *self.noted.borrow_mut().entry(at).or_default() |= tier::kind_bit(tag);
    }

    /// Type feedback of an opline: classes of objects, and the methods found for them, or 0.
    pub fn noted_calls(&self, at: u32) -> Vec<(u64, u64)> {
        self.noted_calls.borrow().get(&at).cloned().unwrap_or_default()
    }

    /// Adds a class, and the method found for it or 0, to an opline's type feedback.
    pub fn note_call(&self, at: u32, class: u64, func: u64) {
        const MOST: usize = 6;
        let mut noted = self.noted_calls.borrow_mut();
        let calls = noted.entry(at).or_default();
        if calls.len() < MOST && !calls.contains(&(class, func)) {
            calls.push((class, func));
        }
    }

    /// Type feedback of a loop's entry: the types that a variable had when the code did not fit.
    pub fn noted_entry(&self, header: u32, local: u32) -> u32 {
        self.noted_entries.borrow().get(&(header, local)).copied().unwrap_or(0)
    }

    /// Adds the types of all variables to the type feedback of a loop's entry: one tag for each variable.
    pub fn note_entry(&self, header: u32, tags: impl Iterator<Item = u32>) {
        let mut noted = self.noted_entries.borrow_mut();
        for (local, tag) in (0..).zip(tags) {
            *noted.entry((header, local)).or_default() |= tier::kind_bit(tag);
        }
    }

    /// What lowering has made of the function, which is lowered.
    pub fn body(&self) -> &Body {
        self.body.get().unwrap_or_else(|| unreachable!("code that runs was lowered"))
    }

    /// Lowers the function, once.
    #[inline]
    pub fn prepare(&self, vm: &Vm) {
        if self.ops.get().is_null() && !self.is_native && self.body.get().is_none() {
            self.lower(vm);
        }
    }

    #[cold]
    #[inline(never)]
    fn lower(&self, vm: &Vm) {
        let func = self.func();
        let code = func.code();
        let lowered = lower(code, &Declared { vm, func });
        crate::stats::note_lowered(&lowered);
        self.frame_bytes.set(HEADER + (self.locals + self.iters * ITER_CELLS + lowered.tmps) * CELL);
        let counts = |literal: u32| match &lowered.literals[literal as usize] {
            Literal::Str(name) => func.unit.str(*name).ends_with(b"func_num_args"),
            _ => false,
        };
        let asks = |op: &Opline| op.op == OpCode::InitFunc && matches!(op.b, Operand::Lit(name) if counts(name));
        self.counts_own.set(lowered.ops.iter().any(asks));
        let (ops, mut meta) = Assembler { func, code: self, lowered: &lowered }.assemble();
        let is_watched = tier::is_watched(func);
        if is_watched {
            let note = |header: u32, number: u32| meta[header as usize].loop_site = number;
            // SAFETY: the oplines were just made, and nobody runs them yet.
            self.loops.get_or_init(|| unsafe { tier::watch(&lowered, ops.cast_mut(), note) });
            let note = |at: u32, number: u32| meta[at as usize].site = number;
            // SAFETY: the oplines were just made from `lowered`.
            self.bodies.get_or_init(|| unsafe { tier::generators::watch(func, &lowered, ops, note) });
        }
        // SAFETY: entries are indices of oplines.
        let op_at = |index: u32| unsafe { ops.add(index as usize) };
        let mut entries: Vec<*const Op> = code.dv_entries.iter().map(|t| op_at(lowered.entries[t.index()])).collect();
        let optional = self.params - self.required.min(self.params);
        let start = lowered.entries[code.main_entry.index()];
        let main = op_at(start);
        let is_loop = lowered.ops.iter().enumerate().any(|(at, op)| op.target == start && at as u32 >= start);
        if is_watched && !is_loop && !func.has(FuncFlags::VARIADIC | FuncFlags::PSEUDO_MAIN | FuncFlags::GENERATOR) {
            // SAFETY: the oplines were just made, and this one is no head of a loop.
            self.func_site.get_or_init(|| unsafe { FuncSite::watch(main) }.map(Box::new));
        }
        entries.truncate(optional as usize);
        while entries.len() <= optional as usize {
            entries.push(main);
        }
        // SAFETY: the inline caches follow the literals in the block, and nobody uses them yet.
        let sites = unsafe { ops.byte_add(sites_behind(&lowered)).cast::<Site>().cast_mut() };
        self.sites.set(sites);
        for opline in lowered.ops.iter().filter(|opline| opline.op == OpCode::Call && opline.site != NO_SITE) {
            if let Operand::Lit(name) = opline.b
                && let Literal::Str(name) = lowered.literals[name as usize]
                && let Some(fast_path) = vm.find_function(func.unit.str(name)).and_then(|func| func.fast_path)
            {
                // SAFETY: `opline.site` is the number of an inline cache of this function.
                unsafe { (*self.site(opline.site)).value = fast_path as usize as u64 };
            }
        }
        let at = |target: &phlox_hhbc::Target| op_at(lowered.entries[target.index()]);
        let switch_map = |table: &SwitchTable| match table {
            SwitchTable::Int { cases, default } => {
                let cases = cases.iter().map(|(case, target)| (*case, at(target)));
                SwitchMap::of_ints(cases.collect(), at(default))
            }
            SwitchTable::Str { cases, default } => {
                let cases = cases.iter().map(|(case, target)| (func.unit.str(*case).clone(), at(target)));
                SwitchMap::Str { table: StringTable::new(cases.collect()), default: at(default) }
            }
        };
        let switches = code.switches.iter().map(switch_map).collect();
        // SAFETY: the literals follow the oplines in the block.
        let literals = unsafe { ops.add(lowered.ops.len()).cast::<Val>() };
        let walks = lowered.paths.iter().map(|path| self.walk_of(path, literals)).collect();
        let body = self.body.get_or_init(|| Body { switches, meta, walks, lowered, entries });
        // SAFETY: the oplines were just made from this lowered function.
        unsafe { switch::hand_out(&body.lowered, &body.switches, ops.cast_mut()) };
        self.ops.set(ops);
        self.meta_offset.set(body.meta.as_ptr() as isize - ops as isize);
        self.start.set(body.entries[0]);
        self.entries.set(body.entries.as_ptr());
        self.walks.set(body.walks.as_ptr());
        let special = FuncFlags::VARIADIC | FuncFlags::PSEUDO_MAIN;
        self.is_simple.set(!func.has(special) && !func.deprecated.get() && !code.code.is_empty());
        self.is_plain.set(self.is_simple.get() && !self.has_captures);
    }

    /// The index of an opline of this function.
    ///
    /// # Safety
    /// `ip` points to one of the function's oplines.
    pub unsafe fn index_of(&self, ip: *const Op) -> usize {
        (ip as usize - self.ops.get() as usize) / OP_BYTES
    }

    /// The opline of an HHBC position that control can enter at.
    pub fn entry(&self, pc: u32) -> *const Op {
        let index = self.body().lowered.entries[pc as usize];
        // SAFETY: `entries` holds indices of oplines.
        unsafe { self.ops.get().add(index as usize) }
    }

    /// The description of an opline of this function.
    #[inline(always)]
    pub fn meta(&self, ip: *const Op) -> &Meta {
        // SAFETY: `ip` is an opline of this function; its description is at the same position of a table of its own.
        unsafe { &*ip.byte_offset(self.meta_offset.get()).cast::<Meta>() }
    }

    /// The member path with a number.
    pub fn path(&self, n: u32) -> &Path {
        &self.body().lowered.paths[n as usize]
    }

    /// The call that an opline `CallNamed` makes, by its number.
    pub fn named_call(&self, n: u32) -> &phlox_lower::NamedCall {
        &self.body().lowered.named_calls[n as usize]
    }

    /// The member path with a number, with resolved operands.
    #[inline(always)]
    pub fn walk(&self, n: u32) -> &Walk {
        &self.body().walks[n as usize]
    }

    fn walk_of(&self, path: &Path, literals: *const Val) -> Walk {
        let step = |step: &PathStep| match *step {
            // SAFETY: lowering makes operands that are numbers of this function's literals.
            PathStep::Elem(Operand::Lit(index)) => {
                let key = unsafe { literals.add(index as usize) };
                // SAFETY: a literal's cell is alive as long as the block.
                match unsafe { (*key).as_str() } {
                    Some(name) if matches!(Key::from_str(name), Key::Str(_)) => WalkStep::ElemName(key.cast_mut()),
                    _ => WalkStep::ElemLiteral(key.cast_mut()),
                }
            }
            PathStep::Elem(key) => WalkStep::Elem(self.offset(key)),
            // SAFETY: `site` is the number of an inline cache of this function.
            PathStep::Prop(name, site) => WalkStep::Prop(name, unsafe { self.site(site) }),
            PathStep::New => WalkStep::New,
            // SAFETY: `site` is the number of an inline cache of this function.
            PathStep::Static { site, .. } => WalkStep::Static(unsafe { self.site(site) }),
        };
        Walk {
            base: Kind::of(path.base),
            offset: self.offset(path.base),
            first_tmp: self.offset(Operand::Tmp(0)),
            consumes: path.steps.iter().any(|step| matches!(step, PathStep::Elem(Operand::Tmp(_)))),
            steps: path.steps.iter().map(step).collect(),
        }
    }

    /// The temporaries that are full across an opline, by the number of the set in the opline's description.
    pub fn live(&self, set: u32) -> Vec<Live> {
        self.body().lowered.live.get(set)
    }

    /// The first entry of the inline cache with this number. The entry for a second class lies behind it.
    ///
    /// # Safety
    /// The function is lowered, and has a cache of this number.
    #[inline(always)]
    pub unsafe fn site(&self, number: u32) -> *mut Site {
        // SAFETY: the caller says that the function has such an inline cache; each has two entries.
        unsafe { self.sites.get().add(2 * number as usize) }
    }

    /// Byte offset of an operand in the frame.
    pub fn offset(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Local(local) => HEADER + local.0 * CELL,
            Operand::Tmp(number) => HEADER + (self.locals + self.iters * ITER_CELLS + number) * CELL,
            _ => 0,
        }
    }

    /// The cell of the literal with this number.
    pub fn literal(&self, index: u32) -> *const Val {
        let body = self.body();
        // SAFETY: the literals follow the oplines in the block.
        unsafe { self.ops.get().add(body.lowered.ops.len()).cast::<Val>().add(index as usize) }
    }
}

/// Bytes from a function's first opline to its inline caches, which lie behind the literals.
fn sites_behind(lowered: &Lowered) -> usize {
    lowered.ops.len() * OP_BYTES + lowered.literals.len() * CELL as usize
}

struct Assembler<'a> {
    func: &'a Func,
    code: &'a FuncCode,
    lowered: &'a Lowered,
}

impl Assembler<'_> {
    /// Lays oplines, literals and inline caches out in one block, which lives as long as the process.
    fn assemble(&self) -> (*const Op, Vec<Meta>) {
        let count = self.lowered.ops.len();
        let bytes = sites_behind(self.lowered) + 2 * self.lowered.sites as usize * size_of::<Site>();
        let layout = Layout::from_size_align(bytes, 64).unwrap_or_else(|_| unreachable!("code fits into memory"));
        // SAFETY: a function has at least one opline, so the size is not 0.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            handle_alloc_error(layout);
        }
        let ops = block.cast::<Op>();
        let mut meta = Vec::with_capacity(count);
        for (index, opline) in self.lowered.ops.iter().enumerate() {
            let op = self.op(index, opline);
            meta.push(Self::meta(opline));
            // SAFETY: the block has room for `count` oplines.
            unsafe { ops.add(index).write(op) };
        }
        // SAFETY: the literals' part of the block follows the oplines.
        let literals = unsafe { ops.add(count).cast::<Val>() };
        for (index, literal) in self.lowered.literals.iter().enumerate() {
            // SAFETY: the block has room for all literals behind the oplines.
            unsafe { literals.add(index).write(self.literal(*literal)) };
        }
        // SAFETY: the inline caches are the last part of the block.
        let sites = unsafe { block.add(sites_behind(self.lowered)).cast::<Site>() };
        for index in 0..2 * self.lowered.sites as usize {
            // SAFETY: the block has room for two entries of each inline cache.
            unsafe { sites.add(index).write(Site::default()) };
        }
        (ops, meta)
    }

    fn literal(&self, literal: Literal) -> Val {
        let unit = &self.func.unit;
        match literal {
            Literal::Undef => Val::UNDEF,
            Literal::Null => Val::NULL,
            Literal::False => Val::FALSE,
            Literal::True => Val::TRUE,
            Literal::Int(value) => Val::int(value),
            Literal::Double(value) => Val::double(value.get()),
            Literal::Str(id) => unit.str(id).into(),
            Literal::EmptyArray => PhpArr::new().into(),
            Literal::Array(id) => unit.array(id).into(),
        }
    }

    fn operand(&self, index: usize, operand: Operand) -> u32 {
        match operand {
            Operand::Lit(literal) => ((self.lowered.ops.len() - index) * OP_BYTES) as u32 + literal * CELL,
            other => self.code.offset(other),
        }
    }

    /// Bytes from an opline to an inline cache.
    fn behind(&self, index: usize, site: u32) -> i32 {
        (sites_behind(self.lowered) - index * OP_BYTES + 2 * site as usize * size_of::<Site>()) as i32
    }

    fn jump(&self, index: usize, opline: &Opline) -> i32 {
        match opline.target {
            NO_TARGET => 0,
            target => (target as i32 - index as i32) * OP_BYTES as i32,
        }
    }

    fn meta(opline: &Opline) -> Meta {
        let Opline { op, a, b, c, n, site, pc, live, .. } = *opline;
        let (a, b, c) = (Kind::of(a), Kind::of(b), Kind::of(c));
        Meta { op, a, b, c, n, site, pc, live, loop_site: 0 }
    }

    fn op(&self, index: usize, opline: &Opline) -> Op {
        let operand = |operand| self.operand(index, operand);
        let mut d = match (opline.target, opline.site) {
            (NO_TARGET, NO_SITE) => opline.n as i32,
            (NO_TARGET, site) => self.behind(index, site),
            _ => self.jump(index, opline),
        };
        let (mut b, mut c) = (operand(opline.b), operand(opline.c));
        match opline.op {
            OpCode::VerifyParam => {
                if let Operand::Local(local) = opline.a {
                    let param = self.func.params.get(local.index()).filter(|param| !param.variadic);
                    b = kinds_of(param.and_then(|param| param.ty.as_deref()));
                }
            }
            op if op.facts().n == Number::Comparison => {
                let frees = [opline.a, opline.b].iter().any(|operand| matches!(operand, Operand::Tmp(_)));
                match opline.op {
                    OpCode::Compare => {
                        let flag = |holds, flag| if holds { flag } else { 0 };
                        d |= flag(frees, handlers::compare::HAS_TEMPORARY);
                        d |= flag(matches!(opline.a, Operand::Lit(_)), handlers::compare::A_LITERAL);
                        d |= flag(matches!(opline.b, Operand::Lit(_)), handlers::compare::B_LITERAL);
                    }
                    _ => c = u32::from(frees),
                }
            }
            OpCode::SetOpPath | OpCode::IncDecPath => {
                if let Some((_, site)) = handlers::path_slow::single_property(opline, self.lowered) {
                    c = site;
                }
            }
            OpCode::Ret => {
                let ty = self.func.return_type.as_deref();
                let is_static = ty.is_some_and(|ty| ty.has(TypeMask::STATIC));
                b = kinds_of(ty) | if is_static { STATIC_RESULT } else { 0 };
            }
            OpCode::VerifyReturn => b = kinds_of(self.func.return_type.as_deref()) & !(1 << raw::TI_UNDEF),
            OpCode::Call | OpCode::CallRef => b = opline.n,
            op if op.facts().n == Number::Iterator => {
                // The byte offset of the iterator's cell takes the place of an operand that these oplines lack.
                let iter = HEADER + (self.code.locals + opline.n * ITER_CELLS) * CELL;
                let handler = handlers::select(index, self.lowered);
                let (a, d) = match opline.op {
                    OpCode::IterNext | OpCode::IterFree => (iter, d),
                    _ => (operand(opline.a), d),
                };
                return Op { handler, a, b, c, d };
            }
            _ => {}
        }
        let handler = match opline.op {
            OpCode::Ret => handlers::returns::select(opline, self.code.iters > 0),
            _ => handlers::select(index, self.lowered),
        };
        Op { handler, a: operand(opline.a), b, c, d }
    }
}

/// A bit among the types of results that a return takes: objects of the late static binding class, too.
pub const STATIC_RESULT: u32 = 1 << 31;

/// A builtin function that gives a length, which is known without a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    String,
    Array,
}

impl Measure {
    fn named(name: &[u8]) -> Option<Measure> {
        match name {
            b"strlen" => Some(Measure::String),
            b"count" | b"sizeof" => Some(Measure::Array),
            _ => None,
        }
    }

    /// The length of a value, if it is of the measured type.
    ///
    /// # Safety
    /// `place` holds a live value.
    #[inline(always)]
    pub unsafe fn of(self, place: *const Val) -> Option<usize> {
        // SAFETY: the caller says that the value is alive; its tag says what the payload points to.
        unsafe {
            match (self, raw::tag(place) & 0xff) {
                (Measure::String, kind) if kind == raw::TI_STR & 0xff => Some(raw::string_at(place).len()),
                (Measure::Array, kind) if kind == raw::TI_ARR & 0xff => Some(raw::array_at(place).len()),
                _ => None,
            }
        }
    }
}

/// The types for which a builtin function like `is_int` says true, as bits of their tags; 0: it is no such function.
fn tested_kinds(name: &[u8]) -> u32 {
    let bits = |tags: &[u32]| tags.iter().fold(0, |bits, tag| bits | 1 << (tag & 0xff));
    match name {
        b"is_null" => bits(&[raw::TI_NULL]),
        b"is_bool" => bits(&[raw::TI_FALSE, raw::TI_TRUE]),
        b"is_int" | b"is_integer" | b"is_long" => bits(&[raw::TI_INT]),
        b"is_float" | b"is_double" => bits(&[raw::TI_DOUBLE]),
        b"is_string" => bits(&[raw::TI_STR]),
        b"is_array" => bits(&[raw::TI_ARR]),
        b"is_object" => bits(&[raw::TI_OBJ]),
        _ => 0,
    }
}
