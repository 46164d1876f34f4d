//! A network as a heuristic.

use pdb_core::{Board, Estimator, Expansion, Memo};
use pdb_lab::networks::{Learned, Network};

use super::{Random, goal, network, slides, walk};

#[test]
fn estimates_have_the_parity_of_the_distance_and_are_no_less_than_manhattan_distance() {
    for seed in 1..6 {
        let learned = Learned::new(Network::new(&network(&goal(3, 3), &[32, 16], seed)));
        let mut random = Random::new(17);
        let boards: Vec<Board> =
            (0..2000).map(|steps| walk(learned.goal(), steps % 200, &mut random)).collect();
        let estimates = learned.estimates(&boards);
        for (board, estimate) in boards.iter().zip(estimates) {
            let manhattan = learned.goal().manhattan_distance(board);
            assert!(estimate >= manhattan && (estimate - manhattan).is_multiple_of(2));
            assert_eq!(learned.root(board).unwrap().estimate, estimate);
        }
        assert!(!learned.is_admissible());
    }
}

/// Returns the estimate and the only note that has a meaning.
fn kept(memo: &Memo) -> (u32, i16) {
    (memo.estimate, memo.notes[0])
}

#[test]
fn children_of_many_boards_equal_each_alone() {
    let weights = network(&goal(4, 4), &[64, 16], 2);
    for weights in [weights.to_int8(), weights] {
        let learned = Learned::new(Network::new(&weights));
        let mut random = Random::new(29);
        // More boards than one batch has, some with no or few requests.
        for count in [0, 1, 2, 63, 64, 65, 300] {
            let (mut parents, mut expected) = (Vec::new(), Vec::new());
            for _ in 0..count {
                let board = walk(learned.goal(), 40, &mut random);
                let mut parent = Expansion::new(board, learned.root(&board).unwrap());
                for slide in slides(&board) {
                    if random.below(3) > 0 {
                        parent.ask(slide);
                        let mut child = board;
                        child.slide(slide.from, slide.to);
                        let alone = kept(&learned.root(&child).unwrap());
                        assert_eq!(kept(&learned.child(&child, &parent.memo, slide)), alone);
                        expected.push(alone);
                    }
                }
                parents.push(parent);
            }
            let mut memos = vec![Memo::new(0, &[]); expected.len()];
            learned.children(&parents, &mut memos);
            assert!(memos.iter().map(kept).eq(expected), "{count} boards");
        }
    }
}

#[test]
fn a_shift_lowers_estimates_and_never_below_manhattan_distance() {
    let mut weights = network(&goal(4, 4), &[64], 2);
    let shifts = r#"{"0.9":[2.0],"0.99":[0.0,1.0,2.0,30.0]}"#;
    weights.notes.insert("shift".to_owned(), shifts.to_owned());
    let network = Network::new(&weights);
    let plain = Learned::new(network.clone());
    assert!(Learned::with_share(network.clone(), "0.95").is_none());
    let [two, many] =
        ["0.9", "0.99"].map(|share| Learned::with_share(network.clone(), share).unwrap());
    let mut random = Random::new(31);
    let mut lowered = 0;
    for steps in 0..300 {
        let boards = [walk(plain.goal(), steps, &mut random)];
        let [of_plain, of_two, of_many] =
            [&plain, &two, &many].map(|one| one.estimates(&boards)[0]);
        let manhattan = plain.goal().manhattan_distance(&boards[0]);
        assert_eq!(of_two, of_plain.saturating_sub(2).max(manhattan));
        assert!(of_many <= of_plain && of_many >= manhattan);
        lowered += u32::from(of_many < of_plain);
    }
    assert!(lowered > 50, "{lowered}");
}

#[test]
fn outputs_without_bounds_give_estimates_within_bounds() {
    // The largest numbers that a file may have: their sums are far too large for any distance.
    for sign in [1.0, -1.0] {
        let mut weights = network(&goal(4, 4), &[16, 16, 16, 16, 16, 16, 16], 2);
        for layer in &mut weights.layers {
            layer.weights.fill(1e6);
        }
        weights.layers.last_mut().unwrap().weights.fill(sign * 1e6);
        for weights in [weights.to_int8(), weights] {
            let learned = Learned::new(Network::new(&weights));
            let board = walk(learned.goal(), 100, &mut Random::new(3));
            let manhattan = learned.goal().manhattan_distance(&board);
            let estimate = learned.estimates(&[board])[0];
            assert!((manhattan..=10_000 + manhattan).contains(&estimate), "{estimate}");
        }
    }
}
