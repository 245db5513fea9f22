//! Dates as text and in sums.

use phlox_t3_library::bignum::BigNum;
use phlox_t3_library::calendar::Calendar;
use phlox_t3_library::date_format::Shown;
use phlox_t3_library::zone::Zone;

use crate::code::inst::BinOp;
use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::objects::date::Date;
use crate::text::Text;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

pub const DAY: i64 = 86_400_000;

/// No date is further from 1970, so that sums of two do not overflow.
pub const LIMIT: i64 = i64::MAX / 4;

/// A date object.
pub fn new_date(vm: &mut Vm, milliseconds: i64) -> Value {
    let milliseconds = milliseconds.clamp(-LIMIT, LIMIT);
    Value::Obj(vm.heap.alloc(Obj::Date(Box::new(Date { milliseconds }))))
}

/// A number of days, or of seconds, as milliseconds, rounded to the nearest.
pub fn scaled(vm: &Vm, value: Value, unit: i64) -> Run<i64> {
    let Some(number) = vm.as_big(value) else { return fail(error::BAD_TYPE_BIF) };
    let wide = number.with_precision(number.precision.max(32));
    let product = wide.mul(&BigNum::new(unit.into(), 0, 32)).round_to(0);
    match product.to_i64() {
        Some(number) if number.abs() < LIMIT => Ok(number),
        _ => fail(error::NUM_OVERFLOW),
    }
}

/// The milliseconds of a Date object.
pub fn moment(vm: &Vm, value: Value) -> Run<i64> {
    match value {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Date(date) => Ok(date.milliseconds),
            _ => fail(error::BAD_TYPE_BIF),
        },
        _ => fail(error::BAD_TYPE_BIF),
    }
}

impl Vm {
    /// A date as text: in the local zone.
    pub fn date_text(&mut self, id: ObjId) -> Run<Text> {
        let universal = moment(self, Value::Obj(id))?;
        let (offset, zone) = Zone::local().at(universal);
        let shown = Shown { calendar: Calendar::Gregorian, universal, offset, zone: &zone, locale: &self.state.locale };
        Ok(Text::from(shown.text("%Y-%m-%d %H:%M:%S")))
    }

    /// A date plus or minus days, or the days between two dates.
    pub fn date_binary(&mut self, op: BinOp, id: ObjId, other: Value) -> Run<Option<Value>> {
        let own = moment(self, Value::Obj(id))?;
        if let (BinOp::Sub, Ok(other)) = (op, moment(self, other)) {
            let wide = |number: i64| BigNum::new(number.into(), 0, 32);
            let days = wide(own - other).div(&wide(DAY)).unwrap_or_else(|| wide(0));
            return Ok(Some(self.new_big(days)));
        }
        if self.as_big(other).is_none() {
            return fail(error::NUM_VAL_REQD);
        }
        let days = scaled(self, other, DAY)?;
        let moved = if op == BinOp::Add { own.saturating_add(days) } else { own.saturating_sub(days) };
        Ok(Some(new_date(self, moved)))
    }
}

impl Vm {
    /// The zone that an argument names: a TimeZone object or its name.
    pub fn zone_arg(&self, value: Value) -> Run<Zone> {
        if let Value::Obj(id) = value
            && let Obj::Zone(zone) = self.heap.get(id)
        {
            return Ok((**zone).clone());
        }
        match self.heap.text(value) {
            Some(name) => Zone::named(name).ok_or_else(|| error::error(error::BAD_VAL_BIF)),
            // A number is the distance to universal time in seconds.
            None if self.as_big(value).is_some() => {
                Zone::fixed(self.number_of(value)?).ok_or_else(|| error::error(error::BAD_VAL_BIF))
            }
            None => fail(error::BAD_TYPE_BIF),
        }
    }
}
