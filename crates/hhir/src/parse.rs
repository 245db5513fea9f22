//! Reads the text form of units (see `print.rs`). The unit is not verified.

use crate::ids::*;
use crate::ops::{Imm, Op};
use crate::type_text::parse_type;
use crate::types::*;
use crate::typing::result_type;
use crate::unit::*;
use std::collections::{HashMap, HashSet};

/// Reads a unit.
///
/// # Errors
/// The line that cannot be read, and what is wrong with it.
pub fn parse(text: &str) -> Result<Unit, String> {
    let mut parser = Parser::new();
    // Blocks, values and snapshots may be referred to before the lines that define them.
    parser.each_line(text, Parser::declare)?;
    parser.each_line(text, Parser::line)?;
    parser.finish()
}

struct Parser {
    unit: Unit,
    blocks: HashSet<BlockId>,
    snaps: HashSet<SnapId>,
    values: HashMap<ValueId, bool>,
    block: Option<BlockId>,
}

/// The largest number of a value, block or snapshot: it bounds what a short text can allocate.
const MAX_ID: u32 = 1 << 20;

type Outcome<T> = Result<T, String>;

fn number<T: std::str::FromStr>(text: &str) -> Outcome<T> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

impl Parser {
    fn new() -> Parser {
        let mut unit = Unit::new(FuncId(0), 0);
        unit.blocks.clear();
        Parser { unit, blocks: HashSet::new(), snaps: HashSet::new(), values: HashMap::new(), block: None }
    }

    fn each_line(&mut self, text: &str, read: fn(&mut Parser, &str) -> Outcome<()>) -> Outcome<()> {
        for (at, line) in text.lines().enumerate() {
            let line = line.split("  #").next().unwrap_or_default().trim();
            if !line.is_empty() && !line.starts_with('#') {
                read(self, line).map_err(|error| format!("line {}: {error}", at + 1))?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Outcome<Unit> {
        if self.block.is_none() {
            return Err("a unit has at least one block".to_owned());
        }
        // Each caller must be of an older frame, so that chains of callers end.
        let of = |snap: &Snapshot| self.unit.frames.get(snap.frame.at()).and_then(|frame| frame.caller);
        let broken = |snap: &Snapshot| snap.caller.is_some_and(|caller| of(snap) != Some(self.unit.snap(caller).frame));
        if let Some(at) = self.unit.snaps.iter().position(broken) {
            return Err(format!("{} does not describe the callers of its frame", SnapId::new(at)));
        }
        match self.values.iter().find(|row| !row.1) {
            Some((value, _)) => Err(format!("{value} is not defined")),
            None => Ok(self.unit),
        }
    }

    /// Reserves the values, blocks and snapshots that a line defines or refers to.
    fn declare(&mut self, line: &str) -> Outcome<()> {
        self.reserve_values(line)?;
        if is_block(line) {
            let block = BlockId(id(leading_name(line), 'B')?);
            while self.unit.blocks.len() <= block.at() {
                self.unit.add_block(Hint::Neutral);
            }
            if self.blocks.is_empty() {
                self.unit.entry = block;
            }
            if !self.blocks.insert(block) {
                return Err(format!("{block} is there twice"));
            }
        } else if let Some((name, _)) = declaration(line, 'S') {
            let snap = SnapId(id(name, 'S')?);
            while self.unit.snaps.len() <= snap.at() {
                self.unit.add_snap(Snapshot { frame: FrameId(0), opline: 0, entries: Vec::new(), caller: None });
            }
            self.snaps.insert(snap);
        } else if let Some((_, rest)) = line.split_once(" = ").filter(|row| row.0.starts_with("lit")) {
            self.literal(rest)?;
        } else if let Some((_, rest)) = declaration(line, 'F') {
            self.frame(rest)?;
        }
        Ok(())
    }

    fn reserve_values(&mut self, line: &str) -> Outcome<()> {
        for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with('v')) {
            let Ok(value) = id(word, 'v') else { continue };
            while self.unit.values.len() <= value as usize {
                self.unit.values.push(ValueData { ty: Type::TOP, def: Def::Inst(InstId(u32::MAX)), observed: false });
            }
        }
        Ok(())
    }

    fn literal(&mut self, text: &str) -> Outcome<()> {
        let literal = match text.strip_prefix("array ") {
            Some(count) => Literal::Arr { count: number(count)?, handle: 0 },
            None => Literal::Str { bytes: unescape(text)?.into(), handle: 0 },
        };
        self.unit.add_literal(literal);
        Ok(())
    }

    fn frame(&mut self, text: &str) -> Outcome<()> {
        let wrong = "a frame is `F1 = #9 in F0 t4 args 2`";
        let (func, caller) = text.split_once(" in F").ok_or(wrong)?;
        let (caller, base) = caller.split_once(" t").ok_or(wrong)?;
        let (base, args) = base.split_once(" args ").ok_or(wrong)?;
        let func = FuncId(number(func.trim_start_matches('#'))?);
        let caller = FrameId(number(caller)?);
        if caller.at() >= self.unit.frames.len() {
            return Err("a caller's frame stands before its callee's".to_owned());
        }
        self.unit.add_frame(func, caller, number(base)?, number(args)?);
        Ok(())
    }

    fn line(&mut self, line: &str) -> Outcome<()> {
        if let Some(rest) = line.strip_prefix("unit #") {
            let (func, opline) = rest.split_once(" @").ok_or("a unit starts with `unit #1 @0`")?;
            let unhoisted = opline.strip_suffix(" no_hoisted_guards");
            let opline = unhoisted.unwrap_or(opline);
            let speculates = opline.strip_suffix(" speculates");
            self.unit.frames[0].func = FuncId(number(func)?);
            self.unit.entry_opline = number(speculates.unwrap_or(opline))?;
            self.unit.speculates = speculates.is_some();
            self.unit.no_hoisted_guards = unhoisted.is_some();
            return Ok(());
        }
        if line.starts_with("lit") || declaration(line, 'F').is_some() {
            return Ok(());
        }
        if let Some((name, rest)) = declaration(line, 'S') {
            return self.snapshot(name, rest);
        }
        if is_block(line) {
            return self.block_head(line);
        }
        let block = self.block.ok_or("an instruction outside of a block")?;
        if let Some(name) = line.strip_prefix("next ") {
            self.unit.blocks[block.at()].next = Some(self.block_named(name)?);
            return Ok(());
        }
        let inst = self.instruction(line)?;
        self.unit.blocks[block.at()].insts.push(inst);
        Ok(())
    }

    fn snapshot(&mut self, name: &str, text: &str) -> Outcome<()> {
        let id = SnapId(id(name, 'S')?);
        let mut words = text.split_whitespace();
        let mut snap = Snapshot { frame: FrameId(0), opline: 0, entries: Vec::new(), caller: None };
        while let Some(word) = words.next() {
            if word == "caller" {
                snap.caller = Some(self.snap_named(words.next().unwrap_or_default())?);
            } else if let Some(frame) = word.strip_prefix('F') {
                snap.frame = FrameId(number(frame)?);
            } else if let Some(opline) = word.strip_prefix('@') {
                snap.opline = number(opline)?;
            } else {
                let (slot, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is no entry"))?;
                let (value, hold) = match value.strip_suffix('*') {
                    Some(value) => (value, Hold::Copy),
                    None => (value, Hold::Move),
                };
                let slot = match (slot.strip_prefix('$'), slot.strip_prefix('t')) {
                    (Some(local), _) => Slot::Local(number(local)?),
                    (_, Some(tmp)) => Slot::Tmp(number(tmp)?),
                    _ => return Err(format!("`{slot}` is no slot")),
                };
                snap.entries.push(SnapEntry { slot, value: self.value(value)?, hold });
            }
        }
        self.unit.snaps[id.at()] = snap;
        Ok(())
    }

    fn block_head(&mut self, line: &str) -> Outcome<()> {
        let name = leading_name(line);
        let block = BlockId(id(name, 'B')?);
        self.block = Some(block);
        let mut rest = line[name.len()..].trim_end_matches(':').trim();
        if let Some(params) = rest.strip_prefix('(') {
            let end = matching(params).ok_or("`)` is missing")?;
            for param in split_list(&params[..end]) {
                let (name, mut ty) = param.split_once(':').ok_or("a parameter is `v1:Int`")?;
                let ty = parse_type(&mut ty)?;
                let at = self.unit.blocks[block.at()].params.len() as u32;
                let value = self.define(name, ty, Def::Param(block, at))?;
                self.unit.blocks[block.at()].params.push(value);
            }
            rest = params[end + 1..].trim();
        }
        for word in rest.split_whitespace() {
            match Hint::ALL.into_iter().find(|hint| hint.name() == word) {
                Some(hint) => self.unit.blocks[block.at()].hint = hint,
                None => self.unit.blocks[block.at()].count = number(word)?,
            }
        }
        Ok(())
    }

    fn instruction(&mut self, line: &str) -> Outcome<InstId> {
        let (dst, rest) = match line.split_once(" = ") {
            Some((dst, rest)) if dst.starts_with('v') => (Some(dst), rest),
            _ => (None, line),
        };
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let (name, mut rest) = rest.split_at(end);
        let op = Op::from_name(name).ok_or_else(|| format!("there is no instruction `{name}`"))?;
        let (ty, imm) = immediates(op, &mut rest)?;
        let (rest, mark) = take_mark(rest)?;
        let (operands, edge) = match rest.rsplit_once("-> ") {
            Some((operands, target)) => (operands, self.edge(target.trim())?),
            None => (rest, Edge::None),
        };
        let mut srcs = Vec::new();
        for operand in split_list(operands.trim()) {
            srcs.push(self.value(operand)?);
        }
        let srcs = self.unit.list(&srcs);
        let inst = Inst { op, srcs, dst: None, edge, ty, imm, mark };
        inst.has_operands()?;
        let id = self.unit.add_inst(inst, None);
        let rule = result_type(&self.unit, &inst);
        match (dst, rule) {
            (None, None) => {}
            (None, Some(_)) => return Err(format!("{name} has a result")),
            (Some(_), None) => return Err(format!("{name} has no result")),
            (Some(dst), Some(rule)) => {
                let (name, ty) = match dst.split_once(':') {
                    Some((name, mut ty)) => (name, parse_type(&mut ty)?),
                    None => (dst, rule),
                };
                let value = self.define(name, ty, Def::Inst(id))?;
                self.unit.insts[id.at()].dst = Some(value);
            }
        }
        Ok(id)
    }

    fn edge(&self, text: &str) -> Outcome<Edge> {
        match text.as_bytes().first() {
            Some(b'B') => self.block_named(text).map(Edge::Block),
            Some(b'S') => self.snap_named(text).map(Edge::Exit),
            _ if text == "nothing" => Ok(Edge::None),
            _ => Err(format!("`{text}` is no target")),
        }
    }

    fn block_named(&self, name: &str) -> Outcome<BlockId> {
        let block = BlockId(id(name, 'B')?);
        if self.blocks.contains(&block) { Ok(block) } else { Err(format!("there is no block {name}")) }
    }

    fn snap_named(&self, name: &str) -> Outcome<SnapId> {
        let snap = SnapId(id(name, 'S')?);
        if self.snaps.contains(&snap) { Ok(snap) } else { Err(format!("there is no snapshot {name}")) }
    }

    fn define(&mut self, name: &str, ty: Type, def: Def) -> Outcome<ValueId> {
        let value = ValueId(id(name, 'v')?);
        if self.values.insert(value, true) == Some(true) {
            return Err(format!("{name} is defined twice"));
        }
        self.unit.values[value.at()] = ValueData { ty, def, observed: false };
        Ok(value)
    }

    fn value(&mut self, text: &str) -> Outcome<ValueId> {
        if text.starts_with('v') {
            let value = ValueId(id(text, 'v')?);
            self.values.entry(value).or_insert(false);
            return Ok(value);
        }
        let constant = match text {
            "uninit" => Const::Uninit,
            "null" => Const::Null,
            "true" => Const::Bool(true),
            "false" => Const::Bool(false),
            "nullptr" => Const::Nullptr,
            _ => constant(text)?,
        };
        Ok(self.unit.constant(constant))
    }
}

/// The number in `v7`, `B7` or `S7`.
fn id(name: &str, kind: char) -> Outcome<u32> {
    let digits = name.strip_prefix(kind).ok_or_else(|| format!("`{name}` is no {kind} with a number"))?;
    match digits.parse() {
        Ok(id) if id < MAX_ID => Ok(id),
        _ => Err(format!("`{name}` is no {kind} with a number")),
    }
}

fn constant(text: &str) -> Outcome<Const> {
    if let Some(lit) = text.strip_prefix("lit") {
        return Ok(Const::Lit(LitId(number(lit)?)));
    }
    if let Some(class) = text.strip_prefix("Cls#") {
        return Ok(Const::Cls(ClassId(number(class)?)));
    }
    if let Some(func) = text.strip_prefix("Func#") {
        return Ok(Const::Func(FuncId(number(func)?)));
    }
    if let Some(bits) = text.strip_prefix("nan#") {
        return Ok(Const::Dbl(number(bits)?));
    }
    if let Ok(int) = text.parse() {
        return Ok(Const::Int(int));
    }
    let float: f64 = number(text)?;
    Ok(Const::Dbl(float.to_bits()))
}

/// Reads the type parameter and the immediates in angle brackets.
fn immediates(op: Op, text: &mut &str) -> Outcome<(Type, [u32; 3])> {
    let (mut ty, mut words) = (Type::TOP, [0; 3]);
    let mut at = 0;
    for (position, imm) in op.info().imms.iter().enumerate() {
        let open = if position == 0 { '<' } else { ',' };
        *text = text.strip_prefix(open).ok_or_else(|| format!("`{open}` and an immediate are missing"))?;
        if *imm == Imm::T {
            ty = parse_type(text)?;
            continue;
        }
        let end = text.find([',', '>']).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        *text = rest;
        words[at] = immediate(*imm, word)?;
        at += 1;
    }
    if !op.info().imms.is_empty() {
        *text = text.strip_prefix('>').ok_or("`>` is missing")?;
    }
    Ok((ty, words))
}

fn immediate(imm: Imm, word: &str) -> Outcome<u32> {
    match imm {
        Imm::Local if word == "-" => Ok(u32::MAX),
        Imm::Local => number(word.trim_start_matches('$')),
        Imm::Tmp => number(word.trim_start_matches('t')),
        Imm::Lit => number(word.trim_start_matches("lit")),
        Imm::Frame => number(word.trim_start_matches('F')),
        Imm::Kind => match ArrKind::ALL.into_iter().find(|kind| kind.name() == word) {
            Some(kind) => Ok(kind as u32),
            None => number(word),
        },
        _ => number(word),
    }
}

fn take_mark(text: &str) -> Outcome<(&str, Mark)> {
    let Some((rest, mark)) = text.rsplit_once('@') else { return Ok((text, Mark::default())) };
    let mark = match mark.trim().strip_prefix('F') {
        Some(mark) => {
            let (frame, opline) = mark.split_once(':').ok_or("a mark is `@F1:12`")?;
            Mark { frame: number(frame)?, opline: number(opline)? }
        }
        None => Mark { frame: 0, opline: number(mark.trim())? },
    };
    Ok((rest, mark))
}

/// Whether a line is the first one of a block, `B7(...) ...:`.
fn is_block(line: &str) -> bool {
    let digits = line.strip_prefix('B').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    digits && line.ends_with(':')
}

/// The name and the rest of a line like `S0 = ...` or `F1 = ...`.
fn declaration(line: &str, kind: char) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" = ")?;
    let digits = name.strip_prefix(kind)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some((name, rest))
}

fn leading_name(line: &str) -> &str {
    let end = line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len());
    &line[..end]
}

/// The index of the parenthesis that closes the one before the text.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts of a text between commas outside of brackets.
fn split_list(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

fn unescape(text: &str) -> Outcome<Vec<u8>> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or("a string is in quotes")?;
    let (mut bytes, mut rest) = (Vec::new(), inner.bytes());
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'x') => {
                let digits = [rest.next().unwrap_or(b'?'), rest.next().unwrap_or(b'?')];
                let digits = std::str::from_utf8(&digits).map_err(|error| error.to_string())?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|error| error.to_string())?);
            }
            Some(byte) => bytes.push(byte),
            None => return Err("`\\` at the end of a string".to_owned()),
        }
    }
    Ok(bytes)
}
