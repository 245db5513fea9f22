//! Compressed output: `ob_gzhandler`, and the setting `zlib.output_compression`.

use crate::codec::{self, Encoding};
use flate2::{Compress, FlushCompress};
use phlox_runtime::{Call, FnDef, Level, PhpResult, PhpStr, Val, Vm, ob};
use std::cell::{Cell, RefCell};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("ob_gzhandler(string $data, int $flags): string|false", ob_gzhandler),
    FnDef::new("zlib_get_coding_type(): string|false", zlib_get_coding_type),
];

/// The name of the buffer that the setting starts.
const COMPRESSION: &str = "zlib output compression";
const SETTING: &str = "zlib.output_compression";
/// What the buffer of the setting holds at most, unless it says how much.
const DEFAULT_SIZE: usize = 0x4000;

/// The compression of the output so far.
#[derive(Default)]
struct Output {
    compressor: RefCell<Option<Compress>>,
    /// The coding, once somebody wanted to know.
    coding: Cell<Option<(Encoding, &'static str)>>,
    /// Compression is wanted: the setting can take it back until the first output.
    wanted: Cell<bool>,
}

/// The coding that the client accepts.
fn accepted(vm: &Vm) -> Option<(Encoding, &'static str)> {
    let output = vm.data::<Output>("zlib output");
    if output.coding.get().is_none() {
        let from_server = || {
            let server = vm.globals.find(&PhpStr::new(b"_SERVER"))?.get().deref();
            Some(server.as_arr()?.get_bytes(b"HTTP_ACCEPT_ENCODING")?.deref().into_str()?.to_string())
        };
        // When the setting is read, there is no $_SERVER yet.
        let accepts = from_server().or_else(|| std::env::var("HTTP_ACCEPT_ENCODING").ok())?;
        output.coding.set(match () {
            () if accepts.contains("gzip") => Some((Encoding::Gzip, "gzip")),
            () if accepts.contains("deflate") => Some((Encoding::Zlib, "deflate")),
            () => None,
        });
    }
    output.coding.get()
}

/// Has the first output of a handler the name of a coding in front; a missing one makes answers differ, too.
fn add_header(vm: &Vm, header: &str, replaces: bool) -> PhpResult<()> {
    vm.call_value(&"header".into(), vec![header.into(), Val::bool(replaces)]).map(drop)
}

fn compress(vm: &Vm, data: Vec<u8>, mode: i64) -> PhpResult<Option<Vec<u8>>> {
    let Some((encoding, name)) = accepted(vm) else {
        if mode & ob::START != 0 && mode != ob::START | ob::CLEAN | ob::FINAL {
            add_header(vm, "Vary: Accept-Encoding", false)?;
        }
        return Ok(None);
    };
    let output = vm.data::<Output>("zlib output");
    let fresh = || codec::compressor(encoding, vm.ini.int("zlib.output_compression_level"), codec::WINDOW_BITS);
    let mut out = Vec::new();
    {
        let mut compressor = output.compressor.borrow_mut();
        if mode & (ob::START | ob::CLEAN) != 0 || compressor.is_none() {
            *compressor = Some(fresh());
        }
        if mode & ob::CLEAN == 0 {
            let how = match mode {
                mode if mode & ob::FINAL != 0 => FlushCompress::Finish,
                mode if mode & ob::FLUSH != 0 => FlushCompress::Full,
                _ => FlushCompress::Sync,
            };
            out = compressor.as_mut().map_or_else(Vec::new, |compressor| codec::push(compressor, &data, how));
        }
        if mode & ob::FINAL != 0 {
            *compressor = None;
        }
    }
    let tells = mode & ob::CLEAN == 0 || mode & ob::FINAL == 0;
    if mode & ob::START != 0 && tells {
        if vm.output.sent.get() || !output.wanted.get() {
            output.compressor.borrow_mut().take();
            return Ok(None);
        }
        add_header(vm, &format!("Content-Encoding: {name}"), true)?;
        add_header(vm, "Vary: Accept-Encoding", false)?;
        ob::make_permanent(vm);
    }
    Ok(Some(out))
}

/// What `ob_start("ob_gzhandler")` starts.
fn gzhandler(vm: &Vm, data: Vec<u8>, mode: i64) -> PhpResult<Option<Vec<u8>>> {
    compress(vm, data, mode)
}

/// Watches the setting and does what it says at the start.
pub fn startup(vm: &Vm) {
    ob::name_handler(vm, "ob_gzhandler", gzhandler, |vm| vm.data::<Output>("zlib output").wanted.set(true));
    if let Some(size) = size(&vm.ini.string(SETTING)) {
        // What is wrong is reported already.
        let _ = start(vm, size);
    }
    vm.ini.watch(SETTING, change);
}

/// How much the buffer holds; `None`: there is none.
fn size(value: &[u8]) -> Option<usize> {
    let number = if value.eq_ignore_ascii_case(b"on") { 1 } else { phlox_runtime::ini::parse_quantity(value) };
    match usize::try_from(number) {
        Ok(0) | Err(_) => None,
        Ok(1) => Some(DEFAULT_SIZE),
        Ok(size) => Some(size),
    }
}

fn start(vm: &Vm, size: usize) -> PhpResult<()> {
    vm.data::<Output>("zlib output").wanted.set(true);
    if accepted(vm).is_none() || ob::is_started(vm, COMPRESSION.as_bytes()) {
        return Ok(());
    }
    ob::start_native(vm, compress, COMPRESSION, size)
}

fn change(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    let size = size(value);
    if size.is_some() && !vm.ini.string("output_handler").is_empty() {
        let text = format!("{prefix}Cannot use both zlib.output_compression and output_handler together!!");
        vm.raise(Level::CoreError, text.as_bytes())?;
        return Ok(false);
    }
    if vm.output.sent.get() {
        let text = format!("{prefix}Cannot change zlib.output_compression - headers already sent");
        vm.warning(text.as_bytes())?;
        return Ok(false);
    }
    vm.data::<Output>("zlib output").wanted.set(size.is_some());
    match size {
        Some(size) => start(vm, size).map(|()| true),
        None => Ok(true),
    }
}

/// Called by a script, it compresses a text as a buffer would.
fn ob_gzhandler(call: &mut Call<'_>) -> PhpResult<Val> {
    let (data, flags) = (call.str(0), call.int(1));
    // Only a handler of a buffer tells that answers differ.
    if accepted(call.vm).is_none() {
        return Ok(Val::FALSE);
    }
    call.vm.data::<Output>("zlib output").wanted.set(true);
    Ok(compress(call.vm, data.to_vec(), flags)?.map_or(Val::FALSE, Val::from))
}

fn zlib_get_coding_type(call: &mut Call<'_>) -> PhpResult<Val> {
    let coding = call.vm.data::<Output>("zlib output").coding.get();
    Ok(coding.map_or(Val::FALSE, |(_, name)| name.into()))
}
