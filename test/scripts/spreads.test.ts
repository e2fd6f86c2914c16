import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** The lines that the project's own lint reports in this folder. The configuration is copied beside a folder of that name, so that nothing is written among the sources. */
function found(room: string, lines: readonly string[]): number[] {
  const folder = mkdtempSync(path.resolve('out-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [file, config] = [path.join(folder, room, 'case.ts'), path.join(folder, '.oxlintrc.json')]
  copyFileSync('.oxlintrc.json', config)
  cpSync('scripts/lint/spreads.mjs', path.join(folder, 'scripts', 'lint', 'spreads.mjs'))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
  const { stdout } = spawnSync(
    process.execPath,
    [path.resolve('node_modules/oxlint/bin/oxlint'), '-c', config, '-f', 'unix', file],
    { cwd: folder, encoding: 'utf8' },
  )
  return [...stdout.matchAll(/:(\d+):\d+: Data is spread/gu)]
    .map(([, line]) => Number(line))
    .toSorted((one, other) => one - other)
}

const rooms = ['src-shared', 'src-main', 'src-main/platform/electron', 'src-renderer', 'src-service'] as const

test.each(rooms)('the lint finds data spread into arguments in %s', (room) => {
  const lines = [
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
  ]
  expect(found(room, lines)).toEqual([1, 2, 3, 5, 7, 10])
})
