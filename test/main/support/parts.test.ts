import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { unzipSync, strFromU8 } from 'fflate'
import { inOrder, momentText } from '../../../src-shared/text/diagnostics.ts'
import { createSchemaDrift } from '../../../src-main/support/schema-drift.ts'
import { inChunks, zipOf } from '../../../src-main/support/bundle/files.ts'
import { logTail, sizesIn } from '../../../src-main/support/profile-files.ts'
import { createStartupTimes } from '../../../src-main/support/startup-times.ts'
import { versionsOf } from '../../../src-main/support/snapshot.ts'
import { delayOf } from '../../../src-main/inventory/thread/loop-monitor.ts'
import { resolvedProxy } from '../../../src-main/network/chromium/login-sessions.ts'
import { createSocketHistory } from '../../../src-main/live/history.ts'
import { manualClock } from '../../support/clock.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

test("a startup moment is its first time, measured from the process's beginning", async () => {
  const clock = manualClock()
  const marks = createStartupTimes(clock, clock.now() - 250)
  await clock.advance(50)
  marks.mark('core')
  await clock.advance(1000)
  marks.mark('files')
  marks.mark('core')
  expect(marks.start().moments).toEqual(
    [
      ['core', 300],
      ['files', 1300],
      ['ready', null],
      ['asked', null],
      ['rows', null],
      ['drawn', null],
    ].map(([what, ms]) => ({ what, ms, entered: false })),
  )
})

test('the time that a person takes to enter a connection is no part of a start', async () => {
  const clock = manualClock()
  const marks = createStartupTimes(clock, clock.now() - 250)
  await clock.advance(1000)
  marks.mark('drawn')
  await clock.advance(54_000)
  marks.entered()
  await clock.advance(800)
  marks.mark('rows')
  marks.entered()
  const { moments } = marks.start()
  expect(moments.filter(({ ms }) => ms !== null)).toEqual([
    { what: 'rows', ms: 800, entered: true },
    { what: 'drawn', ms: 1250, entered: false },
  ])
  expect(inOrder(moments).map(({ what }) => what)).toEqual(['drawn', 'core', 'files', 'ready', 'asked', 'rows'])
  expect(inOrder(moments).map(momentText)).toEqual([
    'after 1.3 s',
    'not yet',
    'not yet',
    'not yet',
    'not yet',
    '800 ms after a connection or login was entered',
  ])
})

test('the end of the log comes in whole lines, the older file before the newer one', async () => {
  const profile = temporaryProfile(leftovers)
  expect(await logTail(profile)).toBeNull()
  writeFileSync(path.join(profile, 'muster.log'), 'third\nfourth\n')
  expect(await logTail(profile)).toBe('third\nfourth\n')
  writeFileSync(path.join(profile, 'muster.log.1'), 'first\nsecond\n')
  expect(await logTail(profile)).toBe('first\nsecond\nthird\nfourth\n')
  expect(await logTail(profile, 22)).toBe('second\nthird\nfourth\n')
  expect(await logTail(profile, 9)).toBe('fourth\n')
  // A line that is cut is left out, and so is what lies before it.
  expect(await logTail(profile, 12)).toBe('fourth\n')
  appendFileSync(path.join(profile, 'muster.log'), `${'ü'.repeat(400_000)}\nlast\n`)
  expect(await logTail(profile)).toBe('last\n')
  expect((await sizesIn(profile)).map(({ name }) => name)).toEqual(['muster.log', 'muster.log.1'])
  expect(await sizesIn(path.join(profile, 'not there'))).toEqual([])
})

test('a long text is changed line by line, and nothing of it is lost', async () => {
  const text = Array.from({ length: 20_000 }, (_, line) => `line ${line} of Acme`).join('\n')
  const parts: number[] = []
  const changed = await inChunks(text, (part) => {
    parts.push(part.length)
    return part.replaceAll('Acme', 'x')
  })
  expect(changed).toBe(text.replaceAll('Acme', 'x'))
  expect(parts.length).toBeGreaterThan(5)
  expect(Math.max(...parts)).toBeLessThan(40_000)
  expect(await inChunks('', (part) => part)).toBe('')
})

test('the zip has the texts, whatever they contain', async () => {
  const files = [
    { name: 'a.txt', text: 'a'.repeat(100_000) },
    { name: 'b.json', text: '{"ü": "\u{1F600}"}\n' },
    { name: 'c', text: '' },
  ]
  const read = unzipSync(await zipOf(files, Date.UTC(2026, 10, 22)))
  expect(Object.entries(read).map(([name, bytes]) => ({ name, text: strFromU8(bytes) }))).toEqual(files)
})

test('the delay of a loop is that of its worst measurements', () => {
  expect(delayOf([])).toBeNull()
  expect(delayOf([5])).toEqual({ p50: 5, p99: 5, max: 5 })
  expect(delayOf(Array.from({ length: 200 }, (_, at) => 200 - at))).toEqual({ p50: 100, p99: 198, max: 200 })
})

test('a proxy of the system is shown without its login', () => {
  expect(
    [
      'DIRECT',
      '',
      'PROXY proxy.test:3128; DIRECT',
      'HTTPS anna:word@proxy.test:443',
      ' SOCKS5  10.0.0.1:1080 ;PROXY x:1',
      'direct',
    ].map(resolvedProxy),
  ).toEqual([null, null, 'proxy.test:3128', 'proxy.test:443', '10.0.0.1:1080', null])
})

test('the history of a socket is bounded, and records a token renewal', async () => {
  const clock = manualClock()
  const history = createSocketHistory(clock)
  const began = clock.now()
  history.moved({ state: 'connecting', attempt: 0 }, null)
  await clock.advance(100)
  history.moved({ state: 'live', since: clock.now() }, null)
  history.renewed()
  history.moved({ state: 'waiting', attempt: 2, retryAt: 5 }, { kind: 'reset', detail: 'x' })
  expect(history.moves()).toEqual([
    { at: began, to: 'connecting', attempt: 1, fault: null },
    { at: began + 100, to: 'live', attempt: null, fault: null },
    { at: began + 100, to: 'renewed', attempt: null, fault: null },
    { at: began + 100, to: 'waiting', attempt: 3, fault: { kind: 'reset', detail: 'x' } },
  ])
  for (let turn = 0; turn < 300; turn += 1) history.moved({ state: 'connecting', attempt: turn }, null)
  expect(history.moves()).toHaveLength(200)
  expect(history.moves().at(-1)?.attempt).toBe(300)
})

test('findings of drift stay when their banner is gone, the latest two hundred', () => {
  const findings = createSchemaDrift({ now: () => 7 })
  for (let turn = 0; turn < 201; turn += 1) findings.note('Acme', `new: field${turn}`)
  expect(findings.all()).toHaveLength(200)
  expect(findings.all()[0]).toEqual({ at: 7, connection: 'Acme', detail: 'new: field1' })
})

test('versions are those of the running programs', () => {
  const versions = new Map(versionsOf({ version: '1.2.3', shell: 'web' }).map(({ name, version }) => [name, version]))
  expect(versions.get('Muster')).toBe('1.2.3')
  expect(versions.get('Node')).toBe(process.versions.node)
  expect(versions.get('SQLite')).toMatch(/^3\./u)
  expect([versions.has('Electron'), versions.has('Sandbox')]).toEqual([false, false])
})

test('the desktop application says whether its page has a sandbox', () => {
  const sandboxOf = (sandbox: boolean) =>
    versionsOf({ version: '1.2.3', shell: 'electron', sandbox }).find(({ name }) => name === 'Sandbox')?.version
  expect([sandboxOf(true), sandboxOf(false)]).toEqual(['on', 'off: started with --no-sandbox'])
})
