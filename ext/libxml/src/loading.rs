//! The sources of documents and entities: PHP's streams, and the script's own loader.

use crate::errors::set;
use phlox_ext_standard_file::stat;
use phlox_ext_standard_file::stream::open::{self, Options, Wrapper};
use phlox_libxml::Entity;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Slot, Val, View, Vm, convert};
use std::cell::Cell;
use std::rc::Rc;

/// The functions about sources of documents and entities.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("libxml_set_streams_context($context): void", set_streams_context),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'as external entity loading is disabled by default')] libxml_disable_entity_loader(bool $disable = true): bool",
        disable_entity_loader,
    ),
    FnDef::new("libxml_set_external_entity_loader(?callable $resolver_function): bool", set_external_entity_loader),
    FnDef::new("libxml_get_external_entity_loader(): ?callable", get_external_entity_loader),
];

/// The settings that scripts make.
struct Settings {
    context: Slot,
    resolver: Slot,
    /// The argument of the last call of `libxml_disable_entity_loader()`, which has no effect any more.
    disabled: Cell<bool>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { context: Slot::new(Val::NULL), resolver: Slot::new(Val::NULL), disabled: Cell::new(false) }
    }
}

const KEY: &str = "libxml loading";

/// Makes libxml2 on this thread read through PHP's streams.
pub fn install() {
    phlox_libxml::set_loader(load);
    phlox_libxml::set_resolver(None);
}

/// Drops the settings of the request.
pub fn forget(vm: &Vm) {
    phlox_libxml::set_resolver(None);
    let settings = vm.data::<Settings>(KEY);
    settings.context.set(Val::NULL);
    settings.resolver.set(Val::NULL);
}

fn load(uri: &[u8]) -> Option<Vec<u8>> {
    let vm = Vm::current()?;
    match read_uri(vm, uri) {
        Ok(bytes) => bytes,
        Err(throw) => {
            vm.set_pending(throw);
            None
        }
    }
}

/// A text with its `%xx` escapes decoded.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let digits = text.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                result.push(value);
                at += 3;
            }
            None => {
                result.push(byte);
                at += 1;
            }
        }
    }
    result
}

/// Whether a URI has a percent-encoded NUL byte.
pub fn has_encoded_nul(uri: &[u8]) -> bool {
    uri.windows(3).any(|part| part == b"%00")
}

/// The message about a URI with a percent-encoded NUL byte.
pub const NUL_IN_URI: &str = "URI must not contain percent-encoded NUL bytes";

/// The flag with which a wrapper's `url_stat` is asked to report nothing.
const URL_STAT_QUIET: i64 = 2;

/// Reads the file or URL of a URI through PHP's streams. A missing file gives no warning here, because libxml2 reports
/// it.
pub fn read_uri(vm: &Vm, uri: &[u8]) -> PhpResult<Option<Vec<u8>>> {
    if has_encoded_nul(uri) {
        open::warn(vm, NUL_IN_URI.as_bytes())?;
        return Ok(None);
    }
    let path = match uri.strip_prefix(b"file://") {
        Some(rest) => unescaped(rest.strip_prefix(b"localhost").unwrap_or(rest)),
        None if open::scheme(uri).is_none() => unescaped(uri),
        None => uri.to_vec(),
    };
    if path.is_empty() || path.contains(&0) {
        return Ok(None);
    }
    let is_there = || phlox_runtime::basedir::allows_quietly(vm, &path) && open::os(&path).exists();
    if open::scheme(&path).is_none() && !is_there() {
        return Ok(None);
    }
    if let Some((Wrapper::User { class, .. }, target)) = open::locate(vm, &path, false)?
        && stat::of_user(vm, &class, target, URL_STAT_QUIET)?.is_none()
    {
        return Ok(None);
    }
    let Some(stream) = open::open(vm, &path, "rb", &options(vm))? else { return Ok(None) };
    let bytes = stream.read_all(vm, None)?;
    stream.close(vm)?;
    Ok(Some(bytes))
}

/// The options with which streams of documents are opened: the context that `libxml_set_streams_context()` sets.
pub fn options(vm: &Vm) -> Options {
    Options { context: vm.data::<Settings>(KEY).context.get(), ..Options::default() }
}

fn set_streams_context(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.opt_res(0).is_none() {
        let given = convert::value_name(&call.arg(0));
        return Err(call.type_error(0, &format!("must be of type resource, {given} given")));
    }
    let context = phlox_ext_standard_file::context::argument(call, 0)?;
    call.vm.data::<Settings>(KEY).context.set(context);
    Ok(Val::NULL)
}

/// `libxml_disable_entity_loader()`: it has no effect, because libxml2 loads external entities only on demand since
/// 2.9.
fn disable_entity_loader(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.data::<Settings>(KEY).disabled.replace(call.bool(0)).into())
}

fn get_external_entity_loader(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.data::<Settings>(KEY).resolver.get())
}

fn set_external_entity_loader(call: &mut Call<'_>) -> PhpResult<Val> {
    let resolver = call.arg(0);
    call.vm.data::<Settings>(KEY).resolver.set(resolver.clone());
    let resolve: Option<phlox_libxml::Resolver> = match resolver.is_null() {
        true => None,
        false => Some(Rc::new(|public, system| {
            let Some(vm) = Vm::current() else { return Entity::Failed };
            match resolved(vm, public, system) {
                Ok(entity) => entity,
                Err(throw) => {
                    vm.set_pending(throw);
                    Entity::Failed
                }
            }
        })),
    };
    phlox_libxml::set_resolver(resolve);
    Ok(true.into())
}

/// Asks the script's loader about an external entity.
fn resolved(vm: &Vm, public: Option<Vec<u8>>, system: Option<Vec<u8>>) -> PhpResult<Entity> {
    let resolver = vm.data::<Settings>(KEY).resolver.get();
    let text = |text: &Option<Vec<u8>>| text.as_ref().map_or(Val::NULL, |text| Val::str(text));
    let mut details = PhpArr::new();
    for key in ["directory", "intSubName", "extSubURI", "extSubSystem"] {
        set(&mut details, key, None);
    }
    let answer = vm.call_value(&resolver, vec![text(&public), text(&system), details.into()])?.into_deref();
    Ok(match answer.view() {
        View::Null | View::Undef => Entity::Refused,
        View::Res(resource) => match open::stream_of(resource) {
            Some(stream) => Entity::Text(stream.read_all(vm, None)?),
            None => Entity::Refused,
        },
        View::Str(uri) => Entity::Uri(uri.to_vec()),
        _ => Entity::Uri(convert::to_str(vm, &answer)?.to_vec()),
    })
}
