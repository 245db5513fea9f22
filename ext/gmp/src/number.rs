//! The class `GMP`: integers of any size as objects that operators work on.

use crate::text;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use phlox_ext_standard::serialize::Sequence;
use phlox_runtime::arith::BinOp;
use phlox_runtime::class::{CastTo, NativeHooks};
use phlox_runtime::number::{Number, fits_int, numeric, numeric_prefix};
use phlox_runtime::room::require_room;
use phlox_runtime::{
    Access, Call, Edges, Key, Level, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Throw, Thrown, Val, View, Vm,
    convert, props,
};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "GMP",
    decl: include_str!("../stubs/GMP.stub.php"),
    methods: &[("__construct", construct), ("__serialize", serialize), ("__unserialize", unserialize)],
    hooks: NativeHooks {
        create: Some(create),
        debug_info: Some(debug_info),
        operate: Some(operate),
        bit_not: Some(|vm, number| object(vm, !held(number))),
        compare: Some(|_, one, two| Ok(Some(held(one).cmp(&held(two))))),
        compare_with: Some(compare_with),
        cast: Some(cast),
        unserialize: Some(unserialize_old),
        ..NativeHooks::NONE
    },
}];

/// Bits of a word of GMP.
const WORD_BITS: u64 = 64;

#[derive(Default)]
struct GmpData(RefCell<BigInt>);

impl NativeData for GmpData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(GmpData(self.0.clone())))
    }
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(GmpData::default()));
}

/// The number of an object.
pub fn held(object: &PhpObj) -> BigInt {
    object.native::<GmpData>().map(|data| data.0.borrow().clone()).unwrap_or_default()
}

/// Gives an object another number.
pub fn store(object: &PhpObj, number: BigInt) {
    if let Some(data) = object.native::<GmpData>() {
        data.0.replace(number);
    }
}

/// A new object of a number.
pub fn object(vm: &Vm, number: BigInt) -> PhpResult<Val> {
    let object = vm.instantiate(&vm.require_class(b"GMP")?)?;
    store(&object, number);
    Ok(object.into())
}

/// The number of a value that is an object of the class.
fn of_object(value: &Val) -> Option<BigInt> {
    let object = value.as_obj()?;
    object.native::<GmpData>().map(|data| data.0.borrow().clone())
}

/// Who asks for a number, which messages name.
pub enum Asker<'c, 'a> {
    Argument(&'c Call<'a>, usize),
    Operator(&'c Vm),
}

impl Asker<'_, '_> {
    fn vm(&self) -> &Vm {
        match self {
            Asker::Argument(call, _) => call.vm,
            Asker::Operator(vm) => vm,
        }
    }

    fn not_an_integer(&self) -> Throw {
        match self {
            Asker::Argument(call, index) => call.value_error(*index, "is not an integer string"),
            Asker::Operator(vm) => vm.throw_value_error(b"Number is not an integer string"),
        }
    }

    fn wrong_type(&self, value: &Val) -> Throw {
        let given = convert::value_name(value);
        match self {
            Asker::Argument(call, index) => {
                call.type_error(*index, &format!("must be of type GMP|string|int, {given} given"))
            }
            Asker::Operator(vm) => {
                vm.throw_type_error(format!("Number must be of type GMP|string|int, {given} given").as_bytes())
            }
        }
    }

    fn null(&self) -> PhpResult<BigInt> {
        match self {
            Asker::Argument(call, index) if !call.vm.caller_is_strict() => {
                let name = call.func.params.get(*index).map(|param| phlox_runtime::shown(&param.name).into_owned());
                let name = name.unwrap_or_default();
                let text =
                    format!("Passing null to parameter #{} (${name}) of type GMP|string|int is deprecated", index + 1);
                call.raise(Level::Deprecated, text.as_bytes())?;
                Ok(BigInt::zero())
            }
            _ => Err(self.wrong_type(&Val::NULL)),
        }
    }
}

/// A value as a number.
pub fn number(asker: &Asker<'_, '_>, value: &Val) -> PhpResult<BigInt> {
    if let Some(number) = of_object(value) {
        return Ok(number);
    }
    let is_strict = matches!(asker, Asker::Argument(call, _) if call.vm.caller_is_strict());
    match value.view() {
        View::Int(number) => Ok(number.into()),
        View::Str(digits) => {
            require_room(digits.len());
            text::parse(digits, 0).ok_or_else(|| asker.not_an_integer())
        }
        View::Null | View::Undef => asker.null(),
        View::Bool(truth) if !is_strict => Ok(i64::from(truth).into()),
        View::Double(float) if !is_strict && fits_int(float) => {
            Ok(convert::double_to_int_checked(asker.vm(), float)?.into())
        }
        View::Ref(reference) => number(asker, &reference.get()),
        _ => Err(asker.wrong_type(value)),
    }
}

/// An argument as a number.
pub fn argument(call: &Call<'_>, index: usize) -> PhpResult<BigInt> {
    number(&Asker::Argument(call, index), &call.arg(index))
}

/// The bits that a base argument asks for; the error tells what is wrong with it.
fn checked_base(call: &Call<'_>, index: usize) -> PhpResult<u32> {
    match u32::try_from(call.int(index)) {
        Ok(base) if base == 0 || (2..=text::LARGEST_BASE).contains(&base) => Ok(base),
        _ => Err(call.value_error(index, &format!("must be 0 or between 2 and {}", text::LARGEST_BASE))),
    }
}

/// The number of `gmp_init()` and the constructor, whose first two arguments are a number and a base.
pub fn initial(call: &Call<'_>) -> PhpResult<BigInt> {
    let base = checked_base(call, 1)?;
    let value = call.arg(0);
    match value.view() {
        View::Str(digits) => {
            require_room(digits.len());
            text::parse(digits, base).ok_or_else(|| call.value_error(0, "is not an integer string"))
        }
        _ => Ok(call.int(0).into()),
    }
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let number = initial(call)?;
    store(call.this(), number);
    Ok(Val::NULL)
}

fn debug_info(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut table = convert::object_properties(object);
    table.set_bytes(b"num", text::to_text(&held(object), 10).into());
    Ok(table)
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut table = PhpArr::new();
    let _ = table.push(text::to_text(&held(call.this()), 16).into());
    let properties = convert::object_properties(call.this());
    if !properties.is_empty() {
        let _ = table.push(properties.into());
    }
    Ok(table.into())
}

fn not_a_number(vm: &Vm) -> Throw {
    vm.throw_class(b"Exception", b"Could not unserialize number", 0)
}

fn no_properties(vm: &Vm) -> Throw {
    vm.throw_class(b"Exception", b"Could not unserialize properties", 0)
}

/// Gives an object what a serialised text has of it.
fn restore(vm: &Vm, object: &PhpObj, number: Option<Val>, base: u32, properties: Option<Val>) -> PhpResult<()> {
    let digits = number.map(|number| number.deref()).and_then(Val::into_str).ok_or_else(|| not_a_number(vm))?;
    let number = text::parse(&digits, base).ok_or_else(|| not_a_number(vm))?;
    store(object, number);
    properties.map_or(Ok(()), |properties| add_properties(vm, object, properties))
}

fn add_properties(vm: &Vm, object: &PhpObj, properties: Val) -> PhpResult<()> {
    let properties = properties.deref().into_arr().ok_or_else(|| no_properties(vm))?;
    for (key, value) in properties.iter() {
        let name = match key {
            Key::Int(number) => number.to_string().as_bytes().into(),
            Key::Str(name) => name.clone(),
        };
        props::write(vm, object, &name, value.deref(), Access { scope: None, strict: false })?;
    }
    Ok(())
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let table = call.arr(0);
    let at = |index: i64| table.get(Key::Int(index)).cloned();
    restore(call.vm, call.this(), at(0), 16, at(1))?;
    Ok(Val::NULL)
}

/// The form of older releases: the number and the properties, one after the other.
fn unserialize_old(vm: &Vm, object: &PhpObj, body: &[u8]) -> PhpResult<()> {
    let mut texts = Sequence::new(vm, body, "unserialize");
    let (number, end) = texts.next(0)?.ok_or_else(|| not_a_number(vm))?;
    restore(vm, object, Some(number), 10, None)?;
    let (properties, _) = texts.next(end)?.ok_or_else(|| no_properties(vm))?;
    texts.finish()?;
    add_properties(vm, object, properties)
}

/// A number as PHP's integer: the lowest 63 bits with the sign.
pub fn to_int(number: &BigInt) -> i64 {
    let low = number.magnitude().iter_u64_digits().next().unwrap_or(0);
    match number.sign() {
        Sign::Minus => -1 - (low.wrapping_sub(1) & i64::MAX as u64) as i64,
        _ => (low & i64::MAX as u64) as i64,
    }
}

/// A number as a float, cut and not rounded.
fn to_float(number: &BigInt) -> f64 {
    let bits = number.bits();
    let shift = bits.saturating_sub(u64::from(f64::MANTISSA_DIGITS));
    let float = (number.magnitude() >> shift).to_f64().unwrap_or(0.0);
    let float = float * 2f64.powi(i32::try_from(shift).unwrap_or(i32::MAX));
    if number.is_negative() { -float } else { float }
}

fn cast(_vm: &Vm, object: &PhpObj, target: CastTo) -> PhpResult<Option<Val>> {
    let number = held(object);
    Ok(Some(match target {
        CastTo::Bool => Val::bool(!number.is_zero()),
        CastTo::Int => Val::int(to_int(&number)),
        CastTo::Float => Val::double(to_float(&number)),
        CastTo::Number => match number.to_i64() {
            Some(number) => Val::int(number),
            None => Val::double(to_float(&number)),
        },
        CastTo::String => text::to_text(&number, 10).into(),
    }))
}

fn compare_with(vm: &Vm, object: &PhpObj, value: &Val) -> PhpResult<Option<Option<Ordering>>> {
    let other = number(&Asker::Operator(vm), value)?;
    Ok(Some(Some(held(object).cmp(&other))))
}

/// The error of a division by zero.
pub fn division_by_zero(vm: &Vm, message: &str) -> Throw {
    vm.throw(Thrown::DivisionByZeroError, message.as_bytes())
}

/// Makes sure that there is room for a result of so many bits.
pub fn require_bits(bits: u64) {
    require_room(usize::try_from(bits / 8).unwrap_or(usize::MAX));
}

/// A power, if there is room for it.
pub fn power(base: &BigInt, exponent: u64) -> BigInt {
    let bits = base.bits();
    if bits <= 1 {
        // The powers of -1, 0 and 1.
        return match exponent {
            0 => 1.into(),
            exponent if exponent % 2 == 0 => base.abs(),
            _ => base.clone(),
        };
    }
    require_bits((bits - 1).saturating_mul(exponent));
    let Ok(exponent) = u32::try_from(exponent) else {
        // No machine has room for the result.
        require_bits(u64::MAX);
        return BigInt::zero();
    };
    base.pow(exponent)
}

fn shifted_left(number: &BigInt, count: u64) -> BigInt {
    if number.is_zero() {
        return BigInt::zero();
    }
    require_bits(number.bits().saturating_add(count));
    number << count
}

fn shifted_right(number: &BigInt, count: u64) -> BigInt {
    if count > number.bits() + WORD_BITS {
        return if number.is_negative() { (-1).into() } else { BigInt::zero() };
    }
    number >> count
}

fn unsupported(vm: &Vm, one: &Val, symbol: &str, two: &Val) -> Throw {
    let name =
        |value: &Val| if value.as_obj().is_some() { convert::value_name(value) } else { convert::type_name(value) };
    vm.throw_type_error(format!("Unsupported operand types: {} {symbol} {}", name(one), name(two)).as_bytes())
}

/// Operators of integers convert their left side to one before they ask the right side's class.
fn check_left(vm: &Vm, op: BinOp, one: &Val, two: &Val) -> PhpResult<()> {
    let symbol = match op {
        BinOp::Mod => "%",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        _ => return Ok(()),
    };
    match one.view() {
        View::Double(float) => drop(convert::double_to_int_checked(vm, float)?),
        View::Str(digits) if numeric_prefix(digits).is_none() => return Err(unsupported(vm, one, symbol, two)),
        View::Arr(_) => return Err(unsupported(vm, one, symbol, two)),
        View::Obj(_) if of_object(one).is_none() => return Err(unsupported(vm, one, symbol, two)),
        _ => {}
    }
    Ok(())
}

/// `**`, `<<` and `>>`, whose right side is an integer of PHP.
fn with_count(vm: &Vm, op: BinOp, one: &Val, two: &Val) -> PhpResult<Val> {
    let unsupported = || {
        let symbol = match op {
            BinOp::Pow => "**",
            BinOp::Shl => "<<",
            _ => ">>",
        };
        unsupported(vm, one, symbol, two)
    };
    let count = match two.view() {
        View::Int(count) => count,
        View::Double(_) => convert::to_int(vm, two)?,
        View::Str(digits) => match numeric(digits) {
            Some(Number::Int(count)) => count,
            _ => return Err(vm.throw_value_error(b"Number is not an integer string")),
        },
        _ => of_object(two).map(|number| to_int(&number)).ok_or_else(unsupported)?,
    };
    let Ok(count) = u64::try_from(count) else {
        let what = if op == BinOp::Pow { "Exponent" } else { "Shift" };
        return Err(vm.throw_value_error(format!("{what} must be greater than or equal to 0").as_bytes()));
    };
    let number = match one.view() {
        View::Int(number) => number.into(),
        _ => of_object(one).ok_or_else(unsupported)?,
    };
    object(
        vm,
        match op {
            BinOp::Pow => power(&number, count),
            BinOp::Shl => shifted_left(&number, count),
            _ => shifted_right(&number, count),
        },
    )
}

fn operate(vm: &Vm, op: BinOp, one: &Val, two: &Val) -> PhpResult<Option<Val>> {
    check_left(vm, op, one, two)?;
    match op {
        BinOp::Pow | BinOp::Shl | BinOp::Shr => return with_count(vm, op, one, two).map(Some),
        BinOp::Concat => return Ok(None),
        _ => {}
    }
    let asker = Asker::Operator(vm);
    let (left, right) = (number(&asker, one)?, number(&asker, two)?);
    let result = match op {
        BinOp::Add => left + right,
        BinOp::Sub => left - right,
        BinOp::Mul => left * right,
        BinOp::Div if right.is_zero() => return Err(division_by_zero(vm, "Division by zero")),
        BinOp::Div => left / right,
        BinOp::Mod if right.is_zero() => return Err(division_by_zero(vm, "Modulo by zero")),
        BinOp::Mod => left.mod_floor(&right.abs()),
        BinOp::BitAnd => left & right,
        BinOp::BitOr => left | right,
        BinOp::BitXor => left ^ right,
        _ => return Ok(None),
    };
    object(vm, result).map(Some)
}
