import { expect, test } from 'vitest'
import { startInventory } from '../../src-renderer/inventory/inventory.ts'
import { keptView } from '../../src-renderer/inventory/kept-view.ts'
import { startSession } from '../../src-renderer/session.ts'
import { manualClock } from '../support/clock.ts'
import { appState, corePipe } from './pipe-stub.ts'

/** A core that knows one device, `known`, as long as the test says so. */
async function start() {
  const estate = { known: true }
  const clock = manualClock(0)
  const core = corePipe({
    'app.state': () => appState(),
    'inventory.device': (input) => ({ rev: 1, device: estate.known && (input as { key: string }).key === 'known' ? { row: { key: 'known' } } : null }),
  })
  const session = startSession(core.pipe, clock)
  const inventory = startInventory(session, clock, keptView({ getItem: () => null, setItem: () => {} }))
  await clock.advance(300)
  const open = (device: string | null) => core.tell('open', { scope: 'all', filter: 'connected:no', device })
  return { ...core, inventory, estate, open, shown: () => inventory.detail.state.get() }
}

test('what lists devices closes the device that was open, and what opens one shows it', async () => {
  const { open, shown } = await start()
  await open('known')
  expect(shown()).toMatchObject({ state: 'shown', key: 'known' })
  await open(null)
  expect(shown()).toEqual({ state: 'closed' })
})

test('a device that was never here is told apart from one that has gone', async () => {
  const { open, shown, estate, inventory } = await start()
  await open('nonsense')
  expect(shown()).toEqual({ state: 'gone', key: 'nonsense', seen: false })
  await open('known')
  estate.known = false
  inventory.detail.changed(null)
  await expect.poll(shown).toEqual({ state: 'gone', key: 'known', seen: true })
  inventory.detail.changed(null)
  await expect.poll(shown).toEqual({ state: 'gone', key: 'known', seen: true })
})
