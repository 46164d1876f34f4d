"""Solves a file of boards on all machines of a Ray cluster: ray_batch.py BOARDS [SPEC [FOLDER]].
Each worker opens the tables and builds missing ones. The workers of a machine share them in memory."""

import sys

import ray

import tilebase


@ray.remote
class Worker:
    def __init__(self, tables: tilebase.Tables) -> None:
        self.solver = tilebase.Solver(tables, threads=1)

    def solve(self, boards: list[str]) -> list[tilebase.Answer]:
        return self.solver.solve_all(boards)


if __name__ == "__main__":
    ray.init(include_dashboard=False)
    path, spec, folder = (*sys.argv[1:], None, None)[:3]
    boards = open(path).read().splitlines()
    tables = tilebase.Tables.ensure(spec or "15/7-8", folder=folder)
    count = int(ray.cluster_resources()["CPU"])
    pool = ray.util.ActorPool([Worker.remote(tables) for _ in range(count)])
    batches = [boards[at : at + 100] for at in range(0, len(boards), 100)]
    for answers in pool.map(lambda worker, batch: worker.solve.remote(batch), batches):
        for answer in answers:
            print(f"{answer.board}: {answer.length} {answer.moves}")
