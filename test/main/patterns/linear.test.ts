import { availableParallelism } from 'node:os'
import path from 'node:path'
import { check, type Diagnostics } from 'recheck'
import { expect, test } from 'vitest'
import { patternsIn, type Pattern } from '../../support/patterns.ts'

/*
 * No text that a service, a page or a file sends may stall the core: each pattern of the core takes time in proportion to its text, whatever
 * the text is. recheck proves that by the automaton of a pattern. Where there is none (lookbehinds) it looks for an attack and counts
 * steps, which a large bound adds up as well: what it finds is then tried on the engine itself.
 */

const root = path.join(import.meta.dirname, '../../..')

/** Characters, and milliseconds: in proportion it is a tenth of that, and what goes through the text from each of its places takes ten times as long and more. */
const [tried, most] = [120_000, 1000]

function attackOf({ attack }: Extract<Diagnostics, { status: 'vulnerable' }>, length: number): string {
  const period = attack.pumps.reduce((sum, { pump }) => sum + pump.length, 0)
  const times = Math.ceil(length / Math.max(1, period))
  return `${attack.pumps.map(({ prefix, pump }) => `${prefix}${pump.repeat(times)}`).join('')}${attack.suffix}`
}

/** Milliseconds of this thread's processor. */
function effort({ source, flags }: Pattern, text: string): number {
  const before = process.threadCpuUsage()
  text.replaceAll(new RegExp(source, flags.includes('g') ? flags : `${flags}g`), '')
  return process.threadCpuUsage(before).user / 1000
}

/** In words what is wrong with a pattern; null when nothing is. */
async function problemOf(pattern: Pattern): Promise<string | null> {
  const found = await check(pattern.source, pattern.flags, {
    timeout: 60_000,
    incubationTimeout: 500,
    attackTimeout: 500,
  })
  const name = `${pattern.file}: /${pattern.source}/${pattern.flags}`
  if (found.status === 'safe') return null
  if (found.status === 'unknown') return `${name} cannot be judged (${found.error.kind})`
  if (!found.complexity.isFuzz) return `${name}: ${found.complexity.summary}, for example ${found.attack.pattern}`
  const ms = effort(pattern, attackOf(found, tried))
  return ms > most ? `${name} takes ${ms} ms for ${tried} characters of ${found.attack.pattern}` : null
}

async function problems(patterns: readonly Pattern[]): Promise<string[]> {
  const left = [...patterns]
  const told: string[] = []
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const problem = await problemOf(next)
        if (problem !== null) told.push(problem)
      }
    }),
  )
  return told
}

test('every pattern of the core takes time in proportion to its text', { timeout: 300_000 }, async () => {
  const { patterns, unknown } = await patternsIn(root, ['src-main', 'src-shared'])
  expect(unknown).toEqual([])
  expect(patterns.length).toBeGreaterThan(150)
  expect(patterns.map(({ file }) => file)).toContain('src-main/auth/redactor.ts')
  expect(await problems([...new Map(patterns.map((each) => [`${each.flags} ${each.source}`, each])).values()])).toEqual(
    [],
  )
})

test.each([
  ['a run before something else', String.raw`eyJ[\w-]+\.[\w-]+`, 'g'],
  ['a run before the end', String.raw`\s+$`, ''],
  ['behind a lookbehind', String.raw`(?<=x)\w*(?<!a)!`, 'u'],
])('a pattern that scans a text again and again is found: %s', { timeout: 60_000 }, async (_name, source, flags) => {
  expect(await problems([{ file: 'test', source, flags }])).toHaveLength(1)
})
