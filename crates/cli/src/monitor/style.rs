//! Styles of the dashboard, and the selected chart.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use ratatui::widgets::Block;

/// Selection of the user for the large chart: curve and scale.
#[derive(Clone, Debug, Default)]
pub struct ChartSelection {
    /// Index of the curve in `RunMonitor::curves`.
    pub curve: usize,
    /// Whether the y axis is logarithmic.
    pub logarithmic: bool,
}

/// Style of plotted data and of highlighted text.
pub const ACCENT: Style = Style::new().fg(Color::Cyan);
/// Style of borders and axes.
pub const QUIET: Style = Style::new().fg(Color::DarkGray);
/// Style of headings.
pub const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Creates a bordered panel with a title.
pub fn panel(title: String) -> Block<'static> {
    Block::bordered().border_style(QUIET).title(Span::styled(title, STRONG))
}
