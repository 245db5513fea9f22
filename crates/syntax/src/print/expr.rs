//! Expressions. Parentheses come from priorities: an operator weaker than its place gets them.

use super::Printer;
use super::text::{float, is_variable_byte, is_variable_name};
use crate::ast::{
    Args, ArrayItem, BinaryOp, Callee, CastType, ClassRef, Expr, ExprKind, IncDecOp, IncludeKind, MagicConst, MatchArm,
    MemberName, Name, NameKind, NewClass, StrPart, UnaryOp,
};

/// Priority of list items.
const ITEM: u16 = 20;
const ASSIGNMENT: u16 = 90;
const AND: u16 = 130;
const CONCAT: u16 = 185;
const PREFIX: u16 = 240;

/// How a binary operator is printed: text, its priority, and those of its operands.
fn binary(op: BinaryOp) -> (&'static str, u16, u16, u16) {
    use BinaryOp::*;
    match op {
        Add => (" + ", 200, 200, 201),
        Sub => (" - ", 200, 200, 201),
        Mul => (" * ", 210, 210, 211),
        Div => (" / ", 210, 210, 211),
        Mod => (" % ", 210, 210, 211),
        Pow => (" ** ", 250, 251, 250),
        Concat => (" . ", CONCAT, CONCAT, 186),
        BitAnd => (" & ", 160, 160, 161),
        BitOr => (" | ", 140, 140, 141),
        BitXor => (" ^ ", 150, 150, 151),
        Shl => (" << ", 190, 190, 191),
        Shr => (" >> ", 190, 190, 191),
        Eq => (" == ", 170, 171, 171),
        NotEq => (" != ", 170, 171, 171),
        Same => (" === ", 170, 171, 171),
        NotSame => (" !== ", 170, 171, 171),
        Lt => (" < ", 180, 181, 181),
        Le => (" <= ", 180, 181, 181),
        Gt => (" > ", 180, 181, 181),
        Ge => (" >= ", 180, 181, 181),
        Spaceship => (" <=> ", 180, 181, 181),
        And => (" && ", AND, AND, 131),
        Or => (" || ", 120, 120, 121),
        Xor => (" xor ", 40, 40, 41),
        Coalesce => (" ?? ", 110, 111, 110),
    }
}

fn cast(to: CastType) -> &'static str {
    match to {
        CastType::Bool => "(bool)",
        CastType::Int => "(int)",
        CastType::Float => "(double)",
        CastType::String => "(string)",
        CastType::Array => "(array)",
        CastType::Object => "(object)",
        CastType::Unset => "(unset)",
    }
}

fn magic_const(magic: MagicConst) -> &'static str {
    match magic {
        MagicConst::Line => "__LINE__",
        MagicConst::File => "__FILE__",
        MagicConst::Dir => "__DIR__",
        MagicConst::Namespace => "__NAMESPACE__",
        MagicConst::Function => "__FUNCTION__",
        MagicConst::Method => "__METHOD__",
        MagicConst::Class => "__CLASS__",
        MagicConst::Trait => "__TRAIT__",
        MagicConst::Property => "__PROPERTY__",
    }
}

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr<'_>, priority: u16) {
        match expr.kind {
            ExprKind::Int(value) => self.put(value.to_string()),
            ExprKind::Float(value) => self.put(float(value, true)),
            ExprKind::Str(text) => self.string(text),
            ExprKind::Interpolated(parts) => self.parts(parts, b'"'),
            ExprKind::ShellExec(parts) => self.parts(parts, b'`'),
            ExprKind::Const(name) => match self.names {
                Some(names) => self.put(names.constant(&name)),
                None => self.name(&name),
            },
            ExprKind::MagicConst(magic) => self.put(magic_const(magic)),
            ExprKind::Var(name) => {
                self.put("$");
                self.variable_name(name);
            }
            ExprKind::VarVar(inner) => {
                self.put("$");
                self.computed_name(inner);
            }
            ExprKind::Array { items, .. } => {
                self.put("[");
                self.list(items, |printer, item| printer.array_item(item.as_ref()));
                self.put("]");
            }
            ExprKind::Dim { base, index } => {
                self.expr(base, 260);
                self.put("[");
                if let Some(index) = index {
                    self.expr(index, 0);
                }
                self.put("]");
            }
            ExprKind::Prop { base, name, nullsafe } => self.member(base, &name, nullsafe),
            ExprKind::StaticProp { class, name } => {
                self.class(&class);
                self.put("::$");
                self.member_name(&name);
            }
            ExprKind::ClassConst { class, name } => self.class_const(&class, &name),
            ExprKind::Call { callee, args } => {
                match callee {
                    Callee::Name(name) if name.text.eq_ignore_ascii_case(b"readonly") => self.global_name(name.text),
                    Callee::Name(name) => self.name(&name),
                    Callee::Expr(callee) => self.named_expr(callee),
                }
                self.args(&args);
            }
            ExprKind::MethodCall { base, name, nullsafe, args } => {
                self.member(base, &name, nullsafe);
                self.args(&args);
            }
            ExprKind::StaticCall { class, name, args } => {
                self.class(&class);
                self.put("::");
                self.member_name(&name);
                self.args(&args);
            }
            ExprKind::New { class, args } => self.new_object(&class, &args),
            ExprKind::Unary { op, operand } => {
                let op = match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Minus => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Silence => "@",
                };
                self.prefix(op, operand, PREFIX, priority);
            }
            ExprKind::Cast { to, operand } => self.prefix(cast(to), operand, PREFIX, priority),
            ExprKind::Clone(operand) => self.prefix("clone ", operand, 270, priority),
            ExprKind::Print(operand) => self.prefix("print ", operand, 60, priority),
            ExprKind::YieldFrom(operand) => self.prefix("yield from ", operand, 85, priority),
            ExprKind::IncDec { op, target } => self.inc_dec(op, target, priority),
            ExprKind::Binary { op: BinaryOp::Concat, lhs, rhs } => self.concat(lhs, rhs, priority),
            ExprKind::Binary { op, lhs, rhs } => {
                let (text, own, left, right) = binary(op);
                self.infix((lhs, left), text, (rhs, right), own, priority);
            }
            ExprKind::Assign { target, value } => self.assign(target, " = ", value, priority),
            ExprKind::AssignRef { target, value } => self.assign(target, " =& ", value, priority),
            ExprKind::AssignOp { op, target, value } => {
                let (text, ..) = binary(op);
                self.assign(target, &format!(" {}= ", text.trim()), value, priority);
            }
            ExprKind::Ternary { cond, then, otherwise, .. } => self.parenthesized(priority > 100, |printer| {
                printer.expr(cond, 100);
                match then {
                    Some(then) => {
                        printer.put(" ? ");
                        printer.expr(then, 101);
                        printer.put(" : ");
                    }
                    None => printer.put(" ?: "),
                }
                printer.expr(otherwise, 101);
            }),
            ExprKind::InstanceOf { value, class } => {
                self.expr(value, 0);
                self.put(" instanceof ");
                self.class(&class);
            }
            ExprKind::Isset(items) => self.isset(items, priority),
            ExprKind::Empty(operand) => self.function("empty", operand),
            ExprKind::Eval(operand) => self.function("eval", operand),
            ExprKind::Include { kind, path } => {
                let name = match kind {
                    IncludeKind::Include => "include",
                    IncludeKind::IncludeOnce => "include_once",
                    IncludeKind::Require => "require",
                    IncludeKind::RequireOnce => "require_once",
                };
                self.function(name, path);
            }
            ExprKind::Exit(args) => {
                self.put("\\exit");
                match args {
                    Some(args) => self.args(&args),
                    None => self.put("()"),
                }
            }
            ExprKind::Throw(operand) => {
                self.put("throw ");
                self.expr(operand, priority);
            }
            ExprKind::Yield { key, value } => self.parenthesized(priority > 70, |printer| {
                printer.put("yield ");
                if let Some(key) = key {
                    printer.expr(key, 70);
                    printer.put(" => ");
                }
                if let Some(value) = value {
                    printer.expr(value, 70);
                }
            }),
            ExprKind::Match { subject, arms } => self.match_expr(subject, arms),
            ExprKind::Closure(closure) => self.closure(closure),
        }
    }

    fn parenthesized(&mut self, needed: bool, print: impl FnOnce(&mut Self)) {
        if needed {
            self.put("(");
        }
        print(self);
        if needed {
            self.put(")");
        }
    }

    fn prefix(&mut self, op: &str, operand: &Expr<'_>, own: u16, priority: u16) {
        self.parenthesized(priority > own, |printer| {
            printer.put(op);
            printer.expr(operand, own + 1);
        });
    }

    fn infix(&mut self, lhs: (&Expr<'_>, u16), op: &str, rhs: (&Expr<'_>, u16), own: u16, priority: u16) {
        self.parenthesized(priority > own, |printer| {
            printer.expr(lhs.0, lhs.1);
            printer.put(op);
            printer.expr(rhs.0, rhs.1);
        });
    }

    fn assign(&mut self, target: &Expr<'_>, op: &str, value: &Expr<'_>, priority: u16) {
        self.infix((target, ASSIGNMENT + 1), op, (value, ASSIGNMENT), ASSIGNMENT, priority);
    }

    fn inc_dec(&mut self, op: IncDecOp, target: &Expr<'_>, priority: u16) {
        let (before, after) = match op {
            IncDecOp::PreInc => ("++", ""),
            IncDecOp::PreDec => ("--", ""),
            IncDecOp::PostInc => ("", "++"),
            IncDecOp::PostDec => ("", "--"),
        };
        self.parenthesized(priority > PREFIX, |printer| {
            printer.put(before);
            printer.expr(target, PREFIX + 1);
            printer.put(after);
        });
    }

    fn function(&mut self, name: &str, operand: &Expr<'_>) {
        self.put(name);
        self.put("(");
        self.expr(operand, 0);
        self.put(")");
    }

    /// `isset(a, b)` is `isset(a) && isset(b)` to PHP.
    fn isset(&mut self, items: &[Expr<'_>], priority: u16) {
        self.parenthesized(items.len() > 1 && priority > AND, |printer| {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    printer.put(" && ");
                }
                printer.function("isset", item);
            }
        });
    }

    /// A concatenation, however long, without recursion; PHP joins literals when it parses them.
    fn concat(&mut self, lhs: &Expr<'_>, rhs: &Expr<'_>, priority: u16) {
        let mut first = lhs;
        let mut rest = vec![rhs];
        while let ExprKind::Binary { op: BinaryOp::Concat, lhs, rhs } = first.kind {
            first = lhs;
            rest.push(rhs);
        }
        rest.reverse();
        let literals = literal(first).map_or(0, |_| rest.iter().take_while(|item| literal(item).is_some()).count());
        let joined = rest.split_off(literals);
        let parentheses = !joined.is_empty() && priority > CONCAT;
        self.parenthesized(parentheses, |printer| {
            if literals == 0 {
                printer.expr(first, CONCAT);
            } else {
                let texts = std::iter::once(first).chain(rest).filter_map(literal);
                printer.string(&texts.collect::<Vec<_>>().concat());
            }
            for item in joined {
                printer.put(" . ");
                printer.expr(item, CONCAT + 1);
            }
        });
    }

    fn array_item(&mut self, item: Option<&ArrayItem<'_>>) {
        let Some(item) = item else { return };
        if item.spread {
            self.put("...");
            return self.expr(item.value, ITEM);
        }
        if let Some(key) = item.key {
            self.expr(key, 80);
            self.put(" => ");
        }
        if item.by_ref {
            self.put("&");
        }
        self.expr(item.value, 80);
    }

    /// `(..)`
    pub(super) fn args(&mut self, args: &Args<'_>) {
        self.put("(");
        if args.first_class_callable {
            self.put("...");
        }
        self.list(args.items, |printer, arg| {
            if arg.spread {
                printer.put("...");
            }
            if let Some(name) = arg.name {
                printer.put(name.text);
                printer.put(": ");
            }
            printer.expr(&arg.value, ITEM);
        });
        self.put(")");
    }

    pub(super) fn expr_list(&mut self, exprs: &[Expr<'_>]) {
        self.list(exprs, |printer, expr| printer.expr(expr, ITEM));
    }

    /// A string with variables; a lone text in backticks too.
    fn parts(&mut self, parts: &[StrPart<'_>], quote: u8) {
        self.out.push(quote);
        for (index, part) in parts.iter().enumerate() {
            match part {
                StrPart::Lit(text) => self.escaped(text, quote),
                StrPart::Expr(expr) => {
                    let glued = match parts.get(index + 1) {
                        Some(StrPart::Lit([next, ..])) => *next == b'[' || is_variable_byte(*next),
                        _ => false,
                    };
                    let braces = glued || !is_named_variable(expr);
                    if braces {
                        self.put("{");
                    }
                    self.expr(expr, 0);
                    if braces {
                        self.put("}");
                    }
                }
            }
        }
        self.out.push(quote);
    }

    /// The name of a variable, in braces if it is not one that could be written plainly.
    fn variable_name(&mut self, name: &[u8]) {
        let braces = !is_variable_name(name);
        if braces {
            self.put("{");
        }
        self.put(name);
        if braces {
            self.put("}");
        }
    }

    fn computed_name(&mut self, name: &Expr<'_>) {
        if let Some(text) = string_literal(name) {
            return self.variable_name(&text);
        }
        if let ExprKind::Var(_) | ExprKind::VarVar(_) = name.kind {
            return self.expr(name, 0);
        }
        self.put("{");
        self.expr(name, 0);
        self.put("}");
    }

    fn member_name(&mut self, name: &MemberName<'_>) {
        match name {
            MemberName::Ident(ident) => self.variable_name(ident.text),
            MemberName::Expr(expr) => self.computed_name(expr),
        }
    }

    fn member(&mut self, base: &Expr<'_>, name: &MemberName<'_>, nullsafe: bool) {
        self.expr(base, 0);
        self.put(if nullsafe { "?->" } else { "->" });
        self.member_name(name);
    }

    fn class_const(&mut self, class: &ClassRef<'_>, name: &MemberName<'_>) {
        if let (Some(names), ClassRef::Name(class), MemberName::Ident(ident)) = (self.names, class, name)
            && ident.text.eq_ignore_ascii_case(b"class")
            && let Some(full) = names.class(class)
        {
            return self.string(&full);
        }
        self.class(class);
        self.put("::");
        match name {
            MemberName::Ident(ident) if ident.text.eq_ignore_ascii_case(b"class") => self.put("class"),
            MemberName::Ident(ident) => self.put(ident.text),
            MemberName::Expr(expr) => match string_literal(expr) {
                Some(text) => self.put(text),
                None => self.expr(expr, 0),
            },
        }
    }

    /// A resolved name is marked as full only where it differs from what is written.
    fn class_name(&mut self, name: &Name<'_>) {
        match self.names.and_then(|names| names.class(name)) {
            Some(full) if full != name.text || name.kind == NameKind::FullyQualified => self.global_name(&full),
            Some(full) => self.put(full),
            None => self.name(name),
        }
    }

    fn class(&mut self, class: &ClassRef<'_>) {
        match class {
            // PHP has its own spelling of this keyword.
            ClassRef::Name(name) if is_static(name) => self.put("static"),
            ClassRef::Name(name) => self.class_name(name),
            ClassRef::Expr(expr) => self.named_expr(expr),
        }
    }

    /// An expression where PHP looks for a name: a string is taken as a fully qualified one.
    fn named_expr(&mut self, expr: &Expr<'_>) {
        match string_literal(expr) {
            Some(text) => self.global_name(&text),
            None => self.expr(expr, 0),
        }
    }

    fn global_name(&mut self, name: &[u8]) {
        self.put("\\");
        self.put(name);
    }

    fn new_object(&mut self, class: &NewClass<'_>, args: &Args<'_>) {
        self.put("new ");
        match class {
            NewClass::Anonymous(decl) => {
                self.attributes(decl.attributes, false);
                self.put("class");
                if !args.items.is_empty() || args.first_class_callable {
                    self.args(args);
                }
                return self.class_body(decl);
            }
            NewClass::Name(name) if is_static(name) => self.put("static"),
            NewClass::Name(name) => match self.names.and_then(|names| names.class(name)) {
                Some(full) => self.global_name(&full),
                None => self.name(name),
            },
            NewClass::Expr(expr) => self.named_expr(expr),
        }
        self.args(args);
    }

    fn match_expr(&mut self, subject: &Expr<'_>, arms: &[MatchArm<'_>]) {
        self.put("match (");
        self.expr(subject, 0);
        self.put(") {\n");
        self.indented(|printer| {
            for arm in arms {
                printer.match_arm(arm);
            }
        });
        self.put("}");
    }

    fn match_arm(&mut self, arm: &MatchArm<'_>) {
        self.put_indent();
        match arm.conditions {
            Some(conditions) => self.list(conditions, |printer, condition| printer.expr(condition, 0)),
            None => self.put("default"),
        }
        self.put(" => ");
        let indent = std::mem::take(&mut self.indent);
        self.expr(&arm.body, 0);
        self.indent = indent;
        self.put(",\n");
    }
}

fn is_static(name: &crate::ast::Name<'_>) -> bool {
    name.kind == NameKind::Unqualified && name.text.eq_ignore_ascii_case(b"static")
}

/// `$name`, which needs no braces in a string.
fn is_named_variable(expr: &Expr<'_>) -> bool {
    match expr.kind {
        ExprKind::Var(_) => true,
        ExprKind::VarVar(inner) => string_literal(inner).is_some(),
        _ => false,
    }
}

/// The text of a string literal or of joined literals.
fn string_literal(expr: &Expr<'_>) -> Option<Vec<u8>> {
    if matches!(expr.kind, ExprKind::Int(_) | ExprKind::Float(_)) { None } else { literal(expr) }
}

/// The text of a literal or of several joined ones.
fn literal(expr: &Expr<'_>) -> Option<Vec<u8>> {
    match expr.kind {
        ExprKind::Str(text) => Some(text.to_vec()),
        ExprKind::Int(value) => Some(value.to_string().into_bytes()),
        ExprKind::Float(value) => Some(float(value, false).into_bytes()),
        ExprKind::Binary { op: BinaryOp::Concat, lhs, rhs } => {
            let right = literal(rhs)?;
            Some([literal(lhs)?, right].concat())
        }
        _ => None,
    }
}
