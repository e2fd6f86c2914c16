import { expect, test } from 'vitest'
import { createAnswers } from '../../../src-main/query/answers/answers.ts'
import { lineIndex } from '../../../src-main/query/answers/line-index.ts'
import { drawsOf } from '../missed/draws.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function answered(text: string, part = 7) {
  const answers = createAnswers()
  const bytes = bytesOf(text)
  for (let at = 0; at < bytes.length; at += part) answers.append('a', bytes.slice(at, at + part))
  const summary = answers.finish('a')
  const lines = answers.lines('a', 0, 10_000)
  return {
    answers,
    summary,
    lines,
    shown: lines.map(({ text: line, depth }) => `${'  '.repeat(depth)}${line}`).join('\n'),
  }
}

test('an answer has the lines of the indented JSON, however the service wrote it', () => {
  const value = {
    data: { tenants: [{ id: '1', name: 'A "quoted\\" {name}, é' }, {}], none: null, list: [] },
    n: -1.5e3,
  }
  const pretty = JSON.stringify(value, null, 2)
  expect(answered(JSON.stringify(value)).shown).toBe(pretty)
  expect(answered(JSON.stringify(value, null, 7)).shown).toBe(pretty)
  expect(answered(JSON.stringify(value, null, '\t').replaceAll(':', ' \n:')).shown).toBe(pretty)
})

test('each line that opens something knows the line that closes it', () => {
  const { lines } = answered('{"a":[1,{"b":2}],"c":{}}')
  expect(lines.map(({ text, closes }) => `${text} ${closes}`)).toEqual([
    '{ 8',
    '"a": [ 6',
    '1, 0',
    '{ 5',
    '"b": 2 0',
    '} 0',
    '], 0',
    '"c": {} 0',
    '} 0',
  ])
})

test('the summary has the errors with their paths, and whether there is data', () => {
  const errors = [{ message: 'no', path: ['tenants', 0, 'name'] }, { message: 'no path' }, 'a text', null]
  expect(answered(JSON.stringify({ errors, data: null })).summary).toMatchObject({
    hasData: false,
    errors: [
      { message: 'no', path: 'tenants.0.name' },
      { message: 'no path', path: '' },
      { message: '"a text"', path: '' },
      { message: 'null', path: '' },
    ],
  })
  expect(answered('{"data":{"errors":[{"message":"inner"}]}}').summary).toMatchObject({ hasData: true, errors: [] })
})

test.each([
  ['', 0],
  ['not JSON at all', 1],
  ['{"data":{"a":[1,2', 5],
  ['{"unended', 2],
  ['}}]', 3],
  ['"\\', 1],
])('a text that is no JSON, or a part of one, is shown too: %s', (text, count) => {
  const { summary, lines } = answered(text)
  expect([summary.lines, lines.length]).toEqual([count, count])
  expect(
    lines
      .map((line) => line.text)
      .join('')
      .replaceAll(/\s/gu, ''),
  ).toBe(text.replaceAll(/\s/gu, ''))
})

test('a text nested a million times is read without an overflow', () => {
  const index = lineIndex(bytesOf('['.repeat(1_000_000)))
  expect([index.count, index.closes[0]]).toEqual([1_000_000, 999_999])
})

test('a text with more lines than are kept says so', () => {
  const index = lineIndex(bytesOf(`[${'1,'.repeat(100)}1]`), 50)
  expect([index.count, index.isCut]).toEqual([50, true])
})

test('a line of many letters is cut, and says so', () => {
  const { lines } = answered(JSON.stringify({ long: 'x'.repeat(10_000) }), 1_000)
  expect([lines[1]?.isCut, (lines[1]?.text.length ?? 0) < 5_000]).toEqual([true, true])
})

test('a text is found in the line after the present one, and from the beginning again', () => {
  const { answers } = answered('{"a":"x1","b":"x2","c":"y"}')
  expect(['x', 'x', 'x', 'y', 'z'].map((text, at) => answers.find('a', text, at))).toEqual([1, 1, 2, 3, null])
  expect(answers.find('a', 'x', 3)).toBe(1)
  answers.forget('a')
  expect([answers.find('a', 'x', 0), answers.lines('a', 0, 5)]).toEqual([null, []])
})

test('the oldest answers are forgotten where all together are too long, and the last one is kept', () => {
  const answers = createAnswers(100)
  for (const id of ['a', 'b', 'c']) {
    answers.append(id, bytesOf(`"${id.repeat(38)}"`))
    answers.finish(id)
  }
  expect(['a', 'b', 'c'].map((id) => answers.lines(id, 0, 5).length)).toEqual([0, 1, 1])
  answers.append('d', bytesOf(`"${'d'.repeat(500)}"`))
  answers.finish('d')
  expect(['b', 'c', 'd'].map((id) => answers.lines(id, 0, 5).length)).toEqual([0, 0, 1])
})

test('an answer longer than what is shown is kept whole, and its errors are found at its end', () => {
  const value = {
    data: { errors: [{ errors: 1 }], text: 'é🙂'.repeat(50) },
    errors: [{ message: 'late' }],
    extensions: {},
  }
  const text = JSON.stringify(value)
  const bytes = bytesOf(text)
  for (const shown of [1, 40, bytes.length - 1, bytes.length]) {
    const answers = createAnswers(10_000, shown)
    for (let at = 0; at < bytes.length; at += 9) answers.append('a', bytes.slice(at, at + 9))
    const summary = answers.finish('a')
    expect(summary).toMatchObject({ bytes: bytes.length, shown, errors: [{ message: 'late', path: '' }] })
    expect(answers.text('a', 0)).toEqual({ text, next: bytes.length })
    expect(answers.find('a', 'late', 0) === null).toBe(shown < bytes.length - 30)
  }
  const inner = createAnswers(10_000, 5)
  inner.append('a', bytesOf('{"data":{"a":{"errors":[{"message":"inner"}]}}}'))
  expect(inner.finish('a').errors).toEqual([])
})

test('random values have the lines that JSON.stringify gives them', () => {
  const { part: next } = drawsOf(7)
  const value = (depth: number): unknown => {
    const kind = next()
    if (depth > 4 || kind < 0.2) return Math.round(next() * 1000)
    if (kind < 0.35) return `t"${'\\{[,:]}é\n'.slice(0, Math.floor(next() * 9))}`
    if (kind < 0.4) return null
    const items = Array.from({ length: Math.floor(next() * 4) }, () => value(depth + 1))
    return kind < 0.7 ? items : Object.fromEntries(items.map((item, at) => [`k ${at}"`, item]))
  }
  for (let round = 0; round < 300; round += 1) {
    const one = value(0)
    expect(answered(JSON.stringify(one), 100).shown).toBe(JSON.stringify(one, null, 2))
  }
})
