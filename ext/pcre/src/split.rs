//! `preg_split`

use crate::pattern::{self, Search};
use crate::state;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "preg_split(string $pattern, string $subject, int $limit = -1, int $flags = 0): array|false",
    preg_split,
)];

const NO_EMPTY: i64 = 1;
const DELIM_CAPTURE: i64 = 2;
const OFFSET_CAPTURE: i64 = 4;

fn preg_split(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = state::state(call.vm);
    let Some(regex) = pattern::compile(call, &state, &call.str(0))? else { return Ok(Val::FALSE) };
    let (subject, flags) = (call.str(1), call.int(3));
    let mut limit = if call.int(2) == 0 { -1 } else { call.int(2) };
    state.last_error.set(0);
    let mut pieces = PhpArr::new();
    let add = |pieces: &mut PhpArr, start: usize, end: usize| {
        let text = Val::str(&subject[start..end]);
        let value = if flags & OFFSET_CAPTURE != 0 {
            PhpArr::from_vec(vec![text, Val::int(start as i64)]).into()
        } else {
            text
        };
        let _ = pieces.push(value);
    };
    let Some(mut search) = Search::new(call.vm, &state, &regex, &subject, 0) else { return Ok(Val::FALSE) };
    let mut last = 0;
    while limit == -1 || limit > 1 {
        let found = match search.next() {
            Ok(Some(found)) => found,
            Ok(None) => break,
            Err(error) => {
                state::set_error(call.vm, error);
                return Ok(Val::FALSE);
            }
        };
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
    Ok(pieces.into())
}
