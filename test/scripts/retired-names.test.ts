import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Names that are gone, as whole words. A name joins the list when its last use goes. */
const retired = [
  'notices.dismiss',
  'tellings.pause',
  'tellings.shown',
  'columns.price',
  'quiet.save',
  'quiet.remove',
  'rules.set',
  'incidents.release',
  'readings-only',
  'gatherSeconds',
  'foldLeast',
  'foldPercent',
  'tellOffline',
  'tellRecovered',
  'tellBlind',
  'refreshMinutes',
  'ceilingPercent',
]
/** Files that read what former versions wrote, the tests of that, and others that only look alike. */
const exempt =
  /^(?:src-main\/settings\/settings\.ts|src-main\/storage\/journal\/steps\.ts|test\/main\/settings\/settings\.test\.ts|test\/main\/storage\/.*|test\/main\/support\/pseudonyms\.test\.ts|test\/scripts\/retired-names\.test\.ts)$/

test('no source, test or document has a retired name', () => {
  const words = new RegExp(
    `(?<![\\w.-])(?:${retired.map((name) => name.replace('.', '\\.')).join('|')})(?![\\w-])`,
    'u',
  )
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], { encoding: 'utf8' })
  const named = files
    .trim()
    .split('\n')
    .filter((file) => !exempt.test(file))
    .flatMap((file) => {
      const found = words.exec(readFileSync(file, 'utf8'))
      return found === null ? [] : [`${file}: ${found[0]}`]
    })
  expect(named).toEqual([])
})
