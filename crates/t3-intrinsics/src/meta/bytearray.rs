//! bytearray

use phlox_t3_library::charset::CharacterSet;
use phlox_t3_library::digest;
use phlox_t3_vm::contents::bytes::new_bytes;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

use super::charset;
use crate::bif::pack;

pub(crate) static METHODS: &[Method] = methods! {
    length 0 0 => length,
    subarray 1 2 => subarray,
    copyFrom 4 4 => copy_from,
    fillValue 1 3 => fill_value,
    mapToString 0 3 => map_to_string,
    readInt 2 2 => read_int,
    writeInt 3 3 => write_int,
    packBytes 1 any => pack::pack_array,
    unpackBytes 2 2 => pack::unpack_array,
    sha256 0 2 => sha256,
    digestMD5 0 2 => digest_md5,
};

/// The longest array.
const MAX_LENGTH: usize = 1 << 28;

/// `new ByteArray(length)`, `new ByteArray(array, start?, count?)`, `new ByteArray(string, charset?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let first = args.get(vm, 0);
    let bytes = match first {
        Value::Int(_) if args.count != 1 => return fail(error::WRONG_NUM_OF_ARGS),
        Value::Int(length) => match usize::try_from(length) {
            Ok(length) if length <= MAX_LENGTH => vec![0; length],
            _ => return fail(error::OUT_OF_RANGE),
        },
        Value::Obj(id) if matches!(vm.heap.get(id), Obj::Bytes(_)) => {
            let (from, to) = range(vm, args, 1, vm.bytes(first)?.len())?;
            vm.bytes(first)?[from..to].to_vec()
        }
        _ => {
            let text = vm.text_arg(first)?;
            if args.count > 2 {
                return fail(error::WRONG_NUM_OF_ARGS);
            }
            match args.given(vm, 1) {
                Some(value) => charset::of(vm, value)?.encode(&text),
                None => text.chars().map(|c| u8::try_from(c as u32).unwrap_or(b'?')).collect(),
            }
        }
    };
    Ok(new_bytes(vm, bytes))
}

/// From an image or a saved game.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let length = loader.data.u32()? as usize;
    Ok(Obj::Bytes(loader.data.bytes(length)?.to_vec()))
}

/// A count as the reference reads it: negative ones are very large.
fn unsigned(count: i32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A position from an argument that counts from 1; 0 is the first byte, too, and what is not in the array is its end.
fn byte_position(vm: &Vm, value: Value, len: usize) -> Run<usize> {
    Ok(unsigned(vm.want_int(value)?).saturating_sub(1).min(len))
}

/// A range of bytes from the n-th argument (first byte, from 1) and the next (how many).
fn range(vm: &Vm, args: Args, n: usize, len: usize) -> Run<(usize, usize)> {
    let start = if args.count > n { byte_position(vm, args.get(vm, n), len)? } else { 0 };
    let count = if args.count > n + 1 { unsigned(vm.want_int(args.get(vm, n + 1))?) } else { len };
    Ok((start, start.saturating_add(count).min(len)))
}

fn length(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(vm.bytes(args.this)?.len() as i32))
}

fn subarray(vm: &mut Vm, args: Args) -> Run<Value> {
    let (from, to) = range(vm, args, 0, vm.bytes(args.this)?.len())?;
    let bytes = vm.bytes(args.this)?[from..to].to_vec();
    Ok(new_bytes(vm, bytes))
}

fn copy_from(vm: &mut Vm, args: Args) -> Run<Value> {
    let source = args.get(vm, 0);
    let id = vm.want_object(source)?;
    let Obj::Bytes(bytes) = vm.heap.get(id) else { return fail(error::BAD_TYPE_BIF) };
    let from = byte_position(vm, args.get(vm, 1), bytes.len())?;
    let to = byte_position(vm, args.get(vm, 2), vm.bytes(args.this)?.len())?;
    let count = unsigned(vm.want_int(args.get(vm, 3))?);
    let part = bytes[from..from.saturating_add(count).min(bytes.len())].to_vec();
    vm.change_bytes(args.this, |bytes| {
        let at = to.min(bytes.len());
        let count = part.len().min(bytes.len() - at);
        bytes[at..at + count].copy_from_slice(&part[..count]);
    })?;
    Ok(args.this)
}

fn fill_value(vm: &mut Vm, args: Args) -> Run<Value> {
    let Ok(byte) = u8::try_from(vm.want_int(args.get(vm, 0))?) else { return fail(error::OUT_OF_RANGE) };
    let (from, to) = range(vm, args, 1, vm.bytes(args.this)?.len())?;
    vm.change_bytes(args.this, |bytes| bytes[from..to].fill(byte))?;
    Ok(args.this)
}

fn map_to_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let set = args.given(vm, 0).map(|set| charset::of(vm, set)).transpose()?;
    let (from, to) = range(vm, args, 1, vm.bytes(args.this)?.len())?;
    let part = vm.bytes(args.this)?[from..to].to_vec();
    Ok(decode(vm, &part, set))
}

fn decode(vm: &mut Vm, bytes: &[u8], set: Option<CharacterSet>) -> Value {
    let text = match set {
        Some(set) => set.decode(bytes),
        None => bytes.iter().map(|byte| *byte as char).collect(),
    };
    vm.heap.new_text(text)
}

/// `mapToByteArray(charset?)` of strings.
pub(crate) fn map_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let bytes = match args.given(vm, 0) {
        Some(value) => charset::of(vm, value)?.encode(&text),
        None => {
            let bytes: Result<Vec<u8>, _> = text.chars().map(|c| u8::try_from(c as u32)).collect();
            bytes.map_err(|_| error::error(error::NUM_OVERFLOW))?
        }
    };
    Ok(new_bytes(vm, bytes))
}

/// Sizes and byte orders of readInt and writeInt: 1, 2 or 4 bytes; 16 is big-endian; 256 is unsigned.
fn int_format(format: i32) -> (usize, bool, bool) {
    let size = match format & 0xf {
        1 => 2,
        2 => 4,
        _ => 1,
    };
    (size, format & 0x10 != 0, format & 0x100 == 0)
}

fn int_place(vm: &Vm, args: Args) -> Run<(usize, usize, bool, bool)> {
    let at = vm.want_int(args.get(vm, 0))?;
    let (size, big, signed) = int_format(vm.want_int(args.get(vm, 1))?);
    if args.count > 2 {
        vm.want_int(args.get(vm, 2))?;
    }
    let len = vm.bytes(args.this)?.len();
    if at < 1 || at as usize - 1 + size > len {
        return fail(error::INDEX_OUT_OF_RANGE);
    }
    Ok((at as usize - 1, size, big, signed))
}

fn read_int(vm: &mut Vm, args: Args) -> Run<Value> {
    let (at, size, big, signed) = int_place(vm, args)?;
    let bytes = &vm.bytes(args.this)?[at..at + size];
    let fold = |sum: u32, byte: &u8| sum << 8 | u32::from(*byte);
    let raw = if big { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) };
    let shift = 32 - 8 * size as u32;
    let value = if signed { (raw << shift) as i32 >> shift } else { raw as i32 };
    Ok(Value::Int(value))
}

fn write_int(vm: &mut Vm, args: Args) -> Run<Value> {
    let (at, size, big, _) = int_place(vm, args)?;
    let mut bytes = vm.want_int(args.get(vm, 2))?.to_le_bytes()[..size].to_vec();
    if big {
        bytes.reverse();
    }
    vm.change_bytes(args.this, |own| own[at..at + size].copy_from_slice(&bytes))?;
    Ok(Value::Nil)
}

fn sha256(vm: &mut Vm, args: Args) -> Run<Value> {
    let (from, to) = range(vm, args, 0, vm.bytes(args.this)?.len())?;
    let text = digest::sha256(&vm.bytes(args.this)?[from..to]);
    Ok(vm.heap.new_text(text))
}

fn digest_md5(vm: &mut Vm, args: Args) -> Run<Value> {
    let (from, to) = range(vm, args, 0, vm.bytes(args.this)?.len())?;
    let text = digest::md5(&vm.bytes(args.this)?[from..to]);
    Ok(vm.heap.new_text(text))
}
