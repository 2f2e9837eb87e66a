//! Styles of the dashboard, and the user's selection of a chart.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use ratatui::widgets::Block;

/// Maximum number of folders, runs or studies, whose curves are drawn beside the monitored run.
pub const MAX_COMPARED: usize = 5;

/// Curve and scale of the large chart, selected by the user.
#[derive(Clone, Debug, Default)]
pub struct ChartSelection {
    /// Index of the selected curve in `RunMonitor::curves`.
    pub curve: usize,
    /// Whether the y axis is logarithmic.
    pub logarithmic: bool,
}

/// Style of plotted data and of highlighted text.
pub const ACCENT: Style = Style::new().fg(Color::Cyan);
/// Colors of the curves of compared runs. A sixth run has the color of the first.
pub const COMPARED_COLORS: [Color; MAX_COMPARED] =
    [Color::Magenta, Color::Green, Color::Blue, Color::Red, Color::White];
/// Style of borders and axes.
pub const QUIET: Style = Style::new().fg(Color::DarkGray);
/// Style of headings.
pub const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Creates a bordered panel with a title.
pub fn panel(title: String) -> Block<'static> {
    Block::bordered().border_style(QUIET).title(Span::styled(title, STRONG))
}
