//! Training of the order of a beam, and its parts: gradients, the loss, and labels.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

use pdb_core::{Board, Shape};
use tilebase::pdb_search::{LearnedOrder, Options, OrderHead, OrderNetwork, Status, beam_by_order};
use tilebase::sets::Dice;
use tilebase_train::{OrderRecipe, TrainError, train_order};

use crate::goal;

#[path = "../../src/chain.rs"]
#[allow(dead_code, reason = "the test looks at outputs and gradients alone")]
mod chain;
#[path = "../../src/order/groups.rs"]
#[allow(dead_code, reason = "the test looks at classes alone")]
mod groups;
#[path = "../../src/order/loss.rs"]
#[allow(dead_code, reason = "the test looks at the loss alone")]
mod loss;

fn width(width: u32) -> NonZeroU32 {
    NonZeroU32::new(width).unwrap()
}

fn recipe() -> OrderRecipe {
    OrderRecipe { boards: 60, width: width(20), ..OrderRecipe::default() }
}

/// Returns the bytes of a network for 3x3 that was trained with a recipe.
fn trained(recipe: &OrderRecipe) -> Vec<u8> {
    let stop = AtomicBool::new(false);
    train_order(goal().shape(), recipe, &stop, &mut |_| ()).unwrap().write()
}

/// A network whose order is Manhattan distance.
fn manhattan() -> OrderNetwork {
    let head = OrderHead {
        base: [0; 64],
        second: [[0; 64]; 16],
        second_bias: [0; 16],
        last: [0; 16],
        last_bias: 0,
        last_bits: 0,
    };
    OrderNetwork { shape: goal().shape(), rows: vec![[0; 64]; 81], skip: vec![0; 81], head }
}

/// Returns boards that can be solved, each as likely.
fn boards(count: usize) -> Vec<Board> {
    let mut dice = Dice::new(5);
    let mut tiles: Vec<u8> = (0..9).collect();
    let draws = std::iter::repeat_with(|| {
        dice.shuffle(&mut tiles);
        Board::new(goal().shape(), &tiles).unwrap()
    });
    draws.filter(|board| goal().check_solvable(board).is_ok()).take(count).collect()
}

#[test]
fn same_seed_gives_the_same_file() {
    let bytes = trained(&recipe());
    assert_eq!(bytes, trained(&recipe()));
    assert_ne!(bytes, trained(&OrderRecipe { seed: 2, ..recipe() }));
    let network = OrderNetwork::read(&bytes).unwrap();
    let order = LearnedOrder::new(&network, &goal()).unwrap();
    // An order of 0 would not tell boards near the goal apart.
    assert!((960..1090).contains(&order.of(goal().board())), "{}", order.of(goal().board()));
    assert!(boards(1000).iter().all(|board| order.of(board) > 0));
}

#[test]
fn trained_order_shortens_the_solutions_of_a_narrow_beam() {
    let recipe = OrderRecipe { boards: 300, ..recipe() };
    let trained = OrderNetwork::read(&trained(&recipe)).unwrap();
    let length = |network: &OrderNetwork| -> usize {
        let order = LearnedOrder::new(network, &goal()).unwrap();
        let length = |board: &Board| {
            let outcome =
                beam_by_order(&order, board, width(10), &Options::default(), None).unwrap();
            match outcome.status {
                Status::Solved { moves, .. } | Status::Optimal { moves } => moves.len(),
                status => panic!("{status:?}"),
            }
        };
        boards(100).iter().map(length).sum()
    };
    let distances = pdb_oracle::distances(3, 3, goal().board().tiles());
    let optimum: u32 = boards(100).iter().map(|board| distances[board.tiles()]).sum();
    let [above, above_manhattan] =
        [length(&trained), length(&manhattan())].map(|length| length - optimum as usize);
    assert!(3 * above < above_manhattan, "{above} {above_manhattan}");
}

#[test]
fn stopped_training_gives_no_network() {
    let stop = AtomicBool::new(false);
    let ended =
        train_order(goal().shape(), &recipe(), &stop, &mut |_| stop.store(true, Ordering::Relaxed));
    assert!(matches!(ended, Err(TrainError::Stopped)), "{ended:?}");
    let line = Shape::new(1, 5).unwrap();
    let ended = train_order(line, &recipe(), &AtomicBool::new(false), &mut |_| ());
    assert!(matches!(ended, Err(TrainError::OneLine { shape }) if shape == line), "{ended:?}");
    let wide = OrderRecipe { boards: 5, width: width(100_000), ..recipe() };
    let ended = train_order(goal().shape(), &wide, &AtomicBool::new(false), &mut |_| ());
    assert!(matches!(ended, Err(TrainError::NoLayers { width: 100_000 })), "{ended:?}");
}

#[test]
fn gradients_agree_with_finite_differences() {
    const STEP: f32 = 1e-3;
    let mut dice = Dice::new(3);
    let mut chain = chain::Chain::new(81, 9, &[19, 8], true, &mut dice);
    for value in &mut chain.values {
        *value += 0.1 * dice.signed_unit();
    }
    let rows: Vec<Vec<u32>> = boards(groups::GROUP)
        .iter()
        .map(|board| (0..).zip(board.tiles()).map(|(cell, &tile)| u32::from(tile) * 9 + cell))
        .map(Iterator::collect)
        .collect();
    let classes = [0, 1, 6, 7];
    let mut units = chain::Units::default();
    let mut orders = |chain: &chain::Chain| -> [f32; groups::GROUP] {
        std::array::from_fn(|board| chain.output(&rows[board], &mut units))
    };
    let mut pairs = loss::PairCount::default();
    let (_, of_orders) = loss::loss(&orders(&chain), classes, &mut pairs);
    let mut gradient = vec![0.0; chain.values.len()];
    let mut units = chain::Units::default();
    for (rows, of_order) in rows.iter().zip(of_orders) {
        chain.output(rows, &mut units);
        chain.add_gradient(rows, &mut units, of_order, &mut gradient);
    }
    assert!(gradient.iter().filter(|slope| slope.abs() > 0.01).count() > 300);
    for (place, &slope) in gradient.iter().enumerate() {
        let value = chain.values[place];
        let mut losses = [STEP, -STEP].map(|step| {
            chain.values[place] = value + step;
            loss::loss(&orders(&chain), classes, &mut pairs).0
        });
        chain.values[place] = value;
        losses[0] -= losses[1];
        let expected = losses[0] / (2.0 * STEP);
        assert!(
            (slope - expected).abs() < 0.003 + 0.01 * slope.abs(),
            "{place}: {slope} {expected}"
        );
    }
}

#[test]
fn labels_agree_with_exact_distances() {
    let distances = pdb_oracle::distances(3, 3, goal().board().tiles());
    let order = LearnedOrder::new(&manhattan(), &goal()).unwrap();
    let mut met = [0; 8];
    for (board, boards) in boards(6).iter().zip([200_000, 1000, 200, 200_000, 100, 30]) {
        let mut trace = groups::Trace::default();
        let mut layers: Vec<Vec<Board>> = Vec::new();
        let push = |kept: &[Board], cut: &[Board]| {
            trace.push(board, kept, cut);
            layers.push(kept.to_vec());
        };
        let options = Options::default();
        beam_by_order(&order, board, width(boards), &options, Some(Box::new(push))).unwrap();
        let length = trace.length();
        let is_complete = boards == 200_000;
        let is_shortest = length as u32 == distances[board.tiles()];
        assert!(is_shortest || !is_complete);
        let classes = groups::classes(&goal(), &trace);
        assert_eq!(classes.len(), layers.len());
        for (depth, (layer, classes)) in (1..).zip(layers.iter().zip(classes)) {
            assert_eq!(classes.len(), layer.len());
            for (board, class) in layer.iter().zip(classes) {
                met[usize::from(class)] += 1;
                let detour = i64::from(depth + distances[board.tiles()]) - length as i64;
                // The distance within the boards of a beam is no smaller than the exact one.
                assert!(i64::from(class) >= (detour / 2).min(6), "{board}: {class} {detour}");
                if is_complete {
                    assert_eq!(class == 0, detour == 0, "{board}: {class} {detour}");
                }
            }
        }
    }
    assert!(met[..7].iter().all(|&count| count > 10), "{met:?}");
}
