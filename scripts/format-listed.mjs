// Formats the files of the operations and the entries of control (`--check`: checks them). Their modules are declared by the macros
// `for_each_op!` and `for_each_world!`, which cargo fmt does not expand.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { must, root } from './run.mjs'

const folders = ['crates/graph/src/ops', 'crates/gpu/src/ops', 'crates/exhibits/control/src/entries']
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => join(root, folder, name))
    .map((path) => (path.endsWith('.rs') ? path : join(path, 'mod.rs')))
    .filter(existsSync),
)
await must('rustfmt', ['--edition', '2024', ...process.argv.slice(2), ...files])
