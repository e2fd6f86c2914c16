import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isStale, stampOf, writeStamp } from '../../scripts/build/build.mjs'
import { readFlags, startFlags } from '../../scripts/start/flags.mjs'
import { crashedFiles, flakyTests, succeeded, summaryLine, countResults } from '../../scripts/test/summary.mjs'

const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

describe('the flags of npm start', () => {
  it('are read in either form', () => {
    expect(readFlags(['--port', '0', '--no-open', '--profile=/a b', '--devices', '20'])).toEqual({
      help: false,
      args: ['--port=0', '--no-open', '--profile=/a b', '--devices=20'],
    })
    expect(readFlags([])).toEqual({ help: false, args: [] })
    expect(readFlags(['--help'])).toEqual({ help: true, args: [] })
  })

  it.each([
    [['--nope'], 'Muster does not know "--nope". Try: npm start -- --help'],
    [['word'], 'Muster does not know "word". Try: npm start -- --help'],
    [['--port'], '--port needs a value (N).'],
    [['--profile', '--web'], '--profile needs a value (DIR).'],
    [['--port', '1x'], '--port needs a whole number.'],
    [['--port=65536'], '--port is at most 65535.'],
    [['--devices=0'], '--devices is at least 1.'],
    [['--web=yes'], '--web takes no value.'],
  ])('reject %j in one line', (argv, error) => {
    expect(readFlags(argv)).toEqual({ error })
  })

  it('are rejected before anything else is done, and explained on request', () => {
    const wrong = spawnSync(process.execPath, [start, '--nope'], { encoding: 'utf8' })
    expect([wrong.status, wrong.stdout, wrong.stderr.trim().split('\n').length]).toEqual([2, '', 1])
    const help = spawnSync(process.execPath, [start, '--help'], { encoding: 'utf8' })
    expect(help.status).toBe(0)
    for (const { name } of startFlags) expect(help.stdout).toContain(`--${name}`)
  })
})

describe('build stamps', () => {
  function repository() {
    const base = mkdtempSync(path.join(tmpdir(), 'muster-build-'))
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    const write = (name: string, text: string) => {
      mkdirSync(path.dirname(path.join(base, name)), { recursive: true })
      writeFileSync(path.join(base, name), text)
    }
    write('package-lock.json', '{}')
    write('src/deep/a.ts', '1')
    write('other/b.ts', '1')
    write('out/a.js', 'built')
    const target = { inputs: ['src', 'missing'], output: 'out/a.js' }
    writeStamp(base, 'a', stampOf(base, target.inputs))
    return { base, write, stale: () => isStale(base, 'a', target) }
  }

  it('hold while nothing changes that goes into the target', () => {
    const { write, stale } = repository()
    expect(stale()).toBe(false)
    write('other/b.ts', '2')
    write('src/deep/a.ts', '1')
    expect(stale()).toBe(false)
  })

  it.each([
    ['a source changes', 'src/deep/a.ts', '2'],
    ['a source is added', 'src/c.ts', ''],
    ['the lockfile changes', 'package-lock.json', '{ }'],
  ])('end when %s', (_what, name, text) => {
    const { write, stale } = repository()
    write(name, text)
    expect(stale()).toBe(true)
  })

  it('end when a source is renamed, or the output is gone', () => {
    const renamed = repository()
    renameSync(path.join(renamed.base, 'src/deep/a.ts'), path.join(renamed.base, 'src/deep/b.ts'))
    expect(renamed.stale()).toBe(true)
    const gone = repository()
    rmSync(path.join(gone.base, 'out/a.js'))
    expect(gone.stale()).toBe(true)
  })
})

describe('the summary of npm test', () => {
  it('counts every outcome, and a file that could not be loaded as a failure', () => {
    const report = {
      testResults: [
        { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'pending' }, { status: 'todo' }] },
        { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
        { status: 'failed', assertionResults: [] },
      ],
    }
    expect(summaryLine(countResults(report))).toBe('2 passed, 2 failed, 2 skipped')
  })

  it('names tests that passed only in a second try', () => {
    const outcome = (fullName: string, status: string, ...failureMessages: string[]) => ({
      fullName,
      status,
      failureMessages,
    })
    const report = {
      testResults: [
        {
          assertionResults: [
            outcome('steady', 'passed'),
            outcome('races', 'passed', 'not yet'),
            outcome('fails', 'failed', 'no', 'no'),
          ],
        },
      ],
    }
    expect(flakyTests(report)).toEqual(['races'])
  })

  it('distinguishes a file whose process died from one that failed, was skipped or did not load', () => {
    const file = (name: string, message: string, ...outcomes: string[]) => ({
      name,
      status: 'failed',
      message,
      assertionResults: outcomes.map((status) => ({ status })),
    })
    const testResults = [
      file('died', '', 'passed', 'pending', 'skipped'),
      file('failed', '', 'failed', 'pending'),
      file('not loaded', 'no such module'),
      { ...file('skipped', '', 'pending'), status: 'passed' },
    ]
    expect(crashedFiles({ testResults })).toEqual(['died'])
  })

  it('is a success only when something passed and nothing failed', () => {
    expect([
      succeeded({ passed: 1, failed: 0 }),
      succeeded({ passed: 0, failed: 0 }),
      succeeded({ passed: 9, failed: 1 }),
    ]).toEqual([true, false, false])
  })
})
