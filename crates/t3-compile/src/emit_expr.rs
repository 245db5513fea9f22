//! Trees to T3 code: expressions. Each leaves its value on the stack.

use phlox_t3_image::Op;
use phlox_t3_library::bignum::BigNum;
use phlox_t3_vm::code::inst::{BinOp, CmpOp, UnOp};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::objects::pattern::Pattern;
use phlox_t3_vm::value::Value;

use super::ast::{Arg, Chooser, Definition, Expr, Prop};
use super::emit::Emitter;

fn binary(op: BinOp) -> Op {
    match op {
        BinOp::Add => Op::ADD,
        BinOp::Sub => Op::SUB,
        BinOp::Mul => Op::MUL,
        BinOp::Div => Op::DIV,
        BinOp::Mod => Op::MOD,
        BinOp::And => Op::BAND,
        BinOp::Or => Op::BOR,
        BinOp::Xor => Op::XOR,
        BinOp::Shl => Op::SHL,
        BinOp::Ashr => Op::ASHR,
        BinOp::Lshr => Op::LSHR,
        BinOp::Index => Op::INDEX,
    }
}

fn comparison(op: CmpOp) -> Op {
    match op {
        CmpOp::Eq => Op::EQ,
        CmpOp::Ne => Op::NE,
        CmpOp::Lt => Op::LT,
        CmpOp::Le => Op::LE,
        CmpOp::Gt => Op::GT,
        CmpOp::Ge => Op::GE,
    }
}

/// The arguments of a call on the stack.
struct Pushed<'a> {
    argc: u8,
    /// Whether the real count lies on top.
    counted: bool,
    named: Vec<&'a str>,
}

impl<'a> Emitter<'a, '_> {
    /// Evaluates for the effect alone.
    pub fn effect(&mut self, value: &'a Expr) {
        match value {
            Expr::Say(items) => self.say(items),
            Expr::Sequence(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            value => {
                self.expr(value);
                self.op(Op::DISC);
            }
        }
    }

    fn say(&mut self, items: &'a [Expr]) {
        for item in items {
            match item {
                Expr::Say(items) => self.say(items),
                item => {
                    self.expr(item);
                    self.op(Op::SAYVAL);
                }
            }
        }
    }

    /// Emits code that pushes the value of an expression.
    pub fn expr(&mut self, value: &'a Expr) {
        match value {
            Expr::Const(value) | Expr::Symbol(value) => self.constant(*value),
            Expr::Text(text) => self.text(text),
            Expr::Real(text) => {
                let number = self.vm.new_big(BigNum::parse(text, None));
                self.literal(number);
            }
            Expr::Say(items) => {
                self.say(items);
                self.op(Op::PUSHNIL);
            }
            Expr::Concat(items) => self.concatenation(items),
            Expr::List(items) => {
                items.iter().rev().for_each(|item| self.expr(item));
                self.new_object(Meta::List, items.len() as u8, false);
                self.op(Op::GETR0);
            }
            Expr::Table(pairs, default) => self.table(pairs, default.as_deref()),
            Expr::Local(var) => self.load(*var),
            Expr::Outer(frame, name) => self.outer(*frame, name),
            Expr::This => self.op(Op::PUSHSELF),
            Expr::Context(element) => self.op8(Op::PUSHCTXELE, *element),
            Expr::ArgCount => self.op(Op::GETARGC),
            Expr::Unary(op, a) => {
                self.expr(a);
                self.op(unary(*op));
            }
            Expr::Binary(op, a, b) => self.of_two(binary(*op), a, b),
            Expr::Compare(op, a, b) => self.of_two(comparison(*op), a, b),
            Expr::And(a, b) => self.short(Op::JSF, a, b),
            Expr::Or(a, b) => self.short(Op::JST, a, b),
            Expr::IfNil(a, b) => self.if_nil(a, b),
            Expr::Choose(condition, then, otherwise) => self.choose(condition, then, otherwise),
            Expr::In(value, items, wanted) => self.membership(value, items, *wanted),
            Expr::Assign(target, value) => {
                self.expr(value);
                self.op(Op::DUP);
                self.assign(target);
            }
            Expr::Update(op, target, value) => self.update(*op, target, value),
            Expr::PostUpdate(op, target) => self.post_update(*op, target),
            Expr::Sequence(a, b) => {
                self.effect(a);
                self.expr(b);
            }
            Expr::Call(callee, args) => self.call(callee, args),
            Expr::Member(object, prop, args) => self.member(object.as_deref(), prop, args),
            Expr::Index(a, b) => self.of_two(Op::INDEX, a, b),
            Expr::New { class, args, transient } => self.new_instance(class, args, *transient),
            Expr::Inherited(class, prop, args) => self.inherited(*class, prop.as_ref(), args),
            Expr::Delegated(object, prop, args) => self.delegated(object, prop.as_ref(), args),
            Expr::Function(number) => self.closure(*number),
            Expr::Pattern(text) => self.pattern(text),
            Expr::Object(supers, definitions) => self.object(supers, definitions),
            Expr::OneOf(chooser, items) => self.one_of(chooser, items),
        }
    }

    fn concatenation(&mut self, items: &'a [Expr]) {
        self.text("");
        for item in items {
            self.expr(item);
            self.op(Op::ADD);
        }
    }

    /// A variable of a frame that was there before the function was compiled.
    fn outer(&mut self, frame: Value, name: &str) {
        self.literal(frame);
        self.text(name);
        self.op(Op::INDEX);
    }

    fn of_two(&mut self, op: Op, a: &'a Expr, b: &'a Expr) {
        self.expr(a);
        self.expr(b);
        self.op(op);
    }

    fn if_nil(&mut self, a: &'a Expr, b: &'a Expr) {
        let end = self.label();
        self.expr(a);
        self.op(Op::DUP);
        self.branch(Op::JNOTNIL, end);
        self.op(Op::DISC);
        self.expr(b);
        self.place(end);
    }

    fn choose(&mut self, condition: &'a Expr, then: &'a Expr, otherwise: &'a Expr) {
        let (no, end) = (self.label(), self.label());
        self.expr(condition);
        self.branch(Op::JF, no);
        self.expr(then);
        self.branch(Op::JMP, end);
        self.place(no);
        self.expr(otherwise);
        self.place(end);
    }

    fn pattern(&mut self, text: &str) {
        let source = self.vm.heap.new_text(text);
        self.vm.rooted.push(source);
        let regex = self.vm.compiled(text);
        let pattern = phlox_t3_vm::objects::Obj::Pattern(Box::new(Pattern { source, regex }));
        let pattern = Value::Obj(self.vm.heap.alloc(pattern));
        self.literal(pattern);
    }

    fn constant(&mut self, value: Value) {
        let (_, raw) = self.vm.heap.export(value);
        match value {
            Value::True => self.op(Op::PUSHTRUE),
            Value::Int(number) => self.int(number),
            // Not all are the image's: symbols may stand for functions compiled earlier.
            Value::Obj(_) => self.literal(value),
            Value::Prop(prop) => self.op16(Op::PUSHPROPID, prop),
            Value::Str(_) | Value::DStr(_) => self.op32(Op::PUSHSTR, raw),
            Value::List(_) => self.op32(Op::PUSHLST, raw),
            Value::Func(_) | Value::Code(_) => self.op32(Op::PUSHFNPTR, raw),
            Value::Enum(number) => self.op32(Op::PUSHENUM, number),
            Value::Builtin(set, index) => {
                self.op16(Op::PUSHBIFPTR, index);
                self.body.code.extend(set.to_le_bytes());
            }
            _ => self.op(Op::PUSHNIL),
        }
    }

    fn table(&mut self, pairs: &'a [(Expr, Expr)], default: Option<&'a Expr>) {
        self.new_object(Meta::LookupTable, 0, false);
        self.op(Op::GETR0);
        for (key, value) in pairs {
            self.expr(value);
            self.op(Op::SWAP);
            self.expr(key);
            self.op(Op::SETIND);
        }
        if let Some(default) = default {
            let prop = self.native_prop(Meta::LookupTable, "setDefaultValue");
            self.op(Op::DUP);
            self.expr(default);
            self.op(Op::SWAP);
            self.op8(Op::CALLPROP, 1);
            self.body.code.extend(prop.to_le_bytes());
        }
    }

    fn short(&mut self, op: Op, a: &'a Expr, b: &'a Expr) {
        let end = self.label();
        self.expr(a);
        self.branch(op, end);
        self.expr(b);
        self.place(end);
        self.op(Op::BOOLIZE);
    }

    fn membership(&mut self, value: &'a Expr, items: &'a [Expr], wanted: bool) {
        let (found, end) = (self.label(), self.label());
        self.expr(value);
        for item in items {
            self.op(Op::DUP);
            self.expr(item);
            self.branch(Op::JE, found);
        }
        let truth = |wanted| if wanted { Op::PUSHTRUE } else { Op::PUSHNIL };
        self.op(Op::DISC);
        self.op(truth(!wanted));
        self.branch(Op::JMP, end);
        self.place(found);
        self.op(Op::DISC);
        self.op(truth(wanted));
        self.place(end);
    }

    // ---- assignment

    /// Pops the value into a target.
    pub fn assign(&mut self, target: &'a Expr) {
        match target {
            Expr::Local(var) => self.store(*var),
            Expr::Outer(frame, name) => {
                self.literal(*frame);
                self.text(name);
                self.op(Op::SETIND);
                self.op(Op::DISC);
            }
            Expr::Member(object, prop, _) => {
                match object {
                    Some(object) => self.expr(object),
                    None => self.op(Op::PUSHSELF),
                }
                match prop {
                    Prop::Named(prop) => self.op16(Op::SETPROP, *prop),
                    Prop::Computed(prop) => {
                        self.expr(prop);
                        self.op(Op::PTRSETPROP);
                    }
                }
            }
            Expr::Index(container, index) => {
                self.expr(container);
                self.expr(index);
                self.op(Op::SETIND);
                self.keep_container(container);
            }
            _ => self.op(Op::DISC),
        }
    }

    /// SETIND leaves the container, which for a list is a new one.
    fn keep_container(&mut self, container: &'a Expr) {
        match container {
            Expr::Local(_) | Expr::Outer(..) | Expr::Index(..) => self.assign(container),
            Expr::Member(_, _, args) if args.is_empty() => self.assign(container),
            _ => self.op(Op::DISC),
        }
    }

    fn update(&mut self, op: BinOp, target: &'a Expr, value: &'a Expr) {
        match target {
            Expr::Member(object, Prop::Named(prop), _) => {
                match object {
                    Some(object) => self.expr(object),
                    None => self.op(Op::PUSHSELF),
                }
                self.op(Op::DUP);
                self.op16(Op::GETPROP, *prop);
                self.op(Op::GETR0);
                self.expr(value);
                self.op(binary(op));
                self.op(Op::DUP);
                self.op8(Op::GETSPN, 2);
                self.op16(Op::SETPROP, *prop);
                self.op(Op::SWAP);
                self.op(Op::DISC);
            }
            Expr::Index(container, index) => {
                self.expr(container);
                self.expr(index);
                self.op(Op::DUP2);
                self.op(Op::INDEX);
                self.expr(value);
                self.op(binary(op));
                self.op(Op::DUP);
                self.op8(Op::GETSPN, 3);
                self.op8(Op::GETSPN, 3);
                self.op(Op::SETIND);
                self.keep_container(container);
                self.op8(Op::SWAPN, 0);
                self.body.code.push(2);
                self.op(Op::DISC);
                self.op(Op::DISC);
            }
            target => {
                self.expr(target);
                self.expr(value);
                self.op(binary(op));
                self.op(Op::DUP);
                self.assign(target);
            }
        }
    }

    fn post_update(&mut self, op: BinOp, target: &'a Expr) {
        const ONE: Expr = Expr::Const(Value::Int(1));
        match target {
            Expr::Local(_) | Expr::Outer(..) => {
                self.expr(target);
                self.op(Op::DUP);
                self.int(1);
                self.op(binary(op));
                self.assign(target);
            }
            target => {
                // The value before is the new one with the step taken back.
                self.update(op, target, &ONE);
                self.int(1);
                self.op(if op == BinOp::Add { Op::SUB } else { Op::ADD });
            }
        }
    }

    // ---- calls

    /// Pushes the arguments: those with names first, then the others from the last to the first.
    fn arguments(&mut self, args: &'a [Arg]) -> Pushed<'a> {
        let mut pushed = Pushed { argc: 0, counted: false, named: Vec::new() };
        for arg in args {
            if let Some(name) = &arg.name {
                self.expr(&arg.value);
                pushed.named.push(name);
            }
        }
        for arg in args.iter().filter(|arg| arg.name.is_none()).rev() {
            if arg.spread {
                if !pushed.counted {
                    self.int(pushed.argc.into());
                    pushed.counted = true;
                }
                self.expr(&arg.value);
                self.op(Op::MAKELSTPAR);
                continue;
            }
            self.expr(&arg.value);
            if pushed.counted {
                self.op(Op::SWAP);
                self.op(Op::INC);
            } else {
                pushed.argc += 1;
            }
        }
        pushed
    }

    /// Something below the argument count, if that lies on the stack.
    fn under_count(&mut self, pushed: &Pushed<'_>) {
        if pushed.counted {
            self.op(Op::SWAP);
        }
    }

    /// The call's first byte and argument count.
    fn call_op(&mut self, pushed: &Pushed<'_>, op: Op) {
        if pushed.counted {
            self.op(Op::VARARGC);
        }
        self.op8(op, pushed.argc);
    }

    /// What comes after a call: the named arguments go, the result is pushed.
    fn after_call(&mut self, pushed: &Pushed<'_>) {
        if !pushed.named.is_empty() {
            let index = 2 * (pushed.named.len() + 1);
            let mut table = (pushed.named.len() as u16).to_le_bytes().to_vec();
            let mut at = index;
            for name in &pushed.named {
                table.extend((at as u16).to_le_bytes());
                at += name.len();
            }
            table.extend((at as u16).to_le_bytes());
            pushed.named.iter().for_each(|name| table.extend(name.bytes()));
            self.op16(Op::NAMEDARGTAB, table.len() as u16);
            self.body.code.extend(table);
        }
        self.op(Op::GETR0);
    }

    fn call(&mut self, callee: &'a Expr, args: &'a [Arg]) {
        let pushed = self.arguments(args);
        match callee {
            Expr::Symbol(Value::Func(function)) => {
                let (_, offset) = self.vm.heap.export(Value::Func(*function));
                self.call_op(&pushed, Op::CALL);
                self.body.code.extend(offset.to_le_bytes());
            }
            Expr::Symbol(Value::Builtin(set, index)) if *set < 256 && *index < 256 => {
                self.call_op(&pushed, Op::BUILTIN1);
                self.body.code.extend([*index as u8, *set as u8]);
            }
            callee => {
                self.expr(callee);
                self.under_count(&pushed);
                self.call_op(&pushed, Op::PTRCALL);
            }
        }
        self.after_call(&pushed);
    }

    fn member(&mut self, object: Option<&'a Expr>, prop: &'a Prop, args: &'a [Arg]) {
        if object.is_none() && args.is_empty() && self.unit.functions[self.number].is_method {
            // A method that is called as a function has no self, and the properties of no self are nil.
            let (none, end) = (self.label(), self.label());
            self.op(Op::PUSHSELF);
            self.branch(Op::JNIL, none);
            self.member_of(None, prop, args);
            self.branch(Op::JMP, end);
            self.place(none);
            self.op(Op::PUSHNIL);
            return self.place(end);
        }
        self.member_of(object, prop, args);
    }

    fn member_of(&mut self, object: Option<&'a Expr>, prop: &'a Prop, args: &'a [Arg]) {
        let pushed = self.arguments(args);
        match object {
            Some(object) => self.expr(object),
            None => self.op(Op::PUSHSELF),
        }
        self.under_count(&pushed);
        match prop {
            Prop::Named(prop) => {
                self.call_op(&pushed, Op::CALLPROP);
                self.body.code.extend(prop.to_le_bytes());
            }
            Prop::Computed(prop) => {
                self.expr(prop);
                self.under_count(&pushed);
                self.call_op(&pushed, Op::PTRCALLPROP);
            }
        }
        self.after_call(&pushed);
    }

    fn inherited(&mut self, class: Option<Value>, prop: Option<&'a Prop>, args: &'a [Arg]) {
        let pushed = self.arguments(args);
        match (class, prop) {
            (None, Some(Prop::Named(prop))) => {
                self.call_op(&pushed, Op::INHERIT);
                self.body.code.extend(prop.to_le_bytes());
            }
            (class, prop) => {
                match prop {
                    Some(Prop::Named(prop)) => self.op16(Op::PUSHPROPID, *prop),
                    Some(Prop::Computed(prop)) => self.expr(prop),
                    None => self.op8(Op::PUSHCTXELE, 1),
                }
                self.under_count(&pushed);
                match class.and_then(Value::as_object) {
                    Some(class) => {
                        self.call_op(&pushed, Op::PTREXPINHERIT);
                        self.body.code.extend(class.to_le_bytes());
                    }
                    None => self.call_op(&pushed, Op::PTRINHERIT),
                }
            }
        }
        self.after_call(&pushed);
    }

    fn delegated(&mut self, object: &'a Expr, prop: Option<&'a Prop>, args: &'a [Arg]) {
        let pushed = self.arguments(args);
        self.expr(object);
        self.under_count(&pushed);
        match prop {
            Some(Prop::Named(prop)) => self.op16(Op::PUSHPROPID, *prop),
            Some(Prop::Computed(prop)) => self.expr(prop),
            None => self.op8(Op::PUSHCTXELE, 1),
        }
        self.under_count(&pushed);
        self.call_op(&pushed, Op::PTRDELEGATE);
        self.after_call(&pushed);
    }

    // ---- creation

    /// The metaclass that `new` of a class's object creates.
    fn intrinsic(&self, class: &Expr) -> Option<Meta> {
        let Expr::Symbol(Value::Obj(id)) = class else { return None };
        match self.vm.heap.get(*id) {
            phlox_t3_vm::objects::Obj::Class(class) => class.meta,
            _ => None,
        }
    }

    fn new_instance(&mut self, class: &'a Expr, args: &'a [Arg], transient: bool) {
        let pushed = self.arguments(args);
        match self.intrinsic(class) {
            Some(meta) if meta != Meta::TadsObject => {
                if pushed.counted {
                    self.op(Op::VARARGC);
                }
                self.new_object(meta, pushed.argc, transient);
            }
            _ => {
                // The class is the first argument.
                self.expr(class);
                if pushed.counted {
                    self.op(Op::SWAP);
                    self.op(Op::INC);
                    self.op(Op::VARARGC);
                }
                self.new_object(Meta::TadsObject, pushed.argc + 1, transient);
            }
        }
        self.after_call(&pushed);
    }

    fn closure(&mut self, number: usize) {
        let function = &self.unit.functions[number];
        let context = function.uses_context && !function.is_method;
        for var in function.captures.iter().rev() {
            self.cell(*var);
        }
        if context {
            self.op(Op::STORECTX);
        }
        self.op(Op::PUSHFNPTR);
        self.body.functions.push((self.body.code.len(), number));
        self.body.code.extend([0; 4]);
        let count = function.captures.len() + usize::from(context);
        if count > 0 {
            self.new_object(Meta::AnonFuncPtr, count as u8 + 1, false);
            self.op(Op::GETR0);
        }
    }

    fn object(&mut self, supers: &'a [Value], definitions: &'a [Definition]) {
        match supers {
            [] => self.new_object(Meta::TadsObject, 0, false),
            [class] => {
                self.constant(*class);
                self.new_object(Meta::TadsObject, 1, false);
            }
            classes => {
                let prop = self.native_prop(Meta::TadsObject, "createInstanceOf");
                classes.iter().rev().for_each(|class| self.constant(*class));
                match self.vm.class_objects[Meta::TadsObject as usize] {
                    0 => self.op(Op::PUSHNIL),
                    class => self.op32(Op::PUSHOBJ, class),
                }
                self.op8(Op::CALLPROP, classes.len() as u8);
                self.body.code.extend(prop.to_le_bytes());
            }
        }
        self.op(Op::GETR0);
        for definition in definitions {
            match definition {
                Definition::Value(prop, value) => {
                    self.expr(value);
                    self.op8(Op::GETSPN, 1);
                    self.op16(Op::SETPROP, *prop);
                }
                Definition::Method(prop, number) => {
                    let set = self.native_prop(Meta::TadsObject, "setMethod");
                    self.closure(*number);
                    self.op16(Op::PUSHPROPID, *prop);
                    self.op8(Op::GETSPN, 2);
                    self.op8(Op::CALLPROP, 2);
                    self.body.code.extend(set.to_le_bytes());
                }
            }
        }
    }

    /// `<<one of>>`: an object of the library says which.
    fn one_of(&mut self, chooser: &Chooser, items: &'a [Expr]) {
        let object = self.vm.new_instance(chooser.class.as_object().as_slice(), false);
        self.vm.rooted.push(object);
        let way = self.vm.heap.new_text(chooser.way.as_str());
        for (prop, value) in [(chooser.attributes, way), (chooser.count, Value::Int(items.len() as i32))] {
            if self.vm.set_prop(object, prop, value).is_err() {
                self.error = Some("error: the class \"OneOfIndexGen\" is not what it should be".to_owned());
            }
        }
        self.literal(object);
        self.op8(Op::CALLPROP, 0);
        self.body.code.extend(chooser.next.to_le_bytes());
        self.op(Op::GETR0);
        let (chosen, end) = (self.temporary(), self.label());
        self.set_local(chosen);
        for (at, item) in items.iter().enumerate() {
            let other = self.label();
            self.get_local(chosen);
            self.int(at as i32 + 1);
            self.branch(Op::JNE, other);
            self.expr(item);
            self.branch(Op::JMP, end);
            self.place(other);
        }
        self.op(Op::PUSHNIL);
        self.place(end);
    }
}

/// The instruction of an operator with one operand.
fn unary(op: UnOp) -> Op {
    match op {
        UnOp::Neg => Op::NEG,
        UnOp::BitNot => Op::BNOT,
        UnOp::Not => Op::NOT,
        UnOp::Truth => Op::BOOLIZE,
    }
}
