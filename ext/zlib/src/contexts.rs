//! `deflate_init()`, `inflate_init()` and the functions for texts in pieces.

use crate::codec::{self, Encoding};
use flate2::{Decompress, FlushDecompress, Status};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, Edges, FnDef, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Throw, Val, View, convert,
};
use phlox_zlib::{Deflater, Flush, Parameters};
use std::cell::RefCell;
use std::rc::Rc;

/// The functions for texts in pieces.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("deflate_init(int $encoding, object|array $options = []): DeflateContext|false", deflate_init),
    FnDef::new(
        "deflate_add(DeflateContext $context, string $data, int $flush_mode = ZLIB_SYNC_FLUSH): string|false",
        deflate_add,
    ),
    FnDef::new("inflate_init(int $encoding, object|array $options = []): InflateContext|false", inflate_init),
    FnDef::new(
        "inflate_add(InflateContext $context, string $data, int $flush_mode = ZLIB_SYNC_FLUSH): string|false",
        inflate_add,
    ),
    FnDef::new("inflate_get_status(InflateContext $context): int", inflate_get_status),
    FnDef::new("inflate_get_read_len(InflateContext $context): int", inflate_get_read_len),
];

const fn context(name: &'static str, decl: &'static str, no_new: &'static str) -> NativeClass {
    let hooks =
        NativeHooks { no_new: Some(no_new), no_clone: true, no_serialize: true, no_dynamic: true, ..NativeHooks::NONE };
    NativeClass { name, decl, methods: &[], hooks }
}

/// The classes `DeflateContext` and `InflateContext`.
pub const CLASSES: &[NativeClass] = &[
    context(
        "InflateContext",
        "final class InflateContext {}",
        "Cannot directly construct InflateContext, use inflate_init() instead",
    ),
    context(
        "DeflateContext",
        "final class DeflateContext {}",
        "Cannot directly construct DeflateContext, use deflate_init() instead",
    ),
];

const FINISH: i64 = 4;
const STREAM_END: i64 = 1;
const DATA_ERROR: i64 = -3;
const BUFFER_ERROR: i64 = -5;

struct Deflating {
    compressor: RefCell<Deflater>,
}

struct Inflating {
    decompressor: RefCell<Decompress>,
    state: RefCell<InflateState>,
    encoding: Encoding,
    window: u8,
    dictionary: Vec<u8>,
}

#[derive(Default)]
struct InflateState {
    status: i64,
    read: i64,
    finished: bool,
}

impl NativeData for Deflating {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

impl NativeData for Inflating {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

/// The options argument as an array; of an object, its properties.
fn options(call: &Call<'_>) -> PhpResult<PhpArr> {
    let value = call.arg(1);
    match value.view() {
        View::Obj(object) => Ok(convert::object_properties(object)),
        _ => Ok(call.arr(1)),
    }
}

fn number(call: &Call<'_>, options: &PhpArr, name: &str, default: i64) -> PhpResult<i64> {
    match options.get_bytes(name.as_bytes()) {
        Some(value) => convert::to_int(call.vm, &value.deref()),
        None => Ok(default),
    }
}

/// The option `dictionary`: a text, or a list of words, to each of which a NUL byte is appended.
fn dictionary(call: &Call<'_>, options: &PhpArr) -> PhpResult<Vec<u8>> {
    let Some(value) = options.get_bytes(b"dictionary").map(Val::deref) else { return Ok(Vec::new()) };
    match value.view() {
        View::Str(text) => Ok(text.to_vec()),
        View::Arr(words) => {
            let mut dictionary = Vec::new();
            for word in words.values() {
                let word = convert::to_str(call.vm, &word.deref())?;
                if word.is_empty() {
                    return Err(call.value_error(1, "must not contain empty strings"));
                }
                if word.contains(&0) {
                    return Err(call.value_error(1, "must not contain strings with null bytes"));
                }
                dictionary.extend_from_slice(&word);
                dictionary.push(0);
            }
            Ok(dictionary)
        }
        _ => {
            let given = convert::value_name(&value);
            Err(call.type_error(1, &format!("must be of type zero-terminated string or array, {given} given")))
        }
    }
}

fn object(call: &Call<'_>, class: &[u8], data: Rc<dyn NativeData>) -> PhpResult<Val> {
    let class = call.vm.require_class(class)?;
    let object = call.vm.instantiate_unchecked(&class)?;
    object.set_native(data);
    Ok(object.into())
}

fn deflate_init(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = options(call)?;
    let refuse = |text: &str| -> Throw { call.vm.throw_value_error(format!("deflate_init(): {text}").as_bytes()) };
    let level = number(call, &options, "level", -1)?;
    if !(-1..=9).contains(&level) {
        return Err(refuse("\"level\" option must be between -1 and 9"));
    }
    let memory = number(call, &options, "memory", 8)?;
    if !(1..=9).contains(&memory) {
        return Err(refuse("\"memory\" option must be between 1 and 9"));
    }
    let window = number(call, &options, "window", 15)?;
    if !(8..=15).contains(&window) {
        return Err(refuse("\"window\" option must be between 8 and 15"));
    }
    let strategy = number(call, &options, "strategy", 0)?;
    if !(0..=4).contains(&strategy) {
        let text = "\"strategy\" option must be one of ZLIB_FILTERED, ZLIB_HUFFMAN_ONLY, ZLIB_RLE, ZLIB_FIXED, or ZLIB_DEFAULT_STRATEGY";
        return Err(refuse(text));
    }
    let dictionary = dictionary(call, &options)?;
    let Some(encoding) = Encoding::of(call.int(0)) else {
        let text = "must be one of ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, or ZLIB_ENCODING_DEFLATE";
        return Err(call.value_error(0, text));
    };
    let window = window as i32;
    let window_bits = match encoding {
        Encoding::Raw => -window,
        Encoding::Zlib => window,
        Encoding::Gzip => window + 16,
    };
    let parameters =
        Parameters { level: level as i32, window_bits, memory_level: memory as i32, strategy: strategy as i32 };
    let Ok(mut compressor) = Deflater::new(parameters) else {
        call.warning("Failed allocating zlib.deflate context")?;
        return Ok(Val::FALSE);
    };
    if !dictionary.is_empty() {
        let _ = compressor.set_dictionary(&dictionary);
    }
    object(call, b"DeflateContext", Rc::new(Deflating { compressor: RefCell::new(compressor) }))
}

const FLUSH_MODES: &str =
    "must be one of ZLIB_NO_FLUSH, ZLIB_PARTIAL_FLUSH, ZLIB_SYNC_FLUSH, ZLIB_FULL_FLUSH, ZLIB_BLOCK, or ZLIB_FINISH";

fn context_object(call: &Call<'_>) -> PhpObj {
    call.opt_obj(0).unwrap_or_else(|| unreachable!("the declaration says object"))
}

fn deflate_add(call: &mut Call<'_>) -> PhpResult<Val> {
    let flush = match call.int(2) {
        0 => Flush::No,
        1 => Flush::Partial,
        2 => Flush::Sync,
        3 => Flush::Full,
        FINISH => Flush::Finish,
        5 => Flush::Block,
        _ => return Err(call.value_error(2, FLUSH_MODES)),
    };
    let context = context_object(call);
    let Some(data) = context.native::<Deflating>() else { return Ok(Val::FALSE) };
    let text = call.str(1);
    if text.is_empty() && flush != Flush::Finish {
        return Ok("".into());
    }
    let result = data.compressor.borrow_mut().push(&text, flush);
    match result {
        Ok(out) => Ok(out.into()),
        Err(error) => {
            call.warning(&format!("zlib error ({})", error.message()))?;
            Ok(Val::FALSE)
        }
    }
}

fn inflate_init(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = options(call)?;
    let window = number(call, &options, "window", 15)?;
    if !(8..=15).contains(&window) {
        let text = format!("zlib window size (logarithm) ({window}) must be within 8..15");
        return Err(call.vm.throw_value_error(text.as_bytes()));
    }
    let dictionary = dictionary(call, &options)?;
    let Some(encoding) = Encoding::of(call.int(0)) else {
        let text = b"Encoding mode must be ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP or ZLIB_ENCODING_DEFLATE";
        return Err(call.vm.throw_value_error(text));
    };
    let window = window as u8;
    let mut decompressor = codec::decompressor(encoding, window);
    if encoding == Encoding::Raw && !dictionary.is_empty() && decompressor.set_dictionary(&dictionary).is_err() {
        call.warning("Dictionary does not match expected dictionary (incorrect adler32 hash)")?;
    }
    let data =
        Inflating { decompressor: RefCell::new(decompressor), state: RefCell::default(), encoding, window, dictionary };
    object(call, b"InflateContext", Rc::new(data))
}

/// The reason why a piece cannot be decompressed.
enum InflateError {
    NeedsDictionary,
    WrongDictionary,
    Damaged,
}

impl Inflating {
    fn push(&self, text: &[u8], finish: bool) -> Result<Vec<u8>, InflateError> {
        let mut decompressor = self.decompressor.borrow_mut();
        let mut state = self.state.borrow_mut();
        if state.finished {
            *decompressor = codec::decompressor(self.encoding, self.window);
            *state = InflateState::default();
        }
        let flush = if finish { FlushDecompress::Finish } else { FlushDecompress::Sync };
        let mut out = Vec::with_capacity(text.len() * 2 + 64);
        let mut rest = text;
        loop {
            out.reserve(8192);
            let (before_in, before_out) = (decompressor.total_in(), out.len());
            let status = decompressor.decompress_vec(rest, &mut out, flush);
            let taken = (decompressor.total_in() - before_in) as usize;
            rest = &rest[taken..];
            state.read += taken as i64;
            let stuck = taken == 0 && out.len() == before_out;
            match status {
                Ok(Status::StreamEnd) => {
                    state.status = STREAM_END;
                    state.finished = true;
                    return Ok(out);
                }
                Ok(_) if stuck || (rest.is_empty() && out.len() < out.capacity()) => {
                    state.status = if stuck && !finish && text.is_empty() { BUFFER_ERROR } else { 0 };
                    state.finished = finish;
                    return Ok(out);
                }
                Ok(_) => {}
                Err(error) if error.needs_dictionary().is_some() => {
                    if self.dictionary.is_empty() {
                        return Err(InflateError::NeedsDictionary);
                    }
                    if decompressor.set_dictionary(&self.dictionary).is_err() {
                        return Err(InflateError::WrongDictionary);
                    }
                }
                Err(_) => {
                    state.status = DATA_ERROR;
                    return Err(InflateError::Damaged);
                }
            }
        }
    }
}

fn inflate_add(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = call.int(2);
    if !(0..=5).contains(&mode) {
        return Err(call.value_error(2, FLUSH_MODES));
    }
    let context = context_object(call);
    let Some(data) = context.native::<Inflating>() else { return Ok(Val::FALSE) };
    let text = call.str(1);
    if text.is_empty() && mode != FINISH {
        return Ok("".into());
    }
    let problem = match data.push(&text, mode == FINISH) {
        Ok(out) => return Ok(out.into()),
        Err(InflateError::NeedsDictionary) => {
            "Inflating this data requires a preset dictionary, please specify it in the options array of inflate_init()"
        }
        Err(InflateError::WrongDictionary) => "Dictionary does not match expected dictionary (incorrect adler32 hash)",
        Err(InflateError::Damaged) => codec::DATA_ERROR,
    };
    call.warning(problem)?;
    Ok(Val::FALSE)
}

fn inflate_get_status(call: &mut Call<'_>) -> PhpResult<Val> {
    let status = context_object(call).native::<Inflating>().map_or(0, |data| data.state.borrow().status);
    Ok(Val::int(status))
}

fn inflate_get_read_len(call: &mut Call<'_>) -> PhpResult<Val> {
    let read = context_object(call).native::<Inflating>().map_or(0, |data| data.state.borrow().read);
    Ok(Val::int(read))
}
