/*
 * Threads that share a handle and have their own messages; limits; searches that another thread stops.
 *
 *   threads FOLDER
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 20 };

static const char *const BOARDS[THREADS] = {
    "8 6 7/2 5 4/3 0 1",
    "6 4 7/8 5 0/3 2 1",
    "1 2 3/4 5 6/0 7 8",
    "8 7 6/5 4 3/2 1 0",
};
static const uint32_t LENGTHS[THREADS] = {31, 31, 2, 30};

static const tilebase_tables *shared;

static void *work(void *data) {
  size_t number = *(const size_t *)data;
  CHECK(strcmp(tilebase_message(), "") == 0);
  for (int round = 0; round < ROUNDS; round++) {
    size_t which = (number + (size_t)round) % THREADS;
    tilebase_board board = board_of(BOARDS[which]);
    uint32_t estimate = 0;
    EXPECT(TILEBASE_OK, tilebase_estimate(shared, &board, &estimate));
    CHECK(estimate == LENGTHS[which]);
    tilebase_solve_options options = TILEBASE_SOLVE_OPTIONS;
    options.threads = 1 + number % 2;
    tilebase_answer answer = TILEBASE_ANSWER;
    char moves[TILEBASE_MOVES_SIZE];
    EXPECT(TILEBASE_OK,
           tilebase_solve(shared, &board, &options, moves, sizeof moves, &answer));
    CHECK(answer.status == TILEBASE_STATUS_OPTIMAL && answer.length == LENGTHS[which]);
    /* Each thread has its own message. */
    char wrong[32];
    snprintf(wrong, sizeof wrong, "1 2/thread%d 0", (int)number);
    EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse(wrong, 0, 0, &board, NULL));
    snprintf(wrong, sizeof wrong, "thread%d", (int)number);
    EXPECT_MESSAGE(wrong);
  }
  return NULL;
}

static void *stop_soon(void *data) {
  struct timespec while_it_searches = {0, 100 * 1000 * 1000};
  nanosleep(&while_it_searches, NULL);
  tilebase_cancel_now((const tilebase_cancel *)data);
  return NULL;
}

/* Returns whether a search was stopped: on a slow machine it may have a solution by then. */
static int is_stopped(const tilebase_answer *answer, tilebase_status status) {
  return answer->status == status ||
         (answer->status == TILEBASE_STATUS_SOLVED && answer->length > answer->lower_bound);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  tilebase_tables *tables = open_tables("8/whole", argv[1]);
  shared = tables;
  pthread_t threads[THREADS];
  size_t numbers[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (size_t i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  tilebase_tables_free(tables);

  /* Without tables a hard board takes hours. */
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  options.spec = "manhattan";
  options.folder = argv[1];
  options.rows = options.cols = 4;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  CHECK(tilebase_tables_bytes(tables) == 0);
  tilebase_board hard = board_of("0 11 9 13/12 15 10 14/3 7 6 2/4 8 5 1");
  tilebase_solve_options limits = TILEBASE_SOLVE_OPTIONS;
  tilebase_answer answer = TILEBASE_ANSWER;
  char moves[TILEBASE_MOVES_SIZE] = "x";
  limits.time_ms = 50;
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &hard, &limits, moves, sizeof moves, &answer));
  CHECK(is_stopped(&answer, TILEBASE_STATUS_TIME_LIMIT) && strlen(moves) == answer.length);
  CHECK(answer.lower_bound >= answer.estimate && answer.lower_bound <= 80);
  CHECK(answer.elapsed_ns >= 50 * 1000 * 1000);
  limits.time_ms = 0;
  limits.nodes = 10000;
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &hard, &limits, moves, sizeof moves, &answer));
  CHECK(answer.status == TILEBASE_STATUS_NODE_LIMIT);
  CHECK(answer.generated > 0 && answer.generated <= 10000);
  limits.nodes = 0;

  tilebase_cancel *cancel = tilebase_cancel_new();
  limits.cancel = cancel;
  pthread_t other;
  CHECK(pthread_create(&other, NULL, stop_soon, cancel) == 0);
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &hard, &limits, moves, sizeof moves, &answer));
  CHECK(is_stopped(&answer, TILEBASE_STATUS_CANCELLED));
  CHECK(pthread_join(other, NULL) == 0);
  /* It stays cancelled until it is reset. */
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &hard, &limits, moves, sizeof moves, &answer));
  CHECK(answer.status == TILEBASE_STATUS_CANCELLED);
  tilebase_cancel_reset(cancel);
  tilebase_board easy = board_of("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15");
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &easy, &limits, moves, sizeof moves, &answer));
  CHECK(answer.status == TILEBASE_STATUS_OPTIMAL && strcmp(moves, "L") == 0);
  tilebase_cancel_free(cancel);
  tilebase_tables_free(tables);
  printf("threads: passed\n");
  return 0;
}
