import { expect, test } from 'vitest'
import { focusSheet, namedBy } from './focus'
import { step, type GuideStep } from './guide'

const given: GuideStep = step({
  title: 'A',
  text: 'B',
  question: 'C?',
  target: 'map',
  also: 'picture',
  setup: [{ kind: 'click', element: 'prepared' }],
  requirement: {
    isMet: () => true,
    text: 'D',
    action: { label: 'E', does: [{ kind: 'wait', element: 'file' }] },
  },
  action: {
    label: 'F',
    does: [
      { kind: 'learn', on: true },
      { kind: 'unless', figure: { element: 'hint' }, is: 0, does: [{ kind: 'click', element: 'hint' }] },
      { kind: 'fill', element: 'axis', value: '1' },
    ],
  },
  figures: {
    mean: { metric: 'return_mean' },
    recent: { recent: 'loss' },
    steps: { progress: 'updates' },
    seconds: { run: 'seconds' },
    low: { element: 'map', attribute: 'low' },
    best: { element: 'best' },
  },
  outcome: () => null,
})

test('a step names its target, and by default the controls of its buttons and the displays of its figures', () => {
  const controls = ['map', 'picture', 'hint', 'axis', 'file']
  expect(namedBy(given, true).sort()).toEqual(
    [...controls, 'chart-return_mean', 'chart-loss', 'steps', 'best'].sort(),
  )
  expect(namedBy({ ...given, shows: ['list'] }, true)).toEqual(['map', 'picture', 'list'])
})

test('a step names the elements that show the answer only after the start of its experiment', () => {
  const step = { ...given, target: 'chart', shows: ['list', 'steps'], reveals: ['chart', 'list'] }
  expect(namedBy(step, false)).toEqual(['picture', 'steps'])
  expect(namedBy(step, true)).toEqual(['chart', 'picture', 'list', 'steps'])
  expect([focusSheet(step, false), focusSheet(step, true)].map((sheet) => sheet.includes('list'))).toEqual([
    false,
    true,
  ])
})

test('the style sheet of a step keeps the parts with its elements, and hides the others', () => {
  const sheet = focusSheet({
    ...given,
    also: undefined,
    action: { label: 'F', does: [] },
    requirement: undefined,
    shows: [],
  })
  const [page, details, preset, projector, ...more] = sheet.split(',\n')
  expect(page).toMatch(
    /^:root\[data-focus\]:not\(\[data-projector\]\) \.world :is\(.*\):not\(\[data-testid='map'\],/,
  )
  expect(projector).toMatch(
    /^:root\[data-focus\]\[data-projector='fitted'\] .*\.transport\) \{ display: none; \}$/,
  )
  expect(details).toBe(
    ":root[data-focus] .world [data-detail]:not([data-testid='map'], :has([data-testid='map']))",
  )
  expect(preset).toBe(
    ":root[data-focus]:not([data-projector]) .head .tools > :has([data-testid='preset']):not(:has([data-testid='map']))",
  )
  expect(more).toEqual([])
  for (const rule of [page, projector]) expect(rule).toContain(":has([data-testid='map'])")
  expect(sheet).not.toContain('best')
})

test('a step without the picture keeps no picture that it does not name', () => {
  expect(focusSheet(given)).toContain(':has(> .box)')
  expect(focusSheet({ ...given, hidesPicture: true })).not.toContain(':has(> .box)')
})
