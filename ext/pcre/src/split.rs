//! `preg_split()`.

use crate::pattern::{self, Search};
use crate::state;
use phlox_pcre::MatchError;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, Vm};

/// The functions of this module.
pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "preg_split(string $pattern, string $subject, int $limit = -1, int $flags = 0): array|false",
    preg_split,
)
.fast_path(split_quick)];

const NO_EMPTY: i64 = 1;
const DELIM_CAPTURE: i64 = 2;
const OFFSET_CAPTURE: i64 = 4;

/// The fast path of `preg_split()`, for patterns that are in the cache. `None`: the slow path is needed.
fn split_quick(args: &[Val]) -> Option<Val> {
    let (pattern, subject) = (args.first()?.as_str()?, args.get(1)?.as_str()?);
    let number = |index: usize, default: i64| args.get(index).map_or(Some(default), Val::as_int);
    let (limit, flags) = (number(2, -1)?, number(3, 0)?);
    let vm = Vm::current()?;
    let state = state::state(vm);
    let regex = state.compiled(pattern)?;
    let search = Search::new(vm, &state, &regex, subject, 0)?;
    let pieces = pieces(search, subject, limit, flags).ok()?;
    state.last_error.set(0);
    Some(pieces.into())
}

fn preg_split(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = state::state(call.vm);
    let Some(regex) = pattern::compile(call, &state, &call.str(0))? else { return Ok(Val::FALSE) };
    let subject = call.str(1);
    state.last_error.set(0);
    let Some(search) = Search::new(call.vm, &state, &regex, &subject, 0) else { return Ok(Val::FALSE) };
    match pieces(search, &subject, call.int(2), call.int(3)) {
        Ok(pieces) => Ok(pieces.into()),
        Err(error) => {
            state::set_error(call.vm, error);
            Ok(Val::FALSE)
        }
    }
}

/// The pieces between the matches.
fn pieces(mut search: Search<'_>, subject: &PhpStr, limit: i64, flags: i64) -> Result<PhpArr, MatchError> {
    let mut limit = if limit == 0 { -1 } else { limit };
    let mut pieces = PhpArr::new();
    let add = |pieces: &mut PhpArr, start: usize, end: usize| {
        let text = if end - start == subject.len() { subject.into() } else { Val::str(&subject[start..end]) };
        let value = if flags & OFFSET_CAPTURE != 0 {
            PhpArr::from_vec(vec![text, Val::int(start as i64)]).into()
        } else {
            text
        };
        let _ = pieces.push(value);
    };
    let mut last = 0;
    while limit == -1 || limit > 1 {
        let Some(found) = search.next()? else { break };
        if flags & NO_EMPTY == 0 || found.start != last {
            add(&mut pieces, last, found.start);
            if limit != -1 {
                limit -= 1;
            }
        }
        if flags & DELIM_CAPTURE != 0 {
            for index in 1..found.count {
                let (Some(text), Some(start)) = (search.group(index), search.group_start(index)) else {
                    if flags & NO_EMPTY == 0 {
                        add(&mut pieces, 0, 0);
                    }
                    continue;
                };
                if flags & NO_EMPTY == 0 || !text.is_empty() {
                    add(&mut pieces, start, start + text.len());
                }
            }
        }
        last = found.end;
    }
    if flags & NO_EMPTY == 0 || last < subject.len() {
        add(&mut pieces, last, subject.len());
    }
    Ok(pieces)
}
