//! Bodies of requests: read within the limits of size, time and memory.

use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Body as _;
use tokio::time::{Instant, timeout_at};

use super::app::App;
use super::permits::Permit;
use super::problem::Problem;

/// Most bytes of a body that needs no permit.
const SMALL: usize = 64 << 10;

/// A body whose permit is given back with its bytes.
struct Held {
    bytes: Vec<u8>,
    _permit: Option<Permit>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads a whole body. A large one is read further only once there is a permit for it, so that the bodies of many
/// clients never are in memory at the same time.
pub(super) async fn read(mut body: Body, app: &Arc<App>) -> Result<Bytes, Problem> {
    let (most, time) = (app.limits.body_bytes, app.limits.body_timeout);
    let too_large = || Problem::too_large(format!("the body is longer than {most} bytes"));
    let length = body.size_hint().lower();
    if length > most as u64 {
        return Err(too_large()); // by its own content-length: nothing of it is read
    }
    let mut deadline = Instant::now() + time;
    let (mut bytes, mut permit) = (Vec::new(), None);
    loop {
        let frame = timeout_at(deadline, body.frame()).await.map_err(|_| {
            let detail = format!("the body took longer than {time:?}");
            Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
        })?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(|_| Problem::bad("the body is not complete"))?;
        let data = frame.into_data().unwrap_or_default(); // trailers are dropped
        let read = bytes.len() + data.len();
        if read > most {
            return Err(too_large());
        }
        if read > SMALL && permit.is_none() {
            let began = Instant::now();
            let busy = "the bodies of other requests are being read: ask again in a moment";
            permit = Some(app.permit(&app.body_permits, busy).await?);
            deadline += began.elapsed();
            // Reserved at once: a buffer that grows is copied, and for a moment is in memory twice.
            let whole = (length as usize).max(read);
            bytes.reserve_exact(whole - bytes.len());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(match permit {
        None => bytes.into(),
        _permit => Bytes::from_owner(Held { bytes, _permit }),
    })
}
