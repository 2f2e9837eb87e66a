//! `vivarium monitor`: a terminal dashboard attached to a run that goes on in another process, or that has ended.

mod charts;
mod curve;
mod draw;
mod plain;
mod style;
mod watch;

use crate::failure::Failure;
use crate::run::RunFolder;
use crate::terminal as words;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;
use style::Choice;
use watch::Watch;

/// How often the screen is drawn anew.
const FRAME: Duration = Duration::from_millis(100);

/// Watches the run in `dir` until a key ends it; prints how the run is doing once where there is no terminal.
///
/// # Errors
/// Where `dir` holds no run, or the terminal cannot be had.
pub fn run(dir: &Path) -> Result<(), Failure> {
    let (folder, about) = RunFolder::open(dir)?;
    let mut watch = Watch::new(folder, about)?;
    if !std::io::stdout().is_terminal() {
        words::out(&plain::summary(&watch));
        return Ok(());
    }
    let mut terminal =
        ratatui::try_init().map_err(|error| Failure::failed(format!("cannot use the terminal: {error}")))?;
    let outcome = watch_until_quit(&mut watch, &mut terminal);
    ratatui::restore();
    outcome
}

fn watch_until_quit(watch: &mut Watch, terminal: &mut ratatui::DefaultTerminal) -> Result<(), Failure> {
    let failed = |error| Failure::failed(format!("the terminal does not answer: {error}"));
    let mut choice = Choice::default();
    loop {
        watch.poll()?;
        terminal.draw(|frame| draw::dashboard(frame, watch, &choice)).map_err(failed)?;
        if event::poll(FRAME).map_err(failed)?
            && let Event::Key(key) = event::read().map_err(failed)?
            && press(key, &mut choice, watch.curves.len())
        {
            return Ok(());
        }
    }
}

/// Does what a key stands for; true for the end.
fn press(key: KeyEvent, choice: &mut Choice, curves: usize) -> bool {
    if key.kind == KeyEventKind::Release {
        return false;
    }
    let curves = curves.max(1);
    match key.code {
        KeyCode::Char('q') | KeyCode::Esc => return true,
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return true,
        KeyCode::Tab | KeyCode::Right | KeyCode::Down => choice.curve = (choice.curve + 1) % curves,
        KeyCode::BackTab | KeyCode::Left | KeyCode::Up => choice.curve = (choice.curve + curves - 1) % curves,
        KeyCode::Char('l') => choice.logarithmic = !choice.logarithmic,
        _ => {}
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_choose_a_curve_and_a_scale_and_quit() {
        let mut choice = Choice::default();
        let mut type_in = |code: KeyCode| {
            let quit = press(KeyEvent::new(code, KeyModifiers::NONE), &mut choice, 3);
            (quit, choice.curve, choice.logarithmic)
        };
        assert_eq!(type_in(KeyCode::Tab), (false, 1, false));
        assert_eq!(type_in(KeyCode::Right), (false, 2, false));
        assert_eq!(type_in(KeyCode::Right), (false, 0, false));
        assert_eq!(type_in(KeyCode::Left), (false, 2, false));
        assert_eq!(type_in(KeyCode::Char('l')), (false, 2, true));
        assert_eq!(type_in(KeyCode::Char('c')), (false, 2, true));
        assert_eq!(type_in(KeyCode::Char('q')), (true, 2, true));
        assert!(press(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), &mut choice, 0));
    }
}
