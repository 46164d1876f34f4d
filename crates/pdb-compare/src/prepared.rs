//! Heuristics ready to be searched with.

use pdb_core::{Board, Goal, Heuristic, Max, Plan, RootError};
use pdb_rt::{Database, Table, Visitor};
use pdb_search::heuristics::{
    CornerTiles, Gaschnig, LastMoves, LinearConflict, Manhattan, Misplaced, Pairwise,
    inversion_distance,
};

use crate::any::{Any, walking, walking_inversion};
use crate::{Basic, CompareError, HeuristicName};

/// A heuristic for one goal, with its tables open.
#[derive(Debug)]
pub struct Prepared {
    name: String,
    goal: Goal,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Basic(Basic),
    Walking(Database),
    WalkingInversion(Database),
    Tables(Database),
    Max(Vec<Kind>),
}

/// Opens the tables of a plan, which belongs to the heuristic of this name.
pub type Open<'a, E> = dyn FnMut(&str, &Plan) -> Result<Database, E> + 'a;

/// Something to do with a heuristic and with one for the way back, whatever their types.
pub(crate) trait BothWays {
    type Output;

    /// Called with the heuristic, and with what makes one for the way back: it estimates the
    /// distance to any other board.
    fn visit<H: Heuristic, B: Heuristic>(
        self,
        heuristic: &H,
        backward: impl Fn(&Goal) -> B + Sync,
    ) -> Self::Output;
}

/// Hands a heuristic to a visitor that does not go back.
struct OneWay<V>(V);

impl<V: Visitor> BothWays for OneWay<V> {
    type Output = V::Output;

    fn visit<H: Heuristic, B: Heuristic>(
        self,
        heuristic: &H,
        _: impl Fn(&Goal) -> B + Sync,
    ) -> V::Output {
        self.0.visit(heuristic)
    }
}

impl Prepared {
    /// Makes the heuristic of a name for boards that lead to `goal`; `open` opens its tables.
    ///
    /// # Errors
    /// Those of `open`, and a [`CompareError`] when the heuristic does not fit board or goal.
    pub fn new<E: From<CompareError>>(
        name: &HeuristicName,
        goal: &Goal,
        open: &mut Open<'_, E>,
    ) -> Result<Self, E> {
        Ok(Self { name: name.to_string(), goal: *goal, kind: Kind::new(name, goal, open)? })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The goal that it was made for.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Bytes of its tables on disk, each counted once.
    pub fn table_bytes(&self) -> u64 {
        self.tables().iter().map(|table| table.header().file_bytes()).sum()
    }

    /// Its tables, each once.
    pub fn tables(&self) -> Vec<&Table> {
        let mut tables: Vec<&Table> = Vec::new();
        self.kind.for_each_table(&mut |table| {
            if !tables.iter().any(|known| known.header() == table.header()) {
                tables.push(table);
            }
        });
        tables
    }

    /// The estimate of a board.
    ///
    /// # Errors
    /// [`RootError`] when a table is damaged.
    pub fn estimate(&self, board: &Board) -> Result<u32, RootError> {
        struct Estimate<'a>(&'a Board);

        impl Visitor for Estimate<'_> {
            type Output = Result<u32, RootError>;

            fn visit<H: Heuristic>(self, heuristic: &H) -> Self::Output {
                let (_, node) = heuristic.root(self.0)?;
                Ok(heuristic.estimate(&node))
            }
        }

        self.visit(Estimate(board))
    }

    /// Hands the heuristic over, in the form that is fastest to look up.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        match &self.kind {
            Kind::Tables(database) => database.visit(visitor),
            _ => self.visit_both_ways(OneWay(visitor)),
        }
    }

    /// Hands the heuristic over, in one form for all tables.
    ///
    /// On the way back one without tables is made anew for each board. Tables lead to one goal, so
    /// with them Manhattan distance serves for the way back.
    pub(crate) fn visit_both_ways<V: BothWays>(&self, visitor: V) -> V::Output {
        let goal = &self.goal;
        match &self.kind {
            Kind::Basic(basic) => match basic {
                Basic::Misplaced => visitor.visit(&Misplaced::new(goal), Misplaced::new),
                Basic::Gaschnig => visitor.visit(&Gaschnig::new(goal), Gaschnig::new),
                Basic::Manhattan => visitor.visit(&Manhattan::new(goal), Manhattan::new),
                Basic::LinearConflict => {
                    visitor.visit(&LinearConflict::new(goal), LinearConflict::new)
                }
                Basic::CornerTiles => visitor.visit(&CornerTiles::new(goal), CornerTiles::new),
                Basic::LastMoves => visitor.visit(&LastMoves::new(goal), LastMoves::new),
                Basic::Inversion => visitor.visit(&inversion_distance(goal), inversion_distance),
                Basic::Pairwise => visitor.visit(&pairwise(goal), pairwise),
            },
            Kind::Walking(database) => visitor.visit(&walking(database), Manhattan::new),
            Kind::WalkingInversion(database) => {
                visitor.visit(&walking_inversion(database, goal), Manhattan::new)
            }
            Kind::Tables(database) => match (database.additive(), database.plain()) {
                (Some(sum), _) => visitor.visit(&sum, Manhattan::new),
                (_, Some(plain)) => visitor.visit(&plain, Manhattan::new),
                _ => visitor.visit(&walking(database), Manhattan::new),
            },
            Kind::Max(parts) => {
                let parts: Vec<Any<'_>> = parts.iter().map(|part| part.any(goal)).collect();
                match &parts[..] {
                    [a, b] => visitor.visit(&Max::new(a, b), Manhattan::new),
                    [a, b, c] => visitor.visit(&Max::new(a, Max::new(b, c)), Manhattan::new),
                    [a, b, c, d] => {
                        visitor.visit(&Max::new(Max::new(a, b), Max::new(c, d)), Manhattan::new)
                    }
                    _ => unreachable!("a maximum has two to four parts"),
                }
            }
        }
    }
}

fn pairwise(goal: &Goal) -> Pairwise {
    Pairwise::new(goal).expect("the shape was tried when the heuristic was prepared")
}

impl Kind {
    fn new<E: From<CompareError>>(
        name: &HeuristicName,
        goal: &Goal,
        open: &mut Open<'_, E>,
    ) -> Result<Self, E> {
        let label = name.to_string();
        Ok(match name {
            HeuristicName::Basic(basic) => {
                if *basic == Basic::Pairwise {
                    Pairwise::check(goal.shape())
                        .map_err(|source| CompareError::Line { name: label, source })?;
                }
                Self::Basic(*basic)
            }
            HeuristicName::Walking => Self::Walking(open(&label, &Plan::walking(goal))?),
            HeuristicName::WalkingInversion => {
                Self::WalkingInversion(open(&label, &Plan::walking(goal))?)
            }
            HeuristicName::Tables { spec, is_unmirrored, .. } => {
                let plan = if *is_unmirrored {
                    spec.for_goal_unmirrored(goal)
                } else {
                    spec.for_goal(goal)
                };
                Self::Tables(open(&label, &plan.map_err(CompareError::from)?)?)
            }
            HeuristicName::Max(parts) => {
                let parts = parts.iter().map(|part| Self::new(part, goal, open));
                Self::Max(parts.collect::<Result<_, E>>()?)
            }
        })
    }

    fn any<'a>(&'a self, goal: &Goal) -> Any<'a> {
        match self {
            Self::Basic(basic) => match basic {
                Basic::Misplaced => Any::Misplaced(Misplaced::new(goal)),
                Basic::Gaschnig => Any::Gaschnig(Gaschnig::new(goal)),
                Basic::Manhattan => Any::Manhattan(Manhattan::new(goal)),
                Basic::LinearConflict => Any::LinearConflict(LinearConflict::new(goal)),
                Basic::CornerTiles => Any::CornerTiles(CornerTiles::new(goal)),
                Basic::LastMoves => Any::LastMoves(LastMoves::new(goal)),
                Basic::Inversion => Any::Inversion(inversion_distance(goal)),
                Basic::Pairwise => Any::Pairwise(pairwise(goal)),
            },
            Self::Walking(database) => Any::Walking(walking(database)),
            Self::WalkingInversion(database) => {
                Any::WalkingInversion(walking_inversion(database, goal))
            }
            Self::Tables(database) => match (database.additive(), database.plain()) {
                (Some(sum), _) => Any::Additive(sum),
                (_, Some(plain)) => Any::Plain(plain),
                _ => Any::Walking(walking(database)),
            },
            Self::Max(_) => unreachable!("a maximum of maxima is one maximum"),
        }
    }

    /// Calls `each` with each table, as often as it is part of a plan.
    fn for_each_table<'a>(&'a self, each: &mut dyn FnMut(&'a Table)) {
        match self {
            Self::Basic(_) => (),
            Self::Walking(database) | Self::WalkingInversion(database) | Self::Tables(database) => {
                database.tables().iter().for_each(each);
            }
            Self::Max(parts) => parts.iter().for_each(|part| part.for_each_table(each)),
        }
    }
}
