import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const maxLetters = 90
/** A call of `test`, `it`, `describe` or a shell's own test, or of what `each` makes of a table, with its title. */
const titled =
  /(?:(?<![\w.])(?:test|it|describe|browserTest|desktopTest)(?:\.(?:each|skip|skipIf|runIf|only)(?:\([^()]*\))?)*|\](?: as const)?\))\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>).)*)\k<quote>/gsu

function titlesIn(text: string): string[] {
  return [...text.matchAll(titled)].map(({ groups }) => groups?.['title'] ?? '')
}

test(`no title has more than ${maxLetters} letters`, () => {
  const titles = globSync('test/**/*.test.{ts,tsx}').flatMap((file) =>
    titlesIn(readFileSync(file, 'utf8')).map((title) => ({ file, title })),
  )
  expect(titles.length).toBeGreaterThan(2_500)
  expect(titles.filter(({ title }) => title.length > maxLetters)).toEqual([])
})

test('a title is found behind modifiers, over lines and in each kind of quotes', () => {
  const calls = [
    "test('a', f)",
    'it.skipIf(x)(\n  `b ${c}`,',
    'describe.each(rows)("d", f)',
    "each([\n f(1),\n] as const)('e', f)",
    "it.ids('f')",
    "edit('g')",
  ]
  expect(titlesIn(calls.join('\n'))).toEqual(['a', 'b ${c}', 'd', 'e'])
})
