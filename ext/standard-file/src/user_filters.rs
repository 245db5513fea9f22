//! Filters written in PHP, the buckets they work on, and the functions that attach filters.

use crate::handles;
use crate::stream::filter::{self, Direction, Filter, FilterEntry, Flush};
use crate::stream::{Stream, open};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Access, ByBytes, Call, Callee, ClassExt, FnDef, NativeClass, ObjExt, PhpArr, PhpObj, PhpRef, PhpRes, PhpResult,
    PhpStr, Throw, Val, Vm, convert, props,
};
use std::cell::RefCell;
use std::rc::{Rc, Weak};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("stream_filter_append($stream, string $filter_name, int $mode = 0, mixed $params = UNKNOWN)", append),
    FnDef::new("stream_filter_prepend($stream, string $filter_name, int $mode = 0, mixed $params = UNKNOWN)", prepend),
    FnDef::new("stream_filter_remove(#[resource] $stream_filter): bool", remove),
    FnDef::new("stream_filter_register(string $filter_name, string $class): bool", register),
    FnDef::new("stream_get_filters(): array", stream_get_filters),
    FnDef::new("stream_bucket_make_writeable(#[resource] $brigade): ?StreamBucket", bucket_make_writeable),
    FnDef::new("stream_bucket_append(#[resource] $brigade, StreamBucket $bucket): void", bucket_append),
    FnDef::new("stream_bucket_prepend(#[resource] $brigade, StreamBucket $bucket): void", bucket_prepend),
    FnDef::new("stream_bucket_new(#[unchecked] $stream, string $buffer): StreamBucket", bucket_new),
];

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "php_user_filter",
        decl: include_str!("../stubs/php_user_filter.stub.php"),
        methods: &[("onClose", on_close)],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "StreamBucket",
        decl: include_str!("../stubs/StreamBucket.stub.php"),
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];

const BUCKET_SLOT: usize = 0;
const DATA_SLOT: usize = 1;
const LENGTH_SLOTS: [usize; 2] = [2, 3];

fn on_close(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}

/// User filters by name (which may end in `*`).
#[derive(Default)]
struct Registered {
    filters: RefCell<Vec<(Vec<u8>, Vec<u8>)>>,
}

/// Buckets on their way through a filter; the number is that of the bucket's resource, if it had one: a bucket that is added
/// again moves.
#[derive(Default)]
struct Brigade {
    buckets: RefCell<Vec<(Option<i64>, Vec<u8>)>>,
}

impl Brigade {
    fn put(&self, number: Option<i64>, data: Vec<u8>, at_end: bool) {
        let mut buckets = self.buckets.borrow_mut();
        buckets.retain(|(other, _)| number.is_none() || *other != number);
        let position = if at_end { buckets.len() } else { 0 };
        buckets.insert(position, (number, data));
    }
}

struct UserFilter {
    object: PhpObj,
    /// Bytes that the last call consumed.
    consumed: usize,
}

impl Filter for UserFilter {
    fn filter(&mut self, vm: &Vm, stream: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        const ERR_FATAL: i64 = 0;
        const FEED_ME: i64 = 1;
        let input = Rc::new(Brigade::default());
        let output = Rc::new(Brigade::default());
        if !data.is_empty() {
            input.put(None, data, true);
        }
        let unprocessed = || match input.buckets.borrow().is_empty() {
            true => Ok(()),
            false => open::warn(vm, b"Unprocessed filter buckets remaining on input brigade"),
        };
        // The property holds the stream while the filter works; otherwise the two would keep each other.
        if let Err(throw) = self.set_stream(vm, resource_of(stream).map_or(Val::NULL, Val::from)) {
            unprocessed()?;
            return Err(throw);
        }
        let brigade = |brigade: &Rc<Brigade>| -> Val {
            PhpRes::new("userfilter.bucket brigade", Box::new(brigade.clone())).into()
        };
        let consumed = PhpRef::new(Val::int(0));
        let taken = consumed.clone();
        let Some(func) = self.object.class().methods.get(&ByBytes(b"filter")).cloned() else { return Ok(None) };
        let args = vec![brigade(&input), brigade(&output), consumed.into(), Val::bool(flush == Flush::Close)];
        let result = vm.call(&Callee::method(func, self.object.clone()), args);
        self.consumed = convert::to_int(vm, &taken.get())?.max(0) as usize;
        unprocessed()?;
        let result = result?;
        self.set_stream(vm, Val::NULL)?;
        match convert::to_int(vm, &result)? {
            ERR_FATAL => Ok(None),
            FEED_ME => Ok(Some(Vec::new())),
            _ => Ok(Some(output.buckets.borrow().iter().flat_map(|(_, data)| data).copied().collect())),
        }
    }

    fn consumed(&self) -> Option<usize> {
        Some(self.consumed)
    }

    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        match self.object.class().methods.get(&ByBytes(b"onclose")).cloned() {
            Some(func) => vm.call(&Callee::method(func, self.object.clone()), Vec::new()).map(drop),
            None => Ok(()),
        }
    }
}

impl UserFilter {
    /// Sets `$stream`, if the class has it.
    fn set_stream(&self, vm: &Vm, value: Val) -> PhpResult<()> {
        let name = PhpStr::intern(b"stream");
        if !self.object.class().props.contains_key(&name) {
            return Ok(());
        }
        let class = self.object.class();
        props::write(vm, &self.object, &name, value, Access { scope: Some(&class.handle()), strict: false }).map(drop)
    }
}

fn resource_of(stream: &Stream) -> Option<PhpRes> {
    let is_it =
        |resource: &PhpRes| open::stream_of(resource).is_some_and(|other| std::ptr::eq(Rc::as_ptr(&other), stream));
    phlox_runtime::live_resources().into_iter().find(is_it)
}

/// A filter, and the exception of its `onCreate`, in spite of which the filter exists.
pub type Made = (Rc<FilterEntry>, Option<Throw>);

/// A filter by name; `None`: there is none, or it refused to be created, which has been reported. `asks`: is its `onCreate` called?
pub fn create(vm: &Vm, name: &[u8], params: &Val, asks: bool) -> PhpResult<Option<Made>> {
    let made = make(vm, name, params, asks);
    if !matches!(made, Ok(Some(_))) {
        let what: &[u8] = if is_known(vm, name) { b"create or locate" } else { b"locate" };
        open::warn(vm, &[b"Unable to ", what, b" filter \"", name, b"\""].concat())?;
    }
    made
}

fn make(vm: &Vm, name: &[u8], params: &Val, asks: bool) -> PhpResult<Option<Made>> {
    let text = phlox_runtime::shown(name).to_ascii_lowercase();
    if let Some(filter) = filter::builtin(&text, params) {
        return Ok(Some((FilterEntry::new(filter), None)));
    }
    let shown = phlox_runtime::shown(name);
    for (_, make) in vm.data::<filter::NativeFilters>("native filters").0.borrow().iter() {
        if let Some(filter) = make(vm, &shown, params)? {
            return Ok(Some((FilterEntry::new(filter), None)));
        }
    }
    let registered = vm.data::<Registered>("user filters");
    let Some(class_name) = find(&registered.filters.borrow(), name) else { return Ok(None) };
    let Some(class) = vm.find_class(&class_name)? else {
        let text =
            [b"User-filter \"", name, b"\" requires class \"", &class_name, b"\", but that class is not defined"];
        open::warn(vm, &text.concat())?;
        return Ok(None);
    };
    let object = vm.instantiate(&class)?;
    let set = |property: &str, value: Val| {
        let key: phlox_runtime::PhpStr = property.into();
        if let Some(slot) = class.class().props.get(&key).and_then(|info| object.slots().get(info.slot)) {
            slot.set(value);
        }
    };
    set("filtername", Val::str(name));
    set("params", params.clone().or_null());
    let mut thrown = None;
    if let Some(func) = class.class().methods.get(&ByBytes(b"oncreate")).cloned().filter(|_| asks) {
        match vm.call(&Callee::method(func, object.clone()), Vec::new()) {
            Ok(created) if created.as_bool() == Some(false) => return Ok(None),
            Ok(_) => {}
            Err(throw) => thrown = Some(throw),
        }
    }
    Ok(Some((FilterEntry::new(Box::new(UserFilter { object, consumed: 0 })), thrown)))
}

/// Is there a filter with this name, even if it refused to be created?
fn is_known(vm: &Vm, name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let matches = |pattern: &[u8]| match pattern.strip_suffix(b"*") {
        Some(start) => lower.starts_with(start),
        None => lower == pattern,
    };
    find(&vm.data::<Registered>("user filters").filters.borrow(), name).is_some()
        || filter::BUILTIN.iter().any(|known| matches(known.as_bytes()))
        || vm
            .data::<filter::NativeFilters>("native filters")
            .0
            .borrow()
            .iter()
            .any(|(known, _)| matches(known.as_bytes()))
}

/// An exact name, or the longest pattern: `a.b.c` is served by `a.b.*`, then `a.*`.
fn find(filters: &[(Vec<u8>, Vec<u8>)], name: &[u8]) -> Option<Vec<u8>> {
    let exact = |wanted: &[u8]| filters.iter().find(|(known, _)| known == wanted).map(|(_, class)| class.clone());
    if let Some(class) = exact(name) {
        return Some(class);
    }
    let mut end = name.len();
    while let Some(dot) = name[..end].iter().rposition(|&b| b == b'.') {
        if let Some(class) = exact(&[&name[..=dot], b"*"].concat()) {
            return Some(class);
        }
        end = dot;
    }
    None
}

/// What a filter's resource refers to.
struct Attached {
    stream: Weak<Stream>,
    entries: Vec<(Direction, Rc<FilterEntry>)>,
}

/// Is this one of the conversions, whose parameter is an array if there is one?
fn takes_options(name: &[u8]) -> bool {
    const CONVERSIONS: [&[u8]; 4] = [
        b"convert.base64-encode",
        b"convert.base64-decode",
        b"convert.quoted-printable-encode",
        b"convert.quoted-printable-decode",
    ];
    CONVERSIONS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn attach(call: &Call<'_>, at_end: bool) -> PhpResult<Val> {
    const READ: i64 = 1;
    const WRITE: i64 = 2;
    let stream = handles::stream(call, 0)?;
    let (name, mode, params) = (call.str(1), call.int(2), call.arg(3));
    let mut entries = Vec::new();
    let mut thrown = None;
    let wanted = [
        (Direction::Read, if mode & (READ | WRITE) != 0 { mode & READ != 0 } else { stream.can_read() }),
        (Direction::Write, if mode & (READ | WRITE) != 0 { mode & WRITE != 0 } else { stream.can_write() }),
    ];
    for (direction, wanted) in wanted {
        if !wanted {
            continue;
        }
        if call.passed > 3 && params.as_arr().is_none() && takes_options(&name) {
            let shown = phlox_runtime::shown(&name).into_owned();
            call.warning(&format!("Stream filter ({shown}): invalid filter parameter"))?;
            call.warning(&format!("Unable to create or locate filter \"{shown}\""))?;
            return Ok(Val::FALSE);
        }
        let Some((entry, refused)) = create(call.vm, &name, &params, thrown.is_none())? else { return Ok(Val::FALSE) };
        thrown = thrown.or(refused);
        if direction == Direction::Read && at_end && stream.buffered() > 0 {
            // Bytes that were read ahead pass the new filter, too.
            let ahead = stream.read(call.vm, stream.buffered())?.unwrap_or_default();
            stream.set_position(stream.tell() - ahead.len() as i64);
            match filter::run(call.vm, &stream, std::slice::from_ref(&entry), ahead, Flush::No)? {
                Some(data) => stream.push_buffered(&data),
                None => {
                    call.warning("Filter failed to process pre-buffered data")?;
                    return Ok(Val::FALSE);
                }
            }
        }
        let mut chain = stream.filters(direction).borrow_mut();
        let position = if at_end { chain.len() } else { 0 };
        chain.insert(position, entry.clone());
        entries.push((direction, entry));
    }
    if let Some(thrown) = thrown {
        return Err(thrown);
    }
    if entries.is_empty() {
        return Ok(Val::FALSE);
    }
    let attached = Rc::new(Attached { stream: Rc::downgrade(&stream), entries });
    let resource = PhpRes::new("stream filter", Box::new(attached.clone()));
    for (_, entry) in &attached.entries {
        entry.set_resource(&resource);
    }
    Ok(resource.into())
}

fn append(call: &mut Call<'_>) -> PhpResult<Val> {
    attach(call, true)
}

fn prepend(call: &mut Call<'_>) -> PhpResult<Val> {
    attach(call, false)
}

fn remove(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    let Some(resource) = value.as_res() else {
        let text = format!("must be of type resource, {} given", convert::value_name(&value));
        return Err(call.type_error(0, &text));
    };
    let attached = resource.data::<Rc<Attached>>().map(|attached| attached.clone());
    let invalid = || {
        let text = b"stream_filter_remove(): supplied resource is not a valid stream filter resource";
        call.vm.throw_type_error(text)
    };
    let Some(attached) = attached else { return Err(invalid()) };
    let Some(stream) = attached.stream.upgrade().filter(|stream| !stream.is_closed()) else {
        return Err(invalid());
    };
    for (direction, entry) in &attached.entries {
        if !flush_out(call.vm, &stream, *direction, entry)? {
            call.warning("Unable to flush filter, not removing")?;
            return Ok(Val::FALSE);
        }
        stream.filters(*direction).borrow_mut().retain(|other| !Rc::ptr_eq(other, entry));
        entry.close(call.vm)?;
    }
    drop(resource.close());
    Ok(Val::TRUE)
}

/// Passes the bytes that a filter holds back through the filters behind it to the end of the chain. False if one of them
/// failed.
fn flush_out(vm: &Vm, stream: &Stream, direction: Direction, entry: &Rc<FilterEntry>) -> PhpResult<bool> {
    let chain = stream.filters(direction).borrow().clone();
    let Some(position) = chain.iter().position(|other| Rc::ptr_eq(other, entry)) else { return Ok(true) };
    let Some(rest) = filter::run(vm, stream, &chain[position..=position], Vec::new(), Flush::Close)? else {
        return Ok(false);
    };
    if rest.is_empty() {
        return Ok(true);
    }
    let Some(rest) = filter::run(vm, stream, &chain[position + 1..], rest, Flush::No)? else { return Ok(false) };
    match direction {
        Direction::Read => stream.push_buffered(&rest),
        Direction::Write => drop(stream.write_source(vm, &rest)?),
    }
    Ok(true)
}

fn register(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, class) = (call.str(0), call.str(1));
    if name.is_empty() {
        return Err(call.value_error(0, "must be a non-empty string"));
    }
    if class.is_empty() {
        return Err(call.value_error(1, "must be a non-empty string"));
    }
    let registered = call.vm.data::<Registered>("user filters");
    let mut filters = registered.filters.borrow_mut();
    let taken = filters.iter().any(|(known, _)| known == name.as_bytes())
        || filter::BUILTIN.iter().any(|known| known.as_bytes() == name.as_bytes());
    if taken {
        return Ok(Val::FALSE);
    }
    filters.push((name.to_vec(), class.to_vec()));
    Ok(Val::TRUE)
}

/// The names of all filters.
pub fn names(vm: &Vm) -> Vec<Vec<u8>> {
    let registered = vm.data::<Registered>("user filters");
    let users = registered.filters.borrow();
    let natives = vm.data::<filter::NativeFilters>("native filters");
    let natives = natives.0.borrow();
    let names = natives.iter().map(|(name, _)| *name).chain(filter::BUILTIN.iter().copied());
    names.map(|name| name.as_bytes().to_vec()).chain(users.iter().map(|(name, _)| name.to_vec())).collect()
}

fn stream_get_filters(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(names(call.vm).into_iter().map(Val::from).collect::<PhpArr>().into())
}

fn brigade(call: &Call<'_>) -> PhpResult<Rc<Brigade>> {
    let value = call.arg(0);
    let brigade = value.as_res().and_then(|resource| resource.data::<Rc<Brigade>>().map(|brigade| brigade.clone()));
    brigade.ok_or_else(|| {
        let name = call.func.display_name();
        let text = [&name[..], b"(): supplied resource is not a valid userfilter.bucket brigade resource"].concat();
        call.vm.throw_type_error(&text)
    })
}

fn bucket_object(call: &Call<'_>, data: &[u8]) -> PhpResult<Val> {
    let class = call.vm.require_class(b"StreamBucket")?;
    let object = call.vm.instantiate(&class)?;
    object.slots()[BUCKET_SLOT].set(PhpRes::new("userfilter.bucket", Box::new(())).into());
    object.slots()[DATA_SLOT].set(Val::str(data));
    for slot in LENGTH_SLOTS {
        object.slots()[slot].set(Val::int(data.len() as i64));
    }
    Ok(object.into())
}

fn bucket_make_writeable(call: &mut Call<'_>) -> PhpResult<Val> {
    let brigade = brigade(call)?;
    let first = {
        let mut buckets = brigade.buckets.borrow_mut();
        (!buckets.is_empty()).then(|| buckets.remove(0))
    };
    first.map_or(Ok(Val::NULL), |(_, data)| bucket_object(call, &data))
}

fn put_bucket(call: &Call<'_>, at_end: bool) -> PhpResult<Val> {
    let slot = |slot: usize| call.opt_obj(1).and_then(|object| object.slots().get(slot).map(|slot| slot.get_deref()));
    let number = slot(BUCKET_SLOT).and_then(|bucket| bucket.as_res().map(|resource| resource.id()));
    let data = convert::to_str(call.vm, &slot(DATA_SLOT).unwrap_or_default())?.to_vec();
    brigade(call)?.put(number, data, at_end);
    Ok(Val::NULL)
}

fn bucket_append(call: &mut Call<'_>) -> PhpResult<Val> {
    put_bucket(call, true)
}

fn bucket_prepend(call: &mut Call<'_>) -> PhpResult<Val> {
    put_bucket(call, false)
}

fn bucket_new(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.arg(0).as_res().is_none() {
        return Err(call.vm.throw_type_error(b"stream_bucket_new(): supplied argument is not a valid stream resource"));
    }
    handles::stream(call, 0)?;
    let data = call.str(1);
    bucket_object(call, &data)
}
