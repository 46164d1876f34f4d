//! Connections, with limits on their number and slowness, and graceful shutdown.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tilebase::Cancel;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio_io_timeout::TimeoutStream;

use crate::ServeError;
use crate::builds;
use crate::guard::Client;
use crate::routes;
use crate::settings::Settings;
use crate::state::{Counted, Shared};

/// Interval of checks whether the server was cancelled.
const POLL: Duration = Duration::from_millis(20);
/// Pause after the system refused a connection for lack of resources.
const PAUSE: Duration = Duration::from_millis(50);
/// Largest number of threads that send and receive.
const THREADS_MAX: usize = 4;
/// Largest head of a request, in bytes. Addresses have up to 64 KiB.
const HEAD_BYTES_MAX: usize = 96 << 10;
/// Response to connections beyond the limit.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\
    content-length: 0\r\n\r\n";

/// A listening server.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Starts to listen. Connections wait until [`run`](Self::run).
    ///
    /// # Errors
    /// [`ServeError`] if the address cannot be used, or a thread cannot start.
    pub fn listen(settings: Settings) -> Result<Self, ServeError> {
        let listen = settings.listen;
        #[cfg(unix)]
        raise_file_limit();
        let threads = settings.thread_count.clamp(1, THREADS_MAX);
        let runtime = Builder::new_multi_thread()
            .thread_stack_size(pdb_core::STACK_BYTES)
            .worker_threads(threads)
            .thread_name("http")
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Runtime)?;
        let problem = |source| ServeError::Listen { address: listen, source };
        let listener = runtime.block_on(TcpListener::bind(listen)).map_err(problem)?;
        let address = listener.local_addr().map_err(problem)?;
        let shared = Arc::new(Shared::new(settings)?);
        Ok(Self { runtime, listener, address, shared })
    }

    /// Returns the address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until it is cancelled. Then it accepts no more connections, waits for open
    /// requests ([`Limits::grace`](crate::Limits)), stops builds, and ends.
    pub fn run(self, cancel: &Cancel) {
        let Self { runtime, listener, shared, .. } = self;
        runtime.block_on(serve(listener, &shared, cancel));
        // No client waits for the remaining searches.
        runtime.shutdown_background();
        if let Some(log) = &shared.log {
            log.finish(shared.settings.limits.grace);
        }
    }
}

/// Accepts connections until the server is cancelled.
async fn serve(listener: TcpListener, shared: &Arc<Shared>, cancel: &Cancel) {
    let router = routes::router(Arc::clone(shared));
    let graceful = GracefulShutdown::new();
    let mut ticks = tokio::time::interval(POLL);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ticks.tick() => {
                if cancel.is_cancelled() {
                    break;
                }
                continue;
            }
        };
        let Ok((stream, client)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let connection = Counted::new(shared, |metrics| &metrics.connections);
        let limits = &shared.settings.limits;
        if connection.number > limits.connections as u64 {
            tokio::spawn(refuse(stream, limits.transfer, connection));
            continue;
        }
        // Sends small responses at once.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.transfer));
        let service = router.clone().layer(axum::Extension(Client(client.ip())));
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(limits.transfer);
        builder.max_buf_size(HEAD_BYTES_MAX);
        let stream = TokioIo::new(Box::pin(stream));
        let served = builder.serve_connection(stream, TowerToHyperService::new(service));
        let served = graceful.watch(served);
        tokio::spawn(async move {
            // Clients may disconnect at any time.
            let _ = served.await;
            drop(connection);
        });
    }
    // Refuses new connections at once, instead of keeping them waiting.
    drop(listener);
    let grace = shared.settings.limits.grace;
    tokio::join!(builds::stop(&shared.service.builds, grace), async {
        let _ = tokio::time::timeout(grace, graceful.shutdown()).await;
    });
}

/// Sends the response of a full server.
async fn refuse(mut stream: TcpStream, time: Duration, connection: Counted) {
    let send = async {
        stream.write_all(FULL).await?;
        stream.shutdown().await
    };
    let _: Result<io::Result<()>, _> = tokio::time::timeout(time, send).await;
    drop(connection);
}

/// Raises the limit on open files as far as the system allows.
#[cfg(unix)]
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // If this fails, the server accepts fewer connections at once.
    let _ = setrlimit(Resource::Nofile, limit);
}
