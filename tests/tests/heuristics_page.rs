//! Scratch.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use pdb_core::{Board, Goal, Heuristic, Max, Plan, Shape, Sum};
use pdb_rt::{Database, Visitor};
use pdb_search::heuristics::*;
use pdb_tests::korf100;

struct Est<'a>(&'a Board);
impl Visitor for Est<'_> {
    type Output = u32;
    fn visit<H: Heuristic>(self, h: &H) -> u32 {
        est(h, self.0)
    }
}
fn est<H: Heuristic>(h: &H, b: &Board) -> u32 {
    h.estimate(&h.root(b).unwrap().1)
}

fn open(goal: &Goal) -> Vec<(String, Database)> {
    let folder = tempfile::TempDir::new().unwrap();
    let mut out = Vec::new();
    for name in [
        "walking-distance",
        "5-5-5-collapsed",
        "5-5-5",
        "6-6-3-collapsed",
        "6-6-3",
        "7-8-collapsed",
        "7-8",
        "7-8-max",
    ] {
        for unm in [true, false] {
            let spec = pdb_spec::builtin(&format!("15/{name}")).unwrap();
            if unm && name == "walking-distance" {
                continue;
            }
            let plan: Plan = if unm {
                spec.for_goal_unmirrored(goal).unwrap()
            } else {
                spec.for_goal(goal).unwrap()
            };
            for key in plan.tables() {
                if !folder.path().join(key.file_name()).exists() {
                    pdb_gen::build(key, folder.path(), 2, false, &pdb_gen::Monitor::silent())
                        .unwrap();
                }
            }
            let db = Database::open(&plan, folder.path()).unwrap();
            out.push((format!("{name}{}", if unm { ":unmirrored" } else { "" }), db));
        }
    }
    out
}

#[test]
fn scratch() {
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let dbs = open(&goal);
    let all = |b: &Board| -> Vec<(String, u32)> {
        let mut v = vec![
            ("misplaced".to_owned(), est(&Misplaced::new(&goal), b)),
            ("gaschnig".to_owned(), est(&Gaschnig::new(&goal), b)),
            ("manhattan".to_owned(), est(&Manhattan::new(&goal), b)),
            ("linear-conflict".to_owned(), est(&LinearConflict::new(&goal), b)),
            ("corner-tiles".to_owned(), est(&CornerTiles::new(&goal), b)),
            ("last-moves".to_owned(), est(&LastMoves::new(&goal), b)),
            ("inv-v".to_owned(), est(&InversionAxis::vertical(&goal), b)),
            ("inv-h".to_owned(), est(&InversionAxis::horizontal(&goal), b)),
            ("inversion".to_owned(), est(&inversion_distance(&goal), b)),
            ("pairwise".to_owned(), est(&Pairwise::new(&goal).unwrap(), b)),
        ];
        let wd = &dbs[0].1;
        let [x, y] = wd.walking().unwrap();
        v.push(("wd-v".to_owned(), est(&x, b)));
        v.push(("wd-h".to_owned(), est(&y, b)));
        v.push((
            "walking-inversion".to_owned(),
            est(
                &Sum::new(
                    Max::new(x, InversionAxis::vertical(&goal)),
                    Max::new(y, InversionAxis::horizontal(&goal)),
                ),
                b,
            ),
        ));
        for (n, d) in &dbs {
            v.push((n.clone(), d.visit(Est(b))));
        }
        v
    };

    let texts = [
        "7 12 1 2/5 10 0 8/14 11 6 4/3 15 13 9",
        "2 1 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
        "4 3 2 1/5 6 7 8/9 10 11 12/13 14 15 0",
        "6 2 3 4/5 11 7 8/9 10 1 12/13 14 15 0",
        "1 2 3 4/5 7 10 8/9 6 11 12/13 14 15 0",
        "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1",
        "1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4",
        "1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0",
        "5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12",
        "4 2 3 1/5 6 7 8/9 10 11 12/13 15 14 0",
        "11 2 3 4/5 1 7 8/9 10 6 12/13 14 15 0",
        "2 1 3 4/6 5 7 8/9 10 11 12/13 14 15 0",
        "13 2 3 4/5 6 7 8/9 10 11 12/1 15 14 0",
        "1 2 3 4/5 6 7 8/9 11 10 12/14 13 15 0",
        "3 2 1 4/5 6 7 8/11 10 9 12/13 14 15 0",
        "3 2 1 4/7 6 5 8/9 10 11 12/13 14 15 0",
    ];
    for text in texts {
        let b: Board = text.parse().unwrap();
        println!("B {text} d={}", pdb_tests::tables::solve(&dbs.last().unwrap().1, &b).0);
        println!("   {:?}", all(&b));
        let pw = Pairwise::new(&goal).unwrap();
        let st = pw.state(&b);
        for i in 1..16 {
            for j in i + 1..16 {
                if st.weights()[i][j] != 0 {
                    print!(" ({i},{j}):{}", st.weights()[i][j]);
                }
            }
        }
        println!();
        for h in [true, false] {
            let mut m = [[0u8; 4]; 4];
            for (c, &t) in b.tiles().iter().enumerate() {
                if t != 0 {
                    let (r, k) = ((c / 4, c % 4), ((t as usize - 1) / 4, (t as usize - 1) % 4));
                    if h { m[r.0][k.0] += 1 } else { m[r.1][k.1] += 1 }
                }
            }
            println!("   {m:?}");
        }
    }
    println!("WD entries {}", dbs[0].1.tables()[0].header().entry_count);
    for (n, d) in &dbs {
        let (l, o) = pdb_tests::tables::solve(d, &texts[0].parse().unwrap());
        if n != "walking-distance" || true {
            println!(
                "{n} {l} {:?}",
                o.bounds.iter().map(|b| (b.bound, b.generated)).collect::<Vec<_>>()
            );
        }
    }
}
