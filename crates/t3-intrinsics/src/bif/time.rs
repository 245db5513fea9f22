//! getTime

use phlox_t3_library::days::{civil, days_of};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

/// The parts of the date.
const DATE_AND_TIME: i32 = 1;
/// Milliseconds since the first call.
const TICKS: i32 = 2;

pub(crate) fn get_time(vm: &mut Vm, args: Args) -> Run<Value> {
    let kind = match args.given(vm, 0) {
        Some(value) => vm.want_int(value)?,
        None => DATE_AND_TIME,
    };
    let (seconds, nanoseconds) = vm.io.now();
    match kind {
        DATE_AND_TIME => Ok(date_list(vm, seconds)),
        TICKS => {
            let now = seconds.wrapping_mul(1000) + i64::from(nanoseconds / 1_000_000);
            let start = *vm.state.first_tick.get_or_insert(now);
            Ok(Value::Int((now - start) as i32 & i32::MAX))
        }
        _ => fail(error::BAD_VAL_BIF),
    }
}

/// Year, month, day, weekday, day of the year, hour, minute, second, seconds since 1970; universal time.
pub(crate) fn date_list(vm: &mut Vm, seconds: i64) -> Value {
    let days = seconds.div_euclid(86_400);
    let second = seconds.rem_euclid(86_400) as i32;
    let (year, month, day) = civil(days);
    let weekday = (days + 4).rem_euclid(7) as i32 + 1;
    let year_day = (days - days_of(year, 1, 1)) as i32 + 1;
    let parts = [year, month, day, weekday, year_day, second / 3600, second / 60 % 60, second % 60, seconds as i32];
    vm.heap.new_list(parts.map(Value::Int).to_vec())
}
