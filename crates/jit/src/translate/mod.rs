//! The translation of oplines to HHIR.
//!
//! [`translator`] follows the paths through a region, and [`dispatch`] hands each opline to the module that translates it.

pub(crate) mod block_versions;
pub(crate) mod bound_variables;
pub(crate) mod by_ref_args;
pub(crate) mod calls;
pub(crate) mod dead_variables;
pub(crate) mod declared_types;
pub(crate) mod dispatch;
pub(crate) mod elements;
pub(crate) mod entry;
pub(crate) mod foreach;
pub(crate) mod generators;
pub(crate) mod implicit_calls;
pub(crate) mod inlining;
pub(crate) mod interpreter_steps;
pub(crate) mod liveness;
pub(crate) mod operands;
pub(crate) mod paths;
pub(crate) mod properties;
pub(crate) mod reentry;
pub(crate) mod refcounts;
pub(crate) mod runtime_calls;
pub(crate) mod state;
pub(crate) mod static_properties;
pub(crate) mod translator;
