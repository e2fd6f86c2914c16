import { buildClientSchema, introspectionFromSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { makeSchema } from '../../../src-service/graphql/schema/schema.ts'
import { foundEntries, foundFields, rootFieldsOf, signatureOf } from '../../../src-renderer/query/offers/listing.ts'
import { skeletonOf } from '../../../src-renderer/query/offers/skeleton.ts'
import type { SchemaEntry } from '../../../src-shared/model/schema-history.ts'

/** As the window has it. */
const schema = buildClientSchema(introspectionFromSchema(makeSchema('full')))
const all = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
  rootFieldsOf(schema, kind).map(({ name }) => [kind, name] as const),
)

describe('a skeleton', () => {
  test('of each root field of the service is a valid operation', () => {
    expect(all.length).toBeGreaterThan(20)
    for (const [kind, name] of all) {
      const { document, variables } = skeletonOf(schema, kind, name) ?? { document: '', variables: '' }
      expect(validate(schema, parse(document)), document).toEqual([])
      expect(
        Object.keys(JSON.parse(variables) as object)
          .map((each) => `$${each}`)
          .every((each) => document.includes(each)),
      ).toBe(true)
    }
  })

  test('has the required arguments alone, and the devices of a page', () => {
    const { document, variables } = skeletonOf(schema, 'query', 'deviceSearch') ?? { document: '', variables: '' }
    expect(variables).toBe('{}')
    expect(document).toContain('hardwareModel')
    expect(document).toContain('nextToken')
    expect(skeletonOf(schema, 'query', 'site')?.document).toContain('name')
    expect(skeletonOf(schema, 'query', 'nothing')).toBeNull()
    expect(skeletonOf(schema, 'query', 'constructor')).toBeNull()
  })
})

describe('a search', () => {
  test('finds fields by name, argument, type and description', () => {
    const fields = rootFieldsOf(schema, 'query')
    const names = (search: string) => foundFields(fields, search).map(({ name }) => name)
    expect(names('charts')).toEqual(['charts'])
    expect(names('policyscope')).toEqual(['getPolicies'])
    expect(names('ALSO those without devices')).toContain('siteData')
    expect(names('nothing at all')).toEqual([])
    const device = fields.find(({ name }) => name === 'device')
    expect(device && signatureOf(device)).toBe('device(id: String!): Device')
  })

  test('finds changes, and breaking ones alone', () => {
    const change = { from: '', to: '', what: 'added' as const }
    const entry: SchemaEntry = {
      at: 1,
      source: 'schema',
      total: 2,
      changes: [
        { ...change, coordinate: 'Device.a', severity: 'safe' },
        { ...change, coordinate: 'Query.b(c:)', severity: 'breaking' },
      ],
    }
    const found = (search: string, only: boolean) =>
      foundEntries([entry], search, only).flatMap(({ changes }) => changes)
    expect(found('', false)).toHaveLength(2)
    expect(found('', true).map(({ coordinate }) => coordinate)).toEqual(['Query.b(c:)'])
    expect(found('device', true)).toEqual([])
  })
})
