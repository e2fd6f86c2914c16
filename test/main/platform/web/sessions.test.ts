import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openSessions, type Sessions } from '../../../../src-main/platform/web/sign-in/sessions.ts'
import { manualClock } from '../../../support/clock.ts'
import { ownFolder } from '../shared/folder.ts'

const day = 24 * 3_600_000
const hash = (text: string | number) => createHash('sha256').update(String(text)).digest('hex')
const of = (name: string | number) => ({
  id: hash(name),
  stored: hash(`${name} stored`),
  muster: hash(`${name} muster`),
})
const known = (sessions: Sessions, names: (string | number)[], port = 80) =>
  names.filter((name) => sessions.find(hash(name), port) !== null)

it('is kept over a restart, by its owner alone, with nothing left beside it', () => {
  const folder = ownFolder()
  const clock = manualClock()
  openSessions(folder, clock).add(of('a'), 80)
  expect(openSessions(folder, clock).find(hash('a'), 80)).toMatchObject(of('a'))
  expect(statSync(path.join(folder, 'sessions.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['sessions.json'])
})

it('is valid on its own port alone', () => {
  const sessions = openSessions(ownFolder(), manualClock())
  sessions.add(of('a'), 80)
  expect([known(sessions, ['a'], 80), known(sessions, ['a'], 81)]).toEqual([['a'], []])
})

it('ends with its port, or with all', () => {
  const folder = ownFolder()
  const clock = manualClock()
  const sessions = openSessions(folder, clock)
  let told = 0
  const off = sessions.onEnd(() => (told += 1))
  sessions.add(of('a'), 80)
  sessions.add(of('b'), 81)
  sessions.end(80)
  expect([known(sessions, ['a']), known(sessions, ['b'], 81), told]).toEqual([[], ['b'], 0])
  sessions.end()
  expect([known(openSessions(folder, clock), ['a']), known(openSessions(folder, clock), ['b'], 81), told]).toEqual([
    [],
    [],
    1,
  ])
  off()
  sessions.end()
  expect(told).toBe(1)
})

it('omits invalid sessions, and only these; also old ones of cookies', () => {
  const folder = ownFolder()
  const clock = manualClock()
  const at = clock.now()
  const good = { ...of('a'), port: 80, at }
  const stored = [
    { ...of('s'), id: 'short', port: 80, at },
    good,
    { ...of('c'), stored: `${hash('c')}00`, port: 80, at },
    null,
    { ...of('d'), at },
    { hash: 'ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=', at },
  ]
  writeFileSync(path.join(folder, 'sessions.json'), JSON.stringify(stored))
  const sessions = openSessions(folder, clock)
  expect(known(sessions, ['s', 'a', 'c', 'd'])).toEqual(['a'])
})

it('admits a window even if the disk cannot be written to, and reports that', () => {
  const folder = ownFolder()
  // A folder by this name cannot be replaced by a file.
  mkdirSync(path.join(folder, 'sessions.json', 'in the way'), { recursive: true })
  const lines: string[] = []
  const sessions = openSessions(folder, manualClock(), (level, text) => lines.push(`${level} ${text}`))
  sessions.add(of('a'), 80)
  expect(known(sessions, ['a'])).toEqual(['a'])
  expect(lines).toEqual([expect.stringMatching(/^warn the sessions of the browsers could not be written \(E\w+\)/)])
})

it('ends after 90 days without use, also while it runs', async () => {
  const clock = manualClock()
  const sessions = openSessions(ownFolder(), clock)
  sessions.add(of('unused'), 80)
  sessions.add(of('in use'), 80)
  await clock.advance(89 * day)
  sessions.used(hash('in use'))
  await clock.advance(day)
  expect(known(sessions, ['unused', 'in use'])).toEqual(['in use'])
  sessions.used(hash('unused'))
  expect(known(sessions, ['unused'])).toEqual([])
})

it('is not replaced by twenty newer ones while it is in use, and is written once a day', async () => {
  const folder = ownFolder()
  const clock = manualClock()
  const sessions = openSessions(folder, clock)
  const written = () => readFileSync(path.join(folder, 'sessions.json'), 'utf8')
  sessions.add(of('wallboard'), 80)
  const first = written()
  await clock.advance(day - 1)
  sessions.used(hash('wallboard'))
  expect(written()).toBe(first)
  await clock.advance(1)
  sessions.used(hash('wallboard'))
  expect(written()).not.toBe(first)
  for (let newer = 0; newer < 20; newer += 1) {
    sessions.add(of(newer), 80)
    sessions.used(hash('wallboard'))
  }
  expect(known(openSessions(folder, clock), ['wallboard', 0, 1, 19])).toEqual(['wallboard', 1, 19])
})
