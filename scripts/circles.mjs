// Import cycles, in the crates and in the page.

/**
 * Returns the strongly connected components with more than one file (Tarjan 1972). `imports` maps each file to the files that it
 * imports.
 */
export function circles(imports) {
  const found = []
  const order = new Map()
  const lowest = new Map()
  const stack = []
  const visit = (file) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    stack.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group.sort())
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return found
}

/** Returns one error message per import cycle. `folder` precedes the file names. */
export const describeCircles = (imports, folder = '') =>
  circles(imports).map(
    (group) =>
      `files or folders import each other in a cycle: ${group.map((file) => folder + file).join(', ')}`,
  )

/**
 * Returns the imports between the files and folders of each folder: a map from the folder to such a map as `imports`. An import
 * between files of two folders is an import between these folders, within the folder that holds both.
 */
function importsWithinFolders(imports) {
  const folders = new Map()
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [file.split('/'), target.split('/')]
      const depth = from.findIndex((name, at) => name !== to[at])
      const folder = from.slice(0, depth).join('/')
      if (!folders.has(folder)) folders.set(folder, new Map())
      const within = folders.get(folder)
      within.set(from[depth], [...(within.get(from[depth]) ?? []), to[depth]])
    }
  }
  return folders
}

/** Returns one error message per import cycle between files and folders of one folder. Each cycle of files is such a cycle. */
export const describeFolderCircles = (imports) =>
  [...importsWithinFolders(imports)].flatMap(([folder, within]) => describeCircles(within, `${folder}/`))
