//! What the compiler asks about a function: its inline caches, its type feedback, its declarations and its callees.

use super::input::this_of;
use super::{inline_policy, property_layouts, runtime_calls, specializations};
use crate::code::{FuncCode, GeneratorStep};
use crate::frame::Frame;
use crate::generator::{self, ResumeStatus};
use crate::handlers::{cached_constant, single_step};
use crate::named_sites;
use phlox_hhbc::{FuncFlags, StrId, SwitchTable, TypeMask};
use phlox_hhir::types as hhir;
use phlox_hhir::{ClassId, FuncId};
use phlox_jit::{
    CallContext, Callee, CellAddress, Compiled, CompilerHost, FastPath, GeneratorMethod, InlineCache, Inlined,
    LayoutId, MagicMethod, ObservedType, PropertyName, Specialization, Switch, This, call_of,
};
use phlox_lower::{ClassBy, FALLS_THROUGH, NO_SITE, OpCode, Operand, Opline};
use phlox_runtime::class::Class;
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::{Access, ClassExt, ClassHeader, ClassRef, Func, FuncBody, PhpObj, TypeSpec, Val, Vm, props};
use phlox_value::raw;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The value in the inline cache of `new` for a class without a constructor.
const NO_CONSTRUCTOR: u64 = 1;

/// The class that an identity of an inline cache stands for, which is not 0.
pub(super) fn class_of<'a>(identity: ClassId) -> &'a Class {
    // SAFETY: identities of classes are addresses of their headers; classes live as long as the request.
    unsafe { (*(identity.0 as *const ClassHeader)).payload() }
}

/// A function that is being compiled, and the frame that runs it; null if it is compiled as a whole.
pub(super) struct Host<'a> {
    pub code: &'a FuncCode,
    pub frame: *mut Frame,
    /// The opline that the region begins at.
    pub header: u32,
}

/// The identity of a class.
fn identity(class: &ClassRef) -> ClassId {
    ClassId(Rc::as_ptr(class) as u64)
}

impl Host<'_> {
    fn op(&self, at: u32) -> &Opline {
        &self.code.body().lowered.ops[at as usize]
    }

    /// The builtin function in the inline cache of an InitFunc, if it has one.
    fn native(&self, at: u32) -> Option<&FuncCode> {
        // SAFETY: `site` is the number of an inline cache of this function; its key is a function that lives as long as the
        // request.
        let callee = unsafe { ((*self.code.site(self.op(at).site)).key as *const FuncCode).as_ref() }?;
        callee.is_native.then_some(callee)
    }

    /// The address of a builtin function's `FuncCode`, for the header of its call, and the function's name.
    fn named(callee: &FuncCode) -> (FuncId, Vec<u8>) {
        (FuncId(std::ptr::from_ref(callee) as u64), callee.func().name.as_bytes().to_vec())
    }

    /// The address of a builtin function's fast path, if the fast path takes so many arguments and is not known to refuse often.
    fn fast_path(callee: &FuncCode, argc: u32) -> Option<FastPath> {
        let address = callee.fast_path? as usize as u64;
        let takes = (callee.required..=callee.most).contains(&argc);
        (takes && runtime_calls::is_answering(address, argc.into(), callee.func().name.as_bytes()))
            .then_some(FastPath(address))
    }

    /// The function in the inline cache of an opline that prepares a call. `is_fixed`: only if the opline calls the same function
    /// each time.
    fn cached_function(&self, at: u32, is_fixed: bool) -> Option<&FuncCode> {
        let op = self.op(at);
        let [first, second] = self.inline_caches(op.site);
        let func = match op.op {
            OpCode::InitFunc => first.key,
            _ if first.key == 0 => 0,
            // A method that was found for one class only: compiled code guards on the class.
            OpCode::InitMethod if !is_fixed || first.key & 1 == 0 && second.key == 0 => first.value & !1,
            OpCode::InitStatic if !is_fixed || names_function(op) => first.value & !1,
            _ => 0,
        };
        // SAFETY: functions in inline caches live as long as the request.
        unsafe { (func as *const FuncCode).as_ref() }
    }
}

/// Whether compiled code can make the frame of a function that it calls.
fn is_simple(callee: &FuncCode) -> bool {
    callee.is_simple.get() && !callee.has_by_ref && !callee.is_native
}

impl CompilerHost for Host<'_> {
    fn resume_point(&self, at: u32) -> Option<u64> {
        self.code.body_site(at).map(|site| std::ptr::from_ref(site) as u64)
    }

    fn iterates_generator(&self, iterator: u32) -> bool {
        // SAFETY: `iterator` is the number of an iterator of the frame's function.
        !self.frame.is_null()
            && unsafe { generator::resume_status(Frame::iter(self.frame, iterator)) == ResumeStatus::Code }
    }

    fn closure_function(&self, closure: u64) -> Option<FuncId> {
        plain_closure(closure)
    }

    fn resumes_generator(&self, at: u32) -> bool {
        step_at(self.code, at).is_some()
    }

    fn generator_method(&self, at: u32, generator: u64) -> Option<GeneratorMethod> {
        // SAFETY: the compiler passes the payload of a live object, and an object handle has the layout of its payload.
        let object = unsafe { &*(&raw const generator).cast::<PhpObj>() };
        step_at(self.code, at).filter(|_| generator::resume_status_of(object.native()) == ResumeStatus::Code)
    }

    fn builtin_callee(&self, at: u32) -> Option<(FuncId, Vec<u8>, Option<FastPath>)> {
        let ops = &self.code.body().lowered.ops;
        let callee = self.native(at).filter(|callee| !passes_references(ops, at, callee))?;
        let argc = call_of(ops, at).map_or(0, |call| call.n);
        let (address, name) = Host::named(callee);
        Some((address, name, Host::fast_path(callee, argc)))
    }

    fn by_ref_fast_path(&self, at: u32, argc: u32) -> Option<(FuncId, Vec<u8>, FastPath)> {
        let callee = self.native(at).filter(|callee| callee.has_by_ref)?;
        let fast_path = Host::fast_path(callee, argc)?;
        let (address, name) = Host::named(callee);
        Some((address, name, fast_path))
    }

    fn switch_table(&self, at: u32) -> Option<Switch> {
        let func = self.code.func();
        let table = func.code().switches.get((self.op(at).n & !FALLS_THROUGH) as usize)?;
        let place = |target: &phlox_hhbc::Target| self.code.body().lowered.entries[target.index()];
        Some(match table {
            SwitchTable::Int { cases, default } => {
                let cases = cases.iter().map(|(case, target)| (*case, place(target)));
                Switch::Int(cases.filter(|case| case.1 != place(default)).collect(), place(default))
            }
            SwitchTable::Str { cases, default } => {
                let cases = cases.iter().map(|(text, target)| {
                    let (bytes, payload) = self.unit_string(*text);
                    (bytes, payload, place(target))
                });
                Switch::Str(cases.collect(), place(default))
            }
        })
    }

    fn callees(&self, at: u32) -> Vec<Callee> {
        callees_at(self.code, at)
    }

    fn inline_candidate(
        &self,
        callee: &Specialization,
        classes: &[Option<ClassId>],
        needs_frame: Option<bool>,
    ) -> Option<Inlined> {
        inline_policy::inlined(self.code, callee, classes, needs_frame)
    }

    fn compiled_callee(&self, callee: &Specialization) -> Option<Compiled> {
        specializations::compiled(callee)
    }

    fn declared_kinds(&self, at: u32) -> u32 {
        // SAFETY: `at` is the index of an opline of the function.
        unsafe { (*self.code.ops.get().add(at as usize)).b }
    }

    fn inline_caches(&self, site: u32) -> [InlineCache; 2] {
        if site == NO_SITE {
            return [InlineCache { key: 0, value: 0, class: 0 }; 2];
        }
        [0, 1].map(|second| {
            // SAFETY: `site` is the number of an inline cache of this function, which has two entries.
            let site = unsafe { *self.code.site(site).add(second) };
            InlineCache { key: site.key, value: site.value, class: site.class }
        })
    }

    fn inline_cache_address(&self, site: u32) -> u64 {
        // SAFETY: `site` is the number of an inline cache of this function.
        unsafe { self.code.site(site) as u64 }
    }

    fn property_kinds(&self, class: ClassId, slot: u32) -> u32 {
        class_of(class).slots.get(slot as usize).map_or(0, |info| {
            let has_class = info.ty.as_ref().is_some_and(|ty| !ty.classes.is_empty());
            let objects = if has_class { 1 << (raw::TI_OBJ & 0xff) } else { 0 };
            crate::declared::property_kinds(info.ty.as_deref()) | objects
        })
    }

    fn property_class(&self, class: ClassId, slot: u32) -> Option<ClassId> {
        let info = class_of(class).slots.get(slot as usize)?;
        let scope = info.class.get().map(identity);
        class_named(info.ty.as_deref()?, || scope)
    }

    fn bound_value(&self, at: u32) -> Option<ObservedType> {
        bound_at(self.code, at)
    }

    fn static_property(&self, site: u32) -> Option<(CellAddress, Option<ObservedType>)> {
        let place = self.inline_caches(site)[0].key;
        // SAFETY: a static property's variable lives as long as its class, which lives as long as the code.
        (place != 0).then(|| (CellAddress(place), unsafe { ObservedType::loosely(place as *const Val) }))
    }

    fn words_by_name(&self, at: u32) -> Vec<(CellAddress, u64)> {
        let op = self.op(at);
        match op.op {
            OpCode::InitFunc
            | OpCode::InitNew
            | OpCode::InitStatic
            | OpCode::GetStatic
            | OpCode::ClassConst
            | OpCode::Const => self.static_words_by_name(op.site),
            // The rest of the cache is about the objects that were tested.
            OpCode::InstanceOf => {
                // SAFETY: `op.site` is the number of an inline cache of this function.
                let class = unsafe { (&raw const (*self.code.site(op.site)).class) as u64 };
                let mut words = self.static_words_by_name(op.site);
                words.retain(|word| word.0.0 == class);
                words
            }
            _ => Vec::new(),
        }
    }

    fn static_words_by_name(&self, site: u32) -> Vec<(CellAddress, u64)> {
        if site == NO_SITE {
            return Vec::new();
        }
        // SAFETY: `site` is the number of a pair of inline caches of this function.
        let words = unsafe { named_sites::words(self.code.site(site)) };
        words.into_iter().map(|(address, word)| (CellAddress(address), word)).collect()
    }

    fn exit_feedback(&self, at: u32) -> u32 {
        self.code.noted(at)
    }

    fn entry_feedback(&self, local: u32) -> u32 {
        self.code.noted_entry(self.header, local)
    }

    fn type_feedback(&self, at: u32) -> u32 {
        self.code.observed.kinds(at)
    }

    fn result_kinds(&self, func: FuncId) -> u32 {
        // SAFETY: functions in inline caches live as long as the request.
        let callee = unsafe { &*(func.0 as *const FuncCode) };
        let Some(ty) = callee.func().return_type.as_deref() else { return 0 };
        let objects = if ty.classes.is_empty() { 0 } else { 1 << (raw::TI_OBJ & 0xff) };
        let kinds = crate::declared::property_kinds(Some(ty)) | objects;
        let is_void = ty.has(TypeMask::VOID);
        if ty.is_mixed() { 0 } else { kinds | u32::from(is_void) << raw::TI_NULL }
    }

    fn declared_class(&self, at: u32) -> Option<ClassId> {
        declared_class(self.code, at)
    }

    fn declares_static(&self, at: u32) -> bool {
        declared_type(self.code, at).is_some_and(|ty| ty.has(TypeMask::STATIC))
    }

    fn declares_callable(&self, at: u32) -> bool {
        declared_type(self.code, at).is_some_and(|ty| ty.has(TypeMask::CALLABLE))
    }

    fn is_closure_class(&self, class: ClassId) -> bool {
        &class_of(class).name[..] == b"Closure"
    }

    fn is_plain_class(&self, class: ClassId) -> bool {
        let native = &class_of(class).native;
        native.create.is_none() && native.compare.is_none() && native.debug_info.is_none()
    }

    fn constructed_class(&self, at: u32) -> Option<(ClassId, Option<FuncId>)> {
        let [cache, _] = self.inline_caches(self.op(at).site);
        if cache.value == 0 {
            return None;
        }
        let class = class_of(ClassId(cache.key));
        if !class.has_defaults() || class.magic.destruct.is_some() || class.native.destruct.is_some() {
            return None;
        }
        if cache.value == NO_CONSTRUCTOR {
            return Some((ClassId(cache.key), None));
        }
        // SAFETY: functions in inline caches live as long as the request.
        let callee = unsafe { &*(cache.value as *const FuncCode) };
        (is_simple(callee) && retain(callee)).then_some((ClassId(cache.key), Some(FuncId(cache.value))))
    }

    fn takes_references(&self, at: u32) -> bool {
        let ops = &self.code.body().lowered.ops;
        self.cached_function(at, false).is_some_and(|callee| passes_references(ops, at, callee))
    }

    fn passes_reference(&self, at: u32, parameter: u32) -> bool {
        let callee = self.cached_function(at, true);
        callee.is_some_and(|callee| callee.has_by_ref && callee.func().is_by_ref(parameter as usize))
    }

    fn single_step(&self, op: OpCode) -> Option<u64> {
        single_step::function(op).map(|path| path as usize as u64)
    }

    fn find_property(&self, class: ClassId, name: PropertyName, writes: bool) -> Option<InlineCache> {
        property_of(self.code, class, name, writes)
    }

    fn property_layout(&self, place: &InlineCache, name: PropertyName, writes: bool) -> Option<LayoutId> {
        let scope = self.code.func().scope.get();
        let own = scope.map(identity);
        let is_there = |class: ClassId| {
            property_of(self.code, class, name, writes).is_some_and(|found| found.value == place.value)
        };
        let declarer = || {
            let info = class_of(ClassId(place.key)).slots.get((place.value & 0xffff) as usize)?;
            info.class.get().map(identity)
        };
        let class = [own, declarer()].into_iter().flatten().find(|&class| is_there(class))?;
        Some(LayoutId(property_layouts::layout_of(class.0, scope)))
    }

    fn has_layout(&self, class: ClassId, layout: LayoutId) -> bool {
        property_layouts::fits(class.0, layout.0)
    }

    fn exit_classes(&self, at: u32) -> Vec<ClassId> {
        let noted = self.code.noted_calls(at);
        noted.into_iter().filter(|row| row.1 == 0).map(|row| ClassId(row.0)).collect()
    }

    fn late_bound_constants(&self, at: u32) -> Vec<(ClassId, ObservedType)> {
        let late = self.inline_caches(self.op(at).site).into_iter().filter(|cache| cache.class != 0);
        late.filter_map(|cache| Some((ClassId(cache.class), cached_constant(cache.key, cache.value, 0).filter(lasts)?)))
            .collect()
    }

    fn constructor_of(&self, class: ClassId) -> Option<Option<FuncId>> {
        let class = class_of(class);
        let (native, magic) = (&class.native, &class.magic);
        let special = native.create.is_some() || native.no_new.is_some() || native.destruct.is_some();
        if special || magic.destruct.is_some() || !class.has_defaults() || class.is_abstract() {
            return None;
        }
        let Some(constructor) = magic.construct.as_ref().map(FuncCode::of) else { return Some(None) };
        // SAFETY: functions of classes live as long as the request.
        let is_known = unsafe { is_simple(&*constructor) && retain(&*constructor) };
        is_known.then_some(Some(FuncId(constructor as u64)))
    }

    fn magic_method(&self, class: ClassId, magic: MagicMethod, name: Option<PropertyName>) -> Option<FuncId> {
        special_method(self.code, class, magic, name)
    }

    fn can_call(&self, func: FuncId, context: CallContext) -> bool {
        callable(func, context, None, context == CallContext::None).is_some()
    }

    fn unit_string(&self, id: StrId) -> (Box<[u8]>, u64) {
        let text = self.code.func().unit.str(id);
        let value = Val::from(text);
        // SAFETY: the value is alive here; names of a unit are never freed.
        (text.as_bytes().into(), unsafe { raw::payload(&raw const value) })
    }

    fn constant(&self, at: u32) -> Option<ObservedType> {
        let [first, _] = self.inline_caches(self.op(at).site);
        cached_constant(first.key, first.value, first.class).filter(lasts)
    }
}

/// Whether compiled code may contain a constant: a counted one is freed with the request, and its address may be another value's in
/// the next one.
fn lasts(constant: &ObservedType) -> bool {
    !named_sites::are_kept() || constant.bits & hhir::COUNTED == 0
}

/// The entry that an opline's inline cache of a property would get for objects of a class. `None`: the access needs the slow path.
fn property_of(code: &FuncCode, class: ClassId, name: PropertyName, writes: bool) -> Option<InlineCache> {
    let func = code.func();
    let name = match name {
        // SAFETY: the literal with a property's name is a string.
        PropertyName::Literal(index) => unsafe { raw::string_at(code.literal(index)) },
        PropertyName::String(id) => func.unit.str(id),
    };
    let access = Access { scope: func.scope.get(), strict: func.strict_types() };
    let site = crate::handlers::place_in_class(class_of(class), class.0, name, access, writes)?;
    Some(InlineCache { key: site.key, value: site.value, class: site.class })
}

/// A sample of what the variable holds that an opline binds: a global one, or a static one of a function that is no closure.
fn bound_at(code: &FuncCode, at: u32) -> Option<ObservedType> {
    let lowered = &code.body().lowered;
    let op = &lowered.ops[at as usize];
    let holds = match (op.op, op.a) {
        (OpCode::RefGlobal, Operand::Lit(name)) => {
            // SAFETY: the name is a literal string of the function.
            let name = unsafe { raw::string_at(code.literal(name)) };
            Vm::current()?.globals.find(name)?.get().into_deref()
        }
        (OpCode::StaticLocal, _) if !code.func().has(FuncFlags::CLOSURE) => {
            closure::static_var(code.func(), None, op.n as usize)?.get().into_deref()
        }
        _ => return None,
    };
    // SAFETY: the value is alive; the sample is used only while the variable holds it.
    unsafe { ObservedType::loosely(&raw const holds) }
}

/// The generator method (`send()`, `next()`) in the inline cache of the InitMethod at an opline, if there is one.
pub(super) fn step_at(code: &FuncCode, at: u32) -> Option<GeneratorMethod> {
    let op = &code.body().lowered.ops[at as usize];
    if op.op != OpCode::InitMethod {
        return None;
    }
    let found = [0, 1].into_iter().find_map(|second| {
        // SAFETY: `op.site` is the number of an inline cache of this function; functions in inline caches live as long as the
        // request.
        let (site, callee) = unsafe {
            let site = *code.site(op.site).add(second);
            let is_known = site.key != 0 && site.key & 1 == 0;
            (site, (is_known.then_some(site.value)? as *const FuncCode).as_ref()?)
        };
        callee.generator_step.map(|step| (site, step))
    });
    found.map(|(site, step)| GeneratorMethod {
        class: ClassId(site.key),
        func: FuncId(site.value),
        sends: matches!(step, GeneratorStep::Send),
    })
}

/// The callees in a call's inline cache and type feedback that compiled code can call. Empty if the cache has another one.
fn callees_at(code: &FuncCode, at: u32) -> Vec<Callee> {
    let op = &code.body().lowered.ops[at as usize];
    let caches = if op.op == OpCode::InitMethod { 2 } else { 1 };
    let known: Vec<Callee> = (0..caches).filter_map(|second| callee_at(code, at, second)).collect();
    // Objects of a class whose method compiled code cannot call are likely as well, so a guard would fail often.
    let all = (0..caches).filter(|&second| has_cache(code, op.site, second)).count();
    if known.len() != all {
        return Vec::new();
    }
    let mut known = known;
    for (class, func) in code.noted_calls(at).into_iter().filter(|row| row.1 != 0) {
        let guard = Some(ClassId(class));
        let is_new = !known.iter().any(|callee| callee.guard == guard);
        match callable(FuncId(func), CallContext::Operand, guard, false) {
            Some(callee) if is_new => known.push(callee),
            _ => {}
        }
    }
    known
}

/// Whether an entry of an inline cache is filled.
fn has_cache(code: &FuncCode, site: u32, second: usize) -> bool {
    // SAFETY: `site` is the number of an inline cache of this function.
    unsafe { (*code.site(site).add(second)).key != 0 }
}

/// The callee in an entry of a call's inline cache, if compiled code can call it.
fn callee_at(code: &FuncCode, at: u32, second: usize) -> Option<Callee> {
    let op = &code.body().lowered.ops[at as usize];
    // SAFETY: `op.site` is the number of an inline cache of this function.
    let site = unsafe { *code.site(op.site).add(second) };
    if site.key == 0 {
        return None;
    }
    let (func, this, guard) = match op.op {
        OpCode::InitFunc => (site.key, CallContext::None, None),
        OpCode::InitStatic => {
            let guard = (site.key != 1).then_some(ClassId(site.key));
            match site.value & 1 {
                0 => (site.value, CallContext::Class(ClassId(site.class)), guard),
                _ => (site.value & !1, CallContext::Own, guard),
            }
        }
        OpCode::InitMethod if site.key & 1 == 0 => (site.value, CallContext::Operand, Some(ClassId(site.key))),
        _ => return None,
    };
    callable(FuncId(func), this, guard, names_function(op))
}

/// Whether an opline prepares a call of the same function each time.
fn names_function(op: &Opline) -> bool {
    match op.op {
        OpCode::InitFunc => true,
        OpCode::InitStatic => ClassBy::of(op.n) != ClassBy::Static,
        _ => false,
    }
}

/// A function as the target of a compiled call, if it can be one. `is_named`: the opline calls the same function each time.
fn callable(func: FuncId, this: CallContext, guard: Option<ClassId>, is_named: bool) -> Option<Callee> {
    // SAFETY: functions in inline caches live as long as the request.
    let callee = unsafe { &*(func.0 as *const FuncCode) };
    let fits = match this {
        CallContext::None => this_of(callee) == This::None,
        CallContext::Class(_) => this_of(callee) == This::Class,
        CallContext::Own | CallContext::Operand => this_of(callee) == This::Object,
    };
    // A caller that passes arguments by reference has to know the function.
    let takes_values = !callee.has_by_ref || is_named;
    let plain = fits && callee.is_simple.get() && takes_values && !callee.is_native && retain(callee);
    plain.then_some(Callee { func, this, guard })
}

/// Whether compiled code may contain the address of a function. Where code outlives the request, the function must as well: it is
/// kept from now on, so that no other one gets its address.
pub(super) fn retain(code: &FuncCode) -> bool {
    thread_local! {
        static RETAINED: RefCell<HashMap<*const FuncCode, Rc<Func>>> = RefCell::default();
    }
    if !named_sites::are_kept() || code.func().unit.internal {
        return true;
    }
    let lasts = code.func().unit.is_kept.get();
    if lasts {
        RETAINED.with_borrow_mut(|retained| {
            retained.entry(code).or_insert_with(|| code.func_rc());
        });
    }
    lasts
}

/// The function of a closure, if a call of it needs no object, scope or captured variables.
fn plain_closure(payload: u64) -> Option<FuncId> {
    // SAFETY: the compiler passes the payload of a live object, and an object handle has the layout of its payload.
    let object = unsafe { &*(&raw const payload).cast::<PhpObj>() };
    let code = plain_function(object.native()?)?;
    // SAFETY: the closure owns its function, and is alive.
    let takes_values = unsafe { !(*code).has_by_ref };
    callable(FuncId(code as u64), CallContext::None, None, true).filter(|_| takes_values).map(|callee| callee.func)
}

/// The code of a closure's function, if the closure has no object, scope or captured variables.
pub fn plain_function(closure: &ClosureData) -> Option<*const FuncCode> {
    let is_plain = closure.captured.is_empty()
        && closure.this.is_undef()
        && closure.called_scope.is_none()
        && closure.magic_name.is_none();
    is_plain.then(|| FuncCode::of(&closure.func))
}

/// The magic method of a class for a purpose. For a property's name: only if objects of the class do not declare a visible property
/// of that name.
fn special_method(code: &FuncCode, class: ClassId, special: MagicMethod, name: Option<PropertyName>) -> Option<FuncId> {
    let (class, func) = (class_of(class), code.func());
    let magic = &class.magic;
    let method = match special {
        MagicMethod::Get => &magic.get,
        MagicMethod::Set => &magic.set,
        MagicMethod::Isset => &magic.isset,
        MagicMethod::Unset => &magic.unset,
        MagicMethod::OffsetGet => &magic.offset_get,
        MagicMethod::OffsetSet => &magic.offset_set,
        MagicMethod::OffsetExists => &magic.offset_exists,
        MagicMethod::OffsetUnset => &magic.offset_unset,
        MagicMethod::Count => &magic.count,
        MagicMethod::Call => &magic.call,
        MagicMethod::Invoke => &magic.invoke,
    };
    let method = method.as_ref().filter(|method| matches!(method.body, FuncBody::User))?;
    if let Some(name) = name {
        let name = match name {
            // SAFETY: the literal with a property's name is a string.
            PropertyName::Literal(index) => unsafe { raw::string_at(code.literal(index)) },
            PropertyName::String(id) => func.unit.str(id),
        };
        let native = &class.native;
        let is_there = matches!(props::find(class, name, func.scope.get()), props::Found::Declared(_));
        if is_there || native.own_properties.is_some() || native.elements_as_properties.is_some() {
            return None;
        }
    }
    let method = FuncId(FuncCode::of(method) as u64);
    callable(method, CallContext::Operand, None, false).map(|callee| callee.func)
}

/// The declared type that an opline verifies: of a parameter or of the result.
fn declared_type(code: &FuncCode, at: u32) -> Option<&TypeSpec> {
    let op = &code.body().lowered.ops[at as usize];
    match (op.op, op.a) {
        (OpCode::VerifyParam, Operand::Local(local)) => {
            code.func().params.get(local.index()).filter(|param| !param.variadic)?.ty.as_deref()
        }
        (OpCode::Ret | OpCode::VerifyReturn, _) => code.func().return_type.as_deref(),
        _ => None,
    }
}

/// The only class that a declared type or an `instanceof` names, if the class is loaded.
fn declared_class(code: &FuncCode, at: u32) -> Option<ClassId> {
    let op = &code.body().lowered.ops[at as usize];
    let (func, vm) = (code.func(), Vm::current()?);
    let ty = match (op.op, op.a, op.b) {
        (OpCode::InstanceOf, _, Operand::Lit(name)) => {
            if named_sites::are_kept() {
                // The class in the inline cache is the one that compiled code compares.
                // SAFETY: `op.site` is the number of an inline cache of this function.
                let class = unsafe { (*code.site(op.site)).class };
                return (class != 0).then_some(ClassId(class));
            }
            // SAFETY: the literal with a class's name is a string.
            let class = vm.find_class_no_autoload(unsafe { raw::string_at(code.literal(name)) })?;
            return Some(identity(&class));
        }
        _ => declared_type(code, at)?,
    };
    class_named(ty, || func.scope.get().map(identity))
}

/// The only class that a type names, if the class is loaded. `scope`: the class for `self`.
fn class_named(ty: &TypeSpec, scope: impl FnOnce() -> Option<ClassId>) -> Option<ClassId> {
    let [names] = &ty.classes[..] else { return None };
    let [name] = &names[..] else { return None };
    match &name.to_ascii_lowercase()[..] {
        b"self" => scope(),
        b"parent" | b"static" => None,
        lower => {
            let class = Vm::current()?.find_class_no_autoload(name)?;
            // An alias may be missing in another request. Objects of a class exist only where the class is declared by its name.
            let is_own = !named_sites::are_kept() || class.class().lower_name.as_bytes() == lower;
            is_own.then(|| identity(&class))
        }
    }
}

/// Whether the call that an opline prepares passes something by reference: it may have fewer arguments than the first such
/// parameter's number.
fn passes_references(ops: &[Opline], init: u32, callee: &FuncCode) -> bool {
    let reaches = |call: &Opline| (0..call.n as usize).any(|index| callee.func().is_by_ref(index));
    callee.has_by_ref && call_of(ops, init).is_none_or(reaches)
}
