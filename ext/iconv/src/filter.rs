//! The stream filter `convert.iconv.FROM/TO`.

use crate::charset::{self, Problem, Target};
use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::filter::{Filter, Flush};
use phlox_ext_standard_file::stream::open;
use phlox_runtime::{PhpResult, Val, Vm};

struct Convert {
    from: String,
    to: String,
    source: Target,
    target: Target,
    /// The beginning of a character whose rest has not come yet.
    rest: Vec<u8>,
}

/// No character of any encoding is longer.
const CHARACTER_MAX: usize = 8;

impl Filter for Convert {
    fn filter(&mut self, vm: &Vm, _: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let mut text = std::mem::take(&mut self.rest);
        text.extend_from_slice(&data);
        let last = flush == Flush::Close;
        // What cannot be converted yet may be the beginning of a character.
        let shortest = if last { text.len() } else { text.len().saturating_sub(CHARACTER_MAX) };
        for end in (shortest..=text.len()).rev() {
            match charset::convert(&self.source, &self.target, &text[..end]) {
                Ok(converted) => {
                    if end > 0 {
                        // Only the beginning of a text has a mark.
                        self.source = self.source.settle(&text).0;
                        self.target = self.target.unmarked();
                    }
                    self.rest = text.split_off(end);
                    return Ok(Some(converted));
                }
                Err(Problem::Illegal | Problem::Incomplete) => {}
            }
        }
        let name = open::operation(vm);
        let text = format!("(): iconv stream filter (\"{}\"=>\"{}\"): invalid multibyte sequence", self.from, self.to);
        vm.warning(&[&name[..], text.as_bytes()].concat())?;
        Ok(None)
    }
}

/// The filter of a name; `None`: it names no two encodings.
pub fn make(_vm: &Vm, name: &str, _params: &Val) -> PhpResult<Option<Box<dyn Filter>>> {
    let prefix = "convert.iconv.";
    let Some((start, names)) = name.split_at_checked(prefix.len()) else { return Ok(None) };
    if !start.eq_ignore_ascii_case(prefix) {
        return Ok(None);
    }
    let slash = names.find("//").map_or(names.find('/'), |double| names[..double].find('/'));
    let Some(at) = slash.or_else(|| names.find('.')) else { return Ok(None) };
    let (from, to) = (names[..at].to_owned(), names[at + 1..].to_owned());
    match (charset::parse(from.as_bytes()), charset::parse(to.as_bytes())) {
        (Some(source), Some(target)) => Ok(Some(Box::new(Convert { from, to, source, target, rest: Vec::new() }))),
        _ => Ok(None),
    }
}
