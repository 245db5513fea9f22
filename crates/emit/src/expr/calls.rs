//! Calls: what is called, and how arguments are passed.
//!
//! Whether a parameter is by reference is known only at run time, so variables are passed as places.

use phlox_hhbc::caller_access;
use phlox_hhbc::frameless::is_inlined;
use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::places::{ClassOperand, Place};
use super::variables::{Access, literal_name};
use super::{is_call, is_globals, is_kept_in_variable, is_nullsafe_chain, is_variable};
use crate::constant::Const;
use crate::emitter::{Emit, Emitter};
use crate::names::Resolved;

impl<'a> Emitter<'a> {
    /// Pushes a call's result as a cell.
    pub fn call_value(&mut self, e: &'a Expr<'a>) -> Emit {
        if !self.call(e)? {
            self.emit(Instr::UnboxR {});
        }
        Ok(())
    }

    /// Pushes a call's result; true when it is a cell already rather than a return value.
    pub fn call(&mut self, e: &'a Expr<'a>) -> Emit<bool> {
        let chain = self.place(e, Access::Read)?;
        let Some(short) = chain.short else { return Ok(!matches!(chain.place, Place::Ret)) };
        self.read_place(chain.place);
        self.fb.bind(short);
        Ok(true)
    }

    /// A call of a function or static method that the source names; true when the result is a cell.
    pub fn named_call(&mut self, e: &'a Expr<'a>) -> Emit<bool> {
        let place = match e.kind {
            ExprKind::Call { callee: Callee::Name(ref name), ref args } => {
                self.function_call(name, args, e.span.line)?
            }
            ExprKind::StaticCall { class: ClassRef::Expr(class), ref name, ref args }
                if self.is_parent_hook(class, name) =>
            {
                self.parent_hook_call(class, name, args)?
            }
            ExprKind::StaticCall { ref class, name, ref args } => {
                let class = self.static_class(class)?;
                self.static_method(class, name, args)?
            }
            _ => Place::Cell,
        };
        Ok(matches!(place, Place::Cell))
    }

    fn function_call(&mut self, name: &'a Name<'a>, args: &'a Args<'a>, line: u32) -> Emit<Place> {
        let resolved = self.names.global(UseKind::Function, name);
        let plain = resolved.fallback.as_deref().unwrap_or(&resolved.name);
        if plain.len() == 6 && plain.eq_ignore_ascii_case(b"assert") && !args.first_class_callable {
            return self.assert_call(&resolved, args, line);
        }
        if let Some(length) = self.literal_length(&resolved, args) {
            self.push_const(&Const::Int(length));
            return Ok(Place::Cell);
        }
        if let Some(pieces) = self.format_pieces(&resolved, args) {
            self.format_text(&pieces, args)?;
            return Ok(Place::Cell);
        }
        if let Some(place) = self.user_function_call(&resolved, args, line)? {
            return Ok(place);
        }
        if let Some(place) = self.frameless_call(&resolved, args, line)? {
            return Ok(place);
        }
        if caller_access::of(plain).needs_symbol_table {
            self.set_flag(FuncFlags::DYNAMIC_VARS);
        }
        let count = self.passed_count(args);
        let push = self.push_function(resolved, count);
        self.fb.push_call(push);
        self.pass_and_call(args, line)
    }

    /// What `strlen` of a literal gives, which PHP's compiler knows, too.
    fn literal_length(&mut self, resolved: &Resolved, args: &'a Args<'a>) -> Option<i64> {
        let [text] = args.items else { return None };
        let plain = !text.spread && text.name.is_none() && !args.first_class_callable;
        if !self.knows_builtins
            || !plain
            || resolved.fallback.is_some()
            || !resolved.name.eq_ignore_ascii_case(b"strlen")
        {
            return None;
        }
        match self.fold(&text.value)? {
            Const::Str(text) => Some(text.len() as i64),
            _ => None,
        }
    }

    /// Is this a call that PHP turns into an instruction, so that its result is never a variable?
    pub fn is_inlined_builtin(&self, e: &Expr<'_>) -> bool {
        let ExprKind::Call { callee: Callee::Name(ref name), ref args } = e.kind else { return false };
        let resolved = self.names.global(UseKind::Function, name);
        let plain = args.items.iter().all(|a| !a.spread && a.name.is_none()) && !args.first_class_callable;
        let is_listed = resolved.fallback.is_none() && plain && is_inlined(&resolved.name, args.items.len());
        is_listed || self.format_pieces(&resolved, args).is_some()
    }

    /// `call_user_func(f, ..)` and `call_user_func_array(f, [..])` call `f` directly.
    fn user_function_call(&mut self, resolved: &Resolved, args: &'a Args<'a>, line: u32) -> Emit<Option<Place>> {
        let plain = args.items.iter().all(|a| !a.spread && a.name.is_none()) && !args.first_class_callable;
        let Some((callback, rest)) = args.items.split_first() else { return Ok(None) };
        if resolved.fallback.is_some() || !plain {
            return Ok(None);
        }
        if resolved.name.eq_ignore_ascii_case(b"call_user_func") {
            let count = rest.len() as u32;
            self.expr(&callback.value)?;
            let name = self.str(b"call_user_func");
            self.fb.push_call(Instr::FPushUserFunc { args: count, name });
            for (param, arg) in rest.iter().enumerate() {
                self.expr(&arg.value)?;
                self.emit(Instr::FPassUser { param: param as u32 });
            }
            self.fb.end_call(line, Instr::FCall { args: count });
            return Ok(Some(Place::Ret));
        }
        if resolved.name.eq_ignore_ascii_case(b"call_user_func_array")
            && let [list] = rest
        {
            self.expr(&callback.value)?;
            let name = self.str(b"call_user_func_array");
            self.fb.push_call(Instr::FPushUserFunc { args: 0, name });
            self.expr(&list.value)?;
            self.emit(Instr::CheckArgArray {});
            self.fb.end_call(line, Instr::FCallUnpack { args: 0 });
            return Ok(Some(Place::Ret));
        }
        Ok(None)
    }

    pub(super) fn push_function(&mut self, resolved: Resolved, args: u32) -> Instr {
        let name = self.str(&resolved.name);
        match resolved.fallback {
            Some(fallback) => Instr::FPushFuncU { args, name, fallback: self.str(&fallback) },
            None => Instr::FPushFuncD { args, name },
        }
    }

    /// `assert()` is skipped when assertions are off, and gets its own source text as the description.
    fn assert_call(&mut self, resolved: &Resolved, args: &'a Args<'a>, line: u32) -> Emit<Place> {
        if !self.assertions {
            self.emit(Instr::True {});
            return Ok(Place::Cell);
        }
        let (off, end) = (self.fb.label(), self.fb.label());
        self.emit(Instr::AssertCheck { target: off.target() });
        let text = match args.items {
            [Arg { value, spread: false, name }] => self.assertion_text(value, name.map(|name| name.text)),
            _ => None,
        };
        let count = self.passed_count(args) + u32::from(text.is_some());
        let push = self.push_function(resolved.clone(), count);
        self.fb.push_call(push);
        match text {
            Some(text) => {
                let assertion = &args.items[0];
                if let Some(name) = assertion.name {
                    let name = self.str(name.text);
                    self.emit(Instr::FPassName { name });
                }
                self.pass_argument(0, &assertion.value)?;
                if assertion.name.is_some() {
                    let name = self.str(b"description");
                    self.emit(Instr::FPassName { name });
                }
                self.push_string(&text);
                self.emit(Instr::FPassCE { param: 1 });
                self.fb.end_call(line, Instr::FCall { args: 2 });
            }
            None => {
                self.pass_and_call(args, line)?;
            }
        }
        self.emit(Instr::UnboxR {});
        self.fb.jump(end);
        self.fb.bind(off);
        self.emit(Instr::True {});
        self.fb.bind(end);
        Ok(Place::Cell)
    }

    /// `parent::$prop::get()` inside the hook of the same property.
    fn parent_hook_call(&mut self, class: &'a Expr<'a>, name: &MemberName<'a>, args: &'a Args<'a>) -> Emit<Place> {
        let ExprKind::StaticProp { name: ref prop, .. } = class.kind else { return Ok(Place::Cell) };
        let Some(prop) = literal_name(prop) else { return Ok(Place::Cell) };
        let MemberName::Ident(method) = name else { return Ok(Place::Cell) };
        if self.class.is_none() {
            return self.fatal("Cannot use \"parent\" when no class scope is active");
        }
        if args.first_class_callable {
            return self.fatal("Cannot create Closure for parent property hook call");
        }
        let kind = if method.text.eq_ignore_ascii_case(b"get") { HookKind::Get } else { HookKind::Set };
        let shown =
            phlox_text::shown(&[b"parent::$".as_slice(), &prop, b"::", method.text, b"()"].concat()).into_owned();
        match &self.ctx.hook {
            None => return self.fatal(format!("Must not use {shown} outside a property hook")),
            Some(hook) if *hook.property != *prop => {
                let own = phlox_text::shown(&hook.property).into_owned();
                return self.fatal(format!("Must not use {shown} in a different property (${own})"));
            }
            Some(hook) if hook.kind != kind => {
                let own = if hook.kind == HookKind::Get { "get" } else { "set" };
                return self.fatal(format!("Must not use {shown} in a different property hook ({own})"));
            }
            Some(_) => {}
        }
        let count = self.passed_count(args);
        let prop = self.str(&prop);
        self.fb.push_call(Instr::FPushHookParent { args: count, prop, kind });
        self.pass_and_call(args, method.span.line)
    }

    /// Calls the value on the stack.
    pub fn invoke(&mut self, args: &Args<'a>, line: u32) -> Emit<Place> {
        let count = self.passed_count(args);
        self.fb.push_call(Instr::FPushFunc { args: count });
        self.pass_and_call(args, line)
    }

    /// `class::name(args)`: the call leaves its result on the stack.
    pub fn static_method(&mut self, class: ClassOperand, name: MemberName<'a>, args: &Args<'a>) -> Emit<Place> {
        let count = self.passed_count(args);
        let (literal, line) = match name {
            MemberName::Ident(ident) => (Some(ident.text.to_vec()), ident.span.line),
            MemberName::Expr(e) => match self.fold(e) {
                Some(Const::Str(text)) => (Some(text.into_owned()), e.span.line),
                Some(_) => return self.fatal("Method name must be a string"),
                None => {
                    self.expr(e)?;
                    (None, e.span.line)
                }
            },
        };
        if let (Some(name), ClassOperand::Name(class)) = (&literal, class) {
            let name = self.str(name);
            self.fb.push_call(Instr::FPushClsMethodD { args: count, name, class });
            return self.pass_and_call(args, line);
        }
        if let Some(name) = &literal {
            self.push_string(name);
        }
        self.push_class_operand(class);
        self.fb.push_call(match class {
            ClassOperand::Special(_) => Instr::FPushClsMethodF { args: count },
            _ => Instr::FPushClsMethod { args: count },
        });
        self.pass_and_call(args, line)
    }

    /// `new class(args)`: pushes the object.
    pub fn new_object(&mut self, class: &'a NewClass<'a>, args: &'a Args<'a>, line: u32) -> Emit {
        let count = self.passed_count(args);
        let mut line = line;
        let push = match class {
            NewClass::Anonymous(decl) => {
                line = decl.span.line;
                let class = self.anonymous_class(decl)?;
                self.fb.line = line;
                Instr::FPushCtorAnon { args: count, class }
            }
            NewClass::Name(name) => match self.class_name(name)? {
                Ok(class) => Instr::FPushCtorD { args: count, class },
                Err(special) => {
                    self.push_special_class(special);
                    Instr::FPushCtor { args: count }
                }
            },
            NewClass::Expr(e) => {
                if self.fold(e).is_some_and(|value| !matches!(value, Const::Str(_))) {
                    return self.fatal("Illegal class name");
                }
                self.expr(e)?;
                self.emit(Instr::AGetC {});
                Instr::FPushCtor { args: count }
            }
        };
        if args.first_class_callable {
            return self.fatal("Cannot create Closure for new expression");
        }
        self.fb.push_call(push);
        self.pass_and_call(args, line)?;
        self.emit(Instr::PopR {});
        Ok(())
    }

    /// Arguments before the first unpacking: those that are passed one by one.
    pub fn passed_count(&self, args: &Args<'_>) -> u32 {
        args.items.iter().position(|a| a.spread).unwrap_or(args.items.len()) as u32
    }

    /// Passes the arguments to the pending call and calls.
    pub fn pass_and_call(&mut self, args: &Args<'a>, line: u32) -> Emit<Place> {
        if args.first_class_callable {
            self.fb.end_call(line, Instr::FCallable {});
            return Ok(Place::Cell);
        }
        let count = self.passed_count(args);
        let mut named = false;
        for (param, arg) in args.items[..count as usize].iter().enumerate() {
            match arg.name {
                Some(name) => {
                    named = true;
                    let name = self.str(name.text);
                    self.emit(Instr::FPassName { name });
                }
                None if named => return self.fatal("Cannot use positional argument after named argument"),
                None => {}
            }
            self.pass_argument(param as u32, &arg.value)?;
        }
        let rest = &args.items[count as usize..];
        if rest.is_empty() {
            self.fb.end_call(line, Instr::FCall { args: count });
        } else {
            self.pack_arguments(count, rest, named)?;
            self.fb.end_call(line, Instr::FCallUnpack { args: count });
        }
        Ok(Place::Ret)
    }

    /// Builds the array of the arguments from the first `...` on.
    fn pack_arguments(&mut self, args: u32, rest: &'a [Arg<'a>], mut named: bool) -> Emit {
        self.emit(Instr::NewArray {});
        for arg in rest {
            match arg.name {
                _ if arg.spread => {
                    if named {
                        return self.fatal("Cannot use argument unpacking after named arguments");
                    }
                    self.unpack_argument(args, &arg.value)?;
                }
                Some(name) => {
                    named = true;
                    self.emit(Instr::NewArray {});
                    self.push_string(name.text);
                    self.expr(&arg.value)?;
                    self.emit(Instr::AddElemC {});
                    self.emit(Instr::UnpackArgs { args });
                }
                None if named => return self.fatal("Cannot use positional argument after named argument"),
                None => return self.fatal("Cannot use positional argument after argument unpacking"),
            }
        }
        Ok(())
    }

    /// `...$args` of a plain variable can pass elements by reference.
    fn unpack_argument(&mut self, args: u32, value: &'a Expr<'a>) -> Emit {
        if let Some(local) = self.plain_local(value) {
            self.fb.line = value.span.line;
            self.emit(Instr::UnpackArgsL { args, local });
            return Ok(());
        }
        self.expr(value)?;
        self.emit(Instr::UnpackArgs { args });
        Ok(())
    }

    fn pass_argument(&mut self, param: u32, e: &'a Expr<'a>) -> Emit {
        self.fb.line = e.span.line;
        if is_globals(e) {
            self.emit(Instr::Globals {});
            self.emit(Instr::FPassCE { param });
            return Ok(());
        }
        if is_call(e) {
            let short = is_nullsafe_chain(e);
            let mut is_cell = self.call(e)?;
            if !is_cell && self.is_inlined_builtin(e) {
                self.emit(Instr::UnboxR {});
                is_cell = true;
            }
            self.emit(if is_cell && !short { Instr::FPassCE { param } } else { Instr::FPassR { param } });
            return Ok(());
        }
        if is_variable(e) && !is_nullsafe_chain(e) {
            let chain = self.place(e, Access::Argument)?;
            self.pass_place(param, chain.place);
            return Ok(());
        }
        if let ExprKind::AssignRef { target, value } = e.kind {
            self.bind(target, value)?;
            self.emit(Instr::FPassR { param });
            return Ok(());
        }
        self.expr(e)?;
        // A by-reference parameter accepts a value that Zend keeps in a variable, with a notice; any other value is an
        // error.
        self.emit(if is_kept_in_variable(e) { Instr::FPassR { param } } else { Instr::FPassCE { param } });
        Ok(())
    }

    fn pass_place(&mut self, param: u32, place: Place) {
        match place {
            Place::Local(local) => self.emit(Instr::FPassL { param, local }),
            Place::Named => self.emit(Instr::FPassN { param }),
            Place::Global => self.emit(Instr::FPassG { param }),
            Place::Static(class) => {
                self.push_class_operand(class);
                self.emit(Instr::FPassS { param });
            }
            Place::Member { base, members, class } => {
                if let Some(class) = class {
                    self.push_class_operand(class);
                }
                let vector = self.fb.vector(base, members);
                self.emit(Instr::FPassM { param, vector });
            }
            Place::This | Place::Globals | Place::Cell | Place::Ret => {
                self.read_place(place);
                self.emit(Instr::FPassC { param });
            }
        }
    }

    // ---- language constructs that look like calls

    /// `include`, `require` and their `_once` forms.
    pub fn include(&mut self, kind: IncludeKind, path: &'a Expr<'a>) -> Emit {
        self.set_flag(FuncFlags::DYNAMIC_VARS);
        self.expr(path)?;
        self.emit(match kind {
            IncludeKind::Include => Instr::Incl {},
            IncludeKind::IncludeOnce => Instr::InclOnce {},
            IncludeKind::Require => Instr::Req {},
            IncludeKind::RequireOnce => Instr::ReqOnce {},
        });
        Ok(())
    }

    /// `eval(code)`.
    pub fn eval(&mut self, code: &'a Expr<'a>) -> Emit {
        self.set_flag(FuncFlags::DYNAMIC_VARS);
        self.expr(code)?;
        self.emit(Instr::Eval {});
        Ok(())
    }

    /// `exit` and `die`; anything but a plain argument goes through the function of that name.
    pub fn exit(&mut self, args: Option<&'a Args<'a>>, line: u32) -> Emit {
        match args {
            None => self.emit(Instr::Int { value: 0 }),
            Some(Args { items: [], first_class_callable: false, .. }) => self.emit(Instr::Int { value: 0 }),
            Some(args) => {
                let name = self.str(b"exit");
                let count = self.passed_count(args);
                self.fb.push_call(Instr::FPushFuncD { args: count, name });
                let place = self.pass_and_call(args, line)?;
                self.read_place(place);
                return Ok(());
            }
        }
        self.emit(Instr::Exit {});
        Ok(())
    }
}
