import { expect, test } from 'vitest'
import { createJsonLines } from '../../../src-renderer/query/answer/json-lines.ts'
import { tokensOf } from '../../../src-renderer/query/answer/tokens.ts'
import { settle } from '../../support/clock.ts'
import { corePipe } from '../support/pipe-stub.ts'

/** Ten lines, of which 1 opens 2 to 8, and 3 opens 4 to 6. */
const closes = [9, 8, 0, 6, 0, 0, 0, 0, 0, 0]

async function open(total = closes.length) {
  const { pipe, asked } = corePipe({
    'query.lines': (input) => {
      const { from, count } = input as { from: number; count: number }
      const until = Math.min(total, from + count)
      return {
        lines: Array.from({ length: until - from }, (_, at) => ({
          text: `line ${from + at}`,
          depth: 0,
          closes: closes[from + at] ?? 0,
          isCut: false,
        })),
      }
    },
  })
  const lines = createJsonLines(pipe, 'run', total)
  lines.get(0)
  await settle()
  const shown = () => Array.from({ length: lines.count() }, (_, place) => lines.lineAt(place))
  return { lines, shown, asked }
}

test('a fold hides its lines, and one within another stays folded', async () => {
  const { lines, shown } = await open()
  lines.toggle(3)
  expect(shown()).toEqual([0, 1, 2, 3, 7, 8, 9])
  lines.toggle(1)
  expect(shown()).toEqual([0, 1, 9])
  lines.toggle(1)
  expect(shown()).toEqual([0, 1, 2, 3, 7, 8, 9])
  lines.toggle(2)
  expect(lines.isFolded(2)).toBe(false)
})

test('each shown line has its place, and a hidden one that of its fold', async () => {
  const { lines, shown } = await open()
  lines.toggle(3)
  expect(shown().map((line) => lines.placeOf(line))).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect([4, 5, 6].map((line) => lines.placeOf(line))).toEqual([3, 3, 3])
})

test('a hidden line is revealed by unfolding all around it, and no others', async () => {
  const { lines, shown } = await open()
  lines.toggle(3)
  lines.toggle(1)
  lines.reveal(5)
  expect(shown()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  lines.toggle(3)
  lines.reveal(8)
  expect(lines.isFolded(3)).toBe(true)
})

test('lines are read page by page, each once', async () => {
  const { lines, asked } = await open(1_000)
  for (const line of [10, 260, 270, 999]) lines.get(line)
  await settle()
  expect(lines.get(999)?.text).toBe('line 999')
  expect(asked.map(([, input]) => (input as { from: number }).from)).toEqual([0, 250, 750])
})

test('lines that cannot be read are asked for again when they are wanted, and not at once', async () => {
  const { pipe, asked } = corePipe({})
  const lines = createJsonLines(pipe, 'run', 10)
  lines.state.subscribe(() => lines.get(0))
  lines.get(0)
  await settle()
  expect([asked.length, lines.isGone()]).toEqual([1, false])
  lines.get(0)
  await settle()
  expect(asked).toHaveLength(2)
})

test('an answer without lines is no longer kept', async () => {
  const { lines } = await open(0)
  expect(lines.isGone()).toBe(true)
  expect((await open()).lines.isGone()).toBe(false)
})

test('the parts of a line are its text, each with its kind', () => {
  const kinds = (line: string) => tokensOf(line).map(({ kind, text }) => `${kind} ${text}`)
  expect(kinds('"na\\"me": "a: b",')).toEqual(['name "na\\"me"', 'mark : ', 'text "a: b"', 'mark ,'])
  expect(kinds('"n": -1.5e3')).toEqual(['name "n"', 'mark : ', 'number -1.5e3'])
  expect(kinds('"text",')).toEqual(['text "text"', 'mark ,'])
  for (const line of ['null', '}],', '"unended', '"é": true', '-', '"\\'])
    expect(
      tokensOf(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe(line)
})
