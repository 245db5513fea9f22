//! Compressed output: `ob_gzhandler`.

use crate::codec::{self, Encoding};
use flate2::{Compress, FlushCompress};
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val, Vm};
use std::cell::RefCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("ob_gzhandler(string $data, int $flags): string|false", ob_gzhandler),
    FnDef::new("zlib_get_coding_type(): string|false", zlib_get_coding_type),
];

const START: i64 = 1;
const CLEAN: i64 = 2;
const FLUSH: i64 = 4;
const FINAL: i64 = 8;

/// The compression of the output so far.
#[derive(Default)]
struct Output(RefCell<Option<Compress>>);

/// The coding that the client accepts.
fn accepted(vm: &Vm) -> Option<(Encoding, &'static str)> {
    let server = vm.globals.find(&PhpStr::new(b"_SERVER"))?.get().deref();
    let accepts = server.as_arr()?.get_bytes(b"HTTP_ACCEPT_ENCODING")?.deref().into_str()?.to_string();
    match () {
        () if accepts.contains("gzip") => Some((Encoding::Gzip, "gzip")),
        () if accepts.contains("deflate") => Some((Encoding::Zlib, "deflate")),
        () => None,
    }
}

fn ob_gzhandler(call: &mut Call<'_>) -> PhpResult<Val> {
    let (data, flags) = (call.str(0), call.int(1));
    let Some((encoding, name)) = accepted(call.vm) else { return Ok(Val::FALSE) };
    let output = call.vm.data::<Output>("zlib output");
    let mut compressor = output.0.borrow_mut();
    if flags & START != 0 || compressor.is_none() {
        *compressor =
            Some(codec::compressor(encoding, call.vm.ini.int("zlib.output_compression_level"), codec::WINDOW_BITS));
        for header in [format!("Content-Encoding: {name}"), "Vary: Accept-Encoding".to_owned()] {
            call.vm.call_value(&"header".into(), vec![header.into()])?;
        }
    }
    let how = match flags {
        flags if flags & FINAL != 0 => FlushCompress::Finish,
        flags if flags & FLUSH != 0 => FlushCompress::Full,
        _ => FlushCompress::None,
    };
    if flags & CLEAN != 0 && flags & FINAL == 0 {
        *compressor = None;
        return Ok("".into());
    }
    let out = compressor.as_mut().map_or_else(Vec::new, |compressor| codec::push(compressor, &data, how));
    if flags & FINAL != 0 {
        *compressor = None;
    }
    Ok(out.into())
}

fn zlib_get_coding_type(call: &mut Call<'_>) -> PhpResult<Val> {
    let active = call.vm.data::<Output>("zlib output").0.borrow().is_some();
    Ok(accepted(call.vm).filter(|_| active).map_or(Val::FALSE, |(_, name)| name.into()))
}
