//! Dumps of units on their way to machine code, on standard error, for `phlox dump`.

use phlox_hhir::passes;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A form of a unit that can be dumped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// HHIR as the translation of oplines makes it, before all passes.
    HhirBuilt,
    /// HHIR after all passes.
    Hhir,
    /// HHIR after the pass of this name.
    HhirAfter(&'static str),
    /// Cranelift's intermediate representation, before Cranelift compiles it.
    Clif,
    /// Cranelift's intermediate representation, after Cranelift has compiled it.
    ClifLegalised,
    /// Machine code as text.
    Asm,
}

static SHOWN: OnceLock<Stage> = OnceLock::new();
/// Whether units are verified after each pass.
static VERIFIES: AtomicBool = AtomicBool::new(false);

impl Stage {
    /// The stage that `hhir`, `hhir=built`, `hhir=PASS`, `clif`, `clif=legalised` or `asm` names.
    ///
    /// # Errors
    /// A message with the names of all passes, if the text names no stage.
    pub fn parse(text: &str) -> Result<Stage, String> {
        match text {
            "hhir" => Ok(Stage::Hhir),
            "hhir=built" => Ok(Stage::HhirBuilt),
            "clif" => Ok(Stage::Clif),
            "clif=legalised" => Ok(Stage::ClifLegalised),
            "asm" => Ok(Stage::Asm),
            _ => {
                let wanted = text.strip_prefix("hhir=").unwrap_or(text);
                let found = passes::PIPELINE.iter().find(|name| **name == wanted);
                found.map(|name| Stage::HhirAfter(name)).ok_or_else(|| {
                    let mut names = passes::PIPELINE.to_vec();
                    names.sort_unstable();
                    names.dedup();
                    format!("there is no pass {wanted}; there are built (before all passes), {}", names.join(", "))
                })
            }
        }
    }
}

/// Dumps this stage of each unit that is compiled from now on.
pub fn show(stage: Stage) {
    let _ = SHOWN.set(stage);
}

/// Verifies units after each pass from now on, in release builds, too.
pub fn verify() {
    VERIFIES.store(true, Ordering::Relaxed);
}

pub(crate) fn verifies() -> bool {
    VERIFIES.load(Ordering::Relaxed)
}

pub(crate) fn shown() -> Option<&'static Stage> {
    SHOWN.get()
}
