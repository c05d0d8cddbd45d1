//! Requests: the parameters of the HTTP API as a JSON object.

use std::error::Error;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Why a request is not answered, in words.
pub(crate) type Why = Box<dyn Error>;

/// A request: `{"path": "3x3/probe", "query": {"board": "704851632"}, "body": ""}`. The shape may be left out.
#[derive(Deserialize)]
struct Written {
    path: String,
    #[serde(default)]
    shape: Option<String>,
    #[serde(default)]
    query: Map<String, Value>,
    #[serde(default)]
    body: String,
}

/// A request: what is asked, its parameters and its body.
pub(crate) struct Request {
    /// `probe`, `search` and so on.
    pub name: String,
    /// The parameters, as in an address.
    query: String,
    pub body: String,
}

impl Request {
    /// Reads a request.
    pub fn read(json: &[u8]) -> Result<Request, Why> {
        let mut request: Written = serde_json::from_slice(json)?;
        let (shape, name) = match request.path.split_once('/') {
            Some((shape, name)) => (Some(shape.to_owned()), name.to_owned()),
            None => (request.shape, request.path),
        };
        let shape = shape.map(|shape| ("shape".to_owned(), shape.into()));
        request.query.extend(shape);
        request.query.retain(|_, value| !value.is_null());
        if let Some((name, _)) =
            (request.query.iter()).find(|(_, value)| value.is_object() || value.is_array())
        {
            return Err(format!("the parameter {name} is not a text or a number").into());
        }
        Ok(Request {
            name,
            query: serde_urlencoded::to_string(&request.query)?,
            body: request.body,
        })
    }

    /// Reads the parameters as a question of the library.
    pub fn read_as<T: DeserializeOwned>(&self) -> Result<T, Why> {
        let parameters = form_urlencoded::parse(self.query.as_bytes());
        let parameters = serde_urlencoded::Deserializer::new(parameters);
        Ok(serde_path_to_error::deserialize(parameters)?)
    }
}
