//! Damaged units: the decoder and the verifier answer, and what they accept survives both forms.
//!
//! Deterministic. `PHLOX_MUTATIONS=n` sets the number of units tried, `PHLOX_SEED=n` the seed.

use phlox_hhbc::imm::{Imm, ImmKind};
use phlox_hhbc::info::MAX_IMMEDIATES;
use phlox_hhbc::verify::check;
use phlox_hhbc::*;
use std::path::Path;

struct Rng(u64);

impl Rng {
    /// xorshift64*
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// Mostly small, sometimes huge.
    fn number(&mut self) -> u32 {
        match self.below(16) {
            0 => u32::MAX - self.below(3) as u32,
            1 => self.next() as u32,
            _ => self.below(8) as u32,
        }
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn seeds() -> Vec<Unit> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hhbc/valid");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "phas"));
    files.sort();
    files.iter().map(|path| assemble(&std::fs::read_to_string(path).unwrap()).unwrap()).collect()
}

/// Makes the checksum right again, so that the damage reaches the decoder.
fn seal(bytes: &mut [u8]) {
    let sum = bytes[14..]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    bytes[6..14].copy_from_slice(&sum.to_le_bytes());
}

fn damage_bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(4) {
        let at = 14 + rng.below(bytes.len() - 14);
        match rng.below(5) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.next() as u8,
            2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][rng.below(5)],
            3 => bytes.insert(at, rng.next() as u8),
            _ if bytes.len() > 20 => drop(bytes.remove(at)),
            _ => {}
        }
    }
    if rng.below(20) == 0 {
        bytes.truncate(14 + rng.below(bytes.len() - 14));
    }
    seal(bytes);
}

fn random_imm(kind: ImmKind, rng: &mut Rng, len: usize) -> Imm {
    let number = rng.number();
    match kind {
        ImmKind::Count => Imm::Count(number),
        ImmKind::Int => Imm::Int(rng.next() as i64 >> rng.below(64)),
        ImmKind::Double => Imm::Double(F64(rng.next())),
        ImmKind::Str => Imm::Str(StrId(number)),
        ImmKind::Array => Imm::Array(ArrayId(number)),
        ImmKind::Type => Imm::Type(TypeId(number)),
        ImmKind::Local => Imm::Local(LocalId(number)),
        ImmKind::Iter => Imm::Iter(IterId(number as u16)),
        ImmKind::Func => Imm::Func(FuncId(number)),
        ImmKind::Class => Imm::Class(ClassId(number)),
        ImmKind::Vector => Imm::Vector(VectorId(number)),
        ImmKind::Switch => Imm::Switch(SwitchId(number)),
        ImmKind::Target => Imm::Target(random_target(rng, len)),
        ImmKind::SubOp { values, .. } => Imm::SubOp(rng.below(values.len()) as u8),
    }
}

fn random_target(rng: &mut Rng, len: usize) -> Target {
    if rng.below(30) == 0 { Target(rng.number()) } else { Target(rng.below(len + 1) as u32) }
}

fn random_instr(rng: &mut Rng, len: usize) -> Instr {
    let opcode = Opcode::ALL[rng.below(Opcode::ALL.len())];
    let kinds = opcode.info().immediates;
    let mut imms = [Imm::Count(0); MAX_IMMEDIATES];
    for (imm, (_, kind)) in imms.iter_mut().zip(kinds) {
        *imm = random_imm(*kind, rng, len);
    }
    Instr::from_imms(opcode, &imms[..kinds.len()]).unwrap()
}

/// Changes code and its tables where the decoder would not notice.
fn damage_unit(unit: &mut Unit, rng: &mut Rng) {
    let at = rng.below(unit.funcs.len());
    let Some(func) = unit.funcs.get_mut(at) else { return };
    for _ in 0..=rng.below(3) {
        let len = func.code.len();
        let pc = rng.below(len);
        match rng.below(12) {
            0 if len > 0 => func.code[pc] = random_instr(rng, len),
            1 => func.code.insert(pc, random_instr(rng, len)),
            2 if len > 0 => drop(func.code.remove(pc)),
            3 if len > 0 => func.code.swap(pc, rng.below(len)),
            4 => func.eh.extend(random_row(rng, len)),
            5 => drop(func.eh.pop()),
            6 => func.fpi.push(FpiRegion { push: random_target(rng, len), call: random_target(rng, len) }),
            7 => func.funclets.push(random_target(rng, len)),
            8 => func.main_entry = random_target(rng, len),
            9 => func.flags.0 ^= 1 << rng.below(20),
            10 => func.num_iters = rng.number(),
            _ => drop(func.locals.pop()),
        }
    }
}

fn random_row(rng: &mut Rng, len: usize) -> Option<EhEntry> {
    let (start, end) = (random_target(rng, len), random_target(rng, len));
    let handler = random_target(rng, len);
    let kind = if rng.below(2) == 0 { EhKind::Fault(handler) } else { EhKind::Catch(vec![(StrId(0), handler)]) };
    Some(EhEntry { start, end, kind })
}

#[test]
fn damaged_units_are_answered() {
    let count = setting("PHLOX_MUTATIONS", 20_000);
    let mut rng = Rng(setting("PHLOX_SEED", 0x9e37_79b9_7f4a_7c15) | 1);
    let seeds = seeds();
    let files: Vec<Vec<u8>> = seeds.iter().map(|unit| encode(unit).unwrap()).collect();
    let (mut decoded, mut accepted) = (0, 0);
    for _ in 0..count {
        let seed = rng.below(seeds.len());
        let unit = if rng.below(2) == 0 {
            let mut bytes = files[seed].clone();
            damage_bytes(&mut bytes, &mut rng);
            let Ok(unit) = decode(&bytes) else { continue };
            unit
        } else {
            let mut unit = seeds[seed].clone();
            damage_unit(&mut unit, &mut rng);
            unit
        };
        decoded += 1;
        if check(&unit).is_err() {
            continue;
        }
        accepted += 1;
        let bytes = encode(&unit).expect("a verified unit has a binary form");
        assert_eq!(decode(&bytes).unwrap(), unit);
        let text = disassemble(&unit);
        assert_eq!(assemble(&text).unwrap_or_else(|e| panic!("{e} of\n{text}")), unit, "{text}");
    }
    println!("{count} tried, {decoded} decoded, {accepted} accepted");
    assert!(count < 1000 || (decoded > count / 4 && accepted > 0), "the damage should not always be noticed at once");
}

/// Bytes that mean something to the assembler.
const NOISE: &[u8] = b" \n{}[]()<>=,:|@\"\\._-$0aLs\xff";

#[test]
fn damaged_texts_are_answered() {
    let count = setting("PHLOX_MUTATIONS", 20_000) / 10;
    let mut rng = Rng(setting("PHLOX_SEED", 0x9e37_79b9_7f4a_7c15) | 1);
    let texts: Vec<String> = seeds().iter().map(disassemble).collect();
    for _ in 0..count {
        let mut bytes = texts[rng.below(texts.len())].clone().into_bytes();
        for _ in 0..=rng.below(6) {
            if bytes.is_empty() {
                break;
            }
            let at = rng.below(bytes.len());
            match rng.below(3) {
                0 => bytes[at] = NOISE[rng.below(NOISE.len())],
                1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        if let Ok(unit) = assemble(&String::from_utf8_lossy(&bytes)) {
            let _ = check(&unit);
        }
    }
}
