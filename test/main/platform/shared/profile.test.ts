import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArgs } from '../../../../src-main/platform/shared/args.ts'
import { openLog } from '../../../../src-main/platform/shared/log.ts'
import { dataHome, openProfile } from '../../../../src-main/platform/shared/profile.ts'
import { openSettings } from '../../../../src-main/platform/web/settings.ts'
import { startFlags } from '../../../../scripts/start/flags.mjs'
import { manualClock } from '../../../support/clock.ts'
import { ownFolder } from './folder.ts'

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe('profile', () => {
  it('is a folder for its owner alone, even if it was open before', () => {
    const folder = path.join(ownFolder(), 'deep', 'profile')
    expect(openProfile(folder, true)).toBe(folder)
    expect(mode(folder)).toBe('700')
    const open = path.join(ownFolder(), 'open')
    mkdirSync(open, { mode: 0o755 })
    openProfile(open, true)
    expect(mode(open)).toBe('700')
  })

  it.runIf(process.platform === 'linux')('is rejected with a message where the system creates no folders', () => {
    expect(() => openProfile('/proc/muster/profile', true)).toThrow('cannot be written to')
  })

  it('is not a file, which is left as it is', () => {
    const file = path.join(ownFolder(), 'a file')
    writeFileSync(file, '')
    chmodSync(file, 0o644)
    expect(() => openProfile(file, true)).toThrow('cannot be written to (ENOTDIR)')
    expect(mode(file)).toBe('644')
  })

  it('keeps the demo apart from real connections', () => {
    const env = { XDG_DATA_HOME: ownFolder(), LOCALAPPDATA: ownFolder(), HOME: ownFolder() }
    const [demo, real] = [openProfile(null, true, env), openProfile(null, false, env)]
    expect([path.basename(demo), path.basename(real)]).toEqual(['demo', 'default'])
    expect(path.dirname(demo)).toBe(path.dirname(real))
  })

  it('keeps the kind of its first start, also without its settings', () => {
    const folder = ownFolder()
    const [demo, real] = [path.join(folder, 'one'), path.join(folder, 'other')]
    openProfile(demo, true)
    openProfile(real, false)
    writeFileSync(path.join(real, 'settings.json'), '{"half": ')
    for (const again of [1, 2]) {
      expect(() => openProfile(demo, false), `try ${again}`).toThrow(
        'is the demo’s, and real connections are never mixed with it. Choose another folder with --profile DIR',
      )
      expect(() => openProfile(real, true), `try ${again}`).toThrow(
        'is for your own connections, and the demo is never mixed with them. Start with --no-demo',
      )
    }
    expect([openProfile(demo, true), openProfile(real, false)]).toEqual([demo, real])
    expect(mode(path.join(demo, 'kind'))).toBe('600')
  })

  it.each([
    ['holds connections', { connections: [{ any: 'thing' }], readings: { demo: {} } }, false],
    ['has what the demo left', { connections: [], readings: { demo: {} } }, true],
    ['has its schema', { schemas: { demo: 'a:b' } }, true],
  ])('without a kind, that %s, is recognised and left as it is', (_what, settings, demo) => {
    const folder = ownFolder()
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings))
    chmodSync(folder, 0o755)
    expect(() => openProfile(folder, !demo)).toThrow('never mixed')
    expect([mode(folder), readdirSync(folder), existsSync(path.join(folder, 'kind'))]).toEqual([
      '755',
      ['settings.json'],
      false,
    ])
    expect(openProfile(folder, demo)).toBe(folder)
  })

  it('with connections in it is real, whatever its kind says', () => {
    const folder = ownFolder()
    openProfile(folder, true)
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ connections: [{}] }))
    expect(() => openProfile(folder, true)).toThrow('is for your own connections')
    openProfile(folder, false)
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ connections: [] }))
    expect(openProfile(folder, false)).toBe(folder)
  })

  it("lies in the system's folder for application data", () => {
    expect(dataHome('linux', { HOME: '/home/ann' })).toBe('/home/ann/.local/share')
    expect(dataHome('linux', { HOME: '/home/ann', XDG_DATA_HOME: '/data' })).toBe('/data')
    expect(dataHome('linux', { HOME: '/home/ann', XDG_DATA_HOME: 'relative' })).toBe('/home/ann/.local/share')
    expect(dataHome('darwin', { HOME: '/Users/ann' })).toBe('/Users/ann/Library/Application Support')
    expect(dataHome('win32', { LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local' })).toBe('C:\\Users\\ann\\AppData\\Local')
  })
})

describe('settings', () => {
  it('are there at the next start, for their owner alone', () => {
    const folder = ownFolder()
    const first = openSettings(folder, manualClock())
    expect(first.damaged).toBeNull()
    first.set('a.b', { deep: [1] })
    first.set('gone', 1)
    first.set('gone', undefined)
    expect(mode(path.join(folder, 'settings.json'))).toBe('600')
    const second = openSettings(folder, manualClock())
    expect([second.get('a.b'), second.get('gone'), second.get('never')]).toEqual([{ deep: [1] }, undefined, undefined])
  })

  it('leaves nothing of the file that a killed core was writing', () => {
    const folder = ownFolder()
    openSettings(folder, manualClock()).set('a', 1)
    writeFileSync(path.join(folder, 'settings.json.tmp-1234567890abcdef'), '{"connections":[{"name":"removed since"')
    expect(openSettings(folder, manualClock()).get('a')).toBe(1)
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it.each(['{"half": ', '', '[1]', 'null', '\u0000\u0001'])(
    'a damaged file (%j) is set aside first, then created anew, and reported',
    (text) => {
      const folder = ownFolder()
      writeFileSync(path.join(folder, 'settings.json'), text)
      const settings = openSettings(folder, manualClock(Date.UTC(2026, 0, 2, 3, 4, 5)))
      expect(settings.damaged).toBe(path.join(folder, 'settings.damaged-2026-01-02T03-04-05-000Z.json'))
      expect(readFileSync(settings.damaged ?? '', 'utf8')).toBe(text)
      settings.set('a', 1)
      expect(openSettings(folder, manualClock())).toMatchObject({ damaged: null })
      expect(openSettings(folder, manualClock()).get('a')).toBe(1)
    },
  )
})

describe('log', () => {
  it('holds every line, and prints warnings and errors at once', () => {
    const folder = ownFolder()
    const said: string[] = []
    const log = openLog(folder, manualClock(Date.UTC(2026, 0, 2)), (line) => said.push(line))
    log('debug', 'quiet')
    log('warn', 'two\nlines')
    const lines = readFileSync(path.join(folder, 'muster.log'), 'utf8')
    expect(lines).toBe('2026-01-02T00:00:00.000Z debug quiet\n2026-01-02T00:00:00.000Z warn  two lines\n')
    expect(said).toEqual(['2026-01-02T00:00:00.000Z warn  two lines'])
    expect(mode(path.join(folder, 'muster.log'))).toBe('600')
  })

  it('never holds a token or a key, and never more than its limit', () => {
    const folder = ownFolder()
    const log = openLog(folder, manualClock(), () => {}, 1000)
    for (let line = 0; line < 50; line += 1) log('info', `line ${line} Bearer abc.def http://x/#key=k-1 after`)
    const files = readdirSync(folder).toSorted()
    expect(files).toEqual(['muster.log', 'muster.log.1'])
    const text = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('')
    expect(text).toContain('line 49 Bearer [hidden] http://x/#key=… after')
    expect(text).not.toMatch(/abc|k-1/)
    expect(text.length).toBeLessThan(2200)
  })
})

describe('arguments', () => {
  it('are the flags of npm start, all of them', () => {
    const all = startFlags.map(({ name, value }) => (value === null ? `--${name}` : `--${name}=7`))
    expect(readArgs(all)).toEqual({ open: false, port: 7, profile: '7', wall: true, demo: false, devices: 7 })
    expect(readArgs([])).toEqual({
      open: true,
      port: null,
      profile: null,
      wall: false,
      demo: true,
      devices: null,
    })
  })

  it.each([['--port=70000'], ['--port=x'], ['--devices=0'], ['--unknown'], ['word']])('reject %s', (word) => {
    expect(() => readArgs([word])).toThrow()
    for (const flag of ['--profile', '--port', '--devices']) {
      for (const behind of [[], ['--no-demo'], ['--']])
        expect(() => readArgs([flag, ...behind])).toThrow(`${flag} needs a value behind it.`)
    }
  })
})
