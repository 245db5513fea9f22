//! Static properties. The cell of one never moves once it has been found, so compiled code contains its address.

use crate::host::CellAddress;
use crate::translate::properties::MemberSlot;
use crate::translate::state::{Flow, FrameState, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::Edge;
use phlox_hhir::{Op, SnapId, ValueId};
use phlox_lower::Opline;

impl Translator<'_> {
    /// Translates a read of `A::$b`.
    pub(crate) fn get_static(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let (address, now) = self.input.host.static_property(op.site)?;
        let exit = self.snap(at, state);
        let mut pointer = self.address(address)?;
        let is_reference = now.is_some_and(|now| now.bits == hhir::BOXED);
        if is_reference || self.has_met_references(at) {
            pointer = self.b.op(Op::UnboxPtr, &[pointer]);
        }
        let now = now.and_then(|now| if is_reference { now.inner() } else { Some(now) });
        let place = MemberSlot::of_element(pointer, now.filter(|now| now.bits & (hhir::UNINIT | hhir::BOXED) == 0));
        self.get(at, &place, op.c, exit, state)
    }

    /// The slot of a static property that a path begins with. The interpreter handles properties of late static binding classes,
    /// and properties that are references.
    pub(crate) fn static_place(&mut self, site: u32, exit: SnapId) -> Option<MemberSlot> {
        let (address, now) = self.input.host.static_property(site)?;
        let cache = self.input.host.inline_caches(site)[0];
        if cache.class != 0 || now.is_none_or(|now| now.bits & (hhir::UNINIT | hhir::BOXED) != 0) {
            return None;
        }
        let words = self.input.host.static_words_by_name(site);
        self.check_words(&words, exit);
        let pointer = self.address(address)?;
        self.b.emit(Op::CheckTypeMem, Type::of(hhir::INIT_CELL), [0; 3], &[pointer], Edge::Exit(exit));
        let mut place = MemberSlot::of_element(pointer, now);
        place.accepted = cache.value as u32;
        Some(place)
    }

    fn address(&mut self, address: CellAddress) -> Option<ValueId> {
        let address = self.b.unit.int(address.0 as i64);
        self.b.emit(Op::LdRDSAddr, Type::of(hhir::GEN), [0; 3], &[address], Edge::None)
    }
}
