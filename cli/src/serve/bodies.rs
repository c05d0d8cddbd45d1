//! Bodies of requests: read within the limits of size, time and memory.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::http::StatusCode;
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use puzzledb::ask::RefusalCode;

use super::app::App;
use super::problem::Problem;

/// Most bytes of a body that needs no permit.
const SMALL: u64 = 64 << 10;

/// Reads a whole body. One that is large, or may become so, is read only once there is a permit for it, which is given
/// back with the answer, so that the bodies of many clients never are in memory at the same time.
pub(super) async fn read(
    body: Body,
    app: &App,
) -> Result<(Bytes, Option<OwnedSemaphorePermit>), Problem> {
    let (most, time) = (app.config.limits.body_bytes, app.config.limits.body_timeout);
    let size = body.size_hint();
    if size.lower() > most as u64 {
        return Err(too_large(most)); // by its own content-length: nothing of it is read
    }
    let mut permit = None;
    if size.upper().is_none_or(|bytes| bytes > SMALL) {
        let next = Arc::clone(&app.body_permits).acquire_owned();
        let next = timeout(app.config.limits.heavy_wait, next).await;
        let busy = "the bodies of other requests are being read: ask again in a moment";
        permit = Some(next.map_err(|_| Problem::of(RefusalCode::Busy, busy))?);
    }
    let bytes = timeout(time, read_slices(body, size.lower() as usize, most));
    let bytes = bytes.await.map_err(|_| {
        let detail = format!("the body took longer than {time:?}");
        Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
    })??;
    Ok((bytes.into(), permit.and_then(Result::ok)))
}

/// Reads slices until the end. The buffer has the whole length from the beginning: one that grows is copied, and for a
/// moment is in memory twice.
async fn read_slices(body: Body, length: usize, most: usize) -> Result<Vec<u8>, Problem> {
    let (mut bytes, mut slices) = (Vec::with_capacity(length), body.into_data_stream());
    while let Some(slice) = slices.next().await {
        let incomplete = |_| Problem::of(RefusalCode::BadOption, "the body is not complete");
        let slice = slice.map_err(incomplete)?;
        if bytes.len() + slice.len() > most {
            return Err(too_large(most));
        }
        bytes.extend_from_slice(&slice);
    }
    Ok(bytes)
}

fn too_large(most: usize) -> Problem {
    Problem::too_large(format!("the body is longer than {most} bytes"))
}
