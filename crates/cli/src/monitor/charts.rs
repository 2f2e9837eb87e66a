//! Charts of the dashboard.

use super::compared_run::ComparedRun;
use super::run_monitor::{NamedCurve, RunMonitor};
use super::style::{ACCENT, COMPARED_COLORS, ChartSelection, QUIET, panel};
use crate::text;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::Span;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, LegendPosition, Paragraph};

/// Draws the selected curve in a large chart. If `area` is at least 24 rows high, draws up to three other curves in
/// small charts below.
pub fn draw_curves(
    frame: &mut Frame,
    area: Rect,
    monitor: &RunMonitor,
    compared: &[ComparedRun],
    selection: &ChartSelection,
) {
    let chosen = monitor.curves.get(selection.curve).map(|curve| curve.name.as_str());
    // The small charts show the first three curves of `charted_metrics`, without the selected curve.
    let others = monitor.charted_metrics.iter().filter(|name| Some(**name) != chosen);
    let others: Vec<&NamedCurve> =
        others.filter_map(|name| monitor.curves.iter().find(|curve| curve.name == *name)).take(3).collect();
    let below = if area.height >= 24 && !others.is_empty() { 9 } else { 0 };
    let [large, small] = Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(area);
    draw_selected_curve(frame, large, monitor, compared, selection);
    if below > 0 {
        let places = Layout::horizontal(vec![Constraint::Fill(1); others.len()]).split(small);
        for (other, place) in others.iter().zip(places.iter()) {
            draw_small_curve(frame, *place, other, compared, selection);
        }
    }
}

/// Draws a small chart without axis labels, with the newest value in the title.
fn draw_small_curve(
    frame: &mut Frame,
    area: Rect,
    named: &NamedCurve,
    compared: &[ComparedRun],
    selection: &ChartSelection,
) {
    let points = to_scale(named.curve.points(), selection);
    let block = panel(format!(" {} {} ", named.label, text::number(named.curve.last())));
    let others = compared_curves(compared, &named.name, selection);
    let all = || points.iter().chain(others.iter().flat_map(|other| &other.points));
    let (x, y) = (bounds(all().map(|point| point.0)), with_margin(bounds(all().map(|point| point.1))));
    let mut datasets: Vec<_> = others.iter().map(|other| line(&other.points).style(other.color)).collect();
    datasets.push(line(&points).style(ACCENT));
    let chart = Chart::new(datasets).legend_position(None).block(block);
    frame.render_widget(chart.x_axis(Axis::default().bounds(x)).y_axis(Axis::default().bounds(y)), area);
}

/// Curve of a compared run in the chart of one metric.
struct ComparedCurve<'a> {
    name: &'a str,
    color: Color,
    /// Points in the selected scale.
    points: Vec<(f64, f64)>,
}

/// Returns the curves of the metric `metric` of the compared runs, in the selected scale. Runs without points in this
/// scale are left out.
fn compared_curves<'a>(
    compared: &'a [ComparedRun],
    metric: &str,
    selection: &ChartSelection,
) -> Vec<ComparedCurve<'a>> {
    let curve = |(run, color): (&'a ComparedRun, Color)| {
        let points = to_scale(run.monitor.curve(metric)?.points(), selection);
        (!points.is_empty()).then_some(ComparedCurve { name: &run.name, color, points })
    };
    compared.iter().zip(COMPARED_COLORS.into_iter().cycle()).filter_map(curve).collect()
}

/// Creates the dataset of a curve.
fn line(points: &[(f64, f64)]) -> Dataset<'_> {
    Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).data(points)
}

/// Converts points (steps, value) to the selected scale. On a logarithmic scale, the result has (steps, log₁₀ value)
/// for each positive value.
fn to_scale(points: &[(f64, f64)], selection: &ChartSelection) -> Vec<(f64, f64)> {
    match selection.logarithmic {
        true => points.iter().filter(|(_, y)| *y > 0.0).map(|(x, y)| (*x, y.log10())).collect(),
        false => points.to_vec(),
    }
}

/// Draws the selected curve in a chart with axis labels. The chart of the main training metric also shows the
/// evaluations of the same quantity as dots. The legend names the compared runs.
pub fn draw_selected_curve(
    frame: &mut Frame,
    area: Rect,
    monitor: &RunMonitor,
    compared: &[ComparedRun],
    selection: &ChartSelection,
) {
    let Some(chosen) = monitor.curves.get(selection.curve) else {
        let text = Paragraph::new("no measurements yet").block(panel("Curves".into()));
        frame.render_widget(text, area);
        return;
    };
    let points = to_scale(chosen.curve.points(), selection);
    let is_first = monitor.charted_metrics.first().is_some_and(|first| chosen.name == *first);
    let evaluated = monitor.evaluations().filter(|_| is_first);
    let evaluated = evaluated.map_or_else(Vec::new, |curve| to_scale(curve.points(), selection));
    let log = if selection.logarithmic { ", log scale" } else { "" };
    let title = format!(
        " {} {} {}({}/{}{log}) ",
        chosen.label,
        text::number(chosen.curve.last()),
        unit(chosen),
        selection.curve + 1,
        monitor.curves.len()
    );
    if points.is_empty() {
        let why = if chosen.curve.points().is_empty() {
            "no finite value yet"
        } else {
            "no positive value for the logarithmic scale"
        };
        frame.render_widget(Paragraph::new(why).block(panel(title)), area);
        return;
    }
    let others = compared_curves(compared, &chosen.name, selection);
    let all = || points.iter().chain(&evaluated).chain(others.iter().flat_map(|other| &other.points));
    let (x, y) = (bounds(all().map(|point| point.0)), with_margin(bounds(all().map(|point| point.1))));
    let value = |y: f64| text::number(if selection.logarithmic { 10f64.powf(y) } else { y });
    let labels = [y[0], (y[0] + y[1]) / 2.0, y[1]].map(|y| Span::styled(value(y), QUIET));
    // Later datasets are drawn over earlier datasets.
    let mut datasets: Vec<_> =
        others.iter().map(|other| (other.name, line(&other.points).style(other.color))).collect();
    let own = if others.is_empty() { "training" } else { "this run" };
    datasets.push((own, line(&points).style(ACCENT)));
    if !evaluated.is_empty() {
        let dots =
            Dataset::default().marker(Marker::Dot).style(Style::new().fg(Color::Yellow)).data(&evaluated);
        datasets.push(("evaluated", dots));
    }
    let datasets = with_legend(datasets);
    let steps = [x[0], x[1]].map(|x| Span::styled(text::number(x), QUIET));
    let chart = Chart::new(datasets)
        .block(panel(title))
        .legend_position(Some(LegendPosition::BottomRight))
        .hidden_legend_constraints((Constraint::Percentage(60), Constraint::Percentage(60)))
        .x_axis(
            Axis::default()
                .title(Span::styled(monitor.readings.unit, QUIET))
                .bounds(x)
                .labels(steps)
                .style(QUIET),
        )
        .y_axis(Axis::default().bounds(y).labels(labels).style(QUIET));
    frame.render_widget(chart, area);
}

/// Maximum length of a name in the legend, in characters.
const LEGEND_WIDTH: usize = 24;

/// Adds the names of several datasets, for the legend. The end of a path is more important than its beginning. Names have
/// the same length, since the legend does not hide the curves behind it.
fn with_legend<'a>(datasets: Vec<(&str, Dataset<'a>)>) -> Vec<Dataset<'a>> {
    let width = datasets.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(LEGEND_WIDTH);
    let is_shown = datasets.len() > 1;
    let named = |(name, dataset): (&str, Dataset<'a>)| {
        if is_shown { dataset.name(text::column(name, width)) } else { dataset }
    };
    datasets.into_iter().map(named).collect()
}

fn unit(curve: &NamedCurve) -> String {
    if curve.unit.is_empty() { String::new() } else { format!("{} ", curve.unit) }
}

fn bounds(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
}

/// Returns the bounds [low, high] of an axis with a margin on both sides: 5 % of the range, or for a constant curve
/// 10 % of the value and at least 0.1.
fn with_margin([low, high]: [f64; 2]) -> [f64; 2] {
    let room = if high > low { (high - low) * 0.05 } else { (low.abs() * 0.1).max(0.1) };
    [low - room, high + room]
}
