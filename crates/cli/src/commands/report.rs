//! `annals report`: one page about a session that opens from disk, without network.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::Path;

use annals_inspect::{Report, ReportLimits};

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::target::Lookup;

/// What every page begins with.
const PAGE_START: &str = "<!doctype html>\n";
const STYLE: &str = include_str!("report/page.css");
const SCRIPT: &str = include_str!("report/page.js");
const BODY: &str = include_str!("report/page.html");

/// Writes the page, and prints where it lies.
pub(crate) fn run(args: &ReportArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let mut limits = ReportLimits::default();
    limits.text_bytes = args.text_bytes;
    let report = lookup.look_at(&args.file, |session| session.report(limits))?;
    let path = &args.output;
    let fail = |error: io::Error| {
        let exit = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => Exit::NotThere,
            _ => Exit::Bad,
        };
        let why = match error.kind() {
            io::ErrorKind::NotFound => "its folder is not there".to_owned(),
            io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        Failure::new(exit, format!("can't write {}: {why}", path.display()))
    };
    if !may_be_replaced(path).map_err(fail)? {
        let message = format!(
            "there is a file already that is no page: {}",
            path.display()
        );
        return Err(
            Failure::new(Exit::Bad, message).hint("choose another name; nothing was overwritten")
        );
    }
    let mut page = BufWriter::new(File::create(path).map_err(fail)?);
    write(&mut page, &report).map_err(fail)?;
    page.flush().map_err(fail)?;
    if report.omitted_bytes > 0 {
        out::note(&format!(
            "long texts were cut: {} bytes are not in the page (see --text-bytes)",
            report.omitted_bytes
        ));
    }
    let mut out = out::results();
    writeln!(out, "{}", path.display())?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Whether a page may be written to `path`: nothing stands there, or a page, or no file to lose.
///
/// One slip in completing a name would otherwise put the page in the place of the session.
fn may_be_replaced(path: &Path) -> io::Result<bool> {
    match path.metadata() {
        Ok(there) if there.is_file() && there.len() > 0 => {
            let mut start = Vec::with_capacity(PAGE_START.len());
            let mut file = File::open(path)?.take(PAGE_START.len() as u64);
            file.read_to_end(&mut start)?;
            Ok(start == PAGE_START.as_bytes())
        }
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

fn write<W: Write>(page: &mut W, report: &Report) -> io::Result<()> {
    let data = serde_json::to_string(report).map_err(io::Error::from)?;
    // Within a page nothing of the data may end its element: `<` never stands in it as itself.
    let data = data.replace('<', "\\u003c");
    let title = report.session.id.as_deref().unwrap_or("session");
    let title = title.replace(['<', '>', '&'], "");
    write!(
        page,
        "{PAGE_START}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <title>{title} · annals</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}
