//! `vivarium monitor`: terminal dashboard of a run, which may be in progress in another process or finished, with the
//! curves of other runs for comparison.

mod charts;
mod compared_run;
mod curve;
mod draw;
mod monitored_runs;
mod plain;
mod run_monitor;
mod style;

use crate::error::CliError;
use crate::terminal as text_output;
use compared_run::ComparedRun;
use monitored_runs::MonitoredRuns;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
pub use run_monitor::{RunMonitor, resumption};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use style::ChartSelection;
pub use style::MAX_COMPARED;

/// Interval between two redraws of the dashboard.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// Interval between two searches for new runs in the folders of studies.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);

/// Shows the dashboard of the run in the folder `dir` until the user quits, with the curves of the runs in the folders
/// `against`. A study of seeds stands for its runs; the panels of a study describe its run in progress, or else the run that they described before. If
/// standard output is not a terminal, prints a text summary of each run once.
///
/// # Errors
/// [`CliError::Usage`] for too many runs; [`CliError::Failed`] if a folder contains no run or the terminal is unusable.
pub fn run(dir: &Path, against: &[PathBuf]) -> Result<(), CliError> {
    if against.len() > MAX_COMPARED {
        return Err(CliError::usage(format!(
            "--against: at most {MAX_COMPARED} runs or studies are allowed"
        )));
    }
    let mut monitored = MonitoredRuns::open(dir, against)?;
    if !std::io::stdout().is_terminal() {
        // The name of a single run is that on the command line.
        let unnamed = usize::from(!monitored.is_study());
        let summary = |(index, run): (usize, &ComparedRun)| {
            let name = if index < unnamed { String::new() } else { format!("{}\n", run.name) };
            name + &plain::summary(&run.monitor)
        };
        let summaries = monitored.runs().iter().enumerate().map(summary);
        text_output::print_line(&summaries.collect::<Vec<_>>().join("\n\n"));
        return Ok(());
    }
    let mut terminal = ratatui::try_init().map_err(|error| {
        CliError::failed(format!(
            "cannot use the terminal: {error}; `vivarium monitor DIR | cat` prints a summary"
        ))
    })?;
    let outcome = watch_until_quit(&mut monitored, &mut terminal);
    ratatui::restore();
    outcome
}

fn watch_until_quit(
    monitored: &mut MonitoredRuns,
    terminal: &mut ratatui::DefaultTerminal,
) -> Result<(), CliError> {
    let failed = |error| CliError::failed(format!("terminal error: {error}"));
    let mut selection = ChartSelection::default();
    let mut last_search = Instant::now();
    loop {
        if last_search.elapsed() >= SEARCH_INTERVAL {
            monitored.add_new_runs();
            last_search = Instant::now();
        }
        monitored.poll()?;
        let Some((ComparedRun { monitor, .. }, compared)) = monitored.runs().split_first() else {
            return Ok(());
        };
        terminal.draw(|frame| draw::dashboard(frame, monitor, compared, &selection)).map_err(failed)?;
        if event::poll(REDRAW_INTERVAL).map_err(failed)?
            && let Event::Key(key) = event::read().map_err(failed)?
            && handle_key(key, &mut selection, monitor.curves.len())
        {
            return Ok(());
        }
    }
}

/// Handles a key press: selects a curve or the scale of the charts. Returns whether the user quits. `curves` is the
/// number of curves.
fn handle_key(key: KeyEvent, selection: &mut ChartSelection, curves: usize) -> bool {
    if key.kind == KeyEventKind::Release {
        return false;
    }
    let curves = curves.max(1);
    match key.code {
        KeyCode::Char('q') | KeyCode::Esc => return true,
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return true,
        KeyCode::Tab | KeyCode::Right | KeyCode::Down => selection.curve = (selection.curve + 1) % curves,
        KeyCode::BackTab | KeyCode::Left | KeyCode::Up => {
            selection.curve = (selection.curve + curves - 1) % curves
        }
        KeyCode::Char('l') => selection.logarithmic = !selection.logarithmic,
        _ => {}
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_choose_a_curve_and_a_scale_and_quit() {
        let mut selection = ChartSelection::default();
        let mut type_in = |code: KeyCode| {
            let quit = handle_key(KeyEvent::new(code, KeyModifiers::NONE), &mut selection, 3);
            (quit, selection.curve, selection.logarithmic)
        };
        assert_eq!(type_in(KeyCode::Tab), (false, 1, false));
        assert_eq!(type_in(KeyCode::Right), (false, 2, false));
        assert_eq!(type_in(KeyCode::Right), (false, 0, false));
        assert_eq!(type_in(KeyCode::Left), (false, 2, false));
        assert_eq!(type_in(KeyCode::Char('l')), (false, 2, true));
        assert_eq!(type_in(KeyCode::Char('c')), (false, 2, true));
        assert_eq!(type_in(KeyCode::Char('q')), (true, 2, true));
        assert!(handle_key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), &mut selection, 0));
    }
}
