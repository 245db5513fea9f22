//! `DatePeriod`.

use super::data::{self, element, restore, uninitialized};
use super::interval::{self, Interval};
use crate::calendar::Civil;
use crate::moment::Moment;
use crate::parse::intervals;
use crate::zone::Zone;
use phlox_ext_core::iterator::{self, Source};
use phlox_runtime::class::{Member, MemberHooks, NativeHooks, Reach};
use phlox_runtime::{
    Call, ClassExt, ClassRef, Edges, Level, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Throw,
    Val, View, Vm, coerce, convert,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "DatePeriod",
    decl: include_str!("../../stubs/DatePeriod.stub.php"),
    methods: &[
        ("createFromISO8601String", create_from_iso),
        ("__construct", construct),
        ("getStartDate", get_start_date),
        ("getEndDate", get_end_date),
        ("getDateInterval", get_date_interval),
        ("getRecurrences", get_recurrences),
        ("__serialize", serialize),
        ("__unserialize", unserialize),
        ("__wakeup", wakeup),
        ("__set_state", set_state),
        ("getIterator", get_iterator),
    ],
    hooks: NativeHooks {
        create: Some(create),
        own_properties: Some(&MEMBERS),
        owns_property: Some(owns_property),
        ..NativeHooks::NONE
    },
}];

const PROPERTIES: [&str; 7] =
    ["start", "current", "end", "interval", "recurrences", "include_start_date", "include_end_date"];
const EXCLUDE_START_DATE: i64 = 1;
const INCLUDE_END_DATE: i64 = 2;
const RECURRENCES_MAX: i64 = i32::MAX as i64 - 8;

/// The parts of a period.
#[derive(Clone)]
struct Period {
    /// The first date; missing only in unserialised periods.
    start: Option<Moment>,
    /// The class of the dates that an iteration gives.
    class: ClassRef,
    end: Option<Moment>,
    interval: Interval,
    /// Steps, with one more for each included border.
    recurrences: i64,
    includes_start: bool,
    includes_end: bool,
}

#[derive(Clone, Default)]
struct PeriodData {
    period: RefCell<Option<Period>>,
    /// The current date, which all iterations over the period share.
    current: RefCell<Option<Moment>>,
}

impl NativeData for PeriodData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(self.clone()))
    }
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(PeriodData::default()));
}

fn period(vm: &Vm, object: &PhpObj) -> PhpResult<Period> {
    held(object).ok_or_else(|| uninitialized(vm, object))
}

fn held(object: &PhpObj) -> Option<Period> {
    object.native::<PeriodData>().and_then(|data| data.period.borrow().clone())
}

fn date_object(vm: &Vm, class: &ClassRef, moment: Moment) -> PhpResult<Val> {
    let object = vm.instantiate(class)?;
    data::set(&object, moment);
    Ok(object.into())
}

/// The values of the properties, in the order of their declaration.
fn values(vm: &Vm, period: &Period, current: Option<Moment>) -> PhpResult<[Val; 7]> {
    let date = |moment: Option<Moment>| match moment {
        Some(moment) => date_object(vm, &period.class, moment),
        None => Ok(Val::NULL),
    };
    Ok([
        date(period.start.clone())?,
        date(current)?,
        date(period.end.clone())?,
        interval::create(vm, period.interval.clone())?.into(),
        Val::int(period.recurrences),
        period.includes_start.into(),
        period.includes_end.into(),
    ])
}

fn store(vm: &Vm, object: &PhpObj, period: Period, current: Option<Moment>) -> PhpResult<()> {
    for (slot, value) in object.slots().iter().zip(values(vm, &period, current.clone())?) {
        slot.set(value);
    }
    if let Some(data) = object.native::<PeriodData>() {
        *data.period.borrow_mut() = Some(period);
        *data.current.borrow_mut() = current;
    }
    Ok(())
}

fn malformed(call: &Call<'_>, class: &[u8], text: &[u8]) -> Throw {
    let text = [&call.func.display_name()[..], b"(): ", text].concat();
    call.vm.throw_class(class, &text, 0)
}

/// Checks the number of steps and adds the included borders.
fn finish(call: &Call<'_>, object: &PhpObj, mut period: Period, options: i64) -> PhpResult<()> {
    // A period drops the text that its interval was made from, and steps by the calendar only.
    period.interval = Interval::civil(period.interval.distance);
    let limit = RECURRENCES_MAX + 1;
    if period.end.is_none() && !(1..=RECURRENCES_MAX).contains(&period.recurrences) {
        let text = format!("Recurrence count must be greater or equal to 1 and lower than {limit}");
        return Err(malformed(call, b"DateMalformedPeriodStringException", text.as_bytes()));
    }
    period.includes_start = options & EXCLUDE_START_DATE == 0;
    period.includes_end = options & INCLUDE_END_DATE != 0;
    period.recurrences += period.includes_start as i64 + period.includes_end as i64;
    if period.recurrences > RECURRENCES_MAX {
        let text = format!("Recurrence count must be greater or equal to 1 and lower than {limit} (including options)");
        return Err(malformed(call, b"DateMalformedStringException", text.as_bytes()));
    }
    store(call.vm, object, period, None)
}

/// A period from `R4/2012-07-01T00:00:00Z/P7D`.
fn from_iso(call: &Call<'_>, text: &PhpStr, class: &[u8]) -> PhpResult<Period> {
    let class_name = b"DateMalformedPeriodStringException";
    let Some(parts) = intervals::parse(text) else {
        let text = [b"Unknown or bad format (", &text[..], b")"].concat();
        return Err(call.vm.throw_class(class_name, &text, 0));
    };
    let missing = |what: &str| {
        let text = [b"ISO interval must contain ", what.as_bytes(), b", \"", text, b"\" given"].concat();
        malformed(call, class_name, &text)
    };
    let moment = |civil: Civil| Moment::at(civil.seconds(), Zone::Offset(0));
    let Some(start) = parts.begin else { return Err(missing("a start date")) };
    let Some(distance) = parts.period else { return Err(missing("an interval")) };
    let recurrences = parts.recurrences.unwrap_or(0);
    if parts.end.is_none() && recurrences == 0 {
        return Err(missing("an end date or a recurrence count"));
    }
    Ok(Period {
        start: Some(moment(start)),
        class: call.vm.require_class(class)?,
        end: parts.end.map(moment),
        interval: Interval::civil(distance),
        recurrences,
        includes_start: true,
        includes_end: false,
    })
}

fn create_from_iso(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = match call.static_class.cloned() {
        Some(class) => class,
        None => call.vm.require_class(b"DatePeriod")?,
    };
    let object = call.vm.instantiate(&class)?;
    let period = from_iso(call, &call.str(0), b"DateTimeImmutable")?;
    finish(call, &object, period, call.int(1))?;
    Ok(object.into())
}

/// An argument that is an object of a class.
fn object_of(call: &Call<'_>, index: usize, class: &[u8]) -> PhpResult<Option<PhpObj>> {
    let class = call.vm.require_class(class)?;
    Ok(call.opt_obj(index).filter(|object| object.is_a(&class)))
}

/// An untyped argument converted as for a parameter of type int; `absent` if it was not passed, `None` if it cannot be
/// converted.
fn integer(call: &Call<'_>, index: usize, absent: i64) -> PhpResult<Option<i64>> {
    if call.passed <= index {
        return Ok(Some(absent));
    }
    let value = call.arg(index);
    match value.view() {
        View::Int(value) => Ok(Some(value)),
        _ if call.vm.caller_is_strict() => Ok(None),
        View::Null | View::Undef => {
            warn_of_null(call, index, "int")?;
            Ok(Some(0))
        }
        _ => coerce::weak_int(call.vm, &value),
    }
}

/// An untyped argument converted as for a parameter of type string; `None` if it cannot be converted.
fn text(call: &Call<'_>, index: usize) -> PhpResult<Option<PhpStr>> {
    let value = call.arg(index);
    match value.view() {
        View::Str(text) => Ok(Some(text.clone())),
        _ if call.vm.caller_is_strict() => Ok(None),
        View::Null | View::Undef => {
            warn_of_null(call, index, "string")?;
            Ok(Some(PhpStr::empty()))
        }
        _ => coerce::weak_string(call.vm, &value),
    }
}

fn warn_of_null(call: &Call<'_>, index: usize, kind: &str) -> PhpResult<()> {
    let name = call.func.params.get(index).map_or(&b""[..], |param| &param.name);
    let name = phlox_runtime::shown(name);
    let text = format!(
        "DatePeriod::__construct(): Passing null to parameter #{} (${name}) of type {kind} is deprecated",
        index + 1
    );
    call.vm.deprecated(text.as_bytes())
}

/// The arguments are of one of three forms, which are tried one after the other.
fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = call.this().clone();
    let (period, options) = match between(call)? {
        Some(period) => period,
        None => from_text(call)?,
    };
    finish(call, &object, period, options)?;
    Ok(Val::NULL)
}

/// The period that begins at a date argument, and the options.
fn between(call: &Call<'_>) -> PhpResult<Option<(Period, i64)>> {
    let start = object_of(call, 0, b"DateTimeInterface")?;
    let step = object_of(call, 1, b"DateInterval")?;
    let (Some(start), Some(step), true) = (start, step, call.passed > 2) else { return Ok(None) };
    let end = object_of(call, 2, b"DateTimeInterface")?;
    let count = if end.is_some() { Some(0) } else { integer(call, 2, 0)? };
    let Some(recurrences) = count else { return Ok(None) };
    let Some(options) = integer(call, 3, 0)? else { return Ok(None) };
    let moment = |object: &PhpObj| {
        data::get::<Moment>(object).ok_or_else(|| data::uninitialized_as(call.vm, b"DateTimeInterface"))
    };
    let period = Period {
        start: Some(moment(&start)?),
        class: start.class_header().clone(),
        end: end.as_ref().map(moment).transpose()?,
        interval: data::require::<Interval>(call.vm, &step)?,
        recurrences,
        includes_start: true,
        includes_end: false,
    };
    Ok(Some((period, options)))
}

/// The period that a text describes, and the options.
fn from_text(call: &Call<'_>) -> PhpResult<(Period, i64)> {
    let refused = || {
        let text = b"DatePeriod::__construct() accepts (DateTimeInterface, DateInterval, int [, int]), or (DateTimeInterface, DateInterval, DateTime [, int]), or (string [, int]) as arguments";
        call.vm.throw_type_error(text)
    };
    if call.passed > 2 {
        return Err(refused());
    }
    let text = text(call, 0)?.ok_or_else(refused)?;
    let options = integer(call, 1, 0)?.ok_or_else(refused)?;
    call.vm.raise(
        Level::Deprecated,
        b"Calling DatePeriod::__construct(string $isostr, int $options = 0) is deprecated, use DatePeriod::createFromISO8601String() instead",
    )?;
    Ok((from_iso(call, &text, b"DateTime")?, options))
}

/// Neither the properties nor values inside them can be changed through the object.
static MEMBERS: MemberHooks = MemberHooks {
    read: |vm, _, member, _| Err(is_readonly(vm, member)),
    write: |vm, _, member, _| Err(is_readonly(vm, member)),
    exists: |_, _, _, _| Ok(true),
    unset: |vm, _, member| Err(is_readonly(vm, member)),
};

fn owns_property(_object: &PhpObj, name: &PhpStr, reach: Reach) -> bool {
    matches!(reach, Reach::Write | Reach::Inside) && PROPERTIES.iter().any(|known| known.as_bytes() == name.as_bytes())
}

fn is_readonly(vm: &Vm, member: Member<'_>) -> Throw {
    let name = match member {
        Member::Property(name) => &name[..],
        Member::Element(_) => b"",
    };
    vm.throw_error(&[b"Cannot modify readonly property DatePeriod::$", name].concat())
}

fn get_start_date(call: &mut Call<'_>) -> PhpResult<Val> {
    let period = period(call.vm, call.this())?;
    let Some(start) = period.start else { return Err(uninitialized(call.vm, call.this())) };
    date_object(call.vm, &period.class, start)
}

fn get_end_date(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.this().native::<PeriodData>().and_then(|data| data.period.borrow().clone());
    match data.and_then(|period| period.end.map(|end| (period.class, end))) {
        Some((class, end)) => date_object(call.vm, &class, end),
        None => Ok(Val::NULL),
    }
}

fn get_date_interval(call: &mut Call<'_>) -> PhpResult<Val> {
    let period = period(call.vm, call.this())?;
    Ok(interval::create(call.vm, period.interval)?.into())
}

fn get_recurrences(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.this().native::<PeriodData>().and_then(|data| data.period.borrow().clone());
    let count = data.map_or(0, |period| period.recurrences - period.includes_start as i64 - period.includes_end as i64);
    Ok(if count == 0 { Val::NULL } else { Val::int(count) })
}

/// An iteration over the dates; the period's property `current` shows its position.
struct Walk {
    object: PhpObj,
    index: Cell<i64>,
    /// The last result of `current`, which is kept until another one is given or the iteration advances.
    given: RefCell<Option<Val>>,
}

impl Walk {
    /// Applies `question` to the period and the current date; `None` before the first date.
    fn ask<T>(&self, question: impl FnOnce(&Period, &mut Moment) -> T) -> Option<T> {
        let data = self.object.native::<PeriodData>()?;
        let (period, mut current) = (data.period.borrow(), data.current.borrow_mut());
        Some(question(period.as_ref()?, current.as_mut()?))
    }
}

/// A step forward, whatever the interval's sign.
fn step(period: &Period, current: &mut Moment) {
    current.resolve(&period.interval.distance);
    current.update_fields();
}

/// `DateTime` or `DateTimeImmutable`: the class of the dates that an iteration makes.
fn base_class(class: &ClassRef) -> ClassRef {
    let mut base = class.clone();
    while !base.class().is_internal() {
        let Some(parent) = base.class().parent.clone() else { break };
        base = parent;
    }
    base
}

impl Source for Walk {
    fn rewind(&self) {
        drop(self.given.take());
        self.index.set(0);
        if let Some(data) = self.object.native::<PeriodData>() {
            *data.current.borrow_mut() = data.period.borrow().as_ref().and_then(|period| period.start.clone());
        }
        // The period's property keeps its old value until the next step.
        self.ask(|period, current| {
            if !period.includes_start {
                step(period, current);
            }
        });
    }

    fn valid(&self) -> bool {
        let is_within = self.ask(|period, current| match &period.end {
            Some(end) if period.includes_end => current.instant() <= end.instant(),
            Some(end) => current.instant() < end.instant(),
            None => self.index.get() < period.recurrences,
        });
        is_within.unwrap_or(false)
    }

    fn current(&self) -> Val {
        drop(self.given.take());
        let Some(vm) = Vm::current() else { return Val::NULL };
        let place = self.ask(|period, current| (base_class(&period.class), current.clone()));
        let date = place.map_or(Val::NULL, |(class, moment)| date_object(vm, &class, moment).unwrap_or(Val::NULL));
        drop(self.given.replace(Some(date.clone())));
        date
    }

    fn key(&self) -> Val {
        Val::int(self.index.get())
    }

    fn advance(&self) {
        self.index.set(self.index.get() + 1);
        let place = self.ask(|period, current| {
            step(period, current);
            (period.class.clone(), current.clone())
        });
        if let (Some(vm), Some(slot), Some((class, moment))) = (Vm::current(), self.object.slots().get(1), place) {
            slot.set(date_object(vm, &class, moment).unwrap_or(Val::NULL));
        }
        drop(self.given.take());
    }

    fn trace(&self, edges: &mut Edges) {
        edges.object(&self.object);
        if let Ok(given) = self.given.try_borrow() {
            given.iter().for_each(|value| edges.value(value));
        }
    }
}

fn get_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = call.this().clone();
    held(&object).and_then(|period| period.start).ok_or_else(|| data::uninitialized_as(call.vm, b"DatePeriod"))?;
    iterator::create(call, Box::new(Walk { object, index: Cell::new(0), given: RefCell::new(None) }))
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    let period = period(call.vm, this)?;
    if period.start.is_none() {
        return Err(uninitialized(call.vm, this));
    }
    let current = this.native::<PeriodData>().and_then(|data| data.current.borrow().clone());
    let mut table = PhpArr::new();
    for (name, value) in PROPERTIES.iter().zip(values(call.vm, &period, current)?) {
        table.set_bytes(name.as_bytes(), value);
    }
    for (key, value) in convert::object_properties(this).iter() {
        if !table.contains(key) {
            table.insert(key, value.clone());
        }
    }
    Ok(table.into())
}

/// A date in a table: `Some(None)` for null.
fn date(vm: &Vm, table: &PhpArr, name: &str) -> Option<Option<(PhpObj, Moment)>> {
    let value = element(table, name)?;
    if value.is_null() {
        return Some(None);
    }
    let interface = vm.find_class_no_autoload(b"datetimeinterface")?;
    let object = value.into_obj().filter(|object| object.is_a(&interface))?;
    let moment = data::get::<Moment>(&object)?;
    Some(Some((object, moment)))
}

fn from_table(vm: &Vm, table: &PhpArr) -> Option<(Period, Option<Moment>)> {
    let start = date(vm, table, "start")?;
    let end = date(vm, table, "end")?;
    let current = date(vm, table, "current")?;
    let step = element(table, "interval")?.into_obj()?;
    if &step.class().name[..] != b"DateInterval" {
        return None;
    }
    let interval = Interval::civil(data::get::<Interval>(&step)?.distance);
    let recurrences = element(table, "recurrences")?.as_int().filter(|count| (0..=i32::MAX as i64).contains(count))?;
    let includes_start = element(table, "include_start_date")?.as_bool()?;
    let includes_end = element(table, "include_end_date")?.as_bool()?;
    // Without a start the class of the other dates is not known.
    let class = match &start {
        Some((object, _)) => object.class_header().clone(),
        None if end.is_some() || current.is_some() => return None,
        None => vm.find_class_no_autoload(b"datetime")?,
    };
    let period = Period {
        start: start.map(|(_, moment)| moment),
        class,
        end: end.map(|(_, moment)| moment),
        interval,
        recurrences,
        includes_start,
        includes_end,
    };
    Some((period, current.map(|(_, moment)| moment)))
}

fn fill(vm: &Vm, object: &PhpObj, table: &PhpArr) -> PhpResult<()> {
    match from_table(vm, table) {
        Some((period, current)) => store(vm, object, period, current),
        None => Err(invalid_data(vm)),
    }
}

fn invalid_data(vm: &Vm) -> Throw {
    vm.throw_error(b"Invalid serialization data for DatePeriod object")
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let table = call.arr(0);
    fill(call.vm, call.this(), &table)?;
    restore(call.vm, call.this(), &table, &PROPERTIES)?;
    Ok(Val::NULL)
}

/// `__wakeup()` always fails: the properties alone do not describe a period.
fn wakeup(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(invalid_data(call.vm))
}

fn set_state(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = call.vm.require_class(b"DatePeriod")?;
    let object = call.vm.instantiate(&class)?;
    fill(call.vm, &object, &call.arr(0))?;
    Ok(object.into())
}
