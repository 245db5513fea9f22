//! Compressed output: `ob_gzhandler`, and the setting `zlib.output_compression`.

use crate::codec::{self, Encoding};
use flate2::{Compress, FlushCompress};
use phlox_runtime::ini::{
    IniAccess, IniChange, IniQuantity, IniSetting, IniStage, IniState, IniString, IniType, Shown,
};
use phlox_runtime::ob::OUTPUT_HANDLER;
use phlox_runtime::quantity::quantity;
use phlox_runtime::{Call, FnDef, Level, PhpResult, PhpStr, Val, Vm, ob};
use std::cell::{Cell, RefCell};

/// The functions about compressed output.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("ob_gzhandler(string $data, int $flags): string|false", ob_gzhandler),
    FnDef::new("zlib_get_coding_type(): string|false", zlib_get_coding_type),
];

/// `zlib.output_compression`: whether the output is compressed.
pub static COMPRESSION: IniSetting<BufferSize> =
    IniSetting::new("zlib.output_compression", "0", IniAccess::All).on_change(change).shown(Shown::Switch);
/// `zlib.output_compression_level`: the level of compression.
pub static COMPRESSION_LEVEL: IniQuantity = IniQuantity::new("zlib.output_compression_level", "-1", IniAccess::All);
/// `zlib.output_handler`: the setting is stored and checked, but has no effect.
pub static HANDLER: IniString = IniString::new("zlib.output_handler", "", IniAccess::All).on_change(|change| {
    if change.stage == IniStage::Runtime && change.vm.output.sent.get() {
        change.warning("Cannot change zlib.output_handler - headers already sent")?;
        return Ok(false);
    }
    Ok(true)
});

/// The name of the output buffer that the setting starts.
const BUFFER: &str = "zlib output compression";
/// The size of that buffer, unless the setting has a number.
const DEFAULT_SIZE: usize = 0x4000;

/// The compression of the output so far.
#[derive(Default)]
struct Output {
    compressor: RefCell<Option<Compress>>,
    /// The coding that the client accepts, once it was asked for.
    coding: Cell<Option<(Encoding, &'static str)>>,
    /// Whether compression is wanted. The setting can change this until the first output.
    wanted: Cell<bool>,
}

/// The coding that the client accepts, with its name.
fn accepted(vm: &Vm) -> Option<(Encoding, &'static str)> {
    let output = vm.data::<Output>("zlib output");
    if output.coding.get().is_none() {
        let from_server = || {
            let server = vm.globals.find(&PhpStr::new(b"_SERVER"))?.get().deref();
            Some(server.as_arr()?.get_bytes(b"HTTP_ACCEPT_ENCODING")?.deref().into_str()?.to_string())
        };
        // `$_SERVER` does not exist yet when the setting is applied.
        let accepts = from_server().or_else(|| {
            let accepts = vm.request.borrow().parameter(b"HTTP_ACCEPT_ENCODING")?;
            Some(String::from_utf8_lossy(&accepts).into_owned())
        })?;
        output.coding.set(match () {
            () if accepts.contains("gzip") => Some((Encoding::Gzip, "gzip")),
            () if accepts.contains("deflate") => Some((Encoding::Zlib, "deflate")),
            () => None,
        });
    }
    output.coding.get()
}

/// Sends a header: the name of the coding, or `Vary` if answers may differ by client.
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
    let fresh = || codec::compressor(encoding, vm.ini.get(&COMPRESSION_LEVEL), codec::WINDOW_BITS);
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

/// The output handler that `ob_start("ob_gzhandler")` starts.
fn gzhandler(vm: &Vm, data: Vec<u8>, mode: i64) -> PhpResult<Option<Vec<u8>>> {
    compress(vm, data, mode)
}

/// Registers the handler, and starts the buffer if the setting asks for it.
pub fn startup(vm: &Vm) {
    ob::name_handler(vm, "ob_gzhandler", gzhandler, |vm| vm.data::<Output>("zlib output").wanted.set(true));
    if let Some(size) = vm.ini.get(&COMPRESSION) {
        // An error was reported already.
        let _ = start(vm, size);
    }
}

/// The type of [`COMPRESSION`]: the size of the buffer, or `None` for no compression.
pub struct BufferSize;

impl BufferSize {
    /// The number in a text, and the message about what is wrong with it.
    fn number(text: &[u8]) -> (i64, Option<String>) {
        match &text.to_ascii_lowercase()[..] {
            b"off" => (0, None),
            b"on" => (1, None),
            _ => quantity(text),
        }
    }

    fn of(number: i64) -> Option<usize> {
        match usize::try_from(number) {
            Ok(0) | Err(_) => None,
            Ok(1) => Some(DEFAULT_SIZE),
            Ok(size) => Some(size),
        }
    }
}

impl IniType for BufferSize {
    type Value = Option<usize>;

    fn parse(text: Option<&[u8]>) -> u64 {
        BufferSize::number(text.unwrap_or_default()).0 as u64
    }

    fn value(state: &IniState) -> Option<usize> {
        BufferSize::of(state.bits() as i64)
    }

    fn problem(text: &[u8]) -> Option<String> {
        BufferSize::number(text).1
    }
}

fn start(vm: &Vm, size: usize) -> PhpResult<()> {
    vm.data::<Output>("zlib output").wanted.set(true);
    if accepted(vm).is_none() || ob::is_started(vm, BUFFER.as_bytes()) {
        return Ok(());
    }
    ob::start_native(vm, compress, BUFFER, size)
}

fn change(change: &IniChange<'_>) -> PhpResult<bool> {
    let vm = change.vm;
    let size = BufferSize::of(BufferSize::number(change.text()).0);
    if change.stage == IniStage::End {
        return Ok(true);
    }
    if size.is_some() && !vm.ini.get(&OUTPUT_HANDLER).is_empty() {
        let text = "Cannot use both zlib.output_compression and output_handler together!!";
        vm.raise(Level::CoreError, format!("{}{text}", change.prefix).as_bytes())?;
        return Ok(false);
    }
    if change.stage == IniStage::Startup {
        return Ok(true);
    }
    if vm.output.sent.get() {
        change.warning("Cannot change zlib.output_compression - headers already sent")?;
        return Ok(false);
    }
    vm.data::<Output>("zlib output").wanted.set(size.is_some());
    match size {
        Some(size) => start(vm, size).map(|()| true),
        None => Ok(true),
    }
}

/// `ob_gzhandler()` called by a script: compresses a text as the output handler does.
fn ob_gzhandler(call: &mut Call<'_>) -> PhpResult<Val> {
    let (data, flags) = (call.str(0), call.int(1));
    // The header `Vary` is sent only by the output handler.
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
