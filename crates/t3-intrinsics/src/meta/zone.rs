//! timezone: zones of the IANA database by name, and fixed offsets.

use phlox_t3_library::zone::Zone;
use phlox_t3_library::zone_rules::{self, Period};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    getNames 0 0 => get_names,
    getHistory 0 1 => get_history,
    getRules 0 0 => get_rules,
    getLocation 0 0 => get_location,
};

/// `new TimeZone(name or seconds?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let zone = match args.get(vm, 0) {
        Value::Nil if args.count == 0 => Zone::local(),
        _ if args.count > 1 => return fail(error::WRONG_NUM_OF_ARGS),
        value => vm.zone_arg(value)?,
    };
    Ok(Value::Obj(vm.heap.alloc(Obj::Zone(Box::new(zone)))))
}

fn this(vm: &Vm, args: Args) -> Run<Zone> {
    vm.zone_arg(args.this)
}

fn get_names(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = this(vm, args)?.name;
    let name = vm.heap.new_text(name);
    Ok(vm.heap.new_list(vec![name]))
}

/// A period as a list: the date, standard time, what daylight saving adds, the abbreviation.
fn period_list(vm: &mut Vm, zone: &Zone, period: &Period) -> Value {
    let from = period.from.map_or(Value::Nil, |milliseconds| phlox_t3_vm::contents::date::new_date(vm, milliseconds));
    let rooted = vm.rooted.len();
    vm.rooted.push(from);
    let name = vm.heap.new_text(if zone.fixed { zone.name.as_str() } else { period.name.as_str() });
    vm.rooted.truncate(rooted);
    vm.heap.new_list(vec![from, Value::Int(period.standard as i32), Value::Int(period.save as i32), name])
}

/// The zone's changes up to 2037, or the one that a date comes after.
fn get_history(vm: &mut Vm, args: Args) -> Run<Value> {
    let zone = this(vm, args)?;
    if let Some(date) = args.given(vm, 0) {
        let Value::Obj(id) = date else { return fail(error::BAD_TYPE_BIF) };
        let Obj::Date(date) = vm.heap.get(id) else { return fail(error::BAD_TYPE_BIF) };
        return Ok(match zone_rules::period_at(&zone.zone, date.milliseconds) {
            Some(period) => period_list(vm, &zone, &period),
            None => Value::Nil,
        });
    }
    let periods = zone_rules::history(&zone.zone);
    phlox_t3_vm::contents::sequence::collect(vm, |vm| {
        for period in &periods {
            let item = period_list(vm, &zone, period);
            vm.rooted.push(item);
        }
        Ok(())
    })
    .map(|items| vm.heap.new_list(items))
}

/// The changes of every year from then on.
fn get_rules(vm: &mut Vm, args: Args) -> Run<Value> {
    let zone = this(vm, args)?;
    let rules = zone_rules::rules(&zone.zone);
    let rooted = vm.rooted.len();
    for rule in &rules {
        let int = |number: i64| Value::Int(number as i32);
        let name = vm.heap.new_text(rule.period.name.as_str());
        let (when, wall) = (vm.heap.new_text(rule.when()), vm.heap.new_text("w"));
        let item = vm.heap.new_list(vec![
            name,
            int(rule.period.standard),
            int(rule.period.save),
            when,
            int(rule.month.into()),
            int(rule.kind as i64),
            int(rule.day.into()),
            int(rule.weekday.into()),
            int(rule.time),
            wall,
        ]);
        vm.rooted.push(item);
    }
    let items = vm.rooted.split_off(rooted);
    Ok(vm.heap.new_list(items))
}

/// Country, latitude, longitude and a description, of which the zone database here has nothing.
fn get_location(vm: &mut Vm, args: Args) -> Run<Value> {
    this(vm, args)?;
    let empty = vm.heap.new_text("");
    Ok(vm.heap.new_list(vec![empty, empty, empty, Value::Nil]))
}
