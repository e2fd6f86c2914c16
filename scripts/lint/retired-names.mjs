import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from '../setup.mjs'

/** The names that are gone, by kind (`retired-names.json`). A name joins the list when its last use goes. */
const retired = Object.values(JSON.parse(readFileSync(new URL('retired-names.json', import.meta.url), 'utf8'))).flat()
/** Files that read what former versions wrote, the tests of that, and others that only look alike. */
const exempt =
  /^(?:src-main\/settings\/settings\.ts|src-main\/storage\/journal\/steps\/(?:renamed|steps)\.ts|test\/main\/settings\/settings\.test\.ts|test\/main\/storage\/.*|test\/main\/support\/pseudonyms\.test\.ts|test\/scripts\/retired-names\.test\.ts|src-service\/spec\/.*)$/

const pattern = new RegExp(`(?<![\\w.-])(?:${retired.map(escape).join('|')})(?![\\w-])`, 'u')

function escape(name) {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)
}

/** Returns the retired name in a text, as a whole word; null where there is none. */
export function retiredNameIn(text) {
  return pattern.exec(text)?.[0] ?? null
}

/** Returns `file: name` for each source, test and document whose path or text has a retired name. */
export function findRetiredNames() {
  const kinds = ['*.ts', '*.tsx', '*.mjs', '*.mts', '*.md', '*.css', '*.html']
  const files = execFileSync('git', ['ls-files', ...kinds], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
  return files
    .filter((file) => !exempt.test(file) && existsSync(path.join(root, file)))
    .flatMap((file) => {
      const stem = file.replace(/(?:\.d)?\.[a-z]+$/u, '')
      const found = retiredNameIn(stem) ?? retiredNameIn(readFileSync(path.join(root, file), 'utf8'))
      return found === null ? [] : [`${file}: ${found}`]
    })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findRetiredNames()
  for (const line of found) console.error(line)
  if (found.length > 0) process.exitCode = 1
}
