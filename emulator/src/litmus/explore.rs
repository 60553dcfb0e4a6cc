//! The candidates: executions of all threads that fit together.
//!
//! What a load could read is found in rounds: at first what places hold at the start, then whatever any execution of a
//! thread writes there. As no value comes out of thin air, there are not more rounds than writes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::model::{Candidate, Placed, Position};
use super::relation::{MAX_EVENTS, Relation};
use super::thread::{self, Event, EventKind, Location, Ran, Trace};
use super::{Error, Outcomes, Test};
use crate::program::code::{Order, Semantics};
use crate::program::{GlobalVariable, Program};

/// How many executions a thread may have.
const MAX_TRACES: usize = 5000;

/// How many candidates there may be.
const MAX_CANDIDATES: usize = 2_000_000;

/// What loads of a place could read.
type Values = BTreeMap<Location, BTreeSet<u64>>;

struct Explorer<'a> {
    program: &'a Program,
    test: &'a Test,
    results: Vec<&'a GlobalVariable>,
    finals: Vec<&'a GlobalVariable>,
    outcomes: Outcomes,
    n_candidates: usize,
}

pub(super) fn explore(program: &Program, test: &Test) -> Result<Outcomes, Error> {
    let named = |name: &String| {
        let found = program.globals.iter().find(|variable| variable.name == *name && variable.size <= 8);
        found.ok_or_else(|| Error::BadVariable(name.clone()))
    };
    let mut explorer = Explorer {
        program,
        test,
        results: test.results.iter().map(named).collect::<Result<_, _>>()?,
        finals: test.finals.iter().map(named).collect::<Result<_, _>>()?,
        outcomes: Outcomes::default(),
        n_candidates: 0,
    };
    let traces = explorer.traces()?;
    explorer.combine(&traces, &mut Vec::new())?;
    Ok(explorer.outcomes)
}

impl Explorer<'_> {
    /// What a place holds at the start.
    fn initial(&self, location: Location) -> Result<u64, Error> {
        if location.block.is_some() {
            return Ok(0);
        }
        let holds = |variable: &&GlobalVariable| {
            variable.address <= location.address
                && location.address + location.n_bytes <= variable.address + variable.size
        };
        let variable = self.program.globals.iter().find(holds);
        let variable = variable.ok_or(Error::BadAddress(location.address))?;
        let offset = (location.address - variable.address) as usize;
        let bytes = (0..location.n_bytes as usize).rev();
        let byte = |idx: usize| u64::from(variable.image.get(offset + idx).copied().unwrap_or(0));
        Ok(bytes.fold(0, |value, idx| value << 8 | byte(idx)))
    }

    /// All executions of each thread.
    fn traces(&self) -> Result<Vec<Vec<Trace>>, Error> {
        let mut values = Values::new();
        for round in 0.. {
            let mut traces = Vec::new();
            let mut found = values.clone();
            for number in 0..self.test.threads.len() {
                traces.push(self.traces_of(number, &mut found)?);
            }
            let written = traces.iter().flatten().flat_map(|trace: &Trace| &trace.events);
            for event in written {
                if let EventKind::Access { location, written: Some(value), .. } = event.kind {
                    self.values_of(&mut found, location)?.insert(value);
                }
            }
            let n_writes = |trace: &Trace| {
                trace
                    .events
                    .iter()
                    .filter(|event| matches!(event.kind, EventKind::Access { written: Some(_), .. }))
                    .count()
            };
            let most: usize =
                traces.iter().map(|traces| traces.iter().map(n_writes).max().unwrap_or(0)).sum();
            if found == values || round > most {
                let places: Vec<Location> = found.keys().copied().collect();
                let overlap = |pair: &[Location]| {
                    pair[0].block == pair[1].block && pair[1].address < pair[0].address + pair[0].n_bytes
                };
                return if places.windows(2).any(overlap) { Err(Error::MixedSizes) } else { Ok(traces) };
            }
            values = found;
        }
        unreachable!("there is always one more round")
    }

    fn values_of<'v>(
        &self,
        values: &'v mut Values,
        location: Location,
    ) -> Result<&'v mut BTreeSet<u64>, Error> {
        let initial = self.initial(location)?;
        Ok(values.entry(location).or_insert_with(|| BTreeSet::from([initial])))
    }

    fn traces_of(&self, number: usize, values: &mut Values) -> Result<Vec<Trace>, Error> {
        let thread = &self.test.threads[number];
        let kernel = self.program.kernels.get(&thread.kernel).copied();
        let kernel = kernel.filter(|&kernel| self.program.codes[kernel].params.is_empty());
        let kernel = kernel.ok_or_else(|| Error::BadKernel(thread.kernel.clone()))?;
        let is_result = |at: u64| {
            self.results
                .iter()
                .any(|variable| (variable.address..variable.address + variable.size).contains(&at))
        };
        let (mut traces, mut scripts) = (Vec::new(), vec![Vec::new()]);
        while let Some(script) = scripts.pop() {
            match thread::run(self.program, thread, kernel, &script, &is_result)? {
                Ran::Whole(trace) => traces.push(trace),
                Ran::Asks(location) => {
                    let values = self.values_of(values, location)?;
                    scripts.extend(values.iter().map(|&value| [&script[..], &[value]].concat()));
                }
            }
            if traces.len() + scripts.len() > MAX_TRACES {
                return Err(Error::TooMany("executions of a thread"));
            }
        }
        Ok(traces)
    }

    /// Each thread does one of what it can do.
    fn combine<'t>(&mut self, traces: &'t [Vec<Trace>], chosen: &mut Vec<&'t Trace>) -> Result<(), Error> {
        let Some(own) = traces.get(chosen.len()) else { return self.combined(chosen) };
        for trace in own {
            chosen.push(trace);
            self.combine(traces, chosen)?;
            chosen.pop();
        }
        Ok(())
    }

    fn combined(&mut self, traces: &[&Trace]) -> Result<(), Error> {
        let Some(barriers) = self.barriers(traces) else { return Ok(()) };
        let mut events = Vec::new();
        let places: BTreeSet<Location> = traces
            .iter()
            .flat_map(|trace| &trace.events)
            .filter_map(|event| match event.kind {
                EventKind::Access { location, .. } => Some(location),
                EventKind::Fence(_) | EventKind::Barrier(_) => None,
            })
            .collect();
        for location in places {
            let written = Some(self.initial(location)?);
            let kind = EventKind::Access { location, read: None, written, order: Order::WEAK };
            events.push(Placed { thread: None, event: Event { kind, depends: 0 } });
        }
        let n_places = events.len();
        for (number, trace) in traces.iter().enumerate() {
            events.extend(trace.events.iter().map(|&event| Placed { thread: Some(number), event }));
        }
        if events.len() > MAX_EVENTS {
            return Err(Error::TooMany("accesses"));
        }
        let barriers = Relation::of(events.len(), |a, b| {
            a >= n_places && b >= n_places && barriers.contains(&(a - n_places, b - n_places))
        });
        // For each read, what it could read from.
        let sources: Vec<Option<Vec<usize>>> =
            (0..events.len()).map(|read| sources_of(&events, read)).collect();
        if sources.iter().any(|sources| sources.as_ref().is_some_and(Vec::is_empty)) {
            return Ok(());
        }
        let orders = fence_orders(&events);
        let candidates =
            Candidates { events: &events, sources: &sources, orders: &orders, barriers: &barriers };
        self.read(&candidates, traces, &mut Vec::new())
    }

    /// Each read reads from one of its sources.
    fn read(
        &mut self,
        candidates: &Candidates<'_>,
        traces: &[&Trace],
        chosen: &mut Vec<Option<usize>>,
    ) -> Result<(), Error> {
        let Some(sources) = candidates.sources.get(chosen.len()) else {
            return self.judge(candidates, traces, chosen);
        };
        let sources: Vec<Option<usize>> = match sources {
            None => vec![None],
            Some(sources) => sources.iter().copied().map(Some).collect(),
        };
        for source in sources {
            chosen.push(source);
            self.read(candidates, traces, chosen)?;
            chosen.pop();
        }
        Ok(())
    }

    fn judge(
        &mut self,
        candidates: &Candidates<'_>,
        traces: &[&Trace],
        reads_from: &[Option<usize>],
    ) -> Result<(), Error> {
        let positions: Vec<Position> =
            self.test.threads.iter().map(|thread| (thread.cluster, thread.block)).collect();
        for fences in candidates.orders {
            self.n_candidates += 1;
            if self.n_candidates > MAX_CANDIDATES {
                return Err(Error::TooMany("candidates"));
            }
            let Candidates { events, barriers, .. } = *candidates;
            let candidate = Candidate { events, positions: &positions, reads_from, fences, barriers };
            for allowed in candidate.judge() {
                self.outcomes.has_race |= allowed.has_race;
                self.note(traces, &allowed.finals)?;
            }
        }
        Ok(())
    }

    /// Notes the outcome of an execution: several, if races leave several last values.
    fn note(&mut self, traces: &[&Trace], finals: &BTreeMap<Location, Vec<u64>>) -> Result<(), Error> {
        let mut outcomes = vec![Vec::new()];
        for variable in &self.results {
            let mut owners = traces.iter().filter(|trace| has_result(&trace.results, variable));
            let value = owners.next().map_or(Ok(0), |trace| Ok(result(&trace.results, variable)));
            if owners.next().is_some() {
                return Err(Error::ForeignResult(variable.name.clone()));
            }
            let value = value?;
            outcomes.iter_mut().for_each(|outcome: &mut Vec<u64>| outcome.push(value));
        }
        for variable in &self.finals {
            let location = Location { block: None, address: variable.address, n_bytes: variable.size };
            let values = match finals.get(&location) {
                Some(values) => values.clone(),
                None => vec![self.initial(location)?],
            };
            let extended = |outcome: &Vec<u64>| {
                values.iter().map(|&value| [&outcome[..], &[value]].concat()).collect::<Vec<_>>()
            };
            outcomes = outcomes.iter().flat_map(extended).collect();
        }
        self.outcomes.values.extend(outcomes);
        Ok(())
    }

    /// The pairs of barriers that are the same, as places among the events of all threads; none if not all threads of a
    /// block come to them.
    fn barriers(&self, traces: &[&Trace]) -> Option<BTreeSet<(usize, usize)>> {
        let (mut met, mut first) = (BTreeMap::<_, Vec<usize>>::new(), 0);
        for (thread, trace) in self.test.threads.iter().zip(traces) {
            let mut n_met = HashMap::<u64, usize>::new();
            for (idx, event) in trace.events.iter().enumerate() {
                if let EventKind::Barrier(number) = event.kind {
                    let n = n_met.entry(number).or_default();
                    met.entry((thread.block, number, *n)).or_default().push(first + idx);
                    *n += 1;
                }
            }
            first += trace.events.len();
        }
        let n_threads = |block: u32| self.test.threads.iter().filter(|thread| thread.block == block).count();
        if met.iter().any(|((block, ..), events)| events.len() != n_threads(*block)) {
            return None;
        }
        let pairs = |events: &Vec<usize>| {
            let all = events.clone();
            events.iter().flat_map(move |&a| all.clone().into_iter().map(move |b| (a, b))).collect::<Vec<_>>()
        };
        Some(met.values().flat_map(pairs).filter(|(a, b)| a != b).collect())
    }
}

struct Candidates<'c> {
    events: &'c [Placed],
    sources: &'c [Option<Vec<usize>>],
    orders: &'c [Vec<usize>],
    barriers: &'c Relation,
}

/// The writes of the same value to the same place; none if the event does not read.
fn sources_of(events: &[Placed], read: usize) -> Option<Vec<usize>> {
    let EventKind::Access { location, read: Some(value), .. } = events[read].event.kind else { return None };
    let is_source = |&write: &usize| {
        let writes = matches!(events[write].event.kind,
            EventKind::Access { location: place, written: Some(written), .. } if place == location && written == value);
        // No one reads what comes later in program order (PTX ISA "Causality").
        writes && (events[write].thread != events[read].thread || write < read)
    };
    Some((0..events.len()).filter(is_source).collect())
}

/// All orders of the sequentially consistent fences that agree with program order.
fn fence_orders(events: &[Placed]) -> Vec<Vec<usize>> {
    let is_fence = |event: &&usize| matches!(events[**event].event.kind, EventKind::Fence(fence) if fence.semantics == Semantics::Sequential);
    let all: Vec<usize> = (0..events.len()).collect();
    let fences: Vec<usize> = all.iter().filter(is_fence).copied().collect();
    let mut orders = vec![Vec::new()];
    for _ in 0..fences.len() {
        let longer = |order: &Vec<usize>| {
            let is_next = |fence: &usize| {
                let is_behind = |other: &usize| {
                    events[*other].thread == events[*fence].thread && other < fence && !order.contains(other)
                };
                !order.contains(fence) && !fences.iter().any(is_behind)
            };
            let next: Vec<usize> = fences.iter().copied().filter(is_next).collect();
            next.into_iter().map(|fence| [&order[..], &[fence]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

fn has_result(results: &HashMap<u64, u8>, variable: &GlobalVariable) -> bool {
    (0..variable.size).any(|idx| results.contains_key(&(variable.address + idx)))
}

fn result(results: &HashMap<u64, u8>, variable: &GlobalVariable) -> u64 {
    let byte = |idx: u64| results.get(&(variable.address + idx)).copied().unwrap_or(0);
    (0..variable.size).rev().fold(0, |value, idx| value << 8 | u64::from(byte(idx)))
}
