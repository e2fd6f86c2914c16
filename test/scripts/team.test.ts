import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commandList, commands, readCommand } from '../../scripts/team/commands.mjs'
import { roles, startDatabase } from '../../scripts/team/database.mjs'
import { readFlags, usage } from '../../scripts/team/flags.mjs'
import { nativeFolder } from '../../scripts/team/postgres.mjs'
import { leaksBelow } from '../support/leaks.ts'
import { noPostgres } from '../support/postgres/server.ts'

const script = fileURLToPath(new URL('../../scripts/team.mjs', import.meta.url))

describe('the flags of npm run team', () => {
  it('are read in either form', () => {
    expect(readFlags([])).toEqual({ help: false, open: true, devices: 2000 })
    expect(readFlags(['--no-open', '--devices', '50'])).toEqual({ help: false, open: false, devices: 50 })
    expect(readFlags(['--devices=1000000'])).toMatchObject({ devices: 1_000_000 })
    expect(readFlags(['-h'])).toMatchObject({ help: true })
  })

  it.each([
    [['--nope'], 'There is no flag "--nope". Try: npm run team -- --help'],
    [['--no-open=yes'], 'There is no flag "--no-open=yes". Try: npm run team -- --help'],
    [['--devices'], '--devices needs a whole number from 1 to 1000000.'],
    [['--devices=0'], '--devices needs a whole number from 1 to 1000000.'],
    [['--devices', '1000001'], '--devices needs a whole number from 1 to 1000000.'],
  ])('reject %j in one line', (argv, error) => {
    expect(readFlags(argv)).toEqual({ error })
  })

  it('are rejected before anything else is done, and explained on request', () => {
    const wrong = spawnSync(process.execPath, [script, '--nope'], { encoding: 'utf8' })
    expect([wrong.status, wrong.stdout, wrong.stderr.trim().split('\n').length]).toEqual([2, '', 1])
    const help = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' })
    expect([help.status, help.stdout.trim()]).toEqual([0, usage()])
  })
})

describe('a command of the terminal', () => {
  const names = ['ann', 'ben', 'cleo']

  it.each([
    ['', { is: 'none' }],
    ['stop ann', { is: 'stop', name: 'ann' }],
    ['  KILL   Ben ', { is: 'kill', name: 'ben' }],
    ['start cleo', { is: 'start', name: 'cleo' }],
    ['open ann', { is: 'open', name: 'ann' }],
    ['drop 20', { is: 'drop', count: 20 }],
    ['restore', { is: 'restore' }],
    ['quit', { is: 'quit' }],
    ['help', { is: 'help' }],
    ['stop', { is: 'wrong', text: 'Whom? ann, ben, cleo.' }],
    ['stop dora', { is: 'wrong', text: 'Whom? ann, ben, cleo.' }],
    ['drop', { is: 'wrong', text: 'How many? A whole number from 1 to 100000, as in: drop 20' }],
    ['drop 0', { is: 'wrong', text: 'How many? A whole number from 1 to 100000, as in: drop 20' }],
    ['drop 3 now', { is: 'wrong', text: 'That is too much. “help” lists the commands.' }],
    ['dance', { is: 'wrong', text: 'There is no command “dance”. “help” lists them.' }],
  ])('“%s” is read', (line, command) => {
    expect(readCommand(line, names)).toEqual(command)
  })

  it('is listed by “help”, and known', () => {
    expect(commandList().split('\n')).toHaveLength(commands.length)
    for (const { words } of commands)
      expect(readCommand(words.replace('NAME', 'ann').replace('N', '3'), names).is).toBe(words.split(' ')[0])
  })
})

describe('the database of npm run team', () => {
  it('is missing where no package has one for this system', () => {
    expect(nativeFolder('plan9', 'x64')).toBeNull()
  })

  it(
    `lets three roles in, nobody as its superuser, and no password is on the disk${noPostgres}`,
    { skip: noPostgres !== '', timeout: 60_000 },
    async () => {
      const base = mkdtempSync(path.join(tmpdir(), 'muster-team-database-'))
      chmodSync(base, 0o711)
      onTestFinished(() => rmSync(base, { recursive: true, force: true }))
      const { members, stop } = await startDatabase(nativeFolder() ?? '', base)
      onTestFinished(stop)
      for (const [operator, { address, password }] of Object.entries(members))
        expect([operator, await whoIs(address, password)]).toEqual([operator, roles[operator as keyof typeof roles]])
      expect(await whoIs(members.ben.address, 'another')).toMatch(/password authentication failed/u)
      const asAdmin = members.ann.address.replace('muster_owner', 'admin')
      expect(await whoIs(asAdmin, '')).not.toBe('admin')
      const secrets = Object.fromEntries(Object.entries(members).map(([name, { password }]) => [name, password]))
      expect(leaksBelow(base, secrets).leaks).toEqual([])
    },
  )
})

/** Resolves with the role that the database sees, or its error. */
async function whoIs(address: string, password: string): Promise<string> {
  const { hostname: host, port, username: user, pathname } = new URL(address)
  const client = new Client({ host, port: Number(port), user, password, database: pathname.slice(1), ssl: false })
  try {
    await client.connect()
    const { rows } = await client.query<{ role: string }>('SELECT current_user AS role')
    return rows[0]?.role ?? ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}
