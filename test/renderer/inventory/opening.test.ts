import { expect, test } from 'vitest'
import { startInventory } from '../../../src-renderer/inventory/inventory.ts'
import { openStoredView } from '../../../src-renderer/inventory/stored-view.ts'
import { startSession } from '../../../src-renderer/lib/session.ts'
import { manualClock } from '../../support/clock.ts'
import { appState, corePipe } from '../support/pipe-stub.ts'

/** A core that knows one device, `known`, as long as the test says so. */
async function start() {
  const fleet = { known: true }
  const clock = manualClock(0)
  const core = corePipe({
    'app.state': () => appState(),
    'inventory.device': (input) => ({
      rev: 1,
      device: fleet.known && (input as { key: string }).key === 'known' ? { row: { key: 'known' } } : null,
    }),
  })
  const session = startSession(core.pipe, clock)
  const inventory = startInventory(session, clock, openStoredView({ getItem: () => null, setItem: () => {} }))
  await clock.advance(300)
  const open = (device: string | null) => core.report('open', { scope: 'all', filter: 'connected:no', device })
  return { ...core, inventory, fleet, open, shown: () => inventory.detail.state.get() }
}

test('listing devices closes the open device, and opening one shows it', async () => {
  const { open, shown } = await start()
  await open('known')
  expect(shown()).toMatchObject({ state: 'shown', key: 'known' })
  await open(null)
  expect(shown()).toEqual({ state: 'closed' })
})

test('a device that was never here is distinguished from one that has gone', async () => {
  const { open, shown, fleet, inventory } = await start()
  await open('nonsense')
  expect(shown()).toEqual({ state: 'gone', key: 'nonsense', seen: false })
  await open('known')
  fleet.known = false
  inventory.detail.changed(null)
  await expect.poll(shown).toEqual({ state: 'gone', key: 'known', seen: true })
  inventory.detail.changed(null)
  await expect.poll(shown).toEqual({ state: 'gone', key: 'known', seen: true })
})

const view = {
  id: 'v',
  name: 'Away',
  isDefault: false,
  query: { scope: 'away', filter: 'connected:yes', sort: [] },
  columns: null,
}
const viewHere = { ...view, query: { ...view.query, scope: 'here' } }

/** A core whose tree has one place, `here`, as long as the test says so. */
async function placed() {
  const clock = manualClock(0)
  const fleet = { here: true }
  const answers: Parameters<typeof corePipe>[0] = {
    'app.state': () => appState(),
    'inventory.tree': (input) => ({
      rev: 1,
      total: 1,
      offset: 0,
      rows: [{ id: 'here', name: 'Here', parent: null }],
      expanded: [],
      index: (input as { reveal: string }).reveal === 'here' ? 0 : null,
    }),
    'inventory.places': (input) => ({
      total: 1,
      places: (input as { asked: { nodes: string[] } }).asked.nodes
        .filter((id) => id === 'here')
        .map((id) => ({ id, kind: 'region', name: 'Here', above: [] })),
    }),
    'inventory.counts': () => ({
      rev: 1,
      counts: fleet.here ? { connected: 1, disconnected: 0, unknown: 0 } : null,
      tenants: { all: 1, unread: 0 },
    }),
    'inventory.totals': () => ({ totals: [0] }),
  }
  const core = corePipe(answers)
  const inventory = startInventory(
    startSession(core.pipe, clock),
    clock,
    openStoredView({ getItem: () => null, setItem: () => {} }),
  )
  await clock.advance(300)
  return { ...core, answers, clock, fleet, inventory, message: () => inventory.actions.state.get() }
}

test('a view or notification of an unknown place leaves the list as it is, with an error', async () => {
  const { inventory, report, message } = await placed()
  const before = inventory.view.get()
  await inventory.openView(view)
  expect(inventory.view.get()).toBe(before)
  expect(inventory.chosenView.get()).toBeNull()
  expect(message()).toMatchObject({ failed: true, words: expect.stringContaining('not known here') })
  await inventory.openView(viewHere)
  expect(inventory.view.get()).toMatchObject({ path: [{ id: 'here', name: 'Here' }], filter: 'connected:yes' })
  expect(message()).toMatchObject({ failed: false, words: '' })
  await report('open', { scope: 'away', filter: '', device: 'known' })
  expect(inventory.view.get()).toMatchObject({ path: [{ id: 'here', name: 'Here' }], filter: 'connected:yes' })
  expect(message().failed).toBe(true)
  expect(inventory.detail.state.get()).toMatchObject({ key: 'known' })
})

test('a place that cannot be requested is not called unknown', async () => {
  const { inventory, answers, message } = await placed()
  delete answers['inventory.places']
  await inventory.openView(viewHere)
  expect(inventory.view.get().path).toEqual([])
  expect(message()).toMatchObject({ failed: true, words: expect.not.stringContaining('not known') })
})

test('a listed place that goes away is reported', async () => {
  const { inventory, fleet, clock, message } = await placed()
  await inventory.openView(viewHere)
  fleet.here = false
  inventory.scope.refresh()
  await clock.advance(300)
  await expect.poll(() => inventory.view.get().path).toEqual([])
  expect(message()).toMatchObject({
    failed: true,
    words: '“Here” is no longer in the fleet. The list shows all tenants.',
  })
})
