import { DatabaseSync } from 'node:sqlite'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { afterEach, describe, expect, test } from 'vitest'
import { createSchemaHistory } from '../../../src-main/connections/stored/schema-history.ts'
import { schemasIn } from '../../../src-main/storage/journal/schemas.ts'
import { steps } from '../../../src-main/storage/journal/steps/steps.ts'

const open: DatabaseSync[] = []
afterEach(() => open.splice(0).forEach((db) => db.close()))

function begin() {
  const db = new DatabaseSync(':memory:')
  open.push(db)
  for (const step of steps) {
    if (typeof step === 'string') db.exec(step)
    else step(db)
  }
  const schemas = schemasIn(db)
  const log: string[] = []
  let now = 1_000
  const history = createSchemaHistory({
    clock: { now: () => (now += 1_000) },
    log: (_level, text) => void log.push(text),
    data: {
      schemaHistory: async ({ connection }) => ({
        last: schemas.last(connection),
        entries: schemas.entries(connection),
      }),
      saveSchema: async (input) => schemas.save(input),
      regions: async () => [],
    },
  })
  const changesOf = async (connection = 'a') =>
    (await history.of(connection)).entries.map(({ source, changes }) => [
      source,
      ...changes.map(({ what, coordinate }) => `${what} ${coordinate}`),
    ])
  return { db, schemas, history, log, changesOf }
}

const schemaWith = (fields: string): string =>
  JSON.stringify({ data: introspectionFromSchema(buildSchema(`type Query { ${fields} }`)) })

describe('the history of a schema', () => {
  test('has the differences of whole schemas, the newest first, by connection', async () => {
    const { history, changesOf } = begin()
    await history.read('a', schemaWith('one: Int'))
    expect(await history.of('a')).toEqual({ since: 2_000, readAt: 2_000, entries: [] })
    await history.read('a', schemaWith('one: Int two: Int'))
    await history.read('a', schemaWith('two: Int'))
    expect(await changesOf()).toEqual([
      ['schema', 'removed Query.one'],
      ['schema', 'added Query.two'],
    ])
    expect((await history.of('a')).since).toBe(2_000)
    expect(await changesOf('b')).toEqual([])
  })

  test('takes nothing for removed by an answer that is not whole', async () => {
    const { history, log, changesOf } = begin()
    const whole = schemaWith('one: Int two: Int')
    await history.read('a', whole)
    await history.read('a', whole.slice(0, whole.length / 2))
    await history.read('a', JSON.stringify({ ...JSON.parse(schemaWith('one: Int')), errors: [{ message: 'a part' }] }))
    await history.read('a', JSON.stringify({ data: { __schema: null } }))
    await history.read('a', `${whole}${' '.repeat(4_000_000)}`)
    expect(await changesOf()).toEqual([])
    expect(log).toHaveLength(4)
  })

  test('enters what a sync has found once, and what was rejected', async () => {
    const { history, changesOf } = begin()
    const device = (fields: string) =>
      JSON.stringify({
        data: introspectionFromSchema(buildSchema(`type Query { a: Device } type Device { ${fields} }`)),
      })
    await history.read('a', device('id: ID tags: String'))
    history.drifted('a', ['id:ID', 'tags:String'], ['id:ID'])
    history.drifted('a', ['id:ID'], ['id:ID'])
    history.rejected('a', ['site', 'pageInfo.totalCount'])
    await history.read('a', device('id: ID name: String'))
    expect(await changesOf()).toEqual([
      ['schema', 'added Device.name'],
      ['rejection', 'removed Device.site', 'removed pageInfo.totalCount'],
      ['sync', 'removed Device.tags'],
    ])
  })

  test('keeps the last 20 differences with 400 changes each, and goes with its connection', async () => {
    const { schemas, history } = begin()
    for (let round = 0; round < 25; round += 1)
      history.drifted(
        'a',
        [],
        Array.from({ length: 500 }, (_each, index) => `f${round}x${index}:Int`),
      )
    history.drifted('b', [], ['name:String'])
    const { entries } = await history.of('a')
    expect([entries.length, entries[0]?.changes.length, entries[0]?.total]).toEqual([20, 400, 500])
    expect(entries[0]?.changes[0]?.coordinate).toMatch(/^Device\.f24x/u)
    await history.read('a', schemaWith('one: Int'))
    expect([schemas.erase('a'), schemas.erase('a')]).toEqual([true, false])
    expect(await history.of('a')).toEqual({ since: null, readAt: null, entries: [] })
    expect((await history.of('b')).entries).toHaveLength(1)
  })

  test('an entry that cannot be read is left out', async () => {
    const { db, history, changesOf } = begin()
    history.drifted('a', [], ['name:String'])
    await history.of('a')
    db.exec("INSERT INTO schema_entry (connection, at, text) VALUES ('a', 5, '{}'), ('a', 6, 'no JSON')")
    expect(await changesOf()).toEqual([['sync', 'added Device.name']])
  })
})
