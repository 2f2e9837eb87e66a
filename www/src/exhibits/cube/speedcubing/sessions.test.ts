import { beforeEach, describe, expect, test, vi } from 'vitest'
import { toasts } from '../../../state/toasts.svelte'
import { csTimerText, readCsTimer } from './cstimer'
import { solvesCsv } from './csv'
import { SolveSessions } from './sessions.svelte'
import { storedSessions } from './storage'
import { stubStorage } from '../../../lib/storage.stub'
import type { Penalty, Solve } from './timer'

const solve = (time: number, penalty: Penalty = 'none', moves = 10): Solve => ({ time, penalty, moves })

describe('sessions of solves', () => {
  let memory = new Map<string, string>()
  beforeEach(() => {
    memory = stubStorage()
    toasts.dismissAll()
    return () => vi.unstubAllGlobals()
  })

  const sessionsOf = (world = 'cube2', replaced = () => {}) => new SolveSessions(() => world, replaced)
  const last = () => toasts.list.at(-1)!
  const undo = () => last().action!.run()

  /** Returns the stored solves of the chosen session. */
  const stored = (world: string) => {
    const { list, chosen } = storedSessions(world)
    return list.find(({ name }) => name === chosen)!.solves
  }

  test('solves of a file are imported once, in the order of their dates, and Undo deletes them', () => {
    const dated = (seconds: number) => ({ ...solve(1000 * seconds, 'none', 0), date: 1000 * seconds })
    const stored = [{ ...dated(2), date: 2345 }, dated(4)]
    memory.set('vivarium:/solves-cube2', JSON.stringify(stored))
    const sessions = sessionsOf()
    const times = () => sessions.solves.map(({ time }) => time / 1000)
    const csv = solvesCsv([1, 2, 3].map(dated))
    sessions.importFile(csv, 'solves.csv')
    expect(times()).toEqual([1, 2, 3, 4])
    expect(toasts.list.at(-1)!.message).toBe('2 solves imported. 1 already listed.')
    toasts.list.at(-1)!.action!.run()
    expect(sessions.solves).toEqual(stored)
    sessions.importFile('Time\n9\nx', 'solves.csv')
    expect(toasts.list.at(-1)).toMatchObject({ kind: 'error', message: 'solves.csv was not imported.' })
    expect(toasts.list.at(-1)!.hint).toMatch(/^Line 3: /)
    sessions.importFile('Time\nx', 'solves.csv')
    expect(toasts.list.at(-1)!.hint).toMatch(/^Line 2: /)
    // Solves without a date are the oldest ones. Listed solves are never dropped.
    sessions.importFile(`Time\n${'9\n'.repeat(1000)}`, 'solves.csv')
    expect([sessions.solves.length, times().slice(-3)]).toEqual([1000, [9, 2, 4]])
    expect(toasts.list.at(-1)!.message).toMatch(/^998 solves imported. 2 did not fit/)
  })

  test('deleted solves are restored by Undo', async () => {
    memory.set('vivarium:/solves-cube2', JSON.stringify([solve(10), solve(20), solve(30)]))
    const sessions = sessionsOf()
    const times = () => sessions.solves.map(({ time }) => time)
    const undo = () => toasts.list.at(-1)!.action!.run()
    sessions.remove(1)
    expect(times()).toEqual([10, 30])
    expect(toasts.list.at(-1)).toMatchObject({ message: 'Solve 2 deleted.', action: { label: 'Undo' } })
    undo()
    expect(times()).toEqual([10, 20, 30])
    sessions.clear()
    expect([times(), toasts.list.at(-1)!.message]).toEqual([[], '3 solves deleted.'])
    undo()
    expect(times()).toEqual([10, 20, 30])
    expect(stored('cube2').length).toBe(3)
  })

  test('damaged storage is ignored', () => {
    memory.set('vivarium:/solves-cube2', '[{"time":1},{"time":50,"penalty":"none","moves":2},null]')
    expect(stored('cube2')).toEqual([solve(50, 'none', 2)])
    memory.set('vivarium:/solves-cube2', '{')
    expect(stored('cube2')).toEqual([])
  })

  test('a session is added, renamed, chosen and deleted, and Undo restores it', () => {
    memory.set('vivarium:/solves-cube3', JSON.stringify([solve(10)]))
    let replaced = 0
    const sessions = sessionsOf('cube3', () => replaced++)
    const shown = () => sessions.list.map(({ name, solves }) => `${name}: ${solves.length}`)
    expect([shown(), sessions.chosen]).toEqual([['Session 1: 1'], 'Session 1'])
    sessions.delete()
    expect(shown()).toEqual(['Session 1: 1'])
    sessions.create()
    expect(replaced).toBe(1)
    sessions.add(solve(20))
    expect(sessions.rename(' ')).toBe('A session needs a name.')
    expect(sessions.rename('Session 1')).toBe('There is already a session “Session 1”.')
    expect(sessions.rename(' one-handed ')).toBeNull()
    expect([shown(), sessions.chosen]).toEqual([['Session 1: 1', 'one-handed: 1'], 'one-handed'])
    sessions.create()
    expect(sessions.chosen).toBe('Session 3')
    sessions.choose('one-handed')
    sessions.remove(0)
    sessions.choose('Session 1')
    // Undo restores the solve in its session.
    undo()
    expect(shown()).toEqual(['Session 1: 1', 'one-handed: 1', 'Session 3: 0'])
    sessions.choose('one-handed')
    sessions.delete()
    expect([last().message, sessions.chosen]).toEqual(['one-handed deleted.', 'Session 3'])
    undo()
    expect([shown()[1], sessions.chosen]).toEqual(['one-handed: 1', 'one-handed'])
    expect(sessionsOf('cube3').list).toEqual(sessions.list)
  })

  test('solves that the browser refuses to store cause one error', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new Error('quota')
      },
    })
    const sessions = sessionsOf()
    sessions.add(solve(10))
    sessions.add(solve(20))
    expect(sessions.solves.length).toBe(2)
    expect(toasts.list.map(({ message }) => message)).toEqual(['The browser does not store the solves.'])
  })

  const file = JSON.stringify({
    session1: [
      [[0, 12345], "R U R' ", 'easy', 1_700_000_000],
      [[2000, 9990], 'U2', '', 1_700_000_100],
      [[-1, 8000], 'F', '', 1_700_000_200],
    ],
    session2: [[[0, 3210], 'R U', '', 1_700_000_300]],
    session3: [[[0, 5000], "F2 R'", '', 1_700_000_400]],
    session4: [],
    properties: {
      sessionData: JSON.stringify({
        1: { name: 1, opt: {} },
        2: { name: 'two', opt: { scrType: '222so' } },
        3: { name: 'one-handed', opt: { scrType: '333oh' } },
        4: { name: 4, opt: {} },
      }),
    },
  })

  test('sessions of csTimer are read by puzzle, and errors name the solve', () => {
    const { sessions, others, errors } = readCsTimer(file, 3)
    expect([sessions.map(({ name }) => name), others, errors]).toEqual([['Session 1', 'one-handed'], 1, []])
    const date = 1_700_000_000_000
    expect(sessions[0]!.solves).toEqual([
      { time: 12_345, penalty: 'none', moves: 0, scramble: "R U R'", comment: 'easy', date },
      { time: 9990, penalty: '+2', moves: 0, scramble: 'U2', date: date + 100_000 },
      { time: 8000, penalty: 'DNF', moves: 0, scramble: 'F', date: date + 200_000 },
    ])
    expect(readCsTimer(file, 2).sessions.map(({ name }) => name)).toEqual(['two'])
    expect(readCsTimer('{', 3).errors).toHaveLength(1)
    expect(readCsTimer('{}', 3).errors).toEqual([
      'The file has no sessions; a file of csTimer has “session1”.',
    ])
    expect(readCsTimer('{"session1":[[[0,1]],[[0,"x"]]]}', 3).errors).toEqual([
      'Session 1, solve 2: not a solve of csTimer.',
    ])
  })

  test('sessions written for csTimer are read again', () => {
    const { sessions } = readCsTimer(file, 3)
    expect(readCsTimer(csTimerText(sessions, 3), 3)).toEqual({ sessions, others: 0, errors: [] })
    expect(readCsTimer(csTimerText(sessions, 2), 3).others).toBe(2)
    const turns = { ...solve(1000), turns: 'R U' }
    const written = csTimerText([{ name: 'page', solves: [turns] }], 2)
    expect(readCsTimer(written, 2).sessions[0]!.solves[0]).toEqual({
      ...solve(1000, 'none', 0),
      comment: 'moves: R U',
    })
  })

  test('a file of csTimer is imported into sessions of the same names, and Undo deletes what it added', () => {
    const sessions = sessionsOf('cube3')
    const own = { ...solve(7000), date: 1 }
    sessions.add(own)
    sessions.importFile(file, 'cstimer.txt')
    const shown = () => sessions.list.map(({ name, solves }) => `${name}: ${solves.length}`)
    expect(shown()).toEqual(['Session 1: 4', 'one-handed: 1'])
    expect(last().message).toBe('4 solves imported into 2 sessions. 1 session of other puzzles not imported.')
    const { action } = last()
    sessions.importFile(file, 'cstimer.txt')
    expect(last().message).toMatch(/^0 solves imported into 2 sessions. 4 already listed./)
    action!.run()
    expect(shown()).toEqual(['Session 1: 1'])
    expect(sessions.solves).toEqual([own])
  })

  test('an import into an empty session opens the first session of the file, and empty ones are not exported', () => {
    const sessions = sessionsOf('cube3')
    sessions.importFile(file.replace('"name\\":1', '"name\\":\\"main\\"'), 'cstimer.txt')
    expect(sessions.chosen).toBe('main')
    const written = JSON.parse(csTimerText(sessions.list, 3))
    expect(Object.keys(written)).toEqual(['session1', 'session2', 'properties'])
    expect(written.session1[0]).toEqual([[0, 12_345], "R U R'", 'easy', 1_700_000_000])
  })
})
