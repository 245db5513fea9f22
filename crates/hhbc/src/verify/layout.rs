//! The checks of a function's code that need no control flow: ids, targets, sections, FPI and EH regions, entries. They
//! build the maps that [`super::flow`] uses.

use super::resources::Resource;
use super::stack::Flavour;
use super::tables::is_integer_like;
use super::{Fault, Rule};
use crate::ids::*;
use crate::imm::Imm;
use crate::info::{OpKind, Opcode};
use crate::instr::{Instr, SilenceOp};
use crate::unit::*;
use std::collections::HashSet;

/// "None" in the maps below.
pub const NONE: u32 = u32::MAX;

/// Where each instruction stands, and tables derived from the function's own.
#[derive(Default)]
pub struct Layout {
    places: Vec<Place>,
    /// The row that encloses a row of the EH table.
    pub eh_parent: Vec<u32>,
    /// What each fault funclet releases.
    pub releases: Vec<Vec<Resource>>,
    pub vectors: Vec<VectorInput>,
}

/// Where an instruction stands. Indices are [`NONE`] where there is nothing.
#[derive(Clone, Copy)]
pub struct Place {
    /// The FPI region that the instruction opens or closes.
    pub fpi_of: u32,
    /// The innermost FPI region that the instruction is in.
    pub fpi_at: u32,
    /// The innermost row of the EH table that protects the instruction.
    pub eh_at: u32,
    /// Whether a jump from a lower index leads to it.
    pub forward_target: bool,
}

impl Layout {
    /// The FPI and EH regions around the instruction at `pc`.
    pub fn place(&self, pc: u32) -> Place {
        self.places[pc as usize]
    }
}

/// What a member vector consumes, deepest first: the base, `cells` cells, a class reference.
#[derive(Clone, Copy)]
pub struct VectorInput {
    pub base: Option<Flavour>,
    pub cells: u32,
    pub class: bool,
    has_new_element: bool,
}

/// Section of an instruction: 0 is the primary body, `n` the n-th fault funclet.
pub fn section(func: &Func, pc: u32) -> usize {
    func.funclets.partition_point(|start| start.0 <= pc)
}

/// Steps that a check may take over a function: far more than any compiled code needs, yet linear in its size.
pub fn work_limit(func: &Func) -> usize {
    let members: usize = func.vectors.iter().map(|vector| vector.members.len()).sum();
    let targets: usize = func.switches.iter().map(SwitchTable::len).sum();
    (func.code.len() + members + targets).saturating_mul(64).saturating_add(1 << 16)
}

/// Checks everything that needs no control flow.
pub fn check(unit: &Unit, func: &Func) -> Result<Layout, Fault> {
    let statics = func.statics.iter().map(|row| row.0).collect();
    let mut checker = Checker {
        unit,
        func,
        len: 0,
        layout: Layout::default(),
        statics,
        switch_work: 0,
        work_limit: work_limit(func),
    };
    checker.size()?;
    checker.sections()?;
    checker.lines()?;
    checker.vectors()?;
    checker.switches()?;
    checker.fpi_regions()?;
    checker.eh_table()?;
    checker.entries()?;
    checker.instructions()?;
    checker.releases();
    Ok(checker.layout)
}

struct Checker<'u> {
    unit: &'u Unit,
    func: &'u Func,
    len: u32,
    layout: Layout,
    statics: HashSet<StrId>,
    /// Switch targets looked at; bounded so that many instructions cannot share a huge table.
    switch_work: usize,
    work_limit: usize,
}

impl Checker<'_> {
    fn size(&mut self) -> Result<(), Fault> {
        let len = self.func.code.len();
        if len == 0 {
            return Err(Fault::general(Rule::R7, "the function has no code"));
        }
        if len > i32::MAX as usize {
            return Err(Fault::general(Rule::X1, "more than 2^31 - 1 instructions"));
        }
        self.len = len as u32;
        self.layout.places = vec![Place { fpi_of: NONE, fpi_at: NONE, eh_at: NONE, forward_target: false }; len];
        Ok(())
    }

    fn inside(&self, target: Target, what: &str) -> Result<(), Fault> {
        if target.0 < self.len {
            return Ok(());
        }
        Err(Fault::general(Rule::X1, format!("{what} {target:?} is outside the code")))
    }

    /// Rules 6 and 7: funclets in order, each section ending where control cannot run on.
    fn sections(&self) -> Result<(), Fault> {
        let mut previous = 0;
        for &start in &self.func.funclets {
            self.inside(start, "funclet")?;
            if start.0 <= previous {
                return Err(Fault::general(Rule::R6, format!("funclet {start:?} is out of order")));
            }
            previous = start.0;
        }
        let ends = self.func.funclets.iter().map(|start| start.0).chain([self.len]);
        for end in ends {
            let last = &self.func.code[end as usize - 1];
            if last.opcode().effect().kind.falls_through() {
                return Err(Fault::at(Rule::R7, end - 1, "control runs past the end of the section"));
            }
        }
        Ok(())
    }

    fn lines(&self) -> Result<(), Fault> {
        let mut next = 0;
        for &(start, _) in &self.func.lines {
            self.inside(start, "line row")?;
            if start.0 < next {
                return Err(Fault::general(Rule::X1, format!("line row {start:?} is out of order")));
            }
            next = start.0 + 1;
        }
        Ok(())
    }

    fn vectors(&mut self) -> Result<(), Fault> {
        for (index, vector) in self.func.vectors.iter().enumerate() {
            if vector.members.is_empty() {
                return Err(Fault::general(Rule::X7, format!("member vector v{index} has no members")));
            }
            if let Base::L(local) = vector.base {
                self.local(local)?;
            }
            let mut input = vector_input(vector.base);
            for member in &vector.members {
                match *member {
                    Member::EC | Member::PC => input.cells = input.cells.saturating_add(1),
                    Member::EL(local) | Member::PL(local) => self.local(local)?,
                    Member::ET(name) => {
                        self.str(name)?;
                        if is_integer_like(self.unit.str(name)) {
                            let message = format!("member vector v{index} has a key {name:?} that would be an int");
                            return Err(Fault::general(Rule::X7, message));
                        }
                    }
                    Member::PT(name) => self.str(name)?,
                    Member::EI(_) => {}
                    Member::W => input.has_new_element = true,
                }
            }
            self.layout.vectors.push(input);
        }
        Ok(())
    }

    fn local(&self, local: LocalId) -> Result<(), Fault> {
        self.id(local.index(), self.func.locals.len(), &local)
    }

    fn str(&self, id: StrId) -> Result<(), Fault> {
        self.id(id.index(), self.unit.strings.len(), &id)
    }

    fn id(&self, index: usize, len: usize, id: &dyn std::fmt::Debug) -> Result<(), Fault> {
        if index < len {
            return Ok(());
        }
        Err(Fault::general(Rule::X2, format!("{id:?} is out of range")))
    }

    fn switches(&self) -> Result<(), Fault> {
        for (index, table) in self.func.switches.iter().enumerate() {
            let fault = |message: &str| Err(Fault::general(Rule::X9, format!("switch table w{index} {message}")));
            match table {
                _ if table.is_empty() => return fault("has no cases"),
                SwitchTable::Int { cases, .. } if !cases.is_sorted_by(|a, b| a.0 < b.0) => {
                    return fault("does not ascend");
                }
                SwitchTable::Str { cases, .. } => cases.iter().try_for_each(|&(name, _)| self.str(name))?,
                SwitchTable::Int { .. } => {}
            }
            for_each_target(table, |target| self.inside(target, "switch target"))?;
        }
        Ok(())
    }

    /// Rule 8 and the nesting of rule 9: regions pair up FPush and FCall like brackets.
    fn fpi_regions(&mut self) -> Result<(), Fault> {
        if self.func.fpi.is_empty() {
            return Ok(());
        }
        for (index, region) in self.func.fpi.iter().enumerate() {
            for (end, kind) in [(region.push, OpKind::FpiPush), (region.call, OpKind::FpiPop)] {
                self.inside(end, "end of an FPI region")?;
                if self.func.code[end.index()].opcode().effect().kind != kind {
                    let message = "an FPI region must run from an FPush to an FCall";
                    return Err(Fault::at(Rule::R8, end.0, message));
                }
                if std::mem::replace(&mut self.layout.places[end.index()].fpi_of, index as u32) != NONE {
                    return Err(Fault::at(Rule::R8, end.0, "belongs to two FPI regions"));
                }
            }
        }
        let mut open = Vec::new();
        let mut funclets = self.func.funclets.iter().peekable();
        for (pc, place) in self.layout.places.iter_mut().enumerate() {
            if funclets.next_if(|start| start.index() == pc).is_some() && !open.is_empty() {
                return Err(Fault::at(Rule::R8, pc as u32, "an FPI region runs into a funclet"));
            }
            place.fpi_at = open.last().copied().unwrap_or(NONE);
            let region = place.fpi_of;
            if region == NONE {
                continue;
            }
            if self.func.fpi[region as usize].push.index() == pc {
                open.push(region);
            } else if open.pop() != Some(region) {
                return Err(Fault::at(Rule::R8, pc as u32, "FPI regions do not nest"));
            }
        }
        Ok(())
    }

    fn eh_table(&mut self) -> Result<(), Fault> {
        let rows = &self.func.eh;
        if rows.is_empty() {
            return Ok(());
        }
        for (index, row) in rows.iter().enumerate() {
            if row.start >= row.end || row.end.0 > self.len {
                return Err(Fault::general(Rule::X1, format!("EH row {index} has no valid range")));
            }
            if section(self.func, row.start.0) != section(self.func, row.end.0 - 1) {
                return Err(Fault::general(Rule::X4, format!("EH row {index} spans several sections")));
            }
            self.handlers(index, row)?;
        }
        self.eh_nesting()
    }

    fn handlers(&self, index: usize, row: &EhEntry) -> Result<(), Fault> {
        let home = section(self.func, row.start.0);
        let fault = |message: &str| Err(Fault::general(Rule::X4, format!("EH row {index} {message}")));
        match &row.kind {
            EhKind::Fault(funclet) => match self.func.funclets.binary_search(funclet) {
                Err(_) => fault("names a funclet that does not exist"),
                Ok(position) if position + 1 == home => fault("protects its own funclet"),
                Ok(_) => Ok(()),
            },
            EhKind::Catch(handlers) if handlers.is_empty() => fault("catches nothing"),
            EhKind::Catch(handlers) => {
                for &(class, entry) in handlers {
                    self.str(class)?;
                    self.inside(entry, "catch entry")?;
                    if section(self.func, entry.0) != home {
                        return fault("has a catch entry in another section");
                    }
                    if self.func.code[entry.index()].opcode() != Opcode::Catch {
                        return Err(Fault::at(Rule::X6, entry.0, "a catch entry must be a Catch"));
                    }
                    self.outside_calls(entry, "catch entry")?;
                }
                Ok(())
            }
        }
    }

    /// Finds each row's parent, then each instruction's innermost row.
    fn eh_nesting(&mut self) -> Result<(), Fault> {
        let rows = &self.func.eh;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|&index| {
            (rows[index].start, std::cmp::Reverse(rows[index].end), std::cmp::Reverse(index))
        });
        let mut parents = vec![NONE; rows.len()];
        let places = &mut self.layout.places;
        let mut from = 0;
        let mut open: Vec<usize> = Vec::new();
        for index in order {
            let row = &rows[index];
            close_rows(rows, &mut open, places, from, row.start.index());
            from = row.start.index();
            if let Some(&outer) = open.last() {
                if row.end > rows[outer].end {
                    let message = format!("EH rows {index} and {outer} overlap without nesting");
                    return Err(Fault::general(Rule::X4, message));
                }
                if index > outer {
                    let message = format!("EH row {index} lies inside row {outer} but comes after it");
                    return Err(Fault::general(Rule::X4, message));
                }
                parents[index] = outer as u32;
            }
            open.push(index);
        }
        close_rows(rows, &mut open, places, from, self.len as usize);
        self.layout.eh_parent = parents;
        Ok(())
    }

    fn outside_calls(&self, target: Target, what: &str) -> Result<(), Fault> {
        if self.layout.place(target.0).fpi_at == NONE {
            return Ok(());
        }
        Err(Fault::at(Rule::R9, target.0, format!("{what} inside an FPI region")))
    }

    /// The main entry, the DV entries and the funclets' entries.
    fn entries(&self) -> Result<(), Fault> {
        let func = self.func;
        let params = func.params.iter().filter(|param| !param.variadic);
        let optional = params.rev().take_while(|param| param.default.is_some()).count();
        if func.dv_entries.len() != optional {
            let message = format!("{} DV entries for {optional} optional parameters", func.dv_entries.len());
            return Err(Fault::general(Rule::X8, message));
        }
        if !func.dv_entries.is_sorted() {
            return Err(Fault::general(Rule::X8, "the DV entries are out of order"));
        }
        for &entry in func.dv_entries.iter().chain([&func.main_entry]) {
            self.inside(entry, "entry")?;
            if section(func, entry.0) != 0 {
                return Err(Fault::general(Rule::X8, format!("entry {entry:?} is in a funclet")));
            }
            self.outside_calls(entry, "entry")?;
        }
        Ok(())
    }

    fn instructions(&mut self) -> Result<(), Fault> {
        let mut section_index = 0;
        for (pc, instr) in self.func.code.iter().enumerate() {
            let pc = pc as u32;
            while self.func.funclets.get(section_index).is_some_and(|start| start.0 <= pc) {
                section_index += 1;
            }
            let locate = |fault: Fault| Fault { pc: fault.pc.or(Some(pc)), ..fault };
            self.immediates(pc, section_index, instr).map_err(locate)?;
            self.placement(pc, section_index, instr).map_err(locate)?;
            self.uses(instr).map_err(locate)?;
        }
        Ok(())
    }

    /// Ranges of all immediates, and where the targets among them lie.
    fn immediates(&mut self, pc: u32, section_index: usize, instr: &Instr) -> Result<(), Fault> {
        let (unit, func) = (self.unit, self.func);
        let mut result = Ok(());
        let mut target = None;
        let mut table = None;
        instr.for_each_imm(|imm| {
            let (index, len) = match imm {
                Imm::Count(_) | Imm::Int(_) | Imm::Double(_) | Imm::SubOp(_) => return,
                Imm::Str(id) => (id.index(), unit.strings.len()),
                Imm::Array(id) => (id.index(), unit.arrays.len()),
                Imm::Type(id) => (id.index(), unit.types.len()),
                Imm::Local(id) => (id.index(), func.locals.len()),
                Imm::Iter(id) => (id.index(), func.num_iters as usize),
                Imm::Func(id) => (id.index(), unit.funcs.len()),
                Imm::Class(id) => (id.index(), unit.classes.len()),
                Imm::Vector(id) => (id.index(), func.vectors.len()),
                Imm::Switch(id) => {
                    table = Some(id);
                    (id.index(), func.switches.len())
                }
                Imm::Target(id) => {
                    target = Some(id);
                    return;
                }
            };
            if index >= len {
                result = Err(Fault::at(Rule::X2, pc, format!("{imm} is out of range")));
            }
        });
        result?;
        if let Some(target) = target {
            self.jump(pc, section_index, target)?;
        }
        let Some(id) = table else { return Ok(()) };
        for_each_target(&func.switches[id.index()], |target| {
            self.switch_work += 1;
            if self.switch_work > self.work_limit {
                return Err(Fault::at(Rule::X13, pc, "the switch tables are shared by too many instructions"));
            }
            self.jump(pc, section_index, target)
        })
    }

    /// Rules 6 and 9, X1.
    fn jump(&mut self, pc: u32, section_index: usize, target: Target) -> Result<(), Fault> {
        self.inside(target, "target")?;
        if section(self.func, target.0) != section_index {
            return Err(Fault::at(Rule::R6, pc, format!("jumps to {target:?} in another section")));
        }
        let region = self.layout.place(pc).fpi_at;
        if self.layout.place(target.0).fpi_at != region {
            return Err(Fault::at(Rule::R9, pc, format!("jumps to {target:?} across the border of an FPI region")));
        }
        if target.0 > pc {
            self.layout.places[target.index()].forward_target = true;
        } else if region != NONE {
            return Err(Fault::at(Rule::R9, pc, format!("jumps back to {target:?} inside an FPI region")));
        }
        Ok(())
    }

    /// Which section and region an instruction may stand in.
    fn placement(&self, pc: u32, section_index: usize, instr: &Instr) -> Result<(), Fault> {
        let fault = |rule, message: &str| Err(Fault::at(rule, pc, message));
        let region = self.layout.place(pc).fpi_at;
        match instr.opcode().effect().kind {
            OpKind::FpiPush | OpKind::FpiPop if self.layout.place(pc).fpi_of == NONE => {
                return fault(Rule::R8, "belongs to no FPI region");
            }
            OpKind::Pass if region == NONE => return fault(Rule::R8, "used outside an FPI region"),
            _ => {}
        }
        match instr {
            Instr::FPassName { .. } | Instr::FIsByRef { .. } if region == NONE => {
                fault(Rule::R8, "used outside an FPI region")
            }
            Instr::Unwind {} if section_index == 0 => fault(Rule::R7, "used in the primary body"),
            Instr::RetC {} | Instr::RetV {} | Instr::NativeImpl {} if section_index != 0 => {
                fault(Rule::R7, "used in a fault funclet")
            }
            Instr::RetC {} | Instr::RetV {} | Instr::Unwind {} | Instr::NativeImpl {} if region != NONE => {
                fault(Rule::R9, "used inside an FPI region")
            }
            Instr::CreateCont {}
            | Instr::Yield {}
            | Instr::YieldK {}
            | Instr::YieldV {}
            | Instr::YieldVK {}
            | Instr::YieldFrom {}
                if section_index != 0 || !self.func.flags.has(FuncFlags::GENERATOR) =>
            {
                fault(Rule::X5, "used outside the body of a generator")
            }
            Instr::CreateCont {} if region != NONE => fault(Rule::X5, "used inside an FPI region"),
            _ => Ok(()),
        }
    }

    /// What an immediate must fit besides its table.
    fn uses(&self, instr: &Instr) -> Result<(), Fault> {
        let fault = |rule, message: String| Err(Fault::general(rule, message));
        match *instr {
            Instr::CGetM { vector }
            | Instr::CGetQuietM { vector }
            | Instr::CGetListM { vector }
            | Instr::IssetM { vector }
            | Instr::EmptyM { vector }
            | Instr::UnsetM { vector }
                if self.layout.vectors[vector.index()].has_new_element =>
            {
                fault(Rule::X7, format!("reads a new element through {vector:?}"))
            }
            Instr::DVSkip { param, .. } if param.index() >= self.func.params.len() => {
                fault(Rule::X2, format!("{param:?} is no parameter"))
            }
            Instr::VerifyParamType { param } => match self.func.params.get(param.index()) {
                Some(row) if row.ty.is_some() => Ok(()),
                _ => fault(Rule::X2, format!("{param:?} is no parameter with a type")),
            },
            Instr::VerifyRetTypeC {} | Instr::VerifyRetTypeV {} if self.func.return_type.is_none() => {
                fault(Rule::X2, "the function has no return type".into())
            }
            Instr::StaticLoc { name, .. } | Instr::StaticLocInit { name, .. } if !self.statics.contains(&name) => {
                fault(Rule::X2, format!("{name:?} is no static variable of the function"))
            }
            Instr::DefFunc { func } if self.unit.funcs[func.index()].flags.has(FuncFlags::NO_BODY) => {
                fault(Rule::X2, format!("{func:?} has no body"))
            }
            Instr::CreateCl { captures, func } => {
                let closure = &self.unit.funcs[func.index()];
                if captures as usize != closure.captures.len() || closure.flags.has(FuncFlags::NO_BODY) {
                    return fault(Rule::X2, format!("{func:?} is no closure with {captures} captures"));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Collects what each funclet releases, in any order.
    fn releases(&mut self) {
        let func = self.func;
        self.layout.releases = vec![Vec::new(); func.funclets.len()];
        let Some(first) = func.funclets.first() else { return };
        for (pc, instr) in func.code.iter().enumerate().skip(first.index()) {
            if let Some(resource) = released_by(instr) {
                self.layout.releases[section(func, pc as u32) - 1].push(resource);
            }
        }
    }
}

/// The resource that an instruction releases.
pub fn released_by(instr: &Instr) -> Option<Resource> {
    match *instr {
        Instr::IterFree { iter } => Some(Resource::Iter { iter, by_ref: false }),
        Instr::MIterFree { iter } => Some(Resource::Iter { iter, by_ref: true }),
        Instr::Silence { local, op: SilenceOp::End } => Some(Resource::Silence(local)),
        _ => None,
    }
}

/// Calls `visit` with the targets of a switch table, the default last.
pub fn for_each_target(table: &SwitchTable, mut visit: impl FnMut(Target) -> Result<(), Fault>) -> Result<(), Fault> {
    match table {
        SwitchTable::Int { cases, default } => {
            cases.iter().try_for_each(|&(_, target)| visit(target))?;
            visit(*default)
        }
        SwitchTable::Str { cases, default } => {
            cases.iter().try_for_each(|&(_, target)| visit(target))?;
            visit(*default)
        }
    }
}

fn vector_input(base: Base) -> VectorInput {
    let flavour = match base {
        Base::L(_) | Base::H => None,
        Base::N | Base::G | Base::S | Base::C => Some(Flavour::C),
        Base::R => Some(Flavour::R),
    };
    VectorInput { base: flavour, cells: 0, class: base == Base::S, has_new_element: false }
}

/// Closes the open rows that end at `to` or before, and records the innermost row of each instruction from `from` up to
/// there.
fn close_rows(rows: &[EhEntry], open: &mut Vec<usize>, places: &mut [Place], mut from: usize, to: usize) {
    while let Some(&row) = open.last() {
        let end = rows[row].end.index();
        places[from..end.min(to)].iter_mut().for_each(|place| place.eh_at = row as u32);
        if end > to {
            return;
        }
        from = end;
        open.pop();
    }
}
