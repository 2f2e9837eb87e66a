// Selects the license of a package and finds its text.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

const apache = () => readFileSync(join(root, 'LICENSE-APACHE'), 'utf8')
const mit = (owner) =>
  readFileSync(join(root, 'LICENSE-MIT'), 'utf8').replace(/^Copyright .*$/m, `Copyright (c) ${owner}`)
const zlib = (owner) => `Copyright (c) ${owner}

This software is provided 'as-is', without any express or implied warranty. In no event will the authors be held liable for any damages arising from the use of this software.

Permission is granted to anyone to use this software for any purpose, including commercial applications, and to alter it and redistribute it freely, subject to the following restrictions:

1. The origin of this software must not be misrepresented; you must not claim that you wrote the original software. If you use this software in a product, an acknowledgment in the product documentation would be appreciated but is not required.
2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the original software.
3. This notice may not be removed or altered from any source distribution.`

/**
 * Known licenses in order of preference: a pattern that identifies the text, and for some the standard text, used if a package
 * has none.
 */
const known = {
  MIT: { sign: /Permission is hereby granted, free of charge, to any person obtaining/, standard: mit },
  'Apache-2.0': { sign: /Apache License\s+Version 2\.0/, standard: apache },
  Zlib: { sign: /This software is provided ['‘]as-is['’], without any express or implied/, standard: zlib },
  ISC: { sign: /Permission to use, copy, modify,? and(\/or)? distribute this software/ },
  'BSD-3-Clause': { sign: /Redistribution and use in source and binary forms[\s\S]*Neither the name/ },
  'BSD-2-Clause': { sign: /Redistribution and use in source and binary forms/ },
  'OFL-1.1': { sign: /SIL OPEN FONT LICENSE Version 1\.1/ },
  'Unicode-3.0': { sign: /UNICODE LICENSE V3/ },
}

/** Returns licenses that together satisfy an SPDX expression; of alternatives, the first in `known`. */
export function chooseLicenses(expression) {
  const needed = expression
    // Legacy syntax: a slash means OR.
    .replaceAll('/', ' OR ')
    .replace(/[()]/g, ' ')
    .split(/\s+AND\s+/)
    .map((alternatives) => alternatives.split(/\s+OR\s+/).map((name) => name.trim()))
  return needed.map((names) => {
    const found = Object.keys(known).find((name) => names.includes(name))
    if (!found)
      throw new Error(`None of the licenses of “${expression}” is known to scripts/hosting/licenses.mjs.`)
    return found
  })
}

/** Returns the license texts of the package in `folder`. Throws if a text is missing and has no standard form. */
export function licenseTexts({ name, expression, folder, owner = `the authors of ${name}` }) {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file))
    .sort()
    // The rest of that file concerns build tools, not the package.
    .map((file) =>
      readFileSync(join(folder, file), 'utf8').split('# Licenses of bundled dependencies')[0].trim(),
    )
  return chooseLicenses(expression).map((license) => {
    const { sign, standard } = known[license]
    const text = files.find((file) => sign.test(file)) ?? standard?.(owner)
    if (!text) throw new Error(`${name} comes without the text of its license ${license} (${folder}).`)
    return { license, text }
  })
}
