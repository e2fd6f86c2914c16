import * as fc from 'fast-check'
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { parseOperations } from '../../../../src-main/query/kept/files/parse-operations.ts'
import { printOperations } from '../../../../src-main/query/kept/files/print-operations.ts'
import { savedOperation } from '../../../../src-shared/model/kept-queries.ts'
import { musterOperations } from '../../../../src-shared/query/muster-operations.ts'

const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)

const line = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((text) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '').trim())
/** Texts as they are in an editor: lines end by `\n`. Some look like marks of the file. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '',
        'query A { tenants { id } }',
        '# muster-operation: Fake',
        '# \\muster-operation: Fake',
        '# \\\\muster-operation: Fake',
        '# folder: Fake',
        '# variables:',
        '#   {}',
        '# draft',
        '# document:',
      ),
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n').replaceAll('\r', ''))
const operation = fc.record({
  name: line.filter((name) => name !== ''),
  folder: line,
  document: text,
  variables: text,
})

const problemIn = (file: string, name = 'file.graphql'): string => {
  try {
    parseOperations(file, name)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('a file of operations', () => {
  test('is read letter by letter as it was printed', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 5 }), (operations) => {
        fc.pre(operations.every((each) => savedOperation.omit({ id: true }).safeParse(each).success))
        const file = printOperations(operations)
        expect(parseOperations(file, 'x')).toEqual(operations)
        expect(parseOperations(file.replaceAll('\n', '\r\n'), 'x')).toEqual(operations)
      }),
      { seed, numRuns: 2000 },
    )
  })

  test('of good operations is GraphQL as a whole, whatever else reads it', () => {
    const file = printOperations(musterOperations.map((each) => ({ ...each, folder: 'Muster' })))
    expect(parse(file).definitions).toHaveLength(musterOperations.length)
  })

  test.each([
    ['# muster-operation: \nquery A { a }\n', 'line 1: The operation has no name.'],
    ['# muster-operation: A\nquery A {\n  a\n\n# muster-operation: B\nquery B { b }\n', 'line 3: Syntax Error'],
    ['# muster-operation: A\nquery A { a', 'line 2: The file ends in the middle of a line.'],
    [`# muster-operation: ${'x'.repeat(201)}\n{ a }\n`, 'line 1: name'],
    ['type A { b: Int }', 'line 1: It is the definition of a type'],
    ['query A {\n  a(\n}', 'line 3: Syntax Error'],
    ['query A { ...F }', 'line 1: Its fragment “F” is not in the file.'],
    ['fragment F on Query { a }', 'The file has no operation.'],
    ['# nothing', 'line 1: Syntax Error'],
    ['{ a '.repeat(60_000), 'line 1: '],
    [
      Array.from({ length: 1001 }, (_none, n) => `query Q${n} { a }`).join('\n'),
      'The file has more than 1000 operations.',
    ],
  ])('that cannot be read says why and where: %#', (file, problem) => {
    expect(problemIn(file)).toContain(problem)
  })

  test('of another program has an entry for each operation, with the fragments that it needs', () => {
    const file = [
      '# The first one.',
      'query One { tenants { ...A } }',
      'fragment A on Tenant { region { ...B } }',
      '',
      'query Two { tenants { id } }',
      'fragment B on Region { id }',
      'fragment C on Region { id }',
    ].join('\n')
    expect(parseOperations(`\u{FEFF}${file}`, 'x')).toEqual([
      {
        name: 'One',
        folder: '',
        variables: '',
        document:
          '# The first one.\nquery One { tenants { ...A } }\n\nfragment A on Tenant { region { ...B } }\n\nfragment B on Region { id }\n',
      },
      { name: 'Two', folder: '', variables: '', document: 'query Two { tenants { id } }\n' },
    ])
    expect(parseOperations('{ a }', 'My rooms.graphql')[0]?.name).toBe('My rooms')
  })

  test('may have been written by hand: the marks may be left out', () => {
    const file = '{ a }\n# muster-operation: Named\n# folder: F\nquery B { b }\n'
    expect(parseOperations(file, 'x').map(({ name, folder }) => [name, folder])).toEqual([
      ['x', ''],
      ['Named', 'F'],
    ])
  })
})
