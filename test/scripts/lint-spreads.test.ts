import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** What lint says of a file of the project's own kind with these lines, by line. */
function found(...lines: string[]): number[] {
  const folder = mkdtempSync(path.resolve('out-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'src-main', 'case.ts')
  mkdirSync(path.dirname(file))
  const config = path.join(folder, 'lint.json')
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [path.resolve('scripts/lint-spreads.mjs')],
      categories: { correctness: 'off' },
      rules: { 'muster/no-spread-data': 'error' },
    }),
  )
  writeFileSync(file, `${lines.join('\n')}\n`)
  const { stdout } = spawnSync(process.execPath, ['node_modules/oxlint/bin/oxlint', '-c', config, '-f', 'unix', file], {
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/:(\d+):\d+: Data is spread/gu)]
    .map(([, line]) => Number(line))
    .toSorted((one, other) => one - other)
}

test('lint finds data that is spread into arguments, and nothing that has an end by its form', () => {
  expect(
    found(
      'list.push(...data)',
      'Math.max(0, ...data.map((one) => one.at))',
      'new Set(...data)',
      'const handOn = (...told) => listener(...told)',
      'const given = (told) => listener(...told)',
      'call(...[1, 2, flag ? 3 : 4])',
      'call(...[...data])',
      'statement.run(key, ...valuesOf(row))',
      'const copy = [...data, { ...one }]',
      'const outer = (...all) => inner((all) => call(...all))',
    ),
  ).toEqual([1, 2, 3, 5, 7, 10])
})
