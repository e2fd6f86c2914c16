import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSettings } from '../../../../src-main/platform/web/settings.ts'
import { openDatabase } from '../../../../src-main/storage/database.ts'
import { takeLock } from '../../../../src-main/platform/shared/lock.ts'
import { writeNew } from '../../../../src-main/platform/shared/own-file.ts'
import { openLog } from '../../../../src-main/platform/shared/log.ts'
import { openProfile } from '../../../../src-main/platform/shared/profile.ts'
import { openSessions } from '../../../../src-main/platform/web/sign-in/sessions.ts'
import { manualClock } from '../../../support/clock.ts'
import { ownFolder } from './folder.ts'

const names = [
  'muster.log',
  'kind',
  'journal.db',
  'cache.db',
  'cache.db-wal',
  'running.json',
  'lock',
  'lock-journal',
  'settings.json',
  'sessions.json',
]

describe('a profile', () => {
  it.each(names)('with a link in the place of %s is rejected, and its target is unchanged', (name) => {
    const [folder, victim] = [ownFolder(), path.join(ownFolder(), 'victim')]
    writeFileSync(victim, 'as it was', { mode: 0o644 })
    symlinkSync(victim, path.join(folder, name))
    expect(() => openProfile(folder, true)).toThrow(
      `${path.join(folder, name)} is a link, and Muster follows none in its profile. Move it away and start again, or choose another profile with --profile DIR.`,
    )
    expect([readFileSync(victim, 'utf8'), statSync(victim).mode & 0o777, readdirSync(folder)]).toEqual([
      'as it was',
      0o644,
      [name],
    ])
  })

  it('with a link to nowhere is rejected as well, and creates nothing there', () => {
    const [folder, nowhere] = [ownFolder(), path.join(ownFolder(), 'nowhere')]
    symlinkSync(nowhere, path.join(folder, 'muster.log'))
    expect(() => openProfile(folder, true)).toThrow('is a link')
    expect(existsSync(nowhere)).toBe(false)
  })

  it.each(['settings.json', 'journal.db', 'cache.db', 'lock', 'muster.log'])(
    'with a folder in the place of %s is rejected with a message',
    (name) => {
      const folder = ownFolder()
      mkdirSync(path.join(folder, name))
      expect(() => openProfile(folder, true)).toThrow(
        `${path.join(folder, name)} is a folder, and Muster keeps a file there. Move it away and start again`,
      )
    },
  )

  it('can read its own files under an umask that allows nobody', () => {
    const file = path.join(ownFolder(), 'kept')
    const former = process.umask(0o777)
    onTestFinished(() => void process.umask(former))
    writeNew(file, 'kept')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each([0, 0o022])('has files that only its owner reads, under the umask %i', (mask) => {
    const former = process.umask(mask)
    onTestFinished(() => void process.umask(former))
    const folder = openProfile(path.join(ownFolder(), 'profile'), true)
    const clock = manualClock()
    const lock = takeLock(folder)
    lock?.announce(1)
    openLog(folder, clock, () => {})('info', 'a line')
    openSettings(folder, clock).set('a', 1)
    openSessions(folder, clock).end()
    const database = openDatabase(path.join(folder, 'cache.db'))
    database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    onTestFinished(() => {
      database.close()
      lock?.release()
    })
    const modes = readdirSync(folder).map((name) => [
      name,
      (statSync(path.join(folder, name)).mode & 0o777).toString(8),
    ])
    expect(modes.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'kind',
        'lock',
        'muster.log',
        'running.json',
        'sessions.json',
        'settings.json',
        'cache.db',
        'cache.db-wal',
      ]),
    )
    expect(modes.filter(([, mode]) => mode !== '600')).toEqual([])
  })

  it('that others could read is narrowed at the next start', () => {
    const folder = ownFolder()
    writeFileSync(path.join(folder, 'cache.db'), '', { mode: 0o644 })
    openProfile(folder, true)
    expect(statSync(path.join(folder, 'cache.db')).mode & 0o777).toBe(0o600)
  })
})

describe('the log', () => {
  it('follows no link that is planted while it runs', () => {
    const [folder, victim] = [ownFolder(), path.join(ownFolder(), 'victim')]
    writeFileSync(victim, 'as it was')
    const log = openLog(folder, manualClock(), () => {})
    symlinkSync(victim, path.join(folder, 'muster.log'))
    log('info', 'a line')
    expect(readFileSync(victim, 'utf8')).toBe('as it was')
  })

  it('has a repeated line once, then with its count, and other lines as they come', async () => {
    const folder = ownFolder()
    const clock = manualClock()
    const log = openLog(folder, clock, () => {})
    for (let time = 0; time < 69_000; time += 1) log('info', 'a pipe was rejected: origin')
    log('info', 'something else')
    await clock.advance(60_000)
    log('info', 'a pipe was rejected: origin')
    await clock.advance(60_000)
    const lines = readFileSync(path.join(folder, 'muster.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(31))
    expect(lines).toEqual([
      'a pipe was rejected: origin',
      'something else',
      'a pipe was rejected: origin (68999 more within a minute)',
      'a pipe was rejected: origin',
    ])
  })
})
