//! The thread that builds tables, one build after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crossbeam::channel::{Sender, TrySendError, bounded};
use tilebase::event::{Event, Step, Task, Watch};
use tilebase::shelf::Shelf;
use tilebase::{Error, Search};
use tilebase_api::{Build, BuildList, Problem, message};
use tokio::time::{sleep, timeout};

use crate::place::plan_builds;
use crate::response::busy;
use crate::settings::Settings;

/// Number of builds that may wait.
const QUEUE_CAPACITY: usize = 16;
/// Interval of checks whether cancelled builds have ended.
const POLL: Duration = Duration::from_millis(20);

/// Queues a build.
///
/// # Errors
/// A [`Problem`] if the queue is full.
pub(crate) fn enqueue(queue: &Sender<Arc<Build>>, build: Arc<Build>) -> Result<(), Problem> {
    queue.try_send(build).map_err(|error| match error {
        TrySendError::Full(_) => busy(),
        TrySendError::Disconnected(_) => Problem::internal("the build thread has ended"),
    })
}

/// Starts the thread that builds until the returned queue is dropped.
///
/// # Errors
/// The system's error if the thread cannot start.
pub(crate) fn start(settings: &Arc<Settings>) -> Result<Sender<Arc<Build>>, Error> {
    let (queue, builds) = bounded::<Arc<Build>>(QUEUE_CAPACITY);
    let settings = Arc::clone(settings);
    let work = move || builds.iter().for_each(|build| build.run(|| run(&build, &settings)));
    let spawned = pdb_core::thread_builder().name("builds".into()).spawn(work);
    spawned.map(|_| queue).map_err(|source| Error::Threads { source })
}

fn run(build: &Arc<Build>, settings: &Settings) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(|| build_tables(build, settings))) {
        Ok(result) => result.map_err(|error| message(&error)),
        Err(_) => Err("the build panicked: see the server's log".to_owned()),
    }
}

fn build_tables(build: &Arc<Build>, settings: &Settings) -> Result<(), Error> {
    let spec = build.spec();
    let builds = plan_builds(settings, spec)?;
    builds.check(&[&spec.name])?;
    let of_watch = Arc::clone(build);
    let watch = Watch::new(move |event: &Event<'_>| {
        if let Event::Task(Task::Table(table), Step::Table(event)) = event {
            of_watch.report(table, *event);
        }
    });
    let shelf = Shelf { memory: settings.memory, ..Shelf::new(&settings.folder) };
    let search = Search {
        thread_count: settings.thread_count,
        watch: Some(watch),
        cancel: build.cancelled().clone(),
        ..Search::default()
    };
    for report in shelf.build_each(&builds.tables, false, &search) {
        let report = report?;
        let file = report.header.key.file_name();
        build.report_end(&file, report.already_there, report.times.total());
    }
    Ok(())
}

/// Cancels all builds, and waits at most `grace` for their ends.
pub(crate) async fn stop(builds: &BuildList, grace: Duration) {
    let all = builds.all();
    // Starts with the last one, so that no queued build starts in the meantime.
    all.iter().rev().for_each(|build| build.cancel());
    let ended = async {
        while !all.iter().all(|build| build.state().has_ended()) {
            sleep(POLL).await;
        }
    };
    let _ = timeout(grace, ended).await;
}
