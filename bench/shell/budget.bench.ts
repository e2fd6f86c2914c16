import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { BenchRow } from '../row.ts'
import { idleRows } from './idle.ts'
import { percentile } from '../support/percentile.ts'

/**
 * Limits of the desktop application: the time to load its main process, the scripts that the window loads before it
 * paints, and the core's processor time while idle.
 */
const starts = 15

export async function run(): Promise<BenchRow[]> {
  return [...(await loadRows()), ...scriptRows(), ...(await idleRows())]
}

/**
 * Measures each load in a process of its own, one after the other, with the stub of `electron` loaded before the clock
 * starts; beside an empty module.
 */
async function loadRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const empty = path.join(folder, 'empty.mjs')
  writeFileSync(empty, 'export {}\n')
  const [main, nothing]: [Load[], Load[]] = [[], []]
  try {
    for (let start = 0; start < starts; start += 1) {
      nothing.push(await loadOnce(empty, path.join(folder, 'profile')))
      main.push(await loadOnce(path.resolve('out/electron/main.js'), path.join(folder, 'profile')))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const of = (loads: readonly Load[], what: keyof Load, share: number) =>
    percentile(
      loads.map((load) => load[what]),
      share,
    )
  const value = of(main, 'wall', 0.95)
  return [
    {
      name: `main bundle loaded (p95 of ${starts} starts)`,
      value,
      unit: 'ms',
      baseline: of(nothing, 'wall', 0.95),
      target: 150,
      holds: value <= 150,
    },
    {
      name: 'the same, median',
      value: of(main, 'wall', 0.5),
      unit: 'ms',
      baseline: of(nothing, 'wall', 0.5),
      target: null,
      holds: null,
    },
    {
      name: 'the same, processor time of all its threads, median',
      value: of(main, 'cpu', 0.5),
      unit: 'ms',
      baseline: of(nothing, 'cpu', 0.5),
      target: null,
      holds: null,
    },
  ]
}

/** Milliseconds. */
interface Load {
  wall: number
  cpu: number
}

/** Measures from the import of the module to its last statement, without later asynchronous work. */
async function loadOnce(module: string, profile: string): Promise<Load> {
  const program = `await import('electron')
    const [began, before] = [performance.now(), process.cpuUsage()]
    await import(${JSON.stringify(module)})
    const [wall, { user, system }] = [performance.now() - began, process.cpuUsage(before)]
    process.stdout.write('took ' + wall + ' ' + (user + system) / 1000 + '\\n', () => process.exit(0))`
  const register = fileURLToPath(new URL('../../test/support/electron-stand-in/register.ts', import.meta.url))
  const args = [
    '--disable-warning=ExperimentalWarning',
    `--import=${register}`,
    '--input-type=module',
    '-e',
    program,
    '--',
    '--no-demo',
    `--profile=${profile}`,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const [, wall, cpu] = /took ([\d.]+) ([\d.]+)/.exec(stdout) ?? []
  if (wall === undefined || cpu === undefined) throw new Error(`the main process printed nothing: ${stdout}`)
  return { wall: Number(wall), cpu: Number(cpu) }
}

/**
 * Returns what `index.html` loads before the first paint: its scripts and their static imports, without dynamic ones.
 */
function scriptRows(): BenchRow[] {
  const page = readFileSync('out/renderer/index.html', 'utf8')
  const first = [...page.matchAll(/<(?:script|link)[^>]*?(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file ?? '')
  const files = withImports(first)
  const texts = files.map((file) => readFileSync(path.join('out/renderer', file)))
  const kilobytes = (pack: (text: Buffer) => Buffer) =>
    Math.round(texts.reduce((sum, text) => sum + pack(text).length, 0) / 100) / 10
  const later = readdirSync('out/renderer/assets').filter(
    (name) => name.endsWith('.js') && !files.includes(`assets/${name}`),
  ).length
  const whole = kilobytes((text) => text)
  const rows = [
    ['gzip', kilobytes((text) => gzipSync(text, { level: 9 }))],
    ['brotli', kilobytes((text) => brotliCompressSync(text))],
  ] as const
  return rows.map(([name, value]) => ({
    name: `first script of the window, ${name} (${files.length} file${files.length === 1 ? '' : 's'}, ${later} more when needed; baseline: uncompressed)`,
    value,
    unit: 'kB',
    baseline: whole,
    target: 300,
    holds: value <= 300,
  }))
}

function withImports(first: readonly string[]): string[] {
  const found = new Set<string>()
  const waiting = [...first]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const text = readFileSync(path.join('out/renderer', file), 'utf8')
    for (const [, name] of text.matchAll(/(?:^|[;}])import(?:[\w$*{}\s,]+from)?\s*["']\.\/([^"']+\.js)["']/g))
      waiting.push(`assets/${name}`)
  }
  return [...found]
}
