//! Bodies of requests: read within the limits of size, time and memory.

use axum::body::{Body, HttpBody};
use axum::http::StatusCode;
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::OwnedSemaphorePermit;

use super::app::{App, permit};
use super::problem::Problem;

/// Most bytes of a body that needs no permit.
const SMALL: usize = 64 << 10;

/// A body whose permit is given back with its bytes.
struct Held {
    bytes: Vec<u8>,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads a whole body. One that is large, or may become so, is read only once there is a permit for it, so that the
/// bodies of many clients never are in memory at the same time.
pub(super) async fn read(body: Body, app: &App) -> Result<Bytes, Problem> {
    let (most, time) = (app.limits.body_bytes, app.limits.body_timeout);
    let size = body.size_hint();
    if size.lower() > most as u64 {
        return Err(too_large(most)); // by its own content-length: nothing of it is read
    }
    let is_small = size.upper().is_some_and(|upper| upper <= SMALL as u64);
    let busy = "the bodies of other requests are being read: ask again in a moment";
    let permit = match is_small {
        true => None,
        false => match permit(&app.body_permits, app.limits.heavy_wait).await {
            Some(permit) => Some(permit),
            None => return Err(Problem::busy(busy)),
        },
    };
    let bytes = tokio::time::timeout(time, read_slices(body, size.lower() as usize, most));
    let bytes = bytes.await.map_err(|_| {
        let detail = format!("the body took longer than {time:?}");
        Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
    })??;
    Ok(match permit {
        None => bytes.into(),
        Some(_permit) => Bytes::from_owner(Held { bytes, _permit }),
    })
}

/// Reads slices until the end. The buffer has the whole length from the beginning: one that grows is copied, and for a
/// moment is in memory twice.
async fn read_slices(body: Body, length: usize, most: usize) -> Result<Vec<u8>, Problem> {
    let (mut bytes, mut slices) = (Vec::with_capacity(length), body.into_data_stream());
    while let Some(slice) = slices.next().await {
        let slice = slice.map_err(|_| Problem::bad("the body is not complete"))?;
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
