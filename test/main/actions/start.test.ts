import { expect, test } from 'vitest'
import { readWritten } from '../../../src-main/actions/start.ts'
import type { JobKind } from '../../../src-shared/model/jobs.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { settle } from '../../support/clock.ts'

const states: Pick<ConnectionState, 'id' | 'link'>[] = [
  { id: 'live', link: { state: 'live', since: 0 } },
  { id: 'polling', link: { state: 'polling' } },
]

/** Returns the nodes that are read after a job has written in three tenants, which different connections list. */
function readAfter(kind: JobKind): string[] {
  const read: string[] = []
  const connections = { states: () => states, read: async (node: string) => void read.push(node) }
  const written = [
    { tenant: 's/a', connections: ['live', 'polling'] },
    { tenant: 's/b', connections: ['polling'] },
    { tenant: 's/c', connections: [] },
  ]
  readWritten(connections, written, kind, () => {})
  return read
}

test('after a rename the tenants without a live connection are read, whatever others are live', () => {
  expect(readAfter('rename')).toEqual(['t:s/b', 't:s/c'])
})

test('after a move and after a place was written each tenant is read', () => {
  for (const kind of ['move', 'update', 'site', 'room'] as const)
    expect(readAfter(kind)).toEqual(['t:s/a', 't:s/b', 't:s/c'])
})

test('a tenant that cannot be read is in the log by the kind of the fault alone', async () => {
  const lines: string[] = []
  const read = () => Promise.reject(new FaultError('connect', 'host.test'))
  const connections = { states: () => states, read }
  readWritten(connections, [{ tenant: 's/b', connections: [] }], 'move', (_level, line) => void lines.push(line))
  await settle()
  expect(lines).toEqual(['a tenant could not be read after a job (connect)'])
})
