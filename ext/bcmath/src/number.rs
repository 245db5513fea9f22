//! `BcMath\Number`: numbers as objects that operators work on.

use crate::decimal::{Decimal, PowModError, Rounding};
use crate::functions::{checked_precision, checked_scale, division_by_zero, rounding_mode};
use phlox_runtime::arith::BinOp;
use phlox_runtime::class::{CastTo, NativeHooks};
use phlox_runtime::{
    Call, Edges, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, Throw, Val, View, Vm, convert, number,
};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "BcMath\\Number",
    decl: include_str!("../stubs/BcMath/Number.stub.php"),
    methods: &[
        ("__construct", construct),
        ("add", add),
        ("sub", sub),
        ("mul", mul),
        ("div", div),
        ("mod", modulo),
        ("divmod", divmod),
        ("powmod", powmod),
        ("pow", pow),
        ("sqrt", sqrt),
        ("floor", floor),
        ("ceil", ceil),
        ("round", round),
        ("compare", compare),
        ("__toString", to_string),
        ("__serialize", serialize),
        ("__unserialize", unserialize),
    ],
    hooks: NativeHooks {
        create: Some(create),
        operate: Some(operate),
        compare: Some(compare_objects),
        compare_with: Some(compare_with),
        cast: Some(cast),
        no_dynamic: true,
        ..NativeHooks::NONE
    },
}];

/// Digits that a quotient or root gets beyond those of its operand.
const EXTRA_SCALE: usize = 10;

/// A number and how many digits behind the point it shows.
#[derive(Clone)]
struct Number {
    decimal: Decimal,
    scale: usize,
}

#[derive(Default)]
struct NumberData(RefCell<Option<Number>>);

impl NativeData for NumberData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(NumberData(RefCell::new(self.0.borrow().clone()))))
    }
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(NumberData::default()));
}

fn is_number(object: &PhpObj) -> bool {
    object.native::<NumberData>().is_some()
}

fn held(object: &PhpObj) -> Number {
    let number = object.native::<NumberData>().and_then(|data| data.0.borrow().clone());
    number.unwrap_or(Number { decimal: Decimal::from_int(0), scale: 0 })
}

fn store(object: &PhpObj, number: Number) {
    object.slots()[0].set(number.decimal.to_text(number.scale).into());
    object.slots()[1].set(Val::int(number.scale as i64));
    if let Some(data) = object.native::<NumberData>() {
        *data.0.borrow_mut() = Some(number);
    }
}

fn object(vm: &Vm, decimal: Decimal, scale: usize) -> PhpResult<Val> {
    let class = vm.require_class(b"BcMath\\Number")?;
    let object = vm.instantiate(&class)?;
    store(&object, Number { decimal: decimal.truncated(scale), scale });
    Ok(object.into())
}

fn parse(value: &Val) -> Option<Number> {
    match value.view() {
        View::Obj(object) => Some(held(object)),
        View::Int(value) => Some(Number { decimal: Decimal::from_int(value), scale: 0 }),
        View::Str(text) => Decimal::parse(text).map(|(decimal, scale)| Number { decimal, scale }),
        _ => None,
    }
}

fn argument(call: &Call<'_>, index: usize) -> PhpResult<Number> {
    parse(&call.arg(index)).ok_or_else(|| call.value_error(index, "is not well-formed"))
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    if !this.slots()[0].is_undef() {
        return Err(call.vm.throw_error(b"Cannot modify readonly property BcMath\\Number::$value"));
    }
    store(this, argument(call, 0)?);
    Ok(Val::NULL)
}

fn too_large(vm: &Vm) -> Throw {
    vm.throw_value_error(b"scale of the result is too large")
}

/// The scale of a result: the one given, or the one that follows, with what was added for it taken back as far as
/// the digits allow.
fn finish(vm: &Vm, decimal: Decimal, scale: usize, extra: usize) -> PhpResult<Val> {
    let unused = scale.saturating_sub(decimal.truncated(scale).scale);
    object(vm, decimal, scale - unused.min(extra))
}

/// A calculation with a scale given or left to the operands. `fail` tells of a bad exponent.
fn calculate(
    vm: &Vm,
    op: BinOp,
    one: &Number,
    two: &Number,
    scale: Option<usize>,
    fail: &dyn Fn(&str) -> Throw,
) -> PhpResult<Val> {
    let larger = scale.unwrap_or(one.scale.max(two.scale));
    let (a, b) = (&one.decimal, &two.decimal);
    let limited = |scale: usize| if scale > i32::MAX as usize { Err(too_large(vm)) } else { Ok(scale) };
    match op {
        BinOp::Add => object(vm, a.add(b), larger),
        BinOp::Sub => object(vm, a.sub(b), larger),
        BinOp::Mul => {
            let scale = limited(scale.unwrap_or(one.scale + two.scale))?;
            object(vm, a.mul(b), scale)
        }
        BinOp::Div => {
            let extra = if scale.is_none() { EXTRA_SCALE } else { 0 };
            let scale = limited(scale.unwrap_or(one.scale + EXTRA_SCALE))?;
            let quotient = a.div(b, scale).ok_or_else(|| division_by_zero(vm, "Division by zero"))?;
            finish(vm, quotient, scale, extra)
        }
        BinOp::Mod => {
            let (_, rest) = a.div_rem(b).ok_or_else(|| division_by_zero(vm, "Modulo by zero"))?;
            object(vm, rest, larger)
        }
        _ => power(vm, one, b, scale, fail),
    }
}

fn power(
    vm: &Vm,
    base: &Number,
    exponent: &Decimal,
    given: Option<usize>,
    fail: &dyn Fn(&str) -> Throw,
) -> PhpResult<Val> {
    if exponent.scale > 0 {
        return Err(fail("exponent cannot have a fractional part"));
    }
    // The least integer has no positive counterpart.
    let Some(exponent) = exponent.to_int().filter(|&exponent| exponent != i64::MIN) else {
        return Err(fail("exponent is too large"));
    };
    let followed = match exponent {
        0 => Some(0),
        1.. => base.scale.checked_mul(exponent as usize),
        _ => base.scale.checked_add(EXTRA_SCALE),
    };
    let scale = given.or(followed).filter(|&scale| scale <= i32::MAX as usize).ok_or_else(|| too_large(vm))?;
    let power = base.decimal.pow(exponent, scale).ok_or_else(|| division_by_zero(vm, "Negative power of zero"))?;
    let extra = if given.is_none() && exponent < 0 { EXTRA_SCALE } else { 0 };
    finish(vm, power, scale, extra)
}

fn method(call: &Call<'_>, op: BinOp) -> PhpResult<Val> {
    let other = argument(call, 0)?;
    let scale = checked_scale(call, 1)?;
    let fail = |text: &str| call.value_error(0, text);
    calculate(call.vm, op, &held(call.this()), &other, scale, &fail)
}

fn add(call: &mut Call<'_>) -> PhpResult<Val> {
    method(call, BinOp::Add)
}

fn sub(call: &mut Call<'_>) -> PhpResult<Val> {
    method(call, BinOp::Sub)
}

fn mul(call: &mut Call<'_>) -> PhpResult<Val> {
    method(call, BinOp::Mul)
}

fn div(call: &mut Call<'_>) -> PhpResult<Val> {
    method(call, BinOp::Div)
}

fn modulo(call: &mut Call<'_>) -> PhpResult<Val> {
    method(call, BinOp::Mod)
}

fn pow(call: &mut Call<'_>) -> PhpResult<Val> {
    method(call, BinOp::Pow)
}

fn divmod(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, other) = (held(call.this()), argument(call, 0)?);
    let scale = checked_scale(call, 1)?.unwrap_or(this.scale.max(other.scale));
    let parts = this.decimal.div_rem(&other.decimal);
    let (quotient, rest) = parts.ok_or_else(|| division_by_zero(call.vm, "Division by zero"))?;
    let pair = vec![object(call.vm, quotient, 0)?, object(call.vm, rest, scale)?];
    Ok(PhpArr::from_vec(pair).into())
}

fn powmod(call: &mut Call<'_>) -> PhpResult<Val> {
    let (exponent, modulus) = (argument(call, 0)?, argument(call, 1)?);
    let scale = checked_scale(call, 2)?.unwrap_or(0);
    let problem = match held(call.this()).decimal.pow_mod(&exponent.decimal, &modulus.decimal) {
        Ok(power) => return object(call.vm, power, scale),
        Err(problem) => problem,
    };
    Err(match problem {
        PowModError::BaseHasFraction => call.vm.throw_value_error(b"Base number cannot have a fractional part"),
        PowModError::ExponentHasFraction => call.value_error(0, "cannot have a fractional part"),
        PowModError::NegativeExponent => call.value_error(0, "must be greater than or equal to 0"),
        PowModError::ModulusHasFraction => call.value_error(1, "cannot have a fractional part"),
        PowModError::ZeroModulus => division_by_zero(call.vm, "Modulo by zero"),
    })
}

fn sqrt(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = held(call.this());
    let given = checked_scale(call, 0)?;
    let scale = given.unwrap_or(this.scale + EXTRA_SCALE);
    match this.decimal.sqrt(scale) {
        Some(root) => finish(call.vm, root, scale, if given.is_none() { EXTRA_SCALE } else { 0 }),
        None => Err(call.vm.throw_value_error(b"Base number must be greater than or equal to 0")),
    }
}

fn floor(call: &mut Call<'_>) -> PhpResult<Val> {
    object(call.vm, held(call.this()).decimal.round(0, Rounding::NegativeInfinity), 0)
}

fn ceil(call: &mut Call<'_>) -> PhpResult<Val> {
    object(call.vm, held(call.this()).decimal.round(0, Rounding::PositiveInfinity), 0)
}

fn round(call: &mut Call<'_>) -> PhpResult<Val> {
    let precision = checked_precision(call, 0)?;
    let rounded = held(call.this()).decimal.round(precision, rounding_mode(call.opt_obj(1)));
    object(call.vm, rounded, usize::try_from(precision).unwrap_or(0))
}

fn compare(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, other) = (held(call.this()), argument(call, 0)?);
    let scale = checked_scale(call, 1)?.unwrap_or(this.decimal.scale.max(other.decimal.scale));
    Ok(Val::int(this.decimal.compare(&other.decimal, scale) as i64))
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = held(call.this());
    Ok(this.decimal.to_text(this.scale).into())
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut table = PhpArr::new();
    let this = held(call.this());
    table.set_bytes(b"value", this.decimal.to_text(this.scale).into());
    Ok(table.into())
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    if !this.slots()[0].is_undef() {
        return Err(call.vm.throw_error(b"Cannot modify readonly property BcMath\\Number::$value"));
    }
    let value = call.arr(0).get_bytes(b"value").map(Val::deref).filter(|value| value.as_str().is_some());
    match value.as_ref().and_then(parse) {
        Some(number) if !value.as_ref().and_then(Val::as_str).is_some_and(|text| text.is_empty()) => {
            store(this, number);
            Ok(Val::NULL)
        }
        _ => {
            let name = this.class().name.clone();
            let text = format!("Invalid serialization data for {name} object");
            Err(call.vm.throw_class(b"Exception", text.as_bytes(), 0))
        }
    }
}

/// An operand; the outer `None`: it is nothing to calculate with, the inner: no number.
fn operand(vm: &Vm, value: &Val) -> PhpResult<Option<Option<Number>>> {
    Ok(match value.view() {
        View::Obj(object) if !is_number(object) => None,
        View::Obj(_) | View::Int(_) | View::Str(_) => Some(parse(value)),
        View::Double(float) if !number::fits_int(float) => None,
        View::Double(_) | View::Bool(_) => {
            if let View::Double(float) = value.view()
                && float.fract() != 0.0
            {
                convert::double_to_int_checked(vm, float)?;
            }
            Some(Some(Number { decimal: Decimal::from_int(convert::to_int(vm, value)?), scale: 0 }))
        }
        _ => None,
    })
}

fn operate(vm: &Vm, op: BinOp, one: &Val, two: &Val) -> PhpResult<Option<Val>> {
    if !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::Pow) {
        return Ok(None);
    }
    let (Some(left), Some(right)) = (operand(vm, one)?, operand(vm, two)?) else { return Ok(None) };
    let unusable = |side: &str| {
        vm.throw_value_error(format!("{side} string operand cannot be converted to BcMath\\Number").as_bytes())
    };
    let left = left.ok_or_else(|| unusable("Left"))?;
    let right = right.ok_or_else(|| unusable("Right"))?;
    let fail = |text: &str| vm.throw_value_error(text.as_bytes());
    calculate(vm, op, &left, &right, None, &fail).map(Some)
}

fn order(one: &Number, two: &Number) -> Ordering {
    one.decimal.compare(&two.decimal, one.decimal.scale.max(two.decimal.scale))
}

fn compare_objects(_vm: &Vm, one: &PhpObj, two: &PhpObj) -> PhpResult<Option<Ordering>> {
    Ok((is_number(one) && is_number(two)).then(|| order(&held(one), &held(two))))
}

fn compare_with(vm: &Vm, object: &PhpObj, value: &Val) -> PhpResult<Option<Option<Ordering>>> {
    if let View::Null | View::Undef = value.view() {
        return Ok(None);
    }
    let other = operand(vm, value)?.flatten();
    Ok(Some(other.map(|other| order(&held(object), &other))))
}

fn cast(_vm: &Vm, object: &PhpObj, target: CastTo) -> PhpResult<Option<Val>> {
    Ok((target == CastTo::Bool).then(|| Val::bool(!held(object).decimal.is_zero())))
}
