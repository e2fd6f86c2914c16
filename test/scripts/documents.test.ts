import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cacheVersion } from '../../src-main/storage/cache/schema.ts'
import { steps } from '../../src-main/storage/journal/steps/steps.ts'

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'src-service/README.md',
  'test/README.md',
  ...globSync('docs/*.md'),
]
const textOf = (file: string) => readFileSync(file, 'utf8')

/** The anchor that GitHub makes of a heading. */
const anchorsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The folders in which a path such as `incidents/engine/reduce.ts` is looked up. */
const roots = ['.', 'src-main', 'src-shared', 'src-renderer', 'src-service', 'test', 'bench']

describe.each(documents)('%s', (document) => {
  test('links to files and headings that exist', () => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/gu)]
    const broken = links.filter(([, file = '', anchor]) => {
      const target = path.join(path.dirname(document), file)
      return (
        !existsSync(target) || (anchor !== undefined && !anchorsOf(file === '' ? document : target).includes(anchor))
      )
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test('names source files that exist', () => {
    const named = [...textOf(document).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|tsx|mts|mjs))`/gu)].map(
      ([, file = '']) => file,
    )
    const beside = [...roots, path.dirname(document)]
    expect(named.filter((file) => !beside.some((root) => existsSync(path.join(root, file))))).toEqual([])
  })
})

test('README has at most 1,200 words', () => {
  expect(textOf('README.md').split(/\s+/u).length).toBeLessThanOrEqual(1200)
})

test('the versions of the files are those of the code', () => {
  const named = [...textOf('docs/storage.md').matchAll(/`(\w+\.db)`, version (\d+)/gu)].map(([, file, version]) => [
    file,
    Number(version),
  ])
  expect(named).toEqual([
    ['journal.db', steps.length],
    ['cache.db', cacheVersion],
  ])
})
