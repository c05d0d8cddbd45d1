//! The example of each operation of the document: a request, and the answer of this server.

use std::fmt::Write;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;

/// A request of the document's examples.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub method: Method,
    /// Path and query.
    pub target: String,
    /// The body, in JSON.
    pub body: Option<String>,
}

impl Example {
    /// The example of an operation, made of the examples of its parameters and of its body.
    pub(super) fn new(path: &str, method: &str, operation: &Value) -> Option<Example> {
        let mut target = path.to_owned();
        let parameters = operation["parameters"].as_array();
        for parameter in parameters.into_iter().flatten() {
            let (Some(name), Some(value)) =
                (parameter["name"].as_str(), parameter["example"].as_str())
            else {
                continue;
            };
            if parameter["in"] == "path" {
                target = target.replace(&format!("{{{name}}}"), value);
            } else {
                let joint = if target.contains('?') { '&' } else { '?' };
                let _ = write!(target, "{joint}{name}={value}");
            }
        }
        let body = &operation["requestBody"]["content"]["application/json"]["example"];
        Some(Example {
            method: method.to_uppercase().parse().ok()?,
            target,
            body: (!body.is_null()).then(|| body.to_string()),
        })
    }

    /// The command that sends it to a server at an address.
    pub(super) fn curl(&self, address: &str) -> String {
        let body = self.body.as_ref().map_or_else(String::new, |body| {
            format!(" \\\n  -H 'content-type: application/json' -d '{body}'")
        });
        format!("curl '{address}{}'{body}", self.target)
    }

    /// The answer of the routes, if there is one and it is a text.
    ///
    /// # Errors
    /// The status of another answer than 200.
    pub(super) async fn answer(&self, routes: Router) -> Result<Option<String>, StatusCode> {
        let request = Request::builder()
            .method(&self.method)
            .uri(&self.target)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(self.body.clone().unwrap_or_default()))
            .map_err(|_| StatusCode::BAD_REQUEST)?;
        let Ok(answer) = TowerToHyperService::new(routes).call(request).await;
        if answer.status() != StatusCode::OK {
            return Err(answer.status());
        }
        let kind = answer.headers().get(header::CONTENT_TYPE).cloned();
        if kind.is_some_and(|kind| kind == "application/octet-stream") {
            return Ok(None);
        }
        let body = answer.into_body().collect().await;
        let body = body.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
        Ok(String::from_utf8(body.to_bytes().to_vec()).ok())
    }
}
