//! The disassembler: code, its labels, and the tables that belong to code.

use super::fields::Text;
use super::print::Printer;
use crate::ids::*;
use crate::imm::{Imm, ImmKind};
use crate::info::OpKind;
use crate::instr::Instr;
use crate::unit::*;

impl Printer<'_> {
    /// The lines between the braces of a function.
    pub fn code(&mut self, func: &Func) {
        let vectors_inline = each_used_once(func, func.vectors.len(), |imm| match imm {
            Imm::Vector(id) => Some(id.index()),
            _ => None,
        });
        let switches_inline = each_used_once(func, func.switches.len(), |imm| match imm {
            Imm::Switch(id) => Some(id.index()),
            _ => None,
        });
        let lines_inline = func.lines.is_sorted_by(|a, b| a.0 < b.0)
            && func.lines.last().is_none_or(|row| row.0.index() < func.code.len());
        let explicit_fpi = func.fpi != implied_fpi(&func.code);
        let labels = labels(func, explicit_fpi, !lines_inline);
        if !vectors_inline {
            func.vectors.iter().for_each(|vector| self.directive("vector", vector));
        }
        if !switches_inline {
            func.switches.iter().for_each(|table| self.directive("switch", table));
        }
        let mut lines = func.lines.iter().filter(|_| lines_inline).peekable();
        for (pc, instr) in func.code.iter().enumerate() {
            if let Some((_, line)) = lines.next_if(|row| row.0.index() == pc) {
                self.directive("line", line);
            }
            self.label(&labels, pc);
            let vectors = if vectors_inline { func.vectors.as_slice() } else { &[] };
            let switches = if switches_inline { func.switches.as_slice() } else { &[] };
            self.instr(instr, vectors, switches);
            self.line_end();
        }
        if labels[func.code.len()] {
            self.label(&labels, func.code.len());
            self.line_end();
        }
        if !lines_inline {
            self.directive("lines", &func.lines);
        }
        if explicit_fpi {
            let rows: Vec<_> = func.fpi.iter().map(|region| (region.push, region.call)).collect();
            self.directive("fpi", &rows);
        }
        self.entries(func);
        func.eh.iter().for_each(|row| self.eh_row(row));
    }

    fn label(&mut self, labels: &[bool], pc: usize) {
        let label = if labels[pc] { format!("L{pc}:") } else { String::new() };
        self.margin(&format!("{label:<8}"));
    }

    fn directive<T: Text>(&mut self, name: &str, value: &T) {
        self.margin("  .");
        self.word(name);
        value.print(self);
        self.line_end();
    }

    fn entries(&mut self, func: &Func) {
        if func.main_entry != Target(0) {
            self.directive("entry", &func.main_entry);
        }
        if !func.dv_entries.is_empty() {
            self.directive("dv", &func.dv_entries);
        }
        if !func.funclets.is_empty() {
            self.directive("funclets", &func.funclets);
        }
    }

    fn eh_row(&mut self, row: &EhEntry) {
        self.margin("  .");
        self.word(if matches!(row.kind, EhKind::Catch(_)) { "try" } else { "fault" });
        row.start.print(self);
        row.end.print(self);
        match &row.kind {
            EhKind::Catch(handlers) => handlers.print(self),
            EhKind::Fault(funclet) => funclet.print(self),
        }
        self.line_end();
    }

    /// A vector or switch table is shown in place if `vectors` or `switches` has it.
    fn instr(&mut self, instr: &Instr, vectors: &[MemberVector], switches: &[SwitchTable]) {
        let info = instr.opcode().info();
        self.word(info.name);
        let mut kinds = info.immediates.iter().map(|row| row.1);
        instr.for_each_imm(|imm| match (imm, kinds.next()) {
            (Imm::Count(value), _) => value.print(self),
            (Imm::Int(value), _) => value.print(self),
            (Imm::Double(value), _) => value.print(self),
            (Imm::Str(id), _) => id.print(self),
            (Imm::Array(id), _) => id.print(self),
            (Imm::Type(id), _) => id.print(self),
            (Imm::Local(id), _) => id.print(self),
            (Imm::Iter(id), _) => id.print(self),
            (Imm::Func(id), _) => id.print(self),
            (Imm::Class(id), _) => id.print(self),
            (Imm::Vector(id), _) => match vectors.get(id.index()) {
                Some(vector) => vector.print(self),
                None => id.print(self),
            },
            (Imm::Switch(id), _) => match switches.get(id.index()) {
                Some(table) => table.print(self),
                None => id.print(self),
            },
            (Imm::Target(target), _) => target.print(self),
            (Imm::SubOp(value), Some(ImmKind::SubOp { values, .. })) => {
                self.word(values.get(usize::from(value)).copied().unwrap_or("?"));
            }
            (Imm::SubOp(_), _) => {}
        });
    }
}

/// The FPI regions that result from matching FPush and FCall like brackets, ordered by their FCall. The text omits a
/// function's regions if they are these.
pub fn implied_fpi(code: &[Instr]) -> Vec<FpiRegion> {
    let mut regions = Vec::new();
    let mut open = Vec::new();
    for (pc, instr) in code.iter().enumerate() {
        let here = Target(pc as u32);
        match instr.opcode().info().kind {
            OpKind::FpiPush => open.push(here),
            OpKind::FpiPop => regions.extend(open.pop().map(|push| FpiRegion { push, call: here })),
            _ => {}
        }
    }
    regions
}

/// Whether the code uses each of `count` ids exactly once, in order.
fn each_used_once(func: &Func, count: usize, id_of: impl Fn(Imm) -> Option<usize>) -> bool {
    let mut used = 0;
    let mut in_order = true;
    for instr in &func.code {
        instr.for_each_imm(|imm| {
            if let Some(id) = id_of(imm) {
                in_order &= id == used;
                used += 1;
            }
        });
    }
    in_order && used == count
}

/// Which positions of the code need a label; the last is the end of the code.
fn labels(func: &Func, explicit_fpi: bool, explicit_lines: bool) -> Vec<bool> {
    let mut labels = vec![false; func.code.len() + 1];
    let mut mark = |target: &Target| {
        if let Some(label) = labels.get_mut(target.index()) {
            *label = true;
        }
    };
    for instr in &func.code {
        instr.for_each_imm(|imm| {
            if let Imm::Target(target) = imm {
                mark(&target);
            }
        });
    }
    for table in &func.switches {
        match table {
            SwitchTable::Int { cases, default } => cases.iter().map(|c| &c.1).chain([default]).for_each(&mut mark),
            SwitchTable::Str { cases, default } => cases.iter().map(|c| &c.1).chain([default]).for_each(&mut mark),
        }
    }
    if func.main_entry != Target(0) {
        mark(&func.main_entry);
    }
    func.dv_entries.iter().chain(&func.funclets).for_each(&mut mark);
    if explicit_fpi {
        func.fpi.iter().flat_map(|region| [&region.push, &region.call]).for_each(&mut mark);
    }
    if explicit_lines {
        func.lines.iter().for_each(|row| mark(&row.0));
    }
    for row in &func.eh {
        mark(&row.start);
        mark(&row.end);
        match &row.kind {
            EhKind::Catch(handlers) => handlers.iter().for_each(|handler| mark(&handler.1)),
            EhKind::Fault(funclet) => mark(funclet),
        }
    }
    labels
}
