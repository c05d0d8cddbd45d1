//! Requests: the parameters of the HTTP API as a JSON object.

use std::error::Error;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use puzzledb::puzzle::{Board, Shape, UsualGoal, parse_board, parse_goal};

/// Why a request is not answered, in words.
pub(crate) type Refusal = Box<dyn Error>;

/// A request: what is asked, its parameters and its body.
pub(crate) struct Question {
    /// `probe`, `search` and so on.
    pub name: String,
    shape: Option<Shape>,
    parameters: Map<String, Value>,
    pub body: String,
}

impl Question {
    /// Reads a request `{"path": "3x3/probe", "query": {"board": "704851632"}, "body": ""}`; the shape may be left out.
    pub fn read(json: &[u8]) -> Result<Question, Refusal> {
        let mut request: Map<String, Value> = serde_json::from_slice(json)?;
        let mut parameters = match request.remove("query") {
            Some(Value::Object(parameters)) => parameters,
            _ => Map::new(),
        };
        parameters.retain(|_, value| !value.is_null());
        let mut text = |name| match request.remove(name) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let (path, body) = (text("path"), text("body"));
        let mut question = Question {
            name: String::new(),
            shape: None,
            parameters,
            body,
        };
        let named = question.text("shape")?;
        let (shape, name) = match path.split_once('/') {
            Some((shape, name)) => (Some(shape.to_owned()), name),
            None => (named, &*path),
        };
        question.shape = shape.map(|shape| shape.parse()).transpose()?;
        question.name = name.to_owned();
        Ok(question)
    }

    /// Reads the parameters as a question of the library.
    pub fn read_as<T: DeserializeOwned>(mut self) -> Result<T, Refusal> {
        let shape = self.shape.map(|shape| shape.to_string().into());
        self.parameters
            .extend(shape.map(|shape| ("shape".to_owned(), shape)));
        let query = serde_urlencoded::to_string(&self.parameters)?;
        let parameters = form_urlencoded::parse(query.as_bytes());
        let parameters = serde_urlencoded::Deserializer::new(parameters);
        Ok(serde_path_to_error::deserialize(parameters)?)
    }

    /// Takes a parameter as text.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Refusal> {
        match self.parameters.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
            Some(_) => Err(format!("the parameter {name} is not a text or a number").into()),
        }
    }

    /// Takes a parameter that `read` reads.
    pub fn take<T, E: Error>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Refusal> {
        let text = self.text(name)?;
        let read = text.map(|text| read(&text)).transpose();
        read.map_err(|error| format!("the parameter {name}: {error}").into())
    }

    /// Takes a whole number of at most `most`.
    pub fn number(&mut self, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
        match self.take(name, str::parse::<u64>)? {
            Some(number) if number > most => Err(format!("{name} is {most} at most").into()),
            number => Ok(number),
        }
    }

    /// Takes the board, if one is named, and the goal: that which is named or the default of the shape.
    pub fn board_and_goal(&mut self) -> Result<(Option<Board>, Board), Refusal> {
        let text = self.text("board")?;
        let board = text.map(|text| parse_board(text.as_bytes(), self.shape));
        let board = board.transpose()?;
        let shape = board.map(|board| board.shape()).or(self.shape);
        let shape = shape.ok_or("name a board or a shape")?;
        let goal = self.text("goal")?;
        let goal = goal.map(|goal| parse_goal(&goal, shape)).transpose();
        let goal = goal?;
        Ok((board, goal.unwrap_or(UsualGoal::Last.board(shape))))
    }

    /// Takes the board and the goal.
    pub fn board_to_goal(&mut self) -> Result<(Board, Board), Refusal> {
        let (board, goal) = self.board_and_goal()?;
        Ok((board.ok_or("missing parameter board")?, goal))
    }

    /// Refuses parameters that no one has taken.
    pub fn end(self) -> Result<(), Refusal> {
        match self.parameters.keys().next() {
            Some(name) => Err(format!("unknown parameter {name}").into()),
            None => Ok(()),
        }
    }
}
