//! Trees to T3 code: functions, variables and statements. Expressions are in `emit_expr.rs`.
//!
//! Variables that inner functions use live in vectors of one element, which the inner function's object holds: element
//! 1 is the function, then comes the method context if it is used, then the vectors in the order of `captures`.

use foldhash::HashMap;
use phlox_t3_image::Op;
use phlox_t3_image::debug;
use phlox_t3_vm::code::DYNAMIC;
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::value::{PropId, Value};
use phlox_t3_vm::vm::Vm;

use super::ast::{Expr, Function, ParamKind, Source, Stmt, Var};
use super::parse::Unit;

/// A branch target.
pub(super) type Label = usize;

/// Where `break` and `continue` go.
struct Target<'a> {
    name: Option<&'a str>,
    end: Label,
    /// None in a switch.
    next: Option<Label>,
    /// How many `finally` parts stand around it.
    finallies: usize,
}

/// The code of one function under construction.
#[derive(Default)]
pub(super) struct Body<'a> {
    pub code: Vec<u8>,
    labels: Vec<Option<usize>>,
    branches: Vec<(usize, Label)>,
    /// Places that want the address of another function.
    pub functions: Vec<(usize, usize)>,
    /// Places of the numbers of literal objects.
    objects: Vec<usize>,
    handlers: Vec<(usize, usize, u32, Label)>,
    slots: HashMap<Var, u16>,
    arguments: HashMap<Var, u8>,
    pub locals: u16,
    targets: Vec<Target<'a>>,
    finallies: Vec<&'a Stmt>,
    /// Where `goto` goes, with how many `finally` parts stand around it.
    places: HashMap<&'a str, (Label, usize)>,
}

/// The emitter of a compilation.
pub(super) struct Emitter<'a, 'v> {
    pub vm: &'v mut Vm,
    pub unit: &'a Unit,
    /// The method context for a function outside of any method: self and what goes with it.
    pub context: Option<Value>,
    /// Objects that the code refers to.
    pub literals: Vec<Value>,
    pub body: Body<'a>,
    pub number: usize,
    /// What went wrong: the compiler's message.
    pub error: Option<String>,
}

/// The bytes of all functions, and where each begins.
#[derive(Default)]
pub(super) struct Code {
    pub bytes: Vec<u8>,
    pub starts: Vec<usize>,
    /// Places of the numbers of objects that were made for the code.
    pub objects: Vec<usize>,
    /// Places of addresses of functions of this code.
    pub functions: Vec<usize>,
    /// Where each function keeps its variables, for those who look at its frame.
    pub variables: Vec<Vec<debug::Variable>>,
}

/// What the forms of `for ... in` have in common.
struct Looped<'a> {
    label: &'a Option<String>,
    target: &'a Expr,
    declared: Option<Var>,
    body: &'a Stmt,
}

impl<'a> Emitter<'a, '_> {
    /// All functions, for a place in the pool of dynamic code.
    pub fn all(&mut self, base: usize) -> Code {
        let mut code = Code::default();
        let mut references = Vec::new();
        for (number, function) in self.unit.functions.iter().enumerate() {
            self.number = number;
            self.body = Body::default();
            self.function(function);
            let start = code.bytes.len();
            code.starts.push(start);
            let bytes = self.finished(function);
            let header = self.vm.image.entry.method_header_size;
            references.extend(self.body.functions.iter().map(|(at, number)| (start + header + at, *number)));
            code.objects.extend(self.body.objects.iter().map(|at| start + header + at));
            code.bytes.extend(bytes);
            code.variables.push(self.variables());
        }
        for (at, number) in references {
            code.functions.push(at);
            let address = (base + code.starts[number]) as u32 | DYNAMIC;
            code.bytes[at..at + 4].copy_from_slice(&address.to_le_bytes());
        }
        code
    }

    /// Header, code and exception table of the function.
    fn finished(&mut self, function: &Function) -> Vec<u8> {
        let body = &mut self.body;
        for (at, label) in std::mem::take(&mut body.branches) {
            let target = body.labels[label].unwrap_or(body.code.len());
            let Ok(distance) = i16::try_from(target as i64 - at as i64) else {
                self.error = Some("error: the function is too long".to_owned());
                return Vec::new();
            };
            body.code[at..at + 2].copy_from_slice(&distance.to_le_bytes());
        }
        let entry = &self.vm.image.entry;
        let header = entry.method_header_size;
        let count = |kind: ParamKind| function.params.iter().filter(|param| param.kind == kind).count() as u8;
        let table = if body.handlers.is_empty() { 0 } else { header + body.code.len() };
        let mut out = vec![count(ParamKind::Required) | if function.open { 0x80 } else { 0 }];
        out.push(count(ParamKind::Optional));
        out.extend(body.locals.to_le_bytes());
        out.extend((body.locals + STACK).to_le_bytes());
        out.extend((table as u16).to_le_bytes());
        out.resize(header, 0);
        out.extend_from_slice(&body.code);
        if !body.handlers.is_empty() {
            out.extend((body.handlers.len() as u16).to_le_bytes());
            for (start, end, class, label) in &body.handlers {
                let row = out.len();
                let target = body.labels[*label].unwrap_or(0);
                out.extend(((header + start) as u16).to_le_bytes());
                out.extend(((header + end - 1) as u16).to_le_bytes());
                out.extend(class.to_le_bytes());
                out.extend(((header + target) as u16).to_le_bytes());
                out.resize(row + entry.exception_entry_size, 0);
            }
        }
        out
    }

    // ---- instructions

    /// Emits an instruction without operands.
    pub fn op(&mut self, op: Op) {
        self.body.code.push(op as u8);
    }

    /// Emits an instruction with an operand of one byte.
    pub fn op8(&mut self, op: Op, operand: u8) {
        self.body.code.extend([op as u8, operand]);
    }

    /// Emits an instruction with an operand of two bytes.
    pub fn op16(&mut self, op: Op, operand: u16) {
        self.op(op);
        self.body.code.extend(operand.to_le_bytes());
    }

    /// Emits an instruction with an operand of four bytes.
    pub fn op32(&mut self, op: Op, operand: u32) {
        self.op(op);
        self.body.code.extend(operand.to_le_bytes());
    }

    /// A new label, which has no place yet.
    pub fn label(&mut self) -> Label {
        self.body.labels.push(None);
        self.body.labels.len() - 1
    }

    /// Gives a label the place that the code has reached.
    pub fn place(&mut self, label: Label) {
        self.body.labels[label] = Some(self.body.code.len());
    }

    /// Emits a branch to a label.
    pub fn branch(&mut self, op: Op, label: Label) {
        self.op(op);
        self.branch_operand(label);
    }

    fn branch_operand(&mut self, label: Label) {
        self.body.branches.push((self.body.code.len(), label));
        self.body.code.extend([0, 0]);
    }

    /// A local without a name.
    pub fn temporary(&mut self) -> u16 {
        self.body.locals += 1;
        self.body.locals - 1
    }

    /// Pushes a local variable.
    pub fn get_local(&mut self, slot: u16) {
        self.op16(Op::GETLCL2, slot);
    }

    /// Pops into a local variable.
    pub fn set_local(&mut self, slot: u16) {
        self.op16(Op::SETLCL2, slot);
    }

    /// An object that the code refers to.
    pub fn literal(&mut self, value: Value) {
        self.literals.push(value);
        self.vm.rooted.push(value);
        self.body.objects.push(self.body.code.len() + 1);
        self.op32(Op::PUSHOBJ, value.as_object().unwrap_or_default());
    }

    /// Pushes a constant string.
    pub fn text(&mut self, text: &str) {
        let value = self.vm.heap.new_text(text);
        self.literal(value);
    }

    /// Pushes an integer.
    pub fn int(&mut self, number: i32) {
        match number {
            0 => self.op(Op::PUSH_0),
            1 => self.op(Op::PUSH_1),
            _ => self.op32(Op::PUSHINT, number as u32),
        }
    }

    /// NEW of a metaclass that the image must have.
    pub fn new_object(&mut self, meta: Meta, argc: u8, transient: bool) {
        let Some(index) = self.vm.metas.iter().position(|row| *row == meta) else {
            self.error = Some(format!("error: the program does not have the class {meta:?}"));
            return;
        };
        let op = if transient { Op::TRNEW1 } else { Op::NEW1 };
        self.op8(op, argc);
        self.body.code.push(index as u8);
    }

    /// The property of an intrinsic method.
    pub fn native_prop(&mut self, meta: Meta, method: &str) -> PropId {
        let number = self.vm.method_number(meta, method);
        self.vm.meta_props[meta as usize].get(number as usize - 1).copied().unwrap_or_default()
    }

    // ---- functions

    fn function(&mut self, function: &'a Function) {
        if function.uses_context && !function.is_method {
            if function.parent.is_some() {
                self.op8(Op::PUSHCTXELE, 4);
                self.op8(Op::IDXINT8, 2);
                self.op(Op::LOADCTX);
            } else if let Some(context) = self.context {
                self.literal(context);
                self.op(Op::LOADCTX);
            } else {
                self.error = Some("error: there is no \"self\" here".to_owned());
            }
        }
        let mut argument = 0u8;
        for param in &function.params {
            let default = |emitter: &mut Self| match &param.default {
                Some(value) => emitter.expr(value),
                None => emitter.op(Op::PUSHNIL),
            };
            match &param.kind {
                ParamKind::Required => {
                    if !self.unit.variables[param.var].captured {
                        self.body.arguments.insert(param.var, argument);
                        argument += 1;
                        continue;
                    }
                    self.op8(Op::GETARG1, argument);
                    argument += 1;
                }
                ParamKind::Optional => {
                    let (given, end) = (self.label(), self.label());
                    self.op(Op::GETARGC);
                    self.int(argument.into());
                    self.branch(Op::JGT, given);
                    default(self);
                    self.branch(Op::JMP, end);
                    self.place(given);
                    self.op8(Op::GETARG1, argument);
                    self.place(end);
                    argument += 1;
                }
                ParamKind::Named(name) => {
                    let optional = param.default.is_some();
                    if optional {
                        default(self);
                    }
                    self.text(name);
                    self.builtin("t3GetNamedArg", 1 + u8::from(optional));
                    self.op(Op::GETR0);
                }
                ParamKind::Rest => self.op8(Op::PUSHPARLST, argument),
            }
            self.declare(param.var);
            self.store(param.var);
        }
        function.body.iter().for_each(|statement| self.find_places(statement, 0));
        self.statements(&function.body);
        self.op(Op::RETNIL);
    }

    /// Notes the labels in a statement. Those in `finally` parts come when one of these is emitted.
    fn find_places(&mut self, statement: &'a Stmt, finallies: usize) {
        match statement {
            Stmt::Label(name) => {
                let label = self.label();
                self.body.places.insert(name, (label, finallies));
            }
            Stmt::Block(body) => body.iter().for_each(|statement| self.find_places(statement, finallies)),
            Stmt::If(_, then, otherwise) => {
                self.find_places(then, finallies);
                otherwise.iter().for_each(|statement| self.find_places(statement, finallies));
            }
            Stmt::While(_, _, body) | Stmt::DoWhile(_, body, _) | Stmt::For { body, .. } | Stmt::ForIn { body, .. } => {
                self.find_places(body, finallies)
            }
            Stmt::Switch(_, _, cases) => {
                cases.iter().flat_map(|case| &case.1).for_each(|statement| self.find_places(statement, finallies));
            }
            Stmt::Try { body, catches, finally } => {
                let inside = finallies + usize::from(finally.is_some());
                self.find_places(body, inside);
                catches.iter().for_each(|catch| self.find_places(&catch.2, inside));
            }
            _ => {}
        }
    }

    /// A `finally` part; it is emitted for each way that leads through it, so it has labels of its own every time.
    fn finally(&mut self, statement: &'a Stmt) {
        let places = self.body.places.clone();
        self.find_places(statement, self.body.finallies.len());
        self.statement(statement);
        self.body.places = places;
    }

    fn builtin(&mut self, name: &str, argc: u8) {
        let found = self.vm.sets.iter().enumerate().find_map(|(set, row)| {
            let at = row.functions.iter().position(|function| function.name == name)?;
            Some((set as u8, at as u8))
        });
        match found {
            Some((set, index)) => {
                self.op8(Op::BUILTIN1, argc);
                self.body.code.extend([index, set]);
            }
            None => self.error = Some(format!("error: the program does not have the function \"{name}\"")),
        }
    }

    // ---- variables

    /// A new variable; one that inner functions use gets a vector of its own.
    fn declare(&mut self, var: Var) {
        let slot = *self.body.slots.entry(var).or_insert_with(|| {
            self.body.locals += 1;
            self.body.locals - 1
        });
        if self.unit.variables[var].captured {
            self.int(1);
            self.int(1);
            self.new_object(Meta::Vector, 2, false);
            self.op(Op::GETR0);
            self.set_local(slot);
        }
    }

    /// Pushes the vector that holds a captured variable.
    pub fn cell(&mut self, var: Var) {
        if self.unit.variables[var].function == self.number {
            match self.body.slots.get(&var).copied() {
                Some(slot) => self.get_local(slot),
                None => self.op(Op::PUSHNIL),
            }
            return;
        }
        let function = &self.unit.functions[self.number];
        let at = function.captures.iter().position(|captured| *captured == var).unwrap_or(0);
        let before = 2 + usize::from(function.uses_context && !function.is_method);
        self.op8(Op::PUSHCTXELE, 4);
        self.op8(Op::IDXINT8, (before + at) as u8);
    }

    /// Pushes a variable.
    pub fn load(&mut self, var: Var) {
        if self.unit.variables[var].captured {
            self.cell(var);
            self.op8(Op::IDXINT8, 1);
        } else if let Some(argument) = self.body.arguments.get(&var).copied() {
            self.op8(Op::GETARG1, argument);
        } else if let Some(slot) = self.body.slots.get(&var).copied() {
            self.get_local(slot);
        } else {
            self.op(Op::PUSHNIL);
        }
    }

    /// Pops into a variable.
    pub fn store(&mut self, var: Var) {
        if self.unit.variables[var].captured {
            self.cell(var);
            self.int(1);
            self.op(Op::SETIND);
            self.op(Op::DISC);
        } else if let Some(argument) = self.body.arguments.get(&var).copied() {
            self.op8(Op::SETARG1, argument);
        } else if let Some(slot) = self.body.slots.get(&var).copied() {
            self.set_local(slot);
        } else {
            self.op(Op::DISC);
        }
    }

    /// Where the variables are, in the order of their declaration.
    fn variables(&self) -> Vec<debug::Variable> {
        let rows = self.unit.variables.iter().enumerate().filter(|row| row.1.function == self.number);
        rows.filter_map(|(var, variable)| {
            let place = match (self.body.arguments.get(&var), self.body.slots.get(&var)) {
                (Some(argument), _) => debug::Place::Param(u16::from(*argument)),
                (None, Some(slot)) if variable.captured => debug::Place::Shared(*slot, 1),
                (None, Some(slot)) => debug::Place::Local(*slot),
                (None, None) => return None,
            };
            Some(debug::Variable { name: variable.name.clone(), place })
        })
        .collect()
    }

    // ---- statements

    fn statements(&mut self, statements: &'a [Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Expr(value) => self.effect(value),
            Stmt::Declare(var, value) => {
                match value {
                    Some(value) => self.expr(value),
                    None => self.op(Op::PUSHNIL),
                }
                self.declare(*var);
                self.store(*var);
            }
            Stmt::Block(statements) => self.statements(statements),
            Stmt::If(condition, then, otherwise) => self.if_else(condition, then, otherwise.as_deref()),
            Stmt::While(label, condition, body) => self.for_loop(label, &[], Some(condition), &[], body),
            Stmt::DoWhile(label, body, condition) => self.do_while(label, body, condition),
            Stmt::For { label, init, condition, update, body } => {
                self.for_loop(label, init, condition.as_ref(), update, body);
            }
            Stmt::ForIn { label, target, declared, source, body } => {
                self.for_in(&Looped { label, target, declared: *declared, body }, source);
            }
            Stmt::Switch(label, value, cases) => self.switch(label, value, cases),
            Stmt::Return(value) => self.return_value(value.as_ref()),
            Stmt::Break(name) => self.jump_out(name.as_deref(), false),
            Stmt::Continue(name) => self.jump_out(name.as_deref(), true),
            Stmt::Label(name) => {
                if let Some((label, _)) = self.body.places.get(name.as_str()).copied() {
                    self.place(label);
                }
            }
            Stmt::Goto(name) => match self.body.places.get(name.as_str()).copied() {
                Some((label, finallies)) => {
                    self.run_finallies(finallies);
                    self.branch(Op::JMP, label);
                }
                None => self.error = Some(format!("error: undefined label \"{name}\"")),
            },
            Stmt::Throw(value) => {
                self.expr(value);
                self.op(Op::THROW);
            }
            Stmt::Try { body, catches, finally } => self.try_statement(body, catches, finally.as_deref()),
        }
    }

    fn if_else(&mut self, condition: &'a Expr, then: &'a Stmt, otherwise: Option<&'a Stmt>) {
        let (no, end) = (self.label(), self.label());
        self.expr(condition);
        self.branch(Op::JF, no);
        self.statement(then);
        if otherwise.is_some() {
            self.branch(Op::JMP, end);
        }
        self.place(no);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.place(end);
    }

    fn do_while(&mut self, label: &'a Option<String>, body: &'a Stmt, condition: &'a Expr) {
        let (top, next, end) = (self.label(), self.label(), self.label());
        self.place(top);
        self.looped(label, end, Some(next), body);
        self.place(next);
        self.expr(condition);
        self.branch(Op::JT, top);
        self.place(end);
    }

    fn return_value(&mut self, value: Option<&'a Expr>) {
        match value {
            Some(value) => self.expr(value),
            None => self.op(Op::PUSHNIL),
        }
        if !self.body.finallies.is_empty() {
            let kept = self.temporary();
            self.set_local(kept);
            self.run_finallies(0);
            self.get_local(kept);
        }
        self.op(Op::RETVAL);
    }

    fn looped(&mut self, name: &'a Option<String>, end: Label, next: Option<Label>, body: &'a Stmt) {
        let finallies = self.body.finallies.len();
        self.body.targets.push(Target { name: name.as_deref(), end, next, finallies });
        self.statement(body);
        self.body.targets.pop();
    }

    fn for_loop(
        &mut self,
        label: &'a Option<String>,
        init: &'a [Stmt],
        condition: Option<&'a Expr>,
        update: &'a [Expr],
        body: &'a Stmt,
    ) {
        let (top, next, end) = (self.label(), self.label(), self.label());
        self.statements(init);
        self.place(top);
        if let Some(condition) = condition {
            self.expr(condition);
            self.branch(Op::JF, end);
        }
        self.looped(label, end, Some(next), body);
        self.place(next);
        update.iter().for_each(|value| self.effect(value));
        self.branch(Op::JMP, top);
        self.place(end);
    }

    fn for_in(&mut self, looped: &Looped<'a>, source: &'a Source) {
        match source {
            Source::Each(collection) => self.for_each(looped, collection),
            Source::Range(first, last, step) => self.for_range(looped, first, last, step.as_ref()),
        }
    }

    fn for_each(&mut self, looped: &Looped<'a>, collection: &'a Expr) {
        let (top, next, end) = (self.label(), self.label(), self.label());
        let iterator = self.temporary();
        let create = self.native_prop(Meta::Collection, "createIterator");
        self.expr(collection);
        self.op8(Op::CALLPROP, 0);
        self.body.code.extend(create.to_le_bytes());
        self.op(Op::GETR0);
        self.set_local(iterator);
        self.place(top);
        self.place(next);
        self.op16(Op::ITERNEXT, iterator);
        self.branch_operand(end);
        self.assign_loop(looped.target, looped.declared);
        self.looped(looped.label, end, Some(next), looped.body);
        self.branch(Op::JMP, top);
        self.place(end);
    }

    /// A loop over a range, whose step decides in which direction the limit lies.
    fn for_range(&mut self, looped: &Looped<'a>, first: &'a Expr, last: &'a Expr, step: Option<&'a Expr>) {
        let (top, next, end) = (self.label(), self.label(), self.label());
        let (at, limit, by) = (self.temporary(), self.temporary(), self.temporary());
        self.expr(first);
        self.set_local(at);
        self.expr(last);
        self.set_local(limit);
        match step {
            Some(step) => self.expr(step),
            None => self.int(1),
        }
        self.set_local(by);
        self.place(top);
        let (down, go) = (self.label(), self.label());
        self.get_local(by);
        self.int(0);
        self.branch(Op::JLT, down);
        self.get_local(at);
        self.get_local(limit);
        self.branch(Op::JGT, end);
        self.branch(Op::JMP, go);
        self.place(down);
        self.get_local(at);
        self.get_local(limit);
        self.branch(Op::JLT, end);
        self.place(go);
        self.get_local(at);
        self.assign_loop(looped.target, looped.declared);
        self.looped(looped.label, end, Some(next), looped.body);
        self.place(next);
        self.get_local(at);
        self.get_local(by);
        self.op(Op::ADD);
        self.set_local(at);
        self.branch(Op::JMP, top);
        self.place(end);
    }

    /// Pops the loop's next value into its variable.
    fn assign_loop(&mut self, target: &'a Expr, declared: Option<Var>) {
        match declared {
            Some(var) => {
                self.declare(var);
                self.store(var);
            }
            None => self.assign(target),
        }
    }

    fn switch(&mut self, label: &'a Option<String>, value: &'a Expr, cases: &'a [(Option<Expr>, Vec<Stmt>)]) {
        let (tested, end) = (self.temporary(), self.label());
        self.expr(value);
        self.set_local(tested);
        let labels: Vec<Label> = cases.iter().map(|_| self.label()).collect();
        for ((case, _), label) in cases.iter().zip(&labels) {
            if let Some(case) = case {
                self.get_local(tested);
                self.expr(case);
                self.branch(Op::JE, *label);
            }
        }
        let default = cases.iter().position(|case| case.0.is_none()).map_or(end, |at| labels[at]);
        self.branch(Op::JMP, default);
        let finallies = self.body.finallies.len();
        self.body.targets.push(Target { name: label.as_deref(), end, next: None, finallies });
        for ((_, statements), label) in cases.iter().zip(labels) {
            self.place(label);
            self.statements(statements);
        }
        self.body.targets.pop();
        self.place(end);
    }

    fn jump_out(&mut self, name: Option<&str>, goes_on: bool) {
        let target = self.body.targets.iter().rev().find(|target| match name {
            Some(_) => target.name == name,
            None => !goes_on || target.next.is_some(),
        });
        let place = target.and_then(|target| {
            let label = if goes_on { target.next } else { Some(target.end) };
            label.map(|label| (label, target.finallies))
        });
        match place {
            Some((label, finallies)) => {
                self.run_finallies(finallies);
                self.branch(Op::JMP, label);
            }
            None => {
                let word = if goes_on { "continue" } else { "break" };
                self.error = Some(format!("error: invalid \"{word}\""));
            }
        }
    }

    /// The `finally` parts that are left, from the inside out.
    fn run_finallies(&mut self, down_to: usize) {
        let kept = self.body.finallies.clone();
        while self.body.finallies.len() > down_to {
            // What it does itself is no longer under its protection.
            if let Some(finally) = self.body.finallies.pop() {
                self.finally(finally);
            }
        }
        self.body.finallies = kept;
    }

    fn try_statement(&mut self, body: &'a Stmt, catches: &'a [(Value, Var, Stmt)], finally: Option<&'a Stmt>) {
        let end = self.label();
        let outer = self.body.code.len();
        self.body.finallies.extend(finally);
        let start = self.body.code.len();
        self.statement(body);
        let stop = self.body.code.len();
        self.branch(Op::JMP, end);
        for (class, var, body) in catches {
            let label = self.label();
            if stop > start {
                self.body.handlers.push((start, stop, class.as_object().unwrap_or_default(), label));
            }
            self.place(label);
            self.declare_caught(*var);
            self.statement(body);
            self.branch(Op::JMP, end);
        }
        if let Some(finally) = finally {
            self.body.finallies.pop();
            let label = self.label();
            let stop = self.body.code.len();
            self.body.handlers.push((outer, stop, 0, label));
            self.place(label);
            let thrown = self.temporary();
            self.set_local(thrown);
            self.finally(finally);
            self.get_local(thrown);
            self.op(Op::THROW);
            self.place(end);
            self.finally(finally);
        } else {
            self.place(end);
        }
    }

    /// The exception on the stack becomes a variable.
    fn declare_caught(&mut self, var: Var) {
        let kept = self.temporary();
        self.set_local(kept);
        self.declare(var);
        self.get_local(kept);
        self.store(var);
    }
}

/// Stack slots beyond the locals that a function may want.
const STACK: u16 = 200;
