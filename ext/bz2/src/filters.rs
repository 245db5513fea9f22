//! The stream filters `bzip2.compress` and `bzip2.decompress`.
//!
//! What they give, and when they fail, depends on the pieces that the library is called with: pieces and calls are those of PHP.

use crate::codec;
use bzip2::{Action, Compress, Decompress, Status};
use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::filter::{Filter, Flush};
use phlox_ext_standard_file::stream::open;
use phlox_runtime::room::require_room;
use phlox_runtime::{PhpResult, Val, View, Vm, convert};

/// Bytes that the library gets and gives at once.
const PIECE: usize = 2048;

struct Compressing {
    encoder: Compress,
    /// Has the library been asked to give what it holds since it got data?
    is_flushed: bool,
}

impl Filter for Compressing {
    fn filter(&mut self, _: &Vm, _: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let action = match flush {
            Flush::No => Action::Run,
            Flush::Incremental => Action::Flush,
            Flush::Close => Action::Finish,
        };
        let (mut output, mut piece, mut rest) = (Vec::new(), [0; PIECE], &data[..]);
        while !rest.is_empty() {
            self.is_flushed = action != Action::Run;
            let step = codec::compress(&mut self.encoder, &rest[..rest.len().min(PIECE)], &mut piece, action);
            if !matches!(step.result, Ok(Status::RunOk | Status::FlushOk | Status::FinishOk)) {
                return Ok(None);
            }
            rest = &rest[step.taken..];
            output.extend_from_slice(&piece[..step.given]);
        }
        if flush == Flush::Close || (flush == Flush::Incremental && !self.is_flushed) {
            let goes_on = if flush == Flush::Close { Status::FinishOk } else { Status::FlushOk };
            loop {
                let step = codec::compress(&mut self.encoder, &[], &mut piece, action);
                self.is_flushed = true;
                output.extend_from_slice(&piece[..step.given]);
                if step.result != Ok(goes_on) {
                    break;
                }
            }
        }
        Ok(Some(output))
    }
}

struct Decompressing {
    decoder: Option<Decompress>,
    finished: bool,
    less_memory: bool,
    /// Does another compressed text follow where one ends?
    concatenated: bool,
    /// Bytes that the last call took, by PHP's count.
    consumed: usize,
}

impl Decompressing {
    /// Decompresses data into `output`; `None`: it is damaged.
    fn run(&mut self, data: &[u8], output: &mut Vec<u8>) -> Option<()> {
        let (mut piece, mut rest) = ([0; PIECE], data);
        self.consumed = 0;
        while !rest.is_empty() {
            if self.finished {
                // PHP counts all of the data once more.
                self.consumed += data.len();
                break;
            }
            let decoder = self.decoder.get_or_insert_with(|| Decompress::new(self.less_memory));
            let step = codec::decompress(decoder, &rest[..rest.len().min(PIECE)], &mut piece);
            let at_end = match step.result {
                Ok(status) => status == Status::StreamEnd,
                Err(_) => return None,
            };
            if at_end {
                self.decoder = None;
                self.finished = !self.concatenated;
            }
            rest = &rest[step.taken..];
            self.consumed += step.taken;
            require_room(output.len() + step.given);
            output.extend_from_slice(&piece[..step.given]);
            // PHP drops what follows an end that gave nothing, and counts nothing.
            if at_end && step.given == 0 {
                self.consumed = 0;
                break;
            }
        }
        Some(())
    }

    /// Gives what the library still holds when no more data comes.
    fn finish(&mut self, output: &mut Vec<u8>) {
        let Some(decoder) = &mut self.decoder else { return };
        let mut piece = [0; PIECE];
        loop {
            let step = codec::decompress(decoder, &[], &mut piece);
            output.extend_from_slice(&piece[..step.given]);
            if step.given == 0 || step.result != Ok(Status::Ok) {
                break;
            }
        }
    }
}

impl Filter for Decompressing {
    fn filter(&mut self, vm: &Vm, _: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let mut output = Vec::new();
        if self.run(&data, &mut output).is_none() {
            vm.notice(&[&open::operation(vm)[..], b"(): bzip2 decompression failed"].concat())?;
            return Ok(None);
        }
        if flush == Flush::Close {
            self.finish(&mut output);
        }
        Ok(Some(output))
    }

    fn consumed(&self) -> Option<usize> {
        Some(self.consumed)
    }
}

/// A parameter by its name, if the parameters have names.
fn named(params: &Val, name: &[u8]) -> Option<Val> {
    let table = match params.view() {
        View::Arr(array) => Some(array.clone()),
        View::Obj(object) => Some(convert::object_properties(object)),
        _ => None,
    };
    table.and_then(|table| table.get_bytes(name).map(Val::deref))
}

fn decompressing(params: &Val) -> Decompressing {
    let less_memory = match params.view() {
        View::Arr(_) | View::Obj(_) => named(params, b"small").is_some_and(|small| convert::to_bool(&small)),
        View::Undef | View::Null => false,
        _ => convert::to_bool(params),
    };
    let concatenated = named(params, b"concatenated").is_some_and(|value| convert::to_bool(&value));
    Decompressing { decoder: None, finished: false, less_memory, concatenated, consumed: 0 }
}

/// A number among the parameters; one that is out of range is warned about, and does not count.
fn ranged(vm: &Vm, params: &Val, (name, what): (&str, &str), range: [i64; 2]) -> PhpResult<Option<i64>> {
    let Some(value) = named(params, name.as_bytes()) else { return Ok(None) };
    let number = convert::to_int(vm, &value)?;
    if (range[0]..=range[1]).contains(&number) {
        return Ok(Some(number));
    }
    open::warn(vm, format!("Invalid parameter given for {what} ({number})").as_bytes())?;
    Ok(None)
}

const DEFAULT_BLOCKS: i64 = 4;

fn compressing(vm: &Vm, params: &Val) -> PhpResult<Option<Compressing>> {
    let blocks = ranged(vm, params, ("blocks", "number of blocks to allocate"), [1, 9])?.unwrap_or(DEFAULT_BLOCKS);
    let work = ranged(vm, params, ("work", "work factor"), [0, 250])?.unwrap_or(0);
    Ok(codec::compressor(blocks, work).map(|encoder| Compressing { encoder, is_flushed: true }))
}

/// Makes a filter by name; `None` for an unknown name.
pub fn make(vm: &Vm, name: &str, params: &Val) -> PhpResult<Option<Box<dyn Filter>>> {
    Ok(match name {
        "bzip2.decompress" => Some(Box::new(decompressing(params))),
        "bzip2.compress" => compressing(vm, params)?.map(|filter| Box::new(filter) as Box<dyn Filter>),
        _ => None,
    })
}
