import { parse, validate, visit } from 'graphql'
import { expect, test } from 'vitest'
import { withoutFields } from '../../../src-main/pacing/cost/without.ts'
import { makeSchema } from '../../../src-service/graphql/schema/schema.ts'
import { startRandom } from '../../../src-service/world/random.ts'
import { generateOperations } from '../../support/generated-operations.ts'

/** Removes the fields that begin with these words, each where it occurs first. */
const cut = (document: string, ...fields: string[]) =>
  withoutFields(document, new Set(fields.map((field) => document.indexOf(field))))

test('whole lines go, and the rest stays as it is written', () => {
  const document = `query Q {
  # the tenants
  tenants {
    id   name
    region {
      id
    }
  }
}
`
  expect(cut(document, 'region')).toBe(`query Q {
  # the tenants
  tenants {
    id   name
  }
}
`)
  expect(cut(document, 'name')).toContain('    id   \n')
  expect(cut(document, 'id   name')).toContain('    name\n')
})

test('an object, a fragment and a variable go with their last use', () => {
  const document = `query Q($a: Int, $b: Int) { tenants { id ...F region { id } x(first: $b) } }
fragment F on Tenant { y(first: $a) }
`
  expect(cut(document, 'y(first')).toBe('query Q($b: Int) { tenants { id region { id } x(first: $b) } }\n')
  expect(cut(document, 'y(first', 'x(first')).toBe('query Q { tenants { id region { id } } }\n')
  expect(cut(document, 'id }')).toContain('tenants { id ...F x')
})

test('nothing is left of an operation without its last field', () => {
  expect(cut('{ tenants { id } }', 'id')).toBeNull()
  expect(() => cut('{ tenants { id ', 'id')).toThrow(/Syntax Error/u)
})

const schema = makeSchema('full')

test.each([1, 2, 3, 4])('what is left of a valid operation is valid, seed %i', (seed) => {
  const random = startRandom(seed)
  for (const { document } of generateOperations(schema, 40, seed)) {
    const positions: number[] = []
    visit(parse(document), { Field: ({ loc }) => void positions.push(loc?.start ?? 0) })
    const at = new Set(positions.filter(() => random.chance(0.2)))
    const left = withoutFields(document, at)
    if (left === null) continue
    expect(validate(schema, parse(left)).map(({ message }) => message)).toEqual([])
    if (at.size > 0) expect(left.length).toBeLessThan(document.length)
  }
})
