// Formats the files of the operations (`--check`: checks them). Their modules are declared by the macro `for_each_op!`, which cargo
// fmt does not expand.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { must, root } from './run.mjs'

const files = ['crates/graph/src/ops', 'crates/gpu/src/ops'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => join(root, folder, name))
    .map((path) => (path.endsWith('.rs') ? path : join(path, 'mod.rs')))
    .filter(existsSync),
)
await must('rustfmt', ['--edition', '2024', ...process.argv.slice(2), ...files])
