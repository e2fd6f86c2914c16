import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { ReadElsewhere } from '../../../src-renderer/diagnostics/read-elsewhere.tsx'
import { Sockets } from '../../../src-renderer/diagnostics/parts.tsx'
import { ReadElsewhereNote } from '../../../src-renderer/query/read-elsewhere-note.tsx'
import { SchemaNote } from '../../../src-renderer/query/schema-note.tsx'
import { QueryScreen } from '../../../src-renderer/query/screen.tsx'
import { useSchema, type KnownSchema } from '../../../src-renderer/query/use-schema.ts'
import { connection } from '../support/samples.ts'
import { openWindow } from '../support/window.ts'

const followed = { ...connection, id: 'f', name: 'Acme', readBy: 'Ann', secret: 'elsewhere' as const }
const withSecret = { ...followed, secret: 'keychain' as const }
const open = (...connections: ConnectionState[]) => openWindow({ operator: 'Ben', app: { connections } })

describe('the query screen', () => {
  const noteFor = async (read: ConnectionState) =>
    (await open(read)).texts(createElement(ReadElsewhereNote, { connection: read.id }))

  test('says where the operations of a connection run whose secret is not here', async () => {
    expect(await noteFor(followed)).toEqual([
      'This connection is read by Ann’s Muster, and this Muster has no client secret of it: its queries, mutations and subscriptions run there, and not here. Its schema is not known here.',
    ])
    expect(await noteFor(connection)).toEqual([])
    expect(await noteFor(withSecret)).toEqual([])
  })

  test('begins no operation there', async () => {
    const buttonOf = async (read: ConnectionState) =>
      /<button[^>]*>(?:<svg.*?<\/svg>)?Run<\/button>/u.exec(
        (await open(read)).markup(createElement(QueryScreen, { coreLost: false })),
      )?.[0]
    expect(await buttonOf(followed)).toContain('disabled=""')
    for (const runs of [connection, withSecret]) expect(await buttonOf(runs)).not.toContain('disabled=""')
  })

  test('does not hold the service to be silent about its schema', async () => {
    const { markup, texts } = await open(followed)
    let known: KnownSchema | null = null
    markup(
      createElement(() => {
        ;({ known } = useSchema('f'))
        return null
      }),
    )
    expect(known).toEqual({ connection: 'f', fault: { kind: 'team-lead', detail: '' } })
    expect(texts(createElement(SchemaNote, { known, connection: 'f', onAgain() {} }))).toEqual([
      'Only what is documented is completed, and nothing is checked.',
    ])
  })
})

describe('diagnostics', () => {
  test('name the connections that others read, by member', async () => {
    const other = { ...followed, id: 'g', name: 'Zone' }
    const { texts } = await open(followed, connection, other, { ...followed, id: 'h', name: 'Beta', readBy: 'Cleo' })
    const there =
      'requests, queue and live connection are now in the diagnostics and the support bundle of that Muster, and not in these.'
    expect(texts(createElement(ReadElsewhere))).toEqual([
      `Acme, Zone are read by Ann’s Muster: ${there}`,
      `Beta is read by Cleo’s Muster: ${there}`,
    ])
    expect((await open(connection)).texts(createElement(ReadElsewhere))).toEqual([])
  })

  test('do not say that nothing has happened to a connection that another member reads', async () => {
    const { texts } = await open(followed, connection)
    const connections = [followed, connection].map(({ id, name }) => ({ id, name, moves: [] }))
    expect(texts(createElement(Sockets, { seen: { connections } as never })).slice(1)).toEqual([
      'Acme',
      'read by another member of the team',
      'Berlin',
      'nothing has happened yet',
    ])
  })
})
