import { fork } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bench, BenchRow } from './row.ts'

/**
 * `npm run bench -- [part of a name …] [--json FILE] [--hours N]`: runs every `*.bench.ts`, each in a process of its
 * own, so that the garbage of one is not collected in the time of another. Of several words, the names that contain the
 * most of them are chosen: `live` is the whole live part, `live storm` one file of it. Prints a table; a missed target
 * is no error, a failing benchmark is.
 */
const own = fileURLToPath(import.meta.url)
const ending = '.bench.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, file: { type: 'string' }, hours: { type: 'string' } },
})
if (values.file === undefined) await runAll(positionals, values.json)
else await runOne(values.file, lengthOf(values.hours))

function lengthOf(hours: string | undefined): number | null {
  if (hours === undefined) return null
  if (!(Number(hours) > 0)) throw new Error('--hours takes a number above 0')
  return Number(hours)
}

async function runAll(wanted: string[], json: string | undefined): Promise<void> {
  const files = fitting(
    readdirSync(path.dirname(own), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map((name) => name.slice(0, -ending.length)),
    wanted,
  )
  if (files.length === 0) throw new Error('no benchmark has that name')
  const rows: BenchRow[] = []
  for (const file of files) {
    console.log(`${file} …`)
    rows.push(...(await inProcess(path.join(path.dirname(own), `${file}${ending}`))))
  }
  console.log(table(rows))
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, null, 2)}\n`)
}

function fitting(names: readonly string[], wanted: readonly string[]): readonly string[] {
  if (wanted.length === 0) return names
  const fits = (name: string): number => wanted.filter((part) => name.includes(part)).length
  const most = Math.max(1, ...names.map(fits))
  return names.filter((name) => fits(name) === most)
}

function inProcess(file: string): Promise<BenchRow[]> {
  return new Promise((resolve, reject) => {
    const child = fork(own, ['--file', file, ...(values.hours === undefined ? [] : ['--hours', values.hours])], {
      execArgv: [...process.execArgv, '--expose-gc'],
    })
    let rows: BenchRow[] = []
    child.on('message', (message) => (rows = message as BenchRow[]))
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve(rows)
      else reject(new Error(`${path.basename(file)} ended with code ${code}`))
    })
  })
}

async function runOne(file: string, hours: number | null): Promise<void> {
  const { run } = (await import(pathToFileURL(file).href)) as { run?: Bench }
  const rows = run === undefined ? [] : await run({ hours })
  process.send?.(rows, () => process.exit(0))
}

function table(rows: BenchRow[]): string {
  const cells = rows.map((row) => [
    row.name,
    formatted(row.value),
    row.unit,
    formatted(row.baseline),
    formatted(row.target),
    row.holds === null ? '' : row.holds ? 'holds' : 'MISSED',
  ])
  const all = [['name', 'value', 'unit', 'baseline', 'target', ''], ...cells]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)))
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function formatted(value: number | null): string {
  if (value === null) return '-'
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1)
}
