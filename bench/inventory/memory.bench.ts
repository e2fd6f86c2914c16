import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { fill, now, row, seed } from './measure.ts'
import { makeWorld } from './world.ts'
import type { BenchRow } from '../row.ts'
import { webShell } from '../support/web-shell.ts'

const devices = 100_000

/** Resident memory of the core's process, the built web shell, after reading its cache; beside it with an empty one. */
export async function run(): Promise<BenchRow[]> {
  const [empty, full] = [await residentWith(0), await residentWith(devices)]
  return [row('resident memory of the core at 100,000 devices', full, 'MB', empty, 300)]
}

/** Returns the memory of the shell's process when it answers, MB. */
async function residentWith(many: number): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    if (many > 0) fill(profile, makeWorld(many, seed, now))
    const child = spawn(process.execPath, webShell(profile), { stdio: ['ignore', 'pipe', 'ignore'] })
    const gone = once(child, 'exit')
    try {
      await answering(createInterface(child.stdout))
      return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024
    } finally {
      child.kill()
      await gone
    }
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

/** Resolves when the shell prints its address, after the core has opened everything. */
async function answering(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) if (/http:\/\/\S+/u.test(line)) return
  throw new Error('the shell ended without an address')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run())
