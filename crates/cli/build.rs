//! Sets the environment variable `VIVARIUM_VERSION` of the compilation: the version of the package, with the git commit
//! if the sources are in a git repository. A packager without a repository may set `VIVARIUM_COMMIT`.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=VIVARIUM_COMMIT");
    let given = std::env::var("VIVARIUM_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(repository_commit).unwrap_or_default();
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let label = if commit.is_empty() { version } else { format!("{version} (commit {commit})") };
    println!("cargo::rustc-env=VIVARIUM_VERSION={label}");
    println!("cargo::rustc-env=VIVARIUM_COMMIT={commit}");
}

/// Returns the first twelve digits of the commit that is checked out; `None` if git is missing, or if the sources are
/// not the root of a repository, such as an unpacked archive in another project's repository.
fn repository_commit() -> Option<String> {
    let root = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR")?).join("../..").canonicalize().ok()?;
    let top = PathBuf::from(git(&root, &["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    if top != root {
        return None;
    }
    // The log of HEAD changes with each commit and checkout.
    for file in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(&root, &["rev-parse", "--git-path", file])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&root, &["rev-parse", "--short=12", "HEAD"])
}

/// Runs git in the folder `root`. Returns its output without the final line feed; `None` if it fails.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
