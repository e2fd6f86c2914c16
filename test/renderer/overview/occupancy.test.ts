import { createElement } from 'react'
import { expect, test } from 'vitest'
import { OccupancyPanel, type Occupancy } from '../../../src-renderer/overview/occupancy/occupancy.tsx'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { connection } from '../support/samples.ts'
import { openWindow } from '../support/window.ts'

const value = { on: false, sources: [] } as unknown as Occupancy

async function textsWith(...connections: ConnectionState[]) {
  const { texts } = await openWindow({ operator: 'Ben', app: { connections } })
  return texts(createElement(OccupancyPanel, { occupancy: { value, fault: null }, coreLost: false }))
}

test('where another member reads the only connection, people counts are shown there', async () => {
  expect(await textsWith({ ...connection, name: 'Acme', readBy: 'Ann' })).toContain(
    'Acme is read by Ann’s Muster: people counts are streamed and shown there alone.',
  )
})

test('where nothing was read yet, nothing is known', async () => {
  expect(await textsWith(connection)).toContain(
    'Nothing is known yet: no running connection has read what its service offers.',
  )
})
