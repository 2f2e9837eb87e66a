//! Curves as they are drawn.

use super::style::{ACCENT, Choice, QUIET, panel};
use super::watch::{NamedCurve, Watch};
use crate::text;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::Span;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, LegendPosition, Paragraph};

/// The chosen curve large, and three more small below it where there is room.
pub fn curves(frame: &mut Frame, area: Rect, watch: &Watch, choice: &Choice) {
    let chosen = watch.curves.get(choice.curve).map(|curve| curve.name.as_str());
    // Curves that are worth an eye whichever one is chosen.
    let others = watch.important.iter().filter(|name| Some(**name) != chosen);
    let others: Vec<&NamedCurve> =
        others.filter_map(|name| watch.curves.iter().find(|curve| curve.name == *name)).take(3).collect();
    let below = if area.height >= 24 && !others.is_empty() { 9 } else { 0 };
    let [large, small] = Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(area);
    curve(frame, large, watch, choice);
    if below > 0 {
        let places = Layout::horizontal(vec![Constraint::Fill(1); others.len()]).split(small);
        for (other, place) in others.iter().zip(places.iter()) {
            small_curve(frame, *place, other, choice);
        }
    }
}

/// A curve without axes: its shape, and its newest value.
fn small_curve(frame: &mut Frame, area: Rect, named: &NamedCurve, choice: &Choice) {
    let points = scaled(named.curve.points(), choice);
    let block = panel(format!(" {} {} ", named.label, text::number(named.curve.last())));
    let data =
        Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).style(ACCENT).data(&points);
    let (x, y) =
        (bounds(points.iter().map(|point| point.0)), padded(bounds(points.iter().map(|point| point.1))));
    let chart = Chart::new(vec![data]).block(block);
    frame.render_widget(chart.x_axis(Axis::default().bounds(x)).y_axis(Axis::default().bounds(y)), area);
}

/// Points as they are drawn.
fn scaled(points: &[(f64, f64)], choice: &Choice) -> Vec<(f64, f64)> {
    match choice.logarithmic {
        true => points.iter().filter(|(_, y)| *y > 0.0).map(|(x, y)| (*x, y.log10())).collect(),
        false => points.to_vec(),
    }
}

/// The chosen curve, with what evaluations measured of the same quantity where it has an evaluated headline_evaluation.
pub fn curve(frame: &mut Frame, area: Rect, watch: &Watch, choice: &Choice) {
    let Some(chosen) = watch.curves.get(choice.curve) else {
        let text = Paragraph::new("no measurements yet").block(panel("Curves".into()));
        frame.render_widget(text, area);
        return;
    };
    let points = scaled(chosen.curve.points(), choice);
    let is_first = watch.important.first().is_some_and(|first| chosen.name == *first);
    let evaluated = watch.measures.headline_evaluation.filter(|_| is_first);
    let evaluated = evaluated.and_then(|name| watch.curve(name));
    let evaluated = evaluated.map_or_else(Vec::new, |curve| scaled(curve.points(), choice));
    let log = if choice.logarithmic { ", log scale" } else { "" };
    let title = format!(
        " {} {} {}({}/{}{log}) ",
        chosen.label,
        text::number(chosen.curve.last()),
        unit(chosen),
        choice.curve + 1,
        watch.curves.len()
    );
    if points.is_empty() {
        let why = if chosen.curve.points().is_empty() {
            "no finite value yet"
        } else {
            "no value above zero to take the logarithm of"
        };
        frame.render_widget(Paragraph::new(why).block(panel(title)), area);
        return;
    }
    let all = || points.iter().chain(&evaluated);
    let (x, y) = (bounds(all().map(|point| point.0)), padded(bounds(all().map(|point| point.1))));
    let value = |y: f64| text::number(if choice.logarithmic { 10f64.powf(y) } else { y });
    let labels = [y[0], (y[0] + y[1]) / 2.0, y[1]].map(|y| Span::styled(value(y), QUIET));
    let mut datasets = vec![
        Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).style(ACCENT).data(&points),
    ];
    if !evaluated.is_empty() {
        let dots =
            Dataset::default().marker(Marker::Dot).style(Style::new().fg(Color::Yellow)).data(&evaluated);
        datasets[0] = datasets[0].clone().name("training");
        datasets.push(dots.name("evaluated"));
    }
    let steps = [x[0], x[1]].map(|x| Span::styled(text::number(x), QUIET));
    let chart = Chart::new(datasets)
        .block(panel(title))
        .legend_position(Some(LegendPosition::BottomRight))
        .x_axis(
            Axis::default()
                .title(Span::styled(watch.measures.readings.unit, QUIET))
                .bounds(x)
                .labels(steps)
                .style(QUIET),
        )
        .y_axis(Axis::default().bounds(y).labels(labels).style(QUIET));
    frame.render_widget(chart, area);
}

fn unit(curve: &NamedCurve) -> String {
    if curve.unit.is_empty() { String::new() } else { format!("{} ", curve.unit) }
}

fn bounds(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
}

/// A little room above and below; some room for a flat curve.
fn padded([low, high]: [f64; 2]) -> [f64; 2] {
    let room = if high > low { (high - low) * 0.05 } else { (low.abs() * 0.1).max(0.1) };
    [low - room, high + room]
}
