import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openSessions } from '../../../src-main/web/sessions.ts'
import { manualClock } from '../../support/clock.ts'
import { ownFolder } from '../shell/folder.ts'

const day = 24 * 3_600_000
const hash = (text: string | number) => createHash('sha256').update(String(text)).digest('base64')

it('is kept over a restart, by its owner alone, with nothing left beside it', () => {
  const folder = ownFolder()
  const clock = manualClock()
  openSessions(folder, clock).add(hash('a'))
  expect(openSessions(folder, clock).all()).toEqual([hash('a')])
  expect(statSync(path.join(folder, 'sessions.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['sessions.json'])
})

it('leaves out what is no hash, and only that', () => {
  const folder = ownFolder()
  const clock = manualClock()
  const at = clock.now()
  const stored = [{ hash: 'c2hvcnQ=', at }, { hash: hash('a'), at }, { hash: `${hash('b')}AAAA`, at }, null, { hash: hash('c') }]
  writeFileSync(path.join(folder, 'sessions.json'), JSON.stringify(stored))
  expect(openSessions(folder, clock).all()).toEqual([hash('a')])
})

it('lets a browser in even if the disk cannot be written to, and tells', () => {
  const folder = ownFolder()
  // A folder by this name cannot be replaced by a file.
  mkdirSync(path.join(folder, 'sessions.json', 'in the way'), { recursive: true })
  const lines: string[] = []
  const sessions = openSessions(folder, manualClock(), (level, text) => lines.push(`${level} ${text}`))
  sessions.add(hash('a'))
  expect(sessions.all()).toEqual([hash('a')])
  expect(lines).toEqual([expect.stringMatching(/^warn the sessions of the browsers could not be written \(E\w+\)/)])
})

it('ends after 90 days without use, also while it runs', async () => {
  const clock = manualClock()
  const sessions = openSessions(ownFolder(), clock)
  sessions.add(hash('unused'))
  sessions.add(hash('in use'))
  await clock.advance(89 * day)
  sessions.used(hash('in use'))
  await clock.advance(day)
  expect(sessions.all()).toEqual([hash('in use')])
})

it('is not pushed out by twenty newer ones while it is in use, and is written once a day', async () => {
  const folder = ownFolder()
  const clock = manualClock()
  const sessions = openSessions(folder, clock)
  const written = () => readFileSync(path.join(folder, 'sessions.json'), 'utf8')
  sessions.add(hash('wallboard'))
  const first = written()
  await clock.advance(day - 1)
  sessions.used(hash('wallboard'))
  expect(written()).toBe(first)
  await clock.advance(1)
  sessions.used(hash('wallboard'))
  expect(written()).not.toBe(first)
  for (let newer = 0; newer < 20; newer += 1) {
    sessions.add(hash(newer))
    sessions.used(hash('wallboard'))
  }
  expect(sessions.all()).toHaveLength(20)
  expect(openSessions(folder, clock).all()).toContain(hash('wallboard'))
  expect(sessions.all()).not.toContain(hash(0))
})
