//! The engine classes: `Random\Engine\*`.

use crate::engine::{self, Mt19937, MtMode, RandomEngine};
use crate::generators::{Generator, Pcg, StatePart, Xoshiro};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, Edges, Level, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, Val, View, Vm, convert,
};
use std::cell::RefCell;
use std::rc::Rc;

const fn plain(name: &'static str, decl: &'static str) -> NativeClass {
    NativeClass { name, decl, methods: &[], hooks: NativeHooks::NONE }
}

const ENGINE_HOOKS: NativeHooks =
    NativeHooks { create: Some(create), debug_info: Some(debug_info), ..NativeHooks::NONE };

pub const CLASSES: &[NativeClass] = &[
    plain("Random\\RandomError", "namespace Random; class RandomError extends \\Error {}"),
    plain("Random\\BrokenRandomEngineError", "namespace Random; class BrokenRandomEngineError extends RandomError {}"),
    plain("Random\\RandomException", "namespace Random; class RandomException extends \\Exception {}"),
    plain(
        "Random\\Engine",
        "namespace Random; interface Engine { #[real_return] public function generate(): string; }",
    ),
    plain("Random\\CryptoSafeEngine", "namespace Random; interface CryptoSafeEngine extends Engine {}"),
    plain("Random\\IntervalBoundary", include_str!("../stubs/Random/IntervalBoundary.stub.php")),
    NativeClass {
        name: "Random\\Engine\\Mt19937",
        decl: include_str!("../stubs/Random/Engine/Mt19937.stub.php"),
        methods: &[
            ("__construct", mt_construct),
            ("generate", generate),
            ("__serialize", serialize),
            ("__unserialize", unserialize),
            ("__debugInfo", method_debug_info),
        ],
        hooks: ENGINE_HOOKS,
    },
    NativeClass {
        name: "Random\\Engine\\PcgOneseq128XslRr64",
        decl: include_str!("../stubs/Random/Engine/PcgOneseq128XslRr64.stub.php"),
        methods: &[
            ("__construct", pcg_construct),
            ("generate", generate),
            ("jump", pcg_jump),
            ("__serialize", serialize),
            ("__unserialize", unserialize),
            ("__debugInfo", method_debug_info),
        ],
        hooks: ENGINE_HOOKS,
    },
    NativeClass {
        name: "Random\\Engine\\Xoshiro256StarStar",
        decl: include_str!("../stubs/Random/Engine/Xoshiro256StarStar.stub.php"),
        methods: &[
            ("__construct", xoshiro_construct),
            ("generate", generate),
            ("jump", xoshiro_jump),
            ("jumpLong", xoshiro_jump_long),
            ("__serialize", serialize),
            ("__unserialize", unserialize),
            ("__debugInfo", method_debug_info),
        ],
        hooks: ENGINE_HOOKS,
    },
    NativeClass {
        name: "Random\\Engine\\Secure",
        decl: include_str!("../stubs/Random/Engine/Secure.stub.php"),
        methods: &[("generate", generate)],
        hooks: NativeHooks { create: Some(create), no_clone: true, no_serialize: true, ..NativeHooks::NONE },
    },
];

/// An engine object's generator.
pub struct EngineData {
    pub generator: RefCell<Generator>,
}

impl NativeData for EngineData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(EngineData { generator: RefCell::new(self.generator.borrow().clone()) }))
    }
}

fn create(_vm: &Vm, object: &PhpObj) {
    let generator = match object.class().lower_name.rsplit(|&b| b == b'\\').next() {
        Some(b"mt19937") => Generator::Mt(Box::new(Mt19937::new(0, MtMode::Mt19937))),
        Some(b"pcgoneseq128xslrr64") => Generator::Pcg(Pcg::new(0)),
        Some(b"xoshiro256starstar") => Generator::Xoshiro(Xoshiro::from_int(0)),
        _ => Generator::Secure,
    };
    object.set_native(Rc::new(EngineData { generator: RefCell::new(generator) }));
}

fn data<'a>(call: &'a Call<'_>) -> PhpResult<&'a EngineData> {
    call.this().native::<EngineData>().ok_or_else(|| call.vm.throw_error(b"The engine is not initialised"))
}

fn set(call: &Call<'_>, generator: Generator) -> PhpResult<Val> {
    *data(call)?.generator.borrow_mut() = generator;
    Ok(Val::NULL)
}

fn mt_construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = match call.int(1) {
        0 => MtMode::Mt19937,
        1 => {
            call.vm.raise(Level::Deprecated, b"The MT_RAND_PHP variant of Mt19937 is deprecated")?;
            MtMode::Legacy
        }
        _ => return Err(call.value_error(1, "must be either MT_RAND_MT19937 or MT_RAND_PHP")),
    };
    let seed = call.opt_int(0).map_or_else(engine::random_seed, |seed| seed as u32);
    set(call, Generator::Mt(Box::new(Mt19937::new(seed, mode))))
}

fn random_words<const N: usize>(vm: &Vm) -> PhpResult<[u64; N]> {
    let mut words = [0; N];
    for word in &mut words {
        let mut bytes = [0; 8];
        engine::secure_bytes(vm, &mut bytes)?;
        *word = u64::from_le_bytes(bytes);
    }
    Ok(words)
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | byte as u64)
}

fn pcg_construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let seed = call.arg(0);
    let seed = match seed.view() {
        View::Int(seed) => seed as u64 as u128,
        View::Str(text) if text.len() == 16 => {
            (little_endian(&text[..8]) as u128) << 64 | little_endian(&text[8..]) as u128
        }
        View::Str(_) => return Err(call.value_error(0, "must be a 16 byte (128 bit) string")),
        _ => {
            let [high, low] = random_words(call.vm)?;
            (high as u128) << 64 | low as u128
        }
    };
    set(call, Generator::Pcg(Pcg::new(seed)))
}

fn pcg_jump(call: &mut Call<'_>) -> PhpResult<Val> {
    let Ok(advance) = u64::try_from(call.int(0)) else {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    };
    if let Generator::Pcg(pcg) = &mut *data(call)?.generator.borrow_mut() {
        pcg.jump(advance);
    }
    Ok(Val::NULL)
}

fn xoshiro_construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let seed = call.arg(0);
    let xoshiro = match seed.view() {
        View::Int(seed) => Xoshiro::from_int(seed as u64),
        View::Str(text) if text.len() == 32 => {
            let word = |index: usize| little_endian(&text[index * 8..index * 8 + 8]);
            let state = [word(0), word(1), word(2), word(3)];
            if state == [0; 4] {
                return Err(call.value_error(0, "must not consist entirely of NUL bytes"));
            }
            Xoshiro { state }
        }
        View::Str(_) => return Err(call.value_error(0, "must be a 32 byte (256 bit) string")),
        _ => Xoshiro { state: random_words(call.vm)? },
    };
    set(call, Generator::Xoshiro(xoshiro))
}

fn jump(call: &Call<'_>, long: bool) -> PhpResult<Val> {
    if let Generator::Xoshiro(xoshiro) = &mut *data(call)?.generator.borrow_mut() {
        xoshiro.jump(long);
    }
    Ok(Val::NULL)
}

fn xoshiro_jump(call: &mut Call<'_>) -> PhpResult<Val> {
    jump(call, false)
}

fn xoshiro_jump_long(call: &mut Call<'_>) -> PhpResult<Val> {
    jump(call, true)
}

fn generate(call: &mut Call<'_>) -> PhpResult<Val> {
    let (value, size) = data(call)?.generator.borrow_mut().generate(call.vm)?;
    Ok(Val::str(&value.to_le_bytes()[..size]))
}

fn states(data: &EngineData) -> PhpArr {
    let parts = data.generator.borrow().states().into_iter().map(|part| match part {
        StatePart::Text(text) => Val::from(text),
        StatePart::Int(int) => Val::int(int),
    });
    parts.collect()
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let properties = call.this().dynamic().unwrap_or_default();
    Ok(PhpArr::from_vec(vec![properties.into(), states(data(call)?).into()]).into())
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let invalid = || {
        let name = call.this().class_name();
        let text = [b"Invalid serialization data for ", &name[..], b" object"].concat();
        call.vm.throw_class(b"Exception", &text, 0)
    };
    let array = call.arr(0);
    let (Some(properties), Some(states), 2) = (
        array.get_int(0).and_then(|v| v.deref().into_arr()),
        array.get_int(1).and_then(|v| v.deref().into_arr()),
        array.len(),
    ) else {
        return Err(invalid());
    };
    let parts: Vec<StatePart> = states
        .values()
        .map(|value| match value.deref().view() {
            View::Int(int) => StatePart::Int(int),
            View::Str(text) => StatePart::Text(text.to_string()),
            _ => StatePart::Text(String::new()),
        })
        .collect();
    if !properties.is_empty() || !data(call)?.generator.borrow_mut().restore(&parts) {
        return Err(invalid());
    }
    Ok(Val::NULL)
}

fn debug_info(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut info = convert::object_properties(object);
    if let Some(data) = object.native::<EngineData>() {
        info.set_bytes(b"__states", states(data).into());
    }
    Ok(info)
}

fn method_debug_info(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(debug_info(call.vm, call.this())?.into())
}
