//! How the dashboard looks, and what of it the person has chosen to see.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use ratatui::widgets::Block;

/// What the person looks at.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Index of the curve.
    pub curve: usize,
    /// Whether values are drawn by their logarithm.
    pub logarithmic: bool,
}

/// What matters.
pub const ACCENT: Style = Style::new().fg(Color::Cyan);
/// What surrounds it.
pub const QUIET: Style = Style::new().fg(Color::DarkGray);
/// Headings.
pub const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// A frame with a heading.
pub fn panel(title: String) -> Block<'static> {
    Block::bordered().border_style(QUIET).title(Span::styled(title, STRONG))
}
