import { expect, test } from 'vitest'
import { circles, describeCircles, describeFolderCircles } from './circles.mjs'
import { crateImports } from './crate-imports.mjs'

const graph = (imports) => new Map(Object.entries(imports))

test('circles are found', () => {
  expect(circles(graph({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: [] }))).toEqual([['a', 'b', 'c']])
  expect(circles(graph({ a: ['b'], b: [] }))).toEqual([])
  expect(describeCircles(graph({ a: ['b'], b: ['a'] }), 'www/src/')).toEqual([
    'files or folders import each other in a cycle: www/src/a, www/src/b',
  ])
})

test('folders that import each other are a circle, even if no file is in a circle', () => {
  const files = {
    'a/hint.rs': ['a/play/table.rs'],
    'a/play/session.rs': ['a/hint.rs'],
    'a/play/table.rs': [],
  }
  expect(describeCircles(graph(files))).toEqual([])
  expect(describeFolderCircles(graph(files))).toEqual([
    'files or folders import each other in a cycle: a/hint.rs, a/play',
  ])
  files['a/play/session.rs'] = ['a/play/table.rs']
  expect(describeFolderCircles(graph(files))).toEqual([])
  expect(describeFolderCircles(graph({ 'a/b/c.rs': ['a/b/mod.rs'], 'a/b/mod.rs': ['a/b/c.rs'] }))).toEqual([
    'files or folders import each other in a cycle: a/b/c.rs, a/b/mod.rs',
  ])
})

/** Returns the imports of a crate with these files. */
const importsOfCrate = (files) => {
  const named = new Map(Object.entries(files).map(([file, text]) => [`crates/x/src/${file}`, text]))
  const short = (file) => file.replace('crates/x/src/', '')
  return Object.fromEntries(
    [...crateImports(named)].map(([file, targets]) => [short(file), targets.map(short).sort()]),
  )
}

test('imports of a crate are found however they are written', () => {
  const lib = 'mod a;\nmod deep;\npub use deep::Deep;'
  const found = importsOfCrate({
    'lib.rs': lib,
    'a.rs': `use crate::{b::{self, One as Other}, deep::{inner::*, Deep}};
      fn f() -> super::c::Three { crate::d::four() }`,
    'b.rs': 'pub struct One; use std::fmt; fn g() { e::five() }',
    'c.rs': 'pub struct Three;',
    'd.rs': 'pub fn four() {}\n// use crate::a::Never;',
    'deep/mod.rs': 'mod inner;\npub use inner::Deep;\nfn h() { inner::help() }',
    'deep/inner.rs': 'pub struct Deep; pub fn help() {}',
  })
  expect(found).toEqual({
    'lib.rs': [],
    'a.rs': ['b.rs', 'c.rs', 'd.rs', 'deep/inner.rs'],
    'b.rs': [],
    'c.rs': [],
    'd.rs': [],
    // A re-export does not count as an import, and `help` is used here.
    'deep/mod.rs': ['deep/inner.rs'],
    'deep/inner.rs': [],
  })
})

test('a re-exported name counts as its definition', () => {
  const found = importsOfCrate({
    'lib.rs': 'mod a;',
    'a/mod.rs': 'mod b;\nmod c;\npub use b::{Base, Other};\npub fn shared() {}',
    'a/b.rs': 'pub struct Base; pub enum Other {}',
    // This imports b.rs, although the path names a/mod.rs.
    'a/c.rs': 'use super::Base;',
  })
  expect(found['a/c.rs']).toEqual(['a/b.rs'])
})

test('items that are used through the name of an imported module are imports', () => {
  const found = importsOfCrate({
    'lib.rs': 'mod a;\nmod b;\nmod c;\nmod d;\nuse a as first;\nfn f() { first::one() }',
    'a.rs': 'use super::b;\npub fn one() -> b::Two { b::two() }',
    'b.rs': 'use crate::c::{self, inner as deep};\npub fn two() { c::three(); deep::four() }',
    'c/mod.rs': 'pub mod inner;\npub use inner::four as three;',
    'c/inner.rs': 'pub fn four() {}',
    // The import of a module alone uses nothing of the module.
    'd.rs': 'use crate::a;\nuse std::fmt;\nfn g() { fmt::h() }',
  })
  expect(found).toEqual({
    'lib.rs': ['a.rs'],
    'a.rs': ['b.rs'],
    'b.rs': ['c/inner.rs'],
    'c/mod.rs': [],
    'c/inner.rs': [],
    'd.rs': [],
  })
})

test('a module and its child that use each other are a circle, unit tests are not', () => {
  const files = {
    'crates/x/src/a/mod.rs': 'mod b;\npub fn shared() {}\nfn f() { b::g() }',
    'crates/x/src/a/b.rs': 'use super::shared;\npub fn g() { shared() }',
  }
  expect(circles(crateImports(new Map(Object.entries(files))))).toEqual([Object.keys(files).sort()])
  files['crates/x/src/a/b.rs'] = 'pub fn g() {}\n#[cfg(test)]\nmod tests {\n use super::super::shared;\n}'
  expect(circles(crateImports(new Map(Object.entries(files))))).toEqual([])
})
