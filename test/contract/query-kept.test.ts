import { randomUUID } from 'node:crypto'
import { buildSchema, parse, validate } from 'graphql'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import { maxRuns, maxTabs, type QueryTab, type SavedOperation } from '../../src-shared/model/kept-queries.ts'
import { musterOperations } from '../../src-shared/query/muster-operations.ts'
import { documented } from '../../src-renderer/query/documented-schema.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

type ServiceOptions = Parameters<typeof service>[1]

async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const ask = (document: string, more: Partial<CallInput<'query.run'>> = {}) =>
    muster.call('query.run', { run: randomUUID(), connection, document, operation: null, variables: {}, ...more })
  return { reference, profile, muster, connection, ask }
}

const runsOf = async (muster: Console) => (await muster.call('queryHistory.list', {})).runs

describe('the twelve operations that come with Muster', () => {
  /** Runs each with the first tenant, and returns the messages of its errors. */
  async function errorsOf(profile: ServiceOptions) {
    const { reference, ask } = await open(profile)
    const tenantId = reference.world.tenants()[0]?.id ?? ''
    const found: Record<string, string[]> = {}
    for (const { name, document, variables } of musterOperations) {
      const given = JSON.parse(variables) as Record<string, unknown>
      const { fault, summary } = await ask(document, {
        variables: { ...given, ...('tenantId' in given && { tenantId }) },
      })
      found[name] = summary.errors.map(({ message }) => message)
      if (summary.errors.length === 0) expect({ name, fault, hasData: summary.hasData }).toEqual({ name, fault: null, hasData: true })
    }
    return found
  }

  test('run on the reference service without an error', async () => {
    const found = await errorsOf({ profile: 'full' })
    expect(Object.keys(found)).toHaveLength(12)
    expect(Object.values(found).flat()).toEqual([])
  })

  test('on a service with the minimum, those that say that they need more are rejected by name', async () => {
    const found = await errorsOf({ profile: 'minimal' })
    for (const { name, document } of musterOperations) {
      const errors = found[name] ?? []
      if (!document.startsWith('# Not in the specification')) expect({ name, errors }).toEqual({ name, errors: [] })
      else for (const message of errors) expect(message).toMatch(/"\w+"|“\w+”/u)
    }
    expect(Object.values(found).filter((errors) => errors.length === 0).length).toBeGreaterThanOrEqual(4)
  })

  test('are what the specification documents, or say what is not', () => {
    const schema = buildSchema(documented)
    for (const { name, document } of musterOperations) {
      const problems = validate(schema, parse(document))
      const says = document.startsWith('# Not in the specification')
      if (problems.length > 0) expect({ name, says }).toEqual({ name, says: true })
    }
  })
})
