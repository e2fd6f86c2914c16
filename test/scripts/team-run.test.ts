import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openPipe } from '../../scripts/team/pipe.mjs'
import { until } from '../support/fleet.ts'
import { noPostgres } from '../support/postgres/server.ts'

const script = fileURLToPath(new URL('../../scripts/team.mjs', import.meta.url))

/** `npm run team`, with a folder for temporary files of its own. */
function start(...flags: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-team-run-'))
  // The server may run as another user.
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [script, '--no-open', ...flags], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line))
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const shows = (pattern: RegExp, from = 0) =>
    until(() => {
      const found = lines.slice(from).find((line) => pattern.test(line))
      if (found === undefined) throw new Error(`not printed: ${String(pattern)}\n${lines.join('\n')}`)
      return found
    }, 60_000)
  return {
    child,
    folder,
    lines,
    ended,
    shows,
    /** Types a command, and waits for its answer. */
    async type(command: string, answer: RegExp) {
      const before = lines.length
      child.stdin.write(`${command}\n`)
      return shows(answer, before)
    },
  }
}

const address = /http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43}/u

/** Ids of the processes whose environment or command line has this text, where the system lists them (Linux). */
function processesWith(text: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['environ', 'cmdline'].some((file) => read(`/proc/${pid}/${file}`).includes(text)))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // It has ended, or is another user's.
    return ''
  }
}

it(
  `npm run team joins three consoles, obeys commands and leaves nothing behind${noPostgres}`,
  { skip: noPostgres !== '', timeout: 150_000 },
  async () => {
    const team = start('--devices=120')
    await team.shows(/^ {2}quit/u)
    const printed = team.lines.flatMap((line) => address.exec(line)?.[0] ?? [])
    expect(new Set(printed.map((url) => new URL(url).port)).size).toBe(3)
    const profile = (name: string) => path.join(team.folder, readdirSync(team.folder)[0] ?? '', name)
    const cleo = await openPipe(profile('cleo'))
    onTestFinished(cleo.close)
    await until(async () => {
      const { joined } = await cleo.call('team.read', {})
      expect(joined?.members.map(({ operator }) => operator).toSorted()).toEqual(['Ann', 'Ben', 'Cleo'])
      expect(joined?.leads.map(({ leader }) => leader?.operator)).toEqual(['Ann'])
    })
    await team.type('drop 7', /^7 devices went offline\.$/u)
    await until(async () => expect((await cleo.call('app.state', {})).totals.disconnected).toBeGreaterThanOrEqual(7))

    await team.type('kill ann', /^Ann’s console has ended\.$/u)
    await until(async () => {
      const { joined } = await cleo.call('team.read', {})
      expect(joined?.leads.map(({ leader }) => leader?.operator)).toEqual(['Ben'])
    }, 60_000)
    expect(await team.type('start ann', /^Ann /u)).toMatch(address)
    await team.type('stop ann', /^Ann’s console has ended\.$/u)
    await team.type('restore', /^7 devices came back\.$/u)

    expect(processesWith(team.folder).length > 3 || process.platform !== 'linux').toBe(true)
    team.child.kill('SIGINT')
    expect(await team.ended).toBe(0)
    expect(readdirSync(team.folder)).toEqual([])
    await until(() => expect(processesWith(team.folder)).toEqual([]))
  },
)

it(
  `npm run team that is killed leaves nothing behind either${noPostgres}`,
  { skip: noPostgres !== '' || process.platform !== 'linux', timeout: 120_000 },
  async () => {
    const team = start('--devices=20')
    await team.shows(/^ {2}quit/u)
    team.child.kill('SIGKILL')
    expect(await team.ended).toBe('SIGKILL')
    await until(() => expect([processesWith(team.folder), readdirSync(team.folder)]).toEqual([[], []]), 30_000)
  },
)

it(
  `npm run team that is interrupted while it starts leaves nothing behind${noPostgres}`,
  { skip: noPostgres !== '', timeout: 60_000 },
  async () => {
    const team = start('--devices=20')
    await team.shows(/^Starting PostgreSQL/u)
    await until(() => expect(readdirSync(team.folder)).toHaveLength(1))
    team.child.kill('SIGINT')
    expect(await team.ended).toBe(0)
    expect([processesWith(team.folder), readdirSync(team.folder)]).toEqual([[], []])
  },
)
