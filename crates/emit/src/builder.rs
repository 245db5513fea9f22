//! Builds the code of one function: instructions, labels, lines, locals, iterators and regions.
//!
//! While code grows, branch targets hold label numbers and unnamed locals carry [`TEMP`]; `finish`
//! replaces both and computes the stack bound. Knows nothing of PHP source.

use phlox_hhbc::*;

use crate::immediates::{Patch, branch_target, patch_instr, stack_effect};

/// A position in the code that may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(pub u32);

impl Label {
    /// The label as an immediate; `finish` replaces it by the position.
    pub fn target(self) -> Target {
        Target(self.0)
    }
}

/// Marks the id of an unnamed local until the number of named ones is known.
const TEMP: u32 = 1 << 31;
const UNBOUND: u32 = u32::MAX;

/// Handle of an open protected region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionId(usize);

/// What a fault funclet cleans up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cleanup {
    Iter(IterId),
    MutableIter(IterId),
    Silence(LocalId),
}

struct Region {
    /// Start of the current segment; `None` while control has already left the region's extent.
    start: Option<u32>,
    kind: EhKind,
}

#[derive(Default)]
pub(crate) struct FuncBuilder {
    pub func: Func,
    /// Line given to the instructions that follow.
    pub line: u32,
    code: Vec<Instr>,
    lines: Vec<(Target, u32)>,
    labels: Vec<u32>,
    /// Names of the named locals, by id.
    names: Vec<StrId>,
    temps: u32,
    free_temps: Vec<u32>,
    iters: u16,
    free_iters: Vec<u16>,
    /// Where a call with all its arguments enters, if not at the start.
    pub main_entry: Option<Label>,
    open_calls: Vec<u32>,
    regions: Vec<Region>,
    /// Rows with their nesting depth.
    rows: Vec<(usize, EhEntry)>,
    funclets: Vec<(Label, Cleanup)>,
    /// Position of the last label bound; an instruction there can be reached by a jump.
    last_bound: Option<u32>,
}

impl FuncBuilder {
    /// The index of the next instruction.
    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Appends an instruction and attributes it to the current line.
    pub fn emit(&mut self, instr: Instr) {
        if self.lines.last().is_none_or(|&(_, line)| line != self.line) {
            let here = self.here();
            match self.lines.last_mut() {
                Some(last) if last.0.0 == here => last.1 = self.line,
                _ => self.lines.push((Target(here), self.line)),
            }
        }
        self.code.push(instr);
    }

    /// Emits one instruction with a line of its own.
    pub fn emit_at(&mut self, line: u32, instr: Instr) {
        let saved = std::mem::replace(&mut self.line, line);
        self.emit(instr);
        self.line = saved;
    }

    /// Can control get here? Only used to leave out the implicit return.
    pub fn falls_through(&self) -> bool {
        let ended = matches!(
            self.code.last(),
            Some(
                Instr::RetC {}
                    | Instr::RetV {}
                    | Instr::Jmp { .. }
                    | Instr::Throw {}
                    | Instr::VerifyNever {}
                    | Instr::Fatal { .. }
            )
        );
        !ended || self.last_bound == Some(self.here())
    }

    // ---- labels

    /// Creates a label whose position is not known yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    /// Places the label before the next instruction.
    pub fn bind(&mut self, label: Label) {
        let here = self.here();
        self.labels[label.0 as usize] = here;
        self.last_bound = Some(here);
    }

    /// Creates a label and places it before the next instruction.
    pub fn bind_new(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// Emits an unconditional jump to the label.
    pub fn jump(&mut self, label: Label) {
        self.emit(Instr::Jmp { target: label.target() });
    }

    // ---- locals and iterators

    /// The local with this name, which is created at first sight.
    pub fn named(&mut self, name: StrId) -> LocalId {
        let id = self.names.iter().position(|&n| n == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        LocalId(id as u32)
    }

    /// The local with this name, if the function has one already.
    pub fn find_named(&self, name: StrId) -> Option<LocalId> {
        self.names.iter().position(|&n| n == name).map(|id| LocalId(id as u32))
    }

    /// An unnamed local: a released one if there is any, otherwise a new one. Its id carries the `TEMP` bit until the
    /// function is finished.
    pub fn temp(&mut self) -> LocalId {
        let n = self.free_temps.pop().unwrap_or_else(|| {
            self.temps += 1;
            self.temps - 1
        });
        LocalId(n | TEMP)
    }

    /// Makes an unnamed local available again. Its value must be unset or of no more use.
    pub fn release(&mut self, temp: LocalId) {
        self.free_temps.push(temp.0 & !TEMP);
    }

    /// An iterator: a released one if there is any, otherwise a new one.
    pub fn iter(&mut self) -> IterId {
        IterId(self.free_iters.pop().unwrap_or_else(|| {
            self.iters += 1;
            self.iters - 1
        }))
    }

    /// Makes the iterator available for another loop.
    pub fn release_iter(&mut self, iter: IterId) {
        self.free_iters.push(iter.0);
    }

    // ---- tables

    /// Adds a member vector to the function's table.
    pub fn vector(&mut self, base: Base, members: Vec<Member>) -> VectorId {
        self.func.vectors.push(MemberVector { base, members });
        VectorId(self.func.vectors.len() as u32 - 1)
    }

    /// Adds a switch table, whose targets are labels, to the function.
    pub fn switch_table(&mut self, table: SwitchTable) -> SwitchId {
        self.func.switches.push(table);
        SwitchId(self.func.switches.len() as u32 - 1)
    }

    // ---- calls

    /// Emits an `FPush*` and opens its region.
    pub fn push_call(&mut self, instr: Instr) {
        self.open_calls.push(self.here());
        self.emit(instr);
    }

    /// Emits the instruction that ends the innermost pending call.
    pub fn end_call(&mut self, line: u32, instr: Instr) {
        let call = Target(self.here());
        if let Some(push) = self.open_calls.pop() {
            self.func.fpi.push(FpiRegion { push: Target(push), call });
        }
        self.emit_at(line, instr);
    }

    // ---- protected regions

    /// Opens a region; regions close in the reverse order.
    pub fn open_region(&mut self, kind: EhKind) -> RegionId {
        self.regions.push(Region { start: Some(self.here()), kind });
        RegionId(self.regions.len() - 1)
    }

    /// Opens a region that runs `cleanup` when an exception leaves it.
    pub fn open_fault(&mut self, cleanup: Cleanup) -> RegionId {
        let label = match self.funclets.iter().find(|(_, c)| *c == cleanup) {
            Some(&(label, _)) => label,
            None => {
                let label = self.label();
                self.funclets.push((label, cleanup));
                label
            }
        };
        self.open_region(EhKind::Fault(label.target()))
    }

    /// Closes the innermost region, which must be `id`.
    pub fn close_region(&mut self, id: RegionId) {
        debug_assert_eq!(id.0 + 1, self.regions.len(), "regions nest");
        self.suspend_region(id);
        self.regions.pop();
    }

    /// Ends the current segment of a region: the code that follows belongs to an early exit and is not protected by it.
    fn suspend_region(&mut self, id: RegionId) {
        let end = Target(self.here());
        if let Some(region) = self.regions.get_mut(id.0)
            && let Some(start) = region.start.take()
            && start < end.0
        {
            self.rows.push((id.0, EhEntry { start: Target(start), end, kind: region.kind.clone() }));
        }
    }

    /// Ends the current segments of the region and of all regions open inside it, and appends these regions to
    /// `suspended`, from which [`Self::resume_regions`] opens them again.
    pub fn suspend_from(&mut self, id: RegionId, suspended: &mut Vec<RegionId>) {
        for inner in (id.0..self.regions.len()).rev() {
            if self.regions[inner].start.is_some() {
                self.suspend_region(RegionId(inner));
                suspended.push(RegionId(inner));
            }
        }
    }

    /// Is a catch region open inside the region?
    pub fn has_catch_inside(&self, id: RegionId) -> bool {
        self.regions[id.0..].iter().any(|r| r.start.is_some() && matches!(r.kind, EhKind::Catch(_)))
    }

    /// Starts new segments of suspended regions: the code that follows is inside them again.
    pub fn resume_regions(&mut self, suspended: Vec<RegionId>) {
        let here = self.here();
        for id in suspended {
            if let Some(region) = self.regions.get_mut(id.0) {
                region.start = Some(here);
            }
        }
    }

    /// Has nothing been emitted since the region was opened?
    pub fn region_is_empty(&self, id: RegionId) -> bool {
        self.regions.get(id.0).is_some_and(|r| r.start == Some(self.here()))
    }

    // ---- finish

    /// The finished function: labels resolved, locals numbered, stack bound computed.
    pub fn finish(mut self) -> Func {
        self.emit_funclets();
        self.rows.sort_by_key(|&(depth, _)| std::cmp::Reverse(depth));
        let mut func = self.func;
        func.eh = self.rows.into_iter().map(|(_, row)| row).collect();
        func.locals = self.names.iter().map(|&n| Some(n)).collect();
        func.num_iters = u32::from(self.iters);
        func.lines = self.lines;
        let patch = Patch { labels: &self.labels, named: self.names.len() as u32, temp: TEMP };
        func.locals.resize(self.names.len() + self.temps as usize, None);
        func.max_stack = stack_bound(&self.code, &func, &self.labels);
        func.code = self.code;
        for instr in &mut func.code {
            patch_instr(instr, &patch);
        }
        patch_tables(&mut func, &patch);
        if let Some(label) = self.main_entry {
            func.main_entry = label.target();
            patch.target(&mut func.main_entry);
        }
        func
    }

    fn emit_funclets(&mut self) {
        for i in 0..self.funclets.len() {
            let (label, cleanup) = self.funclets[i];
            self.bind(label);
            self.func.funclets.push(label.target());
            self.emit(match cleanup {
                Cleanup::Iter(iter) => Instr::IterFree { iter },
                Cleanup::MutableIter(iter) => Instr::MIterFree { iter },
                Cleanup::Silence(local) => Instr::Silence { local, op: SilenceOp::End },
            });
            self.emit(Instr::Unwind {});
        }
    }
}

fn patch_tables(func: &mut Func, patch: &Patch<'_>) {
    for vector in &mut func.vectors {
        if let Base::L(local) = &mut vector.base {
            patch.local(local);
        }
        for member in &mut vector.members {
            if let Member::EL(local) | Member::PL(local) = member {
                patch.local(local);
            }
        }
    }
    for table in &mut func.switches {
        match table {
            SwitchTable::Int { cases, default } => {
                cases.iter_mut().for_each(|(_, t)| patch.target(t));
                patch.target(default);
            }
            SwitchTable::Str { cases, default } => {
                cases.iter_mut().for_each(|(_, t)| patch.target(t));
                patch.target(default);
            }
        }
    }
    for row in &mut func.eh {
        match &mut row.kind {
            EhKind::Catch(catches) => catches.iter_mut().for_each(|(_, t)| patch.target(t)),
            EhKind::Fault(target) => patch.target(target),
        }
    }
    func.funclets.iter_mut().for_each(|t| patch.target(t));
    func.dv_entries.iter_mut().for_each(|t| patch.target(t));
}

/// The deepest the stack gets, by a linear walk: a branch records the depth at its target, and code
/// that no branch leads to goes on at the depth before it.
fn stack_bound(code: &[Instr], func: &Func, labels: &[u32]) -> u32 {
    const UNKNOWN: u32 = u32::MAX;
    let mut depth_at = vec![UNKNOWN; code.len() + 1];
    let position = |target: &Target| labels.get(target.index()).map_or(0, |&p| p as usize);
    for row in &func.eh {
        if let EhKind::Catch(catches) = &row.kind {
            catches.iter().for_each(|(_, target)| depth_at[position(target)] = 0);
        }
    }
    func.funclets.iter().for_each(|target| depth_at[position(target)] = 0);
    let mut depth: u32 = 0;
    let mut deepest: u32 = 0;
    for (pc, instr) in code.iter().enumerate() {
        if depth_at[pc] != UNKNOWN {
            depth = depth_at[pc];
        }
        let (pops, pushes) = stack_effect(instr, &func.vectors);
        depth = depth.saturating_sub(pops) + pushes;
        deepest = deepest.max(depth);
        if let Some(target) = branch_target(instr) {
            depth_at[position(&target)] = depth;
        } else if let Instr::Switch { table } | Instr::SSwitch { table } = instr {
            for target in func.switches.get(table.index()).into_iter().flat_map(switch_targets) {
                depth_at[position(&target)] = depth;
            }
        }
    }
    deepest
}

fn switch_targets(table: &SwitchTable) -> Vec<Target> {
    match table {
        SwitchTable::Int { cases, default } => cases.iter().map(|&(_, t)| t).chain([*default]).collect(),
        SwitchTable::Str { cases, default } => cases.iter().map(|&(_, t)| t).chain([*default]).collect(),
    }
}
