//! What is shown of each unit on its way to machine code, on standard error: for `phlox dump`.

use phlox_hhir::passes;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A form of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// HHIR as the translation of oplines leaves it, before all passes.
    HhirBuilt,
    /// HHIR after all passes.
    Hhir,
    /// HHIR after the pass of this name.
    HhirAfter(&'static str),
    /// Cranelift's intermediate representation.
    Clif,
    /// Cranelift's intermediate representation after its own passes.
    ClifLegalised,
    /// Machine code, as text.
    Asm,
}

static SHOWN: OnceLock<Stage> = OnceLock::new();
/// Units are verified after each pass.
static VERIFIES: AtomicBool = AtomicBool::new(false);

impl Stage {
    /// `hhir`, `hhir=built`, `hhir=PASS`, `clif`, `clif=legalised` or `asm`.
    ///
    /// # Errors
    /// The passes that there are, if it is the name of none.
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

/// From now on this is shown of what is compiled.
pub fn show(stage: Stage) {
    let _ = SHOWN.set(stage);
}

/// From now on units are verified after each pass, in release builds, too.
pub fn verify() {
    VERIFIES.store(true, Ordering::Relaxed);
}

pub(crate) fn verifies() -> bool {
    VERIFIES.load(Ordering::Relaxed)
}

pub(crate) fn shown() -> Option<&'static Stage> {
    SHOWN.get()
}
