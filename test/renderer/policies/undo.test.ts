import { matching } from '../../../src-renderer/app/palette/item.ts'
import { createPolicyEditor } from '../../../src-renderer/policies/policy-editor.ts'
import { createLineage } from '../../../src-renderer/policies/place/lineage.ts'
import { policyItems } from '../../../src-renderer/policies/palette.ts'
import { startSession } from '../../../src-renderer/lib/session.ts'
import type { CallName, FoundPlace, Pipe } from '../../../src-shared/contract/contract.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { appState, corePipe } from '../support/pipe-stub.ts'
import { expect, test } from 'vitest'

const berlin = 'Europe/Berlin'

const site: FoundPlace = {
  id: 's:x',
  kind: 'site',
  name: 'Berlin',
  above: [
    { id: 't:x', kind: 'tenant', name: 'Acme' },
    { id: 'r:EU', kind: 'region', name: 'EU-1' },
  ],
}

test('the ancestors of a line come from the lines, or are requested once', async () => {
  const { pipe, asked } = corePipe({ 'inventory.places': () => ({ total: 1, places: [site] }) })
  const lineage = createLineage(pipe)
  expect(lineage.pathOf({ id: 'm:x', parent: 's:x' })).toEqual(['m:x', 's:x'])
  lineage.pathOf({ id: 'm:y', parent: 's:x' })
  await settle()
  expect([asked.length, lineage.known.get()]).toEqual([1, 1])
  expect(lineage.pathOf({ id: 'm:x', parent: 's:x' })).toEqual(['m:x', 's:x', 't:x', 'r:EU'])
  expect(asked).toEqual([['inventory.places', { asked: { nodes: ['s:x'] }, limit: 1 }]])
})

test('a site has its account above it also where the tree leaves the level of accounts out', async () => {
  const { pipe } = corePipe({ 'inventory.places': () => ({ total: 1, places: [{ ...site, onlyAccount: 'a:x' }] }) })
  const lineage = createLineage(pipe)
  expect(lineage.pathOf({ id: 's:y', parent: 't:x', onlyAccount: 'a:y' })).toEqual(['s:y', 'a:y', 't:x'])
  lineage.pathOf({ id: 'm:x', parent: 's:x' })
  await settle()
  expect(lineage.pathOf({ id: 'm:x', parent: 's:x' })).toEqual(['m:x', 's:x', 'a:x', 't:x', 'r:EU'])
})

test('each action can be undone; one that fails leaves the one before to be undone', async () => {
  const answers: Parameters<typeof corePipe>[0] = {
    'app.state': () => appState(),
    'maintenance.remove': () => ({ undo: 7 }),
    'actions.undo': () => ({}),
    'inventory.places': () => ({ total: 1, places: [site] }),
  }
  const { pipe, asked } = corePipe(answers)
  const policyEditor = createPolicyEditor(startSession(pipe, manualClock()))
  await settle()
  await policyEditor.askWindow({ id: 's:x', name: 'Berlin' })
  expect(policyEditor.asked.get()).toMatchObject({
    what: 'window',
    configured: null,
    place: { id: 's:x', where: 'Acme', path: ['s:x', 't:x', 'all'] },
    zone: 'UTC',
  })
  expect(await policyEditor.remove({ id: 'w', name: 'Patching' })).toBeNull()
  expect(await policyEditor.setZone({ id: 's:x', name: 'Berlin' }, berlin)).toMatchObject({ kind: 'storage' })
  expect(policyEditor.acted.get()).toMatchObject({ words: 'Removed the maintenance window “Patching”.', undo: 7 })
  await policyEditor.undo()
  expect(asked.at(-1)).toEqual(['actions.undo', { id: 7 }])
  expect(policyEditor.acted.get()).toEqual({ words: 'Undone.', failure: null, undo: null })
})

test('actions are undone one after the other, and a rejected one does not block the others', async () => {
  let number = 0
  const rejected = new Set<number>()
  const act = () => ({ undo: (number += 1) })
  const { pipe, asked } = corePipe({
    'app.state': () => appState(),
    'maintenance.remove': act,
    'maintenance.save': act,
    'actions.undo': () => ({}),
  })
  const call = async (name: CallName, input: never) => {
    const answer = await pipe.call(name, input)
    return name === 'actions.undo' && rejected.has((input as { id: number }).id)
      ? { ok: false, fault: { kind: 'input', detail: 'There is nothing to undo any more.' } }
      : answer
  }
  const policyEditor = createPolicyEditor(startSession({ ...pipe, call: call as Pipe['call'] }, manualClock()))
  await settle()
  for (const name of ['A', 'B', 'C']) await policyEditor.remove({ id: name, name })
  const undone = () => asked.flatMap(([call, input]) => (call === 'actions.undo' ? [(input as { id: number }).id] : []))
  await policyEditor.undo()
  expect([undone(), policyEditor.acted.get()]).toEqual([[3], { words: 'Undone.', failure: null, undo: 2 }])
  rejected.add(2)
  await policyEditor.undo()
  expect(policyEditor.acted.get()).toMatchObject({ words: '', failure: { kind: 'input' }, undo: 1 })
  await policyEditor.undo()
  await policyEditor.undo()
  expect([undone(), policyEditor.acted.get().undo]).toEqual([[3, 2, 1], null])
})

test('the palette finds them by their purpose, and names what is missing', async () => {
  const { pipe } = corePipe({ 'app.state': () => appState(), 'inventory.places': () => ({ total: 1, places: [site] }) })
  const policyEditor = createPolicyEditor(startSession(pipe, manualClock()))
  await settle()
  const items = (place: { id: string; name: string } | null, room = false) =>
    policyItems({ policyEditor, windows: 2, place, room, toSettings() {} })
  expect(matching(items(null), 'quiet').map(({ label, reason }) => [label, reason])).toEqual([
    ['New maintenance window', ''],
    ['Maintenance window here', 'Choose a tenant, account, site or room first.'],
    ['Show the maintenance windows', ''],
  ])
  expect(matching(items({ id: 'm:x', name: 'Room' }, true), 'zone')[0]).toMatchObject({
    label: 'Time zone of this place',
    reason: 'A room has that of its site.',
  })
  expect(matching(items(null), 'undo')[0]).toMatchObject({ reason: 'There is nothing to undo.' })
  matching(items({ id: 's:x', name: 'Berlin' }), 'alert rules')[0]?.run()
  await settle()
  expect(policyEditor.asked.get()).toMatchObject({ what: 'thresholds', place: { id: 's:x', name: 'Berlin' } })
})
