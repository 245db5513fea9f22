//! The cycle collector: unreachable values are freed, whatever holds them, and native data cannot make it free what is held.

mod common;

use common::Numbers;
use phlox_value::{ClassHeader, ClassRef, Edges, NativeData, PhpArr, PhpObj, Slot, Val, collect_cycles};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How the native data tells what it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    Right,
    /// Each value is told by a copy of its handle that is dropped at once.
    ByCopies,
    /// Each value is told twice.
    Twice,
    /// A new object that nothing else holds is told, too.
    WithMade,
    Nothing,
    /// The values are told every other time.
    Sometimes,
}

/// The native data of an object, which counts its instances.
struct Held {
    objects: RefCell<Vec<PhpObj>>,
    slot: Slot,
    manner: Manner,
    class: ClassRef,
    times: Cell<u32>,
    alive: Rc<Cell<usize>>,
}

impl NativeData for Held {
    fn trace(&self, edges: &mut Edges) {
        let objects = self.objects.borrow();
        self.times.set(self.times.get() + 1);
        let rounds = match self.manner {
            Manner::Nothing => 0,
            Manner::Sometimes => self.times.get() as usize % 2,
            Manner::Twice => 2,
            _ => 1,
        };
        for _ in 0..rounds {
            for object in &*objects {
                match self.manner {
                    Manner::ByCopies => edges.value(&object.clone().into()),
                    _ => edges.object(object),
                }
            }
            edges.slot(&self.slot);
        }
        if self.manner == Manner::WithMade {
            edges.object(&PhpObj::new(self.class.clone(), &[Val::NULL]));
            let _unseen = PhpArr::from_vec(vec![Val::int(1)]);
        }
    }

    fn clear(&self) {
        drop(self.objects.take());
        self.slot.set(Val::NULL);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.alive.set(self.alive.get() - 1);
    }
}

struct Graph {
    class: ClassRef,
    alive: Rc<Cell<usize>>,
    objects: Vec<PhpObj>,
    edges: Vec<(usize, usize)>,
}

impl Graph {
    fn new(count: usize, manner: impl Fn(usize) -> Manner) -> Graph {
        let class = ClassHeader::new((), false);
        let alive = Rc::new(Cell::new(0));
        let objects = (0..count).map(|index| {
            let object = PhpObj::new(class.clone(), &[Val::NULL, Val::NULL]);
            let held = Held {
                objects: RefCell::default(),
                slot: Slot::new(Val::NULL),
                manner: manner(index),
                class: class.clone(),
                times: Cell::new(0),
                alive: alive.clone(),
            };
            object.set_native(Rc::new(held));
            alive.set(alive.get() + 1);
            object
        });
        let objects = objects.collect();
        Graph { class, alive, objects, edges: Vec::new() }
    }

    /// Makes `from` hold `to`, in one of several ways.
    fn connect(&mut self, from: usize, to: usize, way: u64) {
        let target: Val = self.objects[to].clone().into();
        let object = &self.objects[from];
        match way {
            0 => object.native::<Held>().expect("native data").objects.borrow_mut().push(self.objects[to].clone()),
            1 => {
                let slot = &object.native::<Held>().expect("native data").slot;
                slot.set(added(slot.take(), target));
            }
            2 => {
                let reference = object.slots()[0].make_ref();
                let before = object.slots()[0].get_deref();
                reference.set(added(before, target));
            }
            _ => {
                let before = object.slots()[1].take();
                object.slots()[1].set(added(before, target));
            }
        }
        self.edges.push((from, to));
    }

    /// Which objects can be reached from the given ones.
    fn reached(&self, from: &[usize]) -> Vec<bool> {
        let mut reached = vec![false; self.objects.len()];
        let mut work = from.to_vec();
        while let Some(object) = work.pop() {
            if !std::mem::replace(&mut reached[object], true) {
                work.extend(self.edges.iter().filter(|edge| edge.0 == object).map(|edge| edge.1));
            }
        }
        reached
    }
}

/// A list with one more value.
fn added(list: Val, value: Val) -> Val {
    let mut list = list.as_arr().cloned().unwrap_or_default();
    list.push(value).expect("room for it");
    list.into()
}

#[test]
fn what_nothing_reaches_goes_and_what_is_reached_stays() {
    let mut numbers = Numbers(7);
    for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
        let count = 1 + numbers.below(12) as usize;
        let by_copies = numbers.below(2) == 0;
        let mut graph = Graph::new(count, |_| if by_copies { Manner::ByCopies } else { Manner::Right });
        for _ in 0..numbers.below(30) {
            let [from, to] = [0; 2].map(|_| numbers.below(count as u64) as usize);
            graph.connect(from, to, numbers.below(4));
        }
        let kept: Vec<usize> = (0..count).filter(|_| numbers.below(4) == 0).collect();
        let reached = graph.reached(&kept);
        let objects = std::mem::take(&mut graph.objects);
        let handles: Vec<PhpObj> = kept.iter().map(|&index| objects[index].clone()).collect();
        drop(objects);
        collect_cycles();
        assert_eq!(graph.alive.get(), reached.iter().filter(|&&is| is).count());
        drop(handles);
        collect_cycles();
        assert_eq!(graph.alive.get(), 0, "all of it goes in the end");
    }
}

#[test]
fn native_data_that_tells_what_is_not_so_frees_nothing_that_is_held() {
    let manners =
        [Manner::Twice, Manner::WithMade, Manner::Nothing, Manner::Sometimes, Manner::Right, Manner::ByCopies];
    let mut numbers = Numbers(11);
    for round in 0..if cfg!(miri) { 20 } else { 1000 } {
        let mut graph = Graph::new(8, |index| manners[(index + round) % manners.len()]);
        for _ in 0..20 {
            let [from, to] = [0; 2].map(|_| numbers.below(8) as usize);
            graph.connect(from, to, numbers.below(4));
        }
        let kept: Vec<PhpObj> = graph.objects.iter().filter(|_| numbers.below(3) == 0).cloned().collect();
        drop(std::mem::take(&mut graph.objects));
        for _ in 0..3 {
            collect_cycles();
            for object in &kept {
                assert!(object.refcount() > 0 && object.slots().len() == 2);
                assert!(object.class_header().id() == graph.class.id());
            }
        }
    }
}

#[test]
fn more_references_than_a_header_can_count_are_counted() {
    if cfg!(miri) {
        return;
    }
    let mut graph = Graph::new(1, |_| Manner::Right);
    let own: Val = graph.objects[0].clone().into();
    let list = PhpArr::from_vec(vec![own; (1 << 20) + 5]);
    graph.objects[0].slots()[1].set(list.into());
    let handle = graph.objects[0].clone();
    graph.objects.clear();
    collect_cycles();
    assert_eq!(graph.alive.get(), 1);
    drop(handle);
    collect_cycles();
    assert_eq!(graph.alive.get(), 0);
}
