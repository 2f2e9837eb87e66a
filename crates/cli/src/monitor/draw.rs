//! The dashboard as it is drawn.

use super::charts;
use super::plain::phase_shares;
use super::style::{ACCENT, Choice, QUIET, STRONG, panel};
use super::watch::{SPEED, Watch};
use crate::text;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Gauge, Paragraph, Sparkline};

/// Terminals at least this wide have the numbers beside the chart, others below it.
const WIDE: u16 = 90;

/// The most lines of a notice.
const NOTICE_LINES: usize = 3;

/// Draws everything. Ratatui leaves out control characters of what files and other programs have named.
pub fn dashboard(frame: &mut Frame, watch: &Watch, choice: &Choice) {
    let mut notice = text::wrapped(&watch.status.notice, frame.area().width.into());
    notice.truncate(NOTICE_LINES);
    let [head, body, notices, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(notice.len() as u16),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(title(watch), head);
    frame.render_widget(Paragraph::new(notice.join("\n")).style(STRONG), notices);
    frame.render_widget(Paragraph::new(Span::styled("q quit · tab ← → curve · l log scale", QUIET)), keys);

    let phases = watch.status.phases.len() as u16 + 2;
    if body.width >= WIDE {
        let [chart, side] = Layout::horizontal([Constraint::Min(40), Constraint::Length(38)]).areas(body);
        let [progress, speed_area, time, values] = Layout::vertical([
            Constraint::Length(6),
            Constraint::Length(5),
            Constraint::Length(phases),
            Constraint::Min(0),
        ])
        .areas(side);
        charts::curves(frame, chart, watch, choice);
        run(frame, progress, watch);
        speed(frame, speed_area, watch);
        time_shares(frame, time, watch);
        newest(frame, values, watch, choice);
    } else {
        let room = body.height.saturating_sub(10);
        let [chart, progress, speed_area, time] = Layout::vertical([
            Constraint::Min(10),
            Constraint::Length(if room >= 6 { 6 } else { 0 }),
            Constraint::Length(if room >= 11 { 5 } else { 0 }),
            Constraint::Length(if room >= 11 + phases { phases } else { 0 }),
        ])
        .areas(body);
        charts::curve(frame, chart, watch, choice);
        run(frame, progress, watch);
        speed(frame, speed_area, watch);
        time_shares(frame, time, watch);
    }
}

fn title(watch: &Watch) -> Paragraph<'static> {
    let state = if watch.is_alive() { ACCENT } else { STRONG };
    Paragraph::new(Line::from(vec![
        Span::styled("vivarium ", QUIET),
        Span::styled(watch.about.experiment.clone(), STRONG),
        Span::raw(format!(", seed {}  ", watch.about.seed)),
        Span::styled(watch.state(), state),
    ]))
}

/// How far it is: a gauge where there is an end in sight.
fn run(frame: &mut Frame, area: Rect, watch: &Watch) {
    let status = &watch.status;
    let block = panel(" Run ".into());
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let [lines, gauge] = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(inside);
    let readings = &watch.measures.readings;
    let mut numbers = vec![Line::raw(format!("{:<10}{}", readings.unit, text::whole(status.steps)))];
    if let Some((label, count)) = watch.count("episodes") {
        numbers.push(Line::raw(format!("{label:<10}{count}")));
    }
    numbers.push(Line::raw(format!("{:<10}{}", "time", text::duration(status.elapsed))));
    frame.render_widget(Paragraph::new(numbers), lines);
    if let Some(goal) = status.goal_steps.filter(|goal| *goal > 0) {
        let ratio = (status.steps as f64 / goal as f64).clamp(0.0, 1.0);
        let left = goal.saturating_sub(status.steps) as f64 / status.speed;
        let to_go =
            if watch.is_alive() { format!(", {} to go", text::duration(left)) } else { String::new() };
        let label = format!("{:.0} %{to_go}", ratio * 100.0);
        frame.render_widget(Gauge::default().gauge_style(ACCENT).ratio(ratio).label(label), gauge);
    } else {
        frame.render_widget(
            Paragraph::new(format!("{:<10}{}", "updates", text::whole(status.updates))),
            gauge,
        );
    }
}

/// The speed over the whole run.
fn speed(frame: &mut Frame, area: Rect, watch: &Watch) {
    let block = panel(format!(" Speed {} {}/s ", text::number(watch.speed()), watch.measures.readings.unit));
    let width = usize::from(block.inner(area).width);
    let data: Vec<u64> = watch
        .curve(SPEED)
        .map(|curve| curve.binned(width).into_iter().map(|speed| speed.clamp(0.0, 1e15) as u64).collect())
        .unwrap_or_default();
    frame.render_widget(Sparkline::default().style(ACCENT).data(data).block(block), area);
}

/// Where the time goes.
fn time_shares(frame: &mut Frame, area: Rect, watch: &Watch) {
    let block = panel(" Where the time goes ".into());
    let room = usize::from(block.inner(area).width).saturating_sub(12 + 6);
    let lines: Vec<Line> = phase_shares(watch)
        .into_iter()
        .map(|(name, share)| {
            let filled = (share / 100.0 * room as f64).round() as usize;
            Line::from(vec![
                Span::raw(format!("{name:<12}")),
                Span::styled(format!("{:<room$}", "█".repeat(filled.min(room))), ACCENT),
                Span::raw(format!("{share:>4.0} %")),
            ])
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// The newest value of every curve: also the list of what there is to choose.
fn newest(frame: &mut Frame, area: Rect, watch: &Watch, choice: &Choice) {
    let block = panel(" Newest ".into());
    let room = usize::from(block.inner(area).height).max(1);
    // The chosen one stays in sight where there are more than fit.
    let first = (choice.curve + 1).saturating_sub(room);
    let lines: Vec<Line> = watch
        .curves
        .iter()
        .enumerate()
        .skip(first)
        .map(|(i, known)| {
            let style = if i == choice.curve { ACCENT.add_modifier(Modifier::BOLD) } else { Style::new() };
            let mark = if i == choice.curve { "›" } else { " " };
            Line::styled(format!("{mark} {:<22}{:>9}", known.label, text::number(known.curve.last())), style)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

#[cfg(test)]
mod tests;
