//! `Random\Randomizer`

use crate::classes::EngineData;
use crate::engine::{self, MtMode, RandomEngine};
use crate::generators::Generator;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::room::require_room;
use phlox_runtime::{Call, Key, NativeClass, ObjExt, PhpArr, PhpObj, PhpResult, Val, Vm, convert, enums};

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Random\\Randomizer",
    decl: include_str!("../stubs/Random/Randomizer.stub.php"),
    methods: &[
        ("__construct", construct),
        ("nextInt", next_int),
        ("nextFloat", next_float),
        ("getFloat", get_float),
        ("getInt", get_int),
        ("getBytes", get_bytes),
        ("getBytesFromString", get_bytes_from_string),
        ("shuffleArray", shuffle_array),
        ("shuffleBytes", shuffle_bytes),
        ("pickArrayKeys", pick_array_keys),
        ("__serialize", serialize),
        ("__unserialize", unserialize),
    ],
    hooks: NativeHooks { needs_constructor: true, no_clone: true, no_dynamic: true, ..NativeHooks::NONE },
}];

const ATTEMPTS_MAX: usize = 50;

/// An engine object: native ones draw directly, others through their method.
struct ObjectEngine {
    object: PhpObj,
}

impl RandomEngine for ObjectEngine {
    fn generate(&mut self, vm: &Vm) -> PhpResult<(u64, usize)> {
        if let Some(data) = self.object.native::<EngineData>() {
            return data.generator.borrow_mut().generate(vm);
        }
        let result = vm.call_method(&self.object, b"generate", Vec::new())?;
        let text = convert::to_str(vm, &result)?;
        if text.is_empty() {
            return Err(vm.throw_class(
                b"Random\\BrokenRandomEngineError",
                b"A random engine must return a non-empty string",
                0,
            ));
        }
        let size = text.len().min(8);
        let value = text[..size].iter().rev().fold(0, |value, &byte| value << 8 | byte as u64);
        Ok((value, size))
    }
}

impl ObjectEngine {
    /// The next value of a Mersenne Twister of the mode `MT_RAND_PHP`; `None`: the engine is another one.
    fn next_legacy(&self) -> Option<u32> {
        match &mut *self.object.native::<EngineData>()?.generator.borrow_mut() {
            Generator::Mt(twister) if twister.mode == MtMode::Legacy => Some(twister.next()),
            _ => None,
        }
    }
}

fn engine_of(call: &Call<'_>) -> PhpResult<ObjectEngine> {
    match call.this().slots().first().and_then(|slot| slot.get_deref().into_obj()) {
        Some(object) => Ok(ObjectEngine { object }),
        None => {
            let text = b"Typed property Random\\Randomizer::$engine must not be accessed before initialization";
            Err(call.vm.throw_error(text))
        }
    }
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let slot = &call.this().slots()[0];
    if !slot.is_undef() {
        return Err(call.vm.throw_error(b"Cannot modify readonly property Random\\Randomizer::$engine"));
    }
    let engine = match call.opt_obj(0) {
        Some(engine) => engine,
        None => {
            let class = call.vm.require_class(b"Random\\Engine\\Secure")?;
            call.vm.instantiate(&class)?
        }
    };
    slot.set(engine.into());
    Ok(Val::NULL)
}

fn next_int(call: &mut Call<'_>) -> PhpResult<Val> {
    let (value, _) = engine_of(call)?.generate(call.vm)?;
    Ok(Val::int((value >> 1) as i64))
}

/// 53 random bits as a fraction.
fn fraction(vm: &Vm, engine: &mut dyn RandomEngine) -> PhpResult<f64> {
    let value = engine::uniform_bits(vm, engine)?;
    Ok((value >> 11) as f64 * (1.0 / (1u64 << 53) as f64))
}

fn next_float(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut engine = engine_of(call)?;
    Ok(Val::double(fraction(call.vm, &mut engine)?))
}

/// The spacing of floats around the larger of two bounds.
fn spacing(min: f64, max: f64) -> f64 {
    if min.abs() > max.abs() { min.next_up() - min } else { max - max.next_down() }
}

/// How many steps of `g` lead from `a` to `b`, rounded up without losing what the division rounds away.
fn step_count(a: f64, b: f64, g: f64) -> u64 {
    let steps = b / g - a / g;
    let error = if a.abs() <= b.abs() { -a / g - (steps - b / g) } else { b / g - (steps + a / g) };
    let whole = steps.ceil();
    if steps != whole { whole as u64 } else { whole as u64 + (error > 0.0) as u64 }
}

fn get_float(call: &mut Call<'_>) -> PhpResult<Val> {
    let (min, max) = (call.double(0), call.double(1));
    for (index, bound) in [min, max].into_iter().enumerate() {
        if !bound.is_finite() {
            return Err(call.value_error(index, "must be finite"));
        }
    }
    let boundary = call.opt_obj(2).map(|case| enums::case_name(&case));
    let boundary = boundary.as_ref().map_or(&b"ClosedOpen"[..], |name| name.as_bytes());
    let closed_closed = boundary == b"ClosedClosed";
    if closed_closed && max < min {
        return Err(call.value_error(1, "must be greater than or equal to argument #1 ($min)"));
    }
    if !closed_closed && max <= min {
        return Err(call.value_error(1, "must be greater than argument #1 ($min)"));
    }
    let g = spacing(min, max);
    let steps = step_count(min, max, g);
    let mut engine = engine_of(call)?;
    let mut draw = |limit: u64| engine::uniform_wide(call.vm, &mut engine, limit);
    let from_max = min.abs() <= max.abs();
    let below_max = |k: u64| 4.0 * (max * 0.25 - (k >> 2) as f64 * g) - (k & 3) as f64 * g;
    let above_min = |k: u64| 4.0 * (min * 0.25 + (k >> 2) as f64 * g) + (k & 3) as f64 * g;
    let value = match boundary {
        b"ClosedClosed" => {
            let k = draw(steps)?;
            match (from_max, k == steps) {
                (true, true) => min,
                (true, false) => below_max(k),
                (false, true) => max,
                (false, false) => above_min(k),
            }
        }
        b"OpenClosed" => {
            let k = draw(steps.saturating_sub(1))?;
            match (from_max, k + 1 == steps) {
                (true, _) => below_max(k),
                (false, true) => max,
                (false, false) => above_min(k + 1),
            }
        }
        b"OpenOpen" => {
            if steps < 2 {
                let text = b"The given interval is empty, there are no floats between argument #1 ($min) and argument #2 ($max).";
                return Err(call.vm.throw_value_error(text));
            }
            let k = 1 + draw(steps - 2)?;
            if from_max { below_max(k) } else { above_min(k) }
        }
        _ => {
            let k = 1 + draw(steps.saturating_sub(1))?;
            match (from_max, k == steps) {
                (true, true) => min,
                (true, false) => below_max(k),
                (false, _) => above_min(k - 1),
            }
        }
    };
    Ok(Val::double(value))
}

fn get_int(call: &mut Call<'_>) -> PhpResult<Val> {
    let (min, max) = (call.int(0), call.int(1));
    if max < min {
        return Err(call.value_error(1, "must be greater than or equal to argument #1 ($min)"));
    }
    let mut engine = engine_of(call)?;
    if let Some(value) = engine.next_legacy() {
        return Ok(Val::int(engine::badly_scaled(value, min, max)));
    }
    Ok(Val::int(engine::range(call.vm, &mut engine, min, max)?))
}

fn get_bytes(call: &mut Call<'_>) -> PhpResult<Val> {
    let length = call.int(0);
    if length < 1 {
        return Err(call.value_error(0, "must be greater than 0"));
    }
    let mut engine = engine_of(call)?;
    require_room(length as usize);
    let mut bytes = Vec::with_capacity(length as usize);
    while bytes.len() < length as usize {
        let (value, size) = engine.generate(call.vm)?;
        let left = length as usize - bytes.len();
        bytes.extend_from_slice(&value.to_le_bytes()[..size.min(left)]);
    }
    Ok(bytes.into())
}

fn get_bytes_from_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let (source, length) = (call.str(0), call.int(1));
    if source.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if length < 1 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    let mut engine = engine_of(call)?;
    let last = source.len() - 1;
    require_room(length as usize);
    let mut bytes = Vec::with_capacity(length as usize);
    if last > 0xff {
        while bytes.len() < length as usize {
            let offset = engine::range(call.vm, &mut engine, 0, last as i64)?;
            bytes.push(source[offset as usize]);
        }
        return Ok(bytes.into());
    }
    // Each byte of a draw gives an offset; those beyond the string are thrown away.
    let mask = (last as u64 + 1).next_power_of_two() - 1;
    let mut failures = 0;
    while bytes.len() < length as usize {
        let (value, size) = engine.generate(call.vm)?;
        for index in 0..size {
            let offset = (value >> (8 * index) & mask) as usize;
            if offset > last {
                failures += 1;
                if failures > ATTEMPTS_MAX {
                    let text = format!("Failed to generate an acceptable random number in {ATTEMPTS_MAX} attempts");
                    return Err(call.vm.throw_class(b"Random\\BrokenRandomEngineError", text.as_bytes(), 0));
                }
                continue;
            }
            failures = 0;
            bytes.push(source[offset]);
            if bytes.len() == length as usize {
                break;
            }
        }
    }
    Ok(bytes.into())
}

/// Fisher-Yates from the end, as Zend draws the numbers.
pub fn shuffled<T>(vm: &Vm, engine: &mut dyn RandomEngine, mut items: Vec<T>) -> PhpResult<Vec<T>> {
    for left in (1..items.len()).rev() {
        let other = engine::range(vm, engine, 0, left as i64)? as usize;
        if other != left {
            items.swap(left, other);
        }
    }
    Ok(items)
}

/// Draws distinct keys; they come in the array's order.
pub fn picked(vm: &Vm, engine: &mut dyn RandomEngine, array: &PhpArr, wanted: usize) -> PhpResult<Vec<Val>> {
    let len = array.len();
    if wanted == 1 {
        return one(vm, engine, array).map(|key| vec![key]);
    }
    // Drawing the keys to leave out is cheaper when most are wanted.
    let negative = wanted > len / 2;
    let mut draws = if negative { len - wanted } else { wanted };
    let mut drawn = vec![false; len];
    let mut failures = 0;
    while draws > 0 {
        let index = engine::range(vm, engine, 0, len as i64 - 1)? as usize;
        if !drawn[index] {
            drawn[index] = true;
            draws -= 1;
            failures = 0;
            continue;
        }
        failures += 1;
        if failures > ATTEMPTS_MAX {
            let text = format!("Failed to generate an acceptable random number in {ATTEMPTS_MAX} attempts");
            return Err(vm.throw_class(b"Random\\BrokenRandomEngineError", text.as_bytes(), 0));
        }
    }
    Ok(array.keys().zip(drawn).filter(|(_, drawn)| *drawn != negative).map(|(key, _)| key.to_val()).collect())
}

fn one(vm: &Vm, engine: &mut dyn RandomEngine, array: &PhpArr) -> PhpResult<Val> {
    let positions = array.positions() as usize;
    if positions != array.len() && array.len() * 2 >= positions {
        // A table with few holes is sampled by position until an element is hit.
        loop {
            let position = engine::range(vm, engine, 0, positions as i64 - 1)? as u32;
            if let Some((key, _)) = array.at(position) {
                return Ok(key.to_val());
            }
        }
    }
    let index = engine::range(vm, engine, 0, array.len() as i64 - 1)? as usize;
    Ok(array.keys().nth(index).map_or(Val::NULL, Key::to_val))
}

fn shuffle_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let values: Vec<Val> = call.arr(0).values().cloned().collect();
    let mut engine = engine_of(call)?;
    Ok(PhpArr::from_vec(shuffled(call.vm, &mut engine, values)?).into())
}

fn shuffle_bytes(call: &mut Call<'_>) -> PhpResult<Val> {
    let bytes = call.str(0).to_vec();
    let mut engine = engine_of(call)?;
    Ok(shuffled(call.vm, &mut engine, bytes)?.into())
}

fn pick_array_keys(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, wanted) = (call.arr(0), call.int(1));
    if array.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if wanted < 1 || wanted as u64 > array.len() as u64 {
        let text = "must be between 1 and the number of elements in argument #1 ($array)";
        return Err(call.value_error(1, text));
    }
    let mut engine = engine_of(call)?;
    Ok(PhpArr::from_vec(picked(call.vm, &mut engine, &array, wanted as usize)?).into())
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut properties = PhpArr::new();
    properties.set_bytes(b"engine", call.this().slots()[0].get_deref());
    Ok(PhpArr::from_vec(vec![properties.into()]).into())
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.arr(0);
    let properties = data.get_int(0).and_then(|value| value.deref().into_arr());
    // The class takes no other properties.
    let properties = properties.filter(|properties| properties.len() == 1);
    let engine = properties.and_then(|properties| properties.get_bytes(b"engine").map(Val::deref));
    let interface = call.vm.require_class(b"Random\\Engine")?;
    match engine.and_then(Val::into_obj).filter(|object| object.is_a(&interface)) {
        Some(engine) if data.len() == 1 => {
            call.this().slots()[0].set(engine.into());
            Ok(Val::NULL)
        }
        _ => {
            let text = b"Invalid serialization data for Random\\Randomizer object";
            Err(call.vm.throw_class(b"Exception", text, 0))
        }
    }
}
