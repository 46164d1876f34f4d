//! Problems of planners, read and solved by a small planner.
//!
//! The planner knows nothing of sliding tiles: it reads the domain and the problem, and searches
//! breadth first over sets of facts.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use pdb_core::{Board, Goal, Shape};
use pdb_oracle::distances;
use tilebase_model::{ModelError, pddl};

/// An expression in parentheses, or a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expression {
    Word(String),
    List(Vec<Expression>),
}

use Expression::{List, Word};

/// A fact: a predicate and its objects.
type Words = Vec<String>;

impl Expression {
    /// Reads a file with a single expression, and comments.
    fn read(text: &str) -> Self {
        let lines = text.lines().map(|line| line.split(';').next().unwrap());
        let spaced = lines.collect::<Vec<_>>().join(" ").replace('(', " ( ").replace(')', " ) ");
        let mut open = vec![Vec::new()];
        for word in spaced.split_whitespace() {
            match word {
                "(" => open.push(Vec::new()),
                ")" => {
                    let list = List(open.pop().unwrap());
                    open.last_mut().expect("a parenthesis closes none").push(list);
                }
                word => open.last_mut().unwrap().push(Word(word.to_owned())),
            }
        }
        let [mut all] = <[_; 1]>::try_from(open).expect("a parenthesis is not closed");
        assert_eq!(all.len(), 1, "a file has one expression");
        all.remove(0)
    }

    fn list(&self) -> &[Self] {
        let List(list) = self else { panic!("expected a list, found {self:?}") };
        list
    }

    fn word(&self) -> &str {
        let Word(word) = self else { panic!("expected a word, found {self:?}") };
        word
    }

    fn words(&self) -> Words {
        self.list().iter().map(|word| word.word().to_owned()).collect()
    }

    /// Returns what follows a keyword in a list that begins with it.
    fn section(&self, key: &str) -> &[Self] {
        let begins = |part: &&Self| matches!(part, List(part) if part[0].word() == key);
        let mut found = self.list().iter().filter(begins);
        let section = found.next().unwrap_or_else(|| panic!("no {key} in {self:?}"));
        assert!(found.next().is_none(), "a second {key}");
        &section.list()[1..]
    }

    /// Returns the parts of `(and ..)`.
    fn conjuncts(&self) -> &[Self] {
        let [Word(and), parts @ ..] = self.list() else { panic!("expected (and ..): {self:?}") };
        assert_eq!(and, "and");
        parts
    }
}

/// Reads a typed list, such as `a b - tile c - position`: names with their types.
fn typed(words: &[Expression]) -> Vec<(String, String)> {
    let (mut all, mut names) = (Vec::new(), Vec::new());
    let mut words = words.iter().map(Expression::word);
    while let Some(word) = words.next() {
        if word == "-" {
            let kind = words.next().unwrap();
            all.extend(names.drain(..).map(|name| (name, kind.to_owned())));
        } else {
            names.push(word.to_owned());
        }
    }
    assert!(names.is_empty(), "names without a type: {names:?}");
    all
}

type Facts = BTreeSet<Words>;

/// An action: its parameters with their types, what it needs, and what it removes and adds.
struct Action {
    parameters: Vec<(String, String)>,
    needs: Facts,
    removes: Facts,
    adds: Facts,
}

impl Action {
    fn read(parts: &[Expression]) -> Self {
        let [_, Word(p), parameters, Word(c), condition, Word(e), effect] = parts else {
            panic!("not an action: {parts:?}")
        };
        assert_eq!([p, c, e], [":parameters", ":precondition", ":effect"]);
        let effects = effect.conjuncts().iter();
        let (removes, adds): (Vec<_>, Vec<_>) =
            effects.partition(|effect| effect.list()[0] == Word("not".to_owned()));
        Self {
            parameters: typed(parameters.list()),
            needs: condition.conjuncts().iter().map(Expression::words).collect(),
            removes: removes.iter().map(|effect| effect.list()[1].words()).collect(),
            adds: adds.into_iter().map(Expression::words).collect(),
        }
    }

    /// Returns the actions for all objects of the right types: what each needs, removes and adds.
    fn ground(&self, objects: &[(String, String)]) -> Vec<[Facts; 3]> {
        let mut bindings = vec![BTreeMap::new()];
        for (name, kind) in &self.parameters {
            let fitting = || objects.iter().filter(|(_, of_object)| of_object == kind);
            let bind = |binding: BTreeMap<String, String>| {
                fitting().map(move |(object, _)| {
                    let mut binding = binding.clone();
                    binding.insert(name.clone(), object.clone());
                    binding
                })
            };
            bindings = bindings.into_iter().flat_map(bind).collect();
        }
        let facts = |binding: &BTreeMap<String, String>, facts: &Facts| -> Facts {
            let fact = |fact: &Words| {
                fact.iter().map(|word| binding.get(word).unwrap_or(word).clone()).collect()
            };
            facts.iter().map(fact).collect()
        };
        let all = [&self.needs, &self.removes, &self.adds];
        bindings.iter().map(|binding| all.map(|part| facts(binding, part))).collect()
    }
}

/// A domain with a problem.
struct Planning {
    objects: Vec<(String, String)>,
    init: Facts,
    goal: Facts,
    action: Action,
}

impl Planning {
    fn read(domain: &str, problem: &str) -> Self {
        let (domain, problem) = (Expression::read(domain), Expression::read(problem));
        assert_eq!(problem.section(":domain"), domain.section("domain"));
        let [goal] = problem.section(":goal") else { panic!("expected one goal") };
        let this = Self {
            objects: typed(problem.section(":objects")),
            init: problem.section(":init").iter().map(Expression::words).collect(),
            goal: goal.conjuncts().iter().map(Expression::words).collect(),
            action: Action::read(domain.section(":action")),
        };
        let types: BTreeSet<_> = domain.section(":types").iter().map(Expression::word).collect();
        assert!(this.objects.iter().all(|(_, kind)| types.contains(&kind[..])));
        let predicates = domain.section(":predicates").iter().map(Expression::list);
        let predicates: BTreeMap<_, _> =
            predicates.map(|words| (words[0].word(), typed(&words[1..]))).collect();
        let kinds: BTreeMap<_, _> = this.objects.iter().cloned().collect();
        assert_eq!(kinds.len(), this.objects.len(), "two objects have the same name");
        for fact in this.init.iter().chain(&this.goal) {
            let of_predicate = predicates[&fact[0][..]].iter().map(|(_, kind)| kind);
            assert!(fact[1..].iter().map(|object| &kinds[object]).eq(of_predicate), "{fact:?}");
        }
        this
    }

    /// Returns the number of facts of a predicate at the beginning.
    fn count(&self, predicate: &str) -> usize {
        self.init.iter().filter(|fact| fact[0] == predicate).count()
    }

    /// Returns the number of actions of a shortest plan.
    fn shortest_plan(&self) -> Option<u32> {
        // Facts that no action changes.
        let is_fixed = |fact: &Words| self.action.adds.iter().all(|added| added[0] != fact[0]);
        let mut actions = self.action.ground(&self.objects);
        actions.retain(|[needs, ..]| {
            needs.iter().filter(|fact| is_fixed(fact)).all(|fact| self.init.contains(fact))
        });
        let mut seen = HashSet::from([self.init.clone()]);
        let mut level = vec![self.init.clone()];
        for length in 0.. {
            if level.iter().any(|state| state.is_superset(&self.goal)) {
                return Some(length);
            }
            let mut next = Vec::new();
            for state in &level {
                for [needs, removes, adds] in &actions {
                    if needs.is_subset(state) {
                        let after: Facts = &(state - removes) | adds;
                        if seen.insert(after.clone()) {
                            next.push(after);
                        }
                    }
                }
            }
            if next.is_empty() {
                return None;
            }
            level = next;
        }
        None
    }
}

fn read(board: &Board, goal: &Goal) -> Planning {
    Planning::read(pddl::DOMAIN, &pddl::problem(board, goal).unwrap())
}

#[test]
fn problem_has_a_fact_for_each_cell_and_each_pair_of_neighbours() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4), (3, 5), (6, 6)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::blank_last(shape);
        let planning = read(goal.board(), &goal);
        let cells = rows * cols;
        let kinds = |kind: &str| planning.objects.iter().filter(|(_, k)| k == kind).count();
        assert_eq!((kinds("tile"), kinds("position")), (cells - 1, cells));
        assert_eq!((planning.count("at"), planning.count("blank")), (cells - 1, 1));
        let pairs = 2 * (rows * (cols - 1) + cols * (rows - 1));
        assert_eq!(planning.count("neighbour"), pairs);
        assert_eq!(planning.init.len(), cells + pairs);
        assert_eq!(planning.goal.len(), cells);
    }
    let board: Board = "1 2 3/0 4 5".parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    let text = pddl::problem(&board, &goal).unwrap();
    for part in ["(at t3 p-1-3)", "(blank p-2-1)", "(neighbour p-1-3 p-2-3)", "(blank p-2-3)"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("(neighbour p-1-3 p-2-1)"));
}

#[test]
fn shortest_plans_are_shortest_solutions() {
    for goal in ["1 2 3/4 5 0", "4 0 2/1 5 3"] {
        let goal = Goal::new(goal.parse().unwrap());
        let all = distances(2, 3, goal.board().tiles());
        let farthest = all.values().max().unwrap();
        for (tiles, distance) in
            all.iter().step_by(40).chain(all.iter().filter(|b| b.1 == farthest))
        {
            let board = Board::new(goal.shape(), tiles).unwrap();
            assert_eq!(read(&board, &goal).shortest_plan(), Some(*distance), "{board}");
        }
    }
}

#[test]
fn unsolvable_board_and_other_shape_are_refused() {
    let goal = Goal::blank_last(Shape::new(2, 3).unwrap());
    let odd: Board = "2 1 3/4 5 0".parse().unwrap();
    assert!(matches!(pddl::problem(&odd, &goal), Err(ModelError::Unsolvable(_))));
    let other: Board = "1 2/3 0".parse().unwrap();
    assert!(matches!(pddl::problem(&other, &goal), Err(ModelError::OtherShape { .. })));
}
