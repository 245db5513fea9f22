//! `goto` and labels: every label of a function is found, with the statements around it, before the first jump.

use std::collections::HashMap;

use phlox_syntax::ast::*;

use crate::builder::FuncBuilder;
use crate::emitter::{Emit, Emitter, Exit, GotoLabel, PathKind, Scope};
use crate::stmt::loops::stmt_id;

type Path = Vec<(usize, PathKind)>;

impl<'a> Emitter<'a> {
    /// Binds the label of `name:`.
    pub fn label_stmt(&mut self, name: &Ident<'a>) -> Emit {
        if self.ctx.labels_seen.contains(&name.text) {
            let shown = phlox_text::shown(name.text).into_owned();
            return self.fatal(format!("Label '{shown}' already defined"));
        }
        self.ctx.labels_seen.push(name.text);
        self.find_labels();
        if let Some(label) = self.ctx.goto_labels.as_ref().and_then(|labels| labels.get(name.text)).map(|l| l.label) {
            self.fb.bind(label);
        }
        Ok(())
    }

    /// `goto name`: releases what the statements hold that the jump leaves, then jumps.
    pub fn goto(&mut self, name: &Ident<'a>) -> Emit {
        self.find_labels();
        let Some(target) = self.ctx.goto_labels.as_ref().and_then(|labels| labels.get(name.text)) else {
            let shown = phlox_text::shown(name.text).into_owned();
            return self.fatal(format!("'goto' to undefined label '{shown}'"));
        };
        let here = self.ctx.scopes.iter().map(Scope::path_part);
        let depth = here.zip(&target.path).take_while(|(a, b)| a == *b).count();
        let (label, entered) = (target.label, &target.path[depth..]);
        if entered.iter().any(|part| part.1 == PathKind::Loop) {
            return self.fatal("'goto' into loop or switch statement is disallowed");
        }
        if entered.iter().any(|part| part.1 == PathKind::Finally) {
            return self.fatal("jump into a finally block is disallowed");
        }
        self.leave(Exit::Goto { label, depth })
    }

    fn find_labels(&mut self) {
        if self.ctx.goto_labels.is_none() {
            let mut labels = HashMap::new();
            collect(self.ctx.body, &mut Vec::new(), &mut self.fb, &mut labels);
            self.ctx.goto_labels = Some(labels);
        }
    }
}

impl Scope {
    fn path_part(&self) -> (usize, PathKind) {
        match self {
            Scope::Loop { id, .. } => (*id, PathKind::Loop),
            Scope::Try { id, .. } => (*id, PathKind::Try),
            Scope::Finally { id, .. } => (*id, PathKind::Finally),
        }
    }
}

fn collect<'a>(
    stmts: &'a [Stmt<'a>],
    path: &mut Path,
    fb: &mut FuncBuilder,
    labels: &mut HashMap<&'a [u8], GotoLabel>,
) {
    for stmt in stmts {
        let id = stmt_id(stmt);
        let mut inside = |kind: PathKind, body: &'a [Stmt<'a>]| {
            path.push((id, kind));
            collect(body, path, fb, labels);
            path.pop();
        };
        match stmt.kind {
            StmtKind::Label(name) => {
                let label = fb.label();
                labels.entry(name.text).or_insert_with(|| GotoLabel { label, path: path.clone() });
            }
            StmtKind::Block(body) => collect(body, path, fb, labels),
            StmtKind::If { branches, otherwise } => {
                for body in branches.iter().map(|b| b.1).chain(otherwise) {
                    collect(std::slice::from_ref(body), path, fb, labels);
                }
            }
            StmtKind::Declare { body: Some(body), .. } => collect(std::slice::from_ref(body), path, fb, labels),
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
                inside(PathKind::Loop, std::slice::from_ref(body));
            }
            StmtKind::Foreach(foreach) => inside(PathKind::Loop, std::slice::from_ref(&foreach.body)),
            StmtKind::Switch { cases, .. } => {
                for case in cases {
                    inside(PathKind::Loop, case.body);
                }
            }
            StmtKind::Try(t) => match t.finally {
                Some(finally) => {
                    inside(PathKind::Try, t.body);
                    for catch in t.catches {
                        inside(PathKind::Try, catch.body);
                    }
                    inside(PathKind::Finally, finally);
                }
                None => {
                    collect(t.body, path, fb, labels);
                    for catch in t.catches {
                        collect(catch.body, path, fb, labels);
                    }
                }
            },
            _ => {}
        }
    }
}
