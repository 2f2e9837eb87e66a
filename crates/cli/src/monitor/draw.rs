//! Layout and panels of the dashboard.

use super::charts;
use super::compared_run::ComparedRun;
use super::plain::phase_shares;
use super::run_monitor::{RunMonitor, SPEED};
use super::style::{ACCENT, ChartSelection, QUIET, STRONG, panel};
use crate::text;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Gauge, Paragraph, Sparkline};

/// Minimum terminal width in columns for a layout with the number panels to the right of the chart. In a narrower
/// terminal, the panels are below the chart.
const SIDE_BY_SIDE_WIDTH: u16 = 90;

/// Maximum number of text lines for a notice of the run, such as a rollback.
const NOTICE_LINES: usize = 3;

/// Draws the dashboard of a run on the whole terminal. The charts also have the curves of the runs `compared`. The
/// library `ratatui` removes control characters from untrusted names.
pub fn dashboard(
    frame: &mut Frame,
    monitor: &RunMonitor,
    compared: &[ComparedRun],
    selection: &ChartSelection,
) {
    let mut notice = text::wrapped(&monitor.status.notice, frame.area().width.into());
    notice.truncate(NOTICE_LINES);
    let [head, body, notices, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(notice.len() as u16),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(title(monitor), head);
    frame.render_widget(Paragraph::new(notice.join("\n")).style(STRONG), notices);
    frame.render_widget(Paragraph::new(Span::styled("q quit · tab ← → curve · l log scale", QUIET)), keys);

    let phases = monitor.status.phases.len() as u16 + 2;
    if body.width >= SIDE_BY_SIDE_WIDTH {
        let [chart, side] = Layout::horizontal([Constraint::Min(40), Constraint::Length(38)]).areas(body);
        let [progress, speed_area, time, values] = Layout::vertical([
            Constraint::Length(6),
            Constraint::Length(5),
            Constraint::Length(phases),
            Constraint::Min(0),
        ])
        .areas(side);
        charts::draw_curves(frame, chart, monitor, compared, selection);
        draw_progress(frame, progress, monitor);
        draw_speed(frame, speed_area, monitor);
        draw_time_profile(frame, time, monitor);
        draw_newest_values(frame, values, monitor, selection);
    } else {
        let room = body.height.saturating_sub(10);
        let [chart, progress, speed_area, time] = Layout::vertical([
            Constraint::Min(10),
            Constraint::Length(if room >= 6 { 6 } else { 0 }),
            Constraint::Length(if room >= 11 { 5 } else { 0 }),
            Constraint::Length(if room >= 11 + phases { phases } else { 0 }),
        ])
        .areas(body);
        charts::draw_selected_curve(frame, chart, monitor, compared, selection);
        draw_progress(frame, progress, monitor);
        draw_speed(frame, speed_area, monitor);
        draw_time_profile(frame, time, monitor);
    }
}

fn title(monitor: &RunMonitor) -> Paragraph<'static> {
    let state = if monitor.is_running() { ACCENT } else { STRONG };
    Paragraph::new(Line::from(vec![
        Span::styled("vivarium ", QUIET),
        Span::styled(monitor.metadata.experiment.clone(), STRONG),
        Span::raw(format!(", seed {}  ", monitor.metadata.seed)),
        Span::styled(monitor.state(), state),
    ]))
}

/// Draws the panel with steps, episodes and time of the run. A run with a step limit also has a gauge with the
/// completed share and the remaining time.
fn draw_progress(frame: &mut Frame, area: Rect, monitor: &RunMonitor) {
    let status = &monitor.status;
    let block = panel(" Run ".into());
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let [lines, gauge] = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(inside);
    let readings = &monitor.readings;
    let mut numbers = vec![Line::raw(format!("{:<10}{}", readings.unit, text::whole(status.steps)))];
    if let Some((label, count)) = monitor.counter("episodes") {
        numbers.push(Line::raw(format!("{label:<10}{count}")));
    }
    numbers.push(Line::raw(format!("{:<10}{}", "time", text::duration(status.elapsed))));
    frame.render_widget(Paragraph::new(numbers), lines);
    if let Some(goal) = status.goal_steps.filter(|goal| *goal > 0) {
        let ratio = (status.steps as f64 / goal as f64).clamp(0.0, 1.0);
        let left = goal.saturating_sub(status.steps) as f64 / status.speed;
        let to_go =
            if monitor.is_running() { format!(", {} left", text::duration(left)) } else { String::new() };
        let label = format!("{:.0} %{to_go}", ratio * 100.0);
        frame.render_widget(Gauge::default().gauge_style(ACCENT).ratio(ratio).label(label), gauge);
    } else {
        frame.render_widget(
            Paragraph::new(format!("{:<10}{}", "updates", text::whole(status.updates))),
            gauge,
        );
    }
}

/// Draws a panel with a chart of the training speed over the whole run.
fn draw_speed(frame: &mut Frame, area: Rect, monitor: &RunMonitor) {
    let block = panel(format!(" Speed {} {}/s ", text::number(monitor.speed()), monitor.readings.unit));
    let width = usize::from(block.inner(area).width);
    let data: Vec<u64> = monitor
        .curve(SPEED)
        .map(|curve| curve.binned(width).into_iter().map(|speed| speed.clamp(0.0, 1e15) as u64).collect())
        .unwrap_or_default();
    frame.render_widget(Sparkline::default().style(ACCENT).data(data).block(block), area);
}

/// Draws the panel "Time profile": the share of each phase, such as evaluation, in the duration of the training
/// session.
fn draw_time_profile(frame: &mut Frame, area: Rect, monitor: &RunMonitor) {
    let block = panel(" Time profile ".into());
    let room = usize::from(block.inner(area).width).saturating_sub(12 + 6);
    let lines: Vec<Line> = phase_shares(monitor)
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

/// Draws the panel "Newest": all metrics with their newest values.
fn draw_newest_values(frame: &mut Frame, area: Rect, monitor: &RunMonitor, selection: &ChartSelection) {
    let block = panel(" Newest ".into());
    let room = usize::from(block.inner(area).height).max(1);
    // Scroll to the selected curve.
    let first = (selection.curve + 1).saturating_sub(room);
    let lines: Vec<Line> = monitor
        .curves
        .iter()
        .enumerate()
        .skip(first)
        .map(|(i, known)| {
            let style = if i == selection.curve { ACCENT.add_modifier(Modifier::BOLD) } else { Style::new() };
            let mark = if i == selection.curve { "›" } else { " " };
            Line::styled(format!("{mark} {:<22}{:>9}", known.label, text::number(known.curve.last())), style)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

#[cfg(test)]
mod tests;
