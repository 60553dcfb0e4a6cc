//! The objects of an evaluation. A place in the list is used again when its object has ended; a pointer to that
//! object is not one to the next.

use super::value::Datum;
use crate::ir::Ty;

/// An object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotRef {
    idx: u32,
    generation: u32,
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    /// `None` where no object is.
    object: Option<Object>,
}

/// An object with its declared type.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) ty: Ty,
    pub(super) datum: Datum,
}

#[derive(Debug, Default)]
pub(super) struct Memory {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

impl Memory {
    pub(super) fn create(&mut self, ty: Ty, datum: Datum) -> SlotRef {
        let object = Some(Object { ty, datum });
        match self.free.pop() {
            Some(idx) => {
                let slot = &mut self.slots[idx as usize];
                slot.object = object;
                SlotRef { idx, generation: slot.generation }
            }
            None => {
                self.slots.push(Slot { generation: 0, object });
                SlotRef { idx: self.slots.len() as u32 - 1, generation: 0 }
            }
        }
    }

    /// Ends the object, unless it has ended.
    pub(super) fn end(&mut self, at: SlotRef) {
        let slot = &mut self.slots[at.idx as usize];
        if slot.generation == at.generation && slot.object.take().is_some() {
            slot.generation += 1;
            self.free.push(at.idx);
        }
    }

    /// The object, if it has not ended.
    pub(super) fn get(&self, at: SlotRef) -> Option<&Object> {
        let slot = &self.slots[at.idx as usize];
        slot.object.as_ref().filter(|_| slot.generation == at.generation)
    }

    pub(super) fn get_mut(&mut self, at: SlotRef) -> Option<&mut Object> {
        let slot = &mut self.slots[at.idx as usize];
        slot.object.as_mut().filter(|_| slot.generation == at.generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_to_ended_objects_lead_nowhere() {
        let mut memory = Memory::default();
        let first = memory.create(Ty::INT, Datum::Int(1));
        memory.end(first);
        memory.end(first);
        let second = memory.create(Ty::INT, Datum::Int(2));
        assert!(memory.get(first).is_none());
        assert_eq!(memory.get(second).map(|object| &object.datum), Some(&Datum::Int(2)));
        memory.end(first);
        assert!(memory.get(second).is_some());
    }
}
