//! `annals cache`: what a provider's cache could have known, and why it knew less.

use std::io::Write;

use annals_inspect::{CacheReport, Cause, Prices, ReadUpTo, Request};

use crate::args::CacheArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, Table, color, grouped, one_line, paint, plural, span};
use crate::target::Lookup;

/// Goes through the requests, and prints them.
pub(crate) fn run(args: &CacheArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let prices = args.price_input.zip(args.price_cached);
    let prices = prices.map(|(input, cached)| Prices::new(input, cached));
    let up_to = args.at_line.map_or(ReadUpTo::End, ReadUpTo::Line);
    let report = lookup.look_at(&args.file, |session| session.cache(up_to, prices))?;
    if args.look.json {
        out::json(&report)?;
    } else {
        print(&report, &Style::new(args.look.bytes))?;
    }
    Ok(Exit::Done)
}

fn print(report: &CacheReport, style: &Style) -> Result<(), Failure> {
    let mut out = out::page();
    if report.requests.is_empty() {
        writeln!(
            out,
            "{}: no request to a model",
            one_line(&report.session.file)
        )?;
        return Ok(out.flush()?);
    }
    let mut table = Table::new(&[
        "#request",
        "#turn",
        "#line",
        "#items",
        "#input",
        "#reusable",
        "#cached",
        "#missed",
        "cause",
    ]);
    for request in &report.requests {
        let input = request.measured.map_or_else(
            || format!("~{}", grouped(request.tokens)),
            |usage| grouped(usage.input_tokens),
        );
        let missed = request.missed_tokens.unwrap_or(0);
        table.row([
            request.number.to_string(),
            request.turn.to_string(),
            request.line.to_string(),
            grouped(request.n_items as u64),
            input,
            grouped(request.reusable_tokens),
            request.measured.map_or_else(
                || "?".to_owned(),
                |usage| grouped(usage.cached_input_tokens),
            ),
            request
                .missed_tokens
                .map_or_else(|| "?".to_owned(), grouped),
            cause(request),
        ]);
        if missed > 0 {
            table.color(7, color::RED);
        }
        if !matches!(request.cause, Cause::None | Cause::FirstRequest) {
            table.color(8, color::YELLOW);
        }
    }
    table.write(&mut out, style)?;
    for request in &report.requests {
        explain(&mut out, request, style)?;
    }
    total(&mut out, report)?;
    Ok(out.flush()?)
}

fn cause(request: &Request) -> String {
    match request.cause {
        Cause::None => String::new(),
        Cause::FirstRequest => "first request".to_owned(),
        cause => cause.text().to_owned(),
    }
}

/// Says more of a request whose input broke, or that missed something.
fn explain<W: Write>(out: &mut W, request: &Request, style: &Style) -> Result<(), Failure> {
    let missed = request.missed_tokens.unwrap_or(0);
    if matches!(request.cause, Cause::None | Cause::FirstRequest) && missed == 0 {
        return Ok(());
    }
    let heading = format!("request {}", request.number);
    writeln!(
        out,
        "\n{}: {}",
        paint(&heading, color::BOLD),
        request.cause.text()
    )?;
    writeln!(
        out,
        "  answered at line {}, {}",
        request.line,
        style.time(&request.timestamp)
    )?;
    if let Some(pause) = request.pause_s {
        writeln!(out, "  {} after the request before", span(pause))?;
    }
    if let Some(found) = &request.divergence {
        let same = match found.item_idx {
            0 => "nothing is as before".to_owned(),
            idx => {
                let items = plural(idx as u64, "item", "items");
                format!("{items} are as before ({})", style.size(found.byte_offset))
            }
        };
        writeln!(
            out,
            "  {same}; item {} differs, at byte {}",
            found.item_idx, found.byte_offset
        )?;
        for (label, brief) in [("before", found.before), ("now", found.now)] {
            let Some(brief) = brief else {
                writeln!(out, "    {label}: nothing")?;
                continue;
            };
            let line = match brief.line {
                0 => "in no line".to_owned(),
                line => format!("line {line}"),
            };
            let origin = brief.origin.as_str().replace('_', " ");
            writeln!(
                out,
                "    {label}: {origin}, about {} tokens, {line}",
                grouped(brief.tokens)
            )?;
        }
        let lost = grouped(request.lost_tokens);
        writeln!(
            out,
            "    about {lost} tokens behind it can't come from the cache"
        )?;
    } else if request.number > 1 {
        writeln!(
            out,
            "  the input goes on as it was: all {} of the request before are in it",
            plural(request.same_items as u64, "item", "items"),
        )?;
    }
    for change in &request.settings_changed {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        writeln!(
            out,
            "  {}: {} -> {}",
            change.setting,
            shown(&change.before),
            shown(&change.now)
        )?;
    }
    if missed > 0 {
        let cost = request
            .missed_cost
            .map_or_else(String::new, |cost| format!(", which cost {cost:.4}"));
        writeln!(out, "  missed about {} tokens{cost}", grouped(missed))?;
    }
    Ok(())
}

/// What could have come from the cache, and what the file says that did.
fn total<W: Write>(out: &mut W, report: &CacheReport) -> Result<(), Failure> {
    let total = &report.total;
    // Without a measure the provider's tokens are not known, and the estimate is one of ours.
    let is_measured = total.n_measured == total.n_requests;
    let about = if is_measured { "" } else { "about " };
    writeln!(
        out,
        "\n{}: {about}{} of {} input tokens could have been read from the cache",
        plural(total.n_requests as u64, "request", "requests"),
        grouped(total.reusable_tokens),
        grouped(total.input_tokens),
    )?;
    if total.n_measured == 0 {
        writeln!(out, "the file does not report how many were")?;
        return Ok(());
    }
    let measured = if is_measured {
        String::new()
    } else {
        let count = plural(total.n_measured as u64, "request", "requests");
        format!(" in the {count} that it measured")
    };
    writeln!(
        out,
        "the file reports {} read from it{measured}",
        grouped(total.cached_input_tokens),
    )?;
    if total.n_misses == 0 {
        writeln!(out, "nothing was missed")?;
        return Ok(());
    }
    let cost = total
        .missed_cost
        .map_or_else(String::new, |cost| format!(", which cost {cost:.4}"));
    writeln!(
        out,
        "missed: {} tokens in {}{cost}",
        grouped(total.missed_tokens),
        plural(total.n_misses as u64, "request", "requests"),
    )?;
    Ok(())
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
