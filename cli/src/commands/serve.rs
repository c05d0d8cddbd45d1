//! `puzzledb serve`

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regex_lite::Regex;

use crate::serve::{Config, Server, Stopped, Tables, single_page, static_page};
use crate::text::visible;
use puzzledb::internals::is_made;
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;

use super::database::{Databases, goal_of};
use super::error::{CliError, Result, Status, bail, print_note, print_warning};
use super::interrupt;
use super::output::{make_folder_of, output_file, write_folder, write_output};
use crate::units::parse_time;

/// Answer questions over HTTP, and show a page to play and look at
///
/// The page is at /, the API is described in /openapi.json. Databases are those in the
/// folder; those of small shapes are made in memory if they are not there. Boards of other shapes of up to
/// 16 cells, such as 4x4, are solved by searches with pattern databases, from a file of `build
/// --patterns` or made in memory (400 MB once many hard boards were asked for), and have no statistics. All
/// checksums of databases are compared before they are served, also when a file is replaced while the
/// server runs.
///
/// It is reached by address and as localhost; other names in a request are refused, unless --host gives
/// them, so that no page on the web can ask by a name of its own.
///
/// The page of --write does all of it without a server for boards of up to 16 cells. All its links are relative,
/// so that the folder may be put anywhere. Files of the same names are replaced, each at once. A browser
/// opens a page of one file from a disk too, without a host.
///
/// Ctrl-C or SIGTERM ends it: requests that have come whole are answered, and the exit code is 0. A
/// second one ends it at once; the exit code is 130 if there was something left to answer.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Where to listen: an address of this machine and a port, 0 for any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The shapes to serve, separated by commas: up to 16 cells
    #[arg(
        long,
        value_name = "RxC,...",
        value_delimiter = ',',
        default_value = "2x3,2x4,2x5,3x3,3x4,4x4"
    )]
    shapes: Vec<Shape>,
    /// How long a client may take to send a request, or to read a part of a list
    #[arg(long, alias = "timeout", value_name = "LIMIT", default_value = "10s", value_parser = parse_time)]
    time: Duration,
    /// Serve nothing: write the page as files into this folder, for any web host, or as one HTML file with everything
    /// inside, where the name ends in .html
    #[arg(long, value_name = "PATH")]
    write: Option<PathBuf>,
    /// Write one file, whatever its name is
    #[arg(long, hide = true, requires = "write")]
    single: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Write a line of JSON for each request to standard error
    #[arg(long)]
    log: bool,
    /// Let pages of other origins ask
    #[arg(long)]
    cors: bool,
    /// A name by which clients reach the server, besides localhost and its addresses; more than once for several
    #[arg(long, value_name = "NAME", value_parser = parse_host)]
    host: Vec<String>,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    if let Some(path) = &args.write {
        let is_single = args.single || path.extension().is_some_and(|ending| ending == "html");
        return write_page(path, is_single);
    }
    if databases.goal.is_some() {
        bail!("the server answers for any goal: name it in the request, as in ?goal=first");
    }
    let (mut oracles, mut later) = (Vec::new(), Vec::new());
    for &shape in &args.shapes {
        for class in GoalClass::all(shape)? {
            let goal = goal_of(class);
            let is_there = databases.library().find(&goal).is_some() || class.is_small();
            if is_there || !is_made(class) {
                oracles.push(databases.served_oracle(&goal)?);
            } else {
                later.push(goal);
            }
        }
    }
    let mut config = Config::new(args.listen);
    config.log = args.log;
    config.cors = args.cors;
    config.hosts = args.host.clone();
    config.limits.client_time = args.time;
    raise_open_files();
    let tables = Tables::new(oracles).with_goals(later);
    let server = Server::bind(&config, tables).map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AddrInUse => " (--listen 127.0.0.1:0 takes a port that is free)",
            _ => "",
        };
        let listen = args.listen;
        CliError::Usage(format!("cannot listen at {listen}: {error}{advice}"))
    })?;
    let address = server.url();
    let mut out = std::io::stdout();
    writeln!(out, "listening on {address}")?;
    out.flush()?;
    if !args.log {
        print_note(format!(
            "the page is at {address}/, the API is described in {address}/openapi.json"
        ));
        let ip = server.address().ip();
        if !ip.to_canonical().is_loopback() {
            let port = server.address().port();
            let this = match ip.is_unspecified() {
                true => format!(" (and this one as http://localhost:{port})"),
                false => String::new(),
            };
            print_note(format!(
                "every machine that reaches {address} can ask{this}, by address: --host NAME allows a name"
            ));
        }
    }
    if args.open
        && let Err(error) = open::that_detached(&address)
    {
        print_warning(format!("cannot open a browser: {error}"));
    }
    match server.run()? {
        Stopped::AllAnswered => Ok(Status::Yes),
        Stopped::CutShort => Err(CliError::Interrupted),
    }
}

/// Writes the page into a folder, or into one file.
fn write_page(path: &Path, single: bool) -> Result<Status> {
    interrupt::listen();
    let (mut out, output) = (std::io::stdout(), visible(&path.display().to_string()));
    if single {
        make_folder_of(path)?;
        let html = single_page();
        write_output(path, output_file(path)?, html.as_bytes())?;
        writeln!(out, "{output}, {} bytes", html.len())?;
    } else {
        let files = static_page();
        write_folder(path, &files)?;
        let bytes: usize = files.iter().map(|(_, content)| content.len()).sum();
        writeln!(out, "{} files, {bytes} bytes, in {output}", files.len())?;
    }
    Ok(Status::Yes)
}

/// Reads a name of `--host`.
fn parse_host(text: &str) -> Result<String, String> {
    let names = Regex::new(r"^[\w-]+(\.[\w-]+)*$").expect("the pattern is valid");
    match names.is_match(text) {
        true => Ok(text.to_owned()),
        false => Err("a name is letters, digits, - and . alone, without a port".to_owned()),
    }
}

/// Raises the limit of open files: some systems let a process open 256 by default. At the limit new connections wait.
fn raise_open_files() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource::RLIMIT_NOFILE, getrlimit, setrlimit};
        if let Ok((now, most)) = getrlimit(RLIMIT_NOFILE) {
            let _ = setrlimit(RLIMIT_NOFILE, now.max(most.min(1024)), most);
        }
    }
}
