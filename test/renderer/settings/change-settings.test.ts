import { createElement } from 'react'
import { expect, test } from 'vitest'
import { actionsOf } from '../../../src-renderer/app/palette/actions.ts'
import type { PaletteContext } from '../../../src-renderer/app/palette/palette-context.ts'
import { useWatch } from '../../../src-renderer/inventory/actions/watch.ts'
import { createColumns } from '../../../src-renderer/inventory/columns/columns-source.ts'
import { createStore } from '../../../src-renderer/lib/store.ts'
import { startIncidents } from '../../../src-renderer/incidents/incidents.ts'
import { streamPeopleCounts } from '../../../src-renderer/overview/occupancy/occupancy.tsx'
import { createPolicyEditor } from '../../../src-renderer/policies/policy-editor.ts'
import { settle } from '../../support/clock.ts'
import { openWindow } from '../support/window.ts'

const site = { id: 's:berlin', name: 'Berlin' }

/** A window whose core rejects changes of settings, and the reason that it shows. */
async function rejecting(operator: string | null = 'Ann') {
  const window = await openWindow({ operator })
  window.reject('settings.change')
  return {
    ...window,
    shown: async () => {
      await settle()
      return window.context.deviceActions.message.get().fault?.kind ?? null
    },
    settings: () => window.session.state.get().app?.settings,
  }
}

/** The actions of the palette, with a site listed. */
function paletteOf({ context, session, clock }: Awaited<ReturnType<typeof rejecting>>) {
  const inventory = {
    view: createStore({ path: [site], filter: '' }),
    columns: { state: createStore([]) },
    actions: {},
    selection: { state: createStore({ all: false, keys: new Set() }) },
    cursor: { state: createStore({ key: null }) },
    rows: { state: createStore({ total: 0 }) },
    subject: () => null,
  }
  const incidents = { ...startIncidents(session, clock), team: context.team }
  const given = { ...context, inventory, incidents, policyEditor: createPolicyEditor(session), now: 0 }
  return (id: string) =>
    actionsOf({ ...given, app: session.state.get().app } as unknown as PaletteContext).find((one) => one.id === id)
}

test('a rejected change of the watch list says why, and leaves the list as it was', async () => {
  const { markup, shown, settings } = await rejecting()
  let watch = (_on: boolean) => {}
  markup(
    createElement(() => {
      ;({ watch } = useWatch('s/t/1'))
      return null
    }),
  )
  watch(true)
  expect(settings()?.watched).toEqual(['s/t/1'])
  expect([await shown(), settings()?.watched]).toEqual(['team-away', []])
})

test.each(['watch place', 'background', 'theme light', 'density', 'times'])(
  'in the palette, a rejected “%s” says why',
  async (id) => {
    const window = await rejecting()
    paletteOf(window)(id)?.run()
    expect(await window.shown()).toBe('team-away')
  },
)

test('a rejected switch of people counts says why, and shows nothing before the answer', async () => {
  const { context, shown, settings } = await rejecting()
  void streamPeopleCounts(context, true)
  expect(settings()?.occupancy).toBe(false)
  expect(await shown()).toBe('team-away')
})

test('the reason goes with the next change that succeeds', async () => {
  const window = await rejecting()
  void streamPeopleCounts(window.context, true)
  expect(await window.shown()).toBe('team-away')
  window.accept('settings.change')
  void streamPeopleCounts(window.context, true)
  expect(await window.shown()).toBeNull()
})

test('a rejected change of columns is told, and shows the former columns', async () => {
  const { session } = await rejecting(null)
  const faults: string[] = []
  const columns = createColumns(session, ({ kind }) => faults.push(kind))
  const before = columns.state.get()
  columns.toggle('tenant', !before.some(({ id }) => id === 'tenant'))
  expect(columns.state.get()).not.toEqual(before)
  await settle()
  expect([faults, columns.state.get()]).toEqual([['team-away'], before])
})

test.each([
  ['Ann', 'Shared with the team'],
  [null, ''],
])('the palette marks what a team shares: %j', async (operator, hint) => {
  const find = paletteOf(await rejecting(operator))
  expect([find('watch place')?.hint, find('background')?.hint, find('density')?.hint]).toEqual([hint, hint, ''])
})
