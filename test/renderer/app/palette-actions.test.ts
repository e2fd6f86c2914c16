import { expect, test } from 'vitest'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { createDeviceActions } from '../../../src-renderer/actions/device-actions.ts'
import { actionsOf } from '../../../src-renderer/app/palette/actions.ts'
import type { PaletteContext } from '../../../src-renderer/app/palette/palette-context.ts'
import { matching } from '../../../src-renderer/app/palette/item.ts'
import { createStore } from '../../../src-renderer/lib/store.ts'
import { startIncidents } from '../../../src-renderer/incidents/incidents.ts'
import { createPolicyEditor } from '../../../src-renderer/policies/policy-editor.ts'
import { startSession } from '../../../src-renderer/lib/session.ts'
import { manualClock } from '../../support/clock.ts'
import { appState, corePipe } from '../support/pipe-stub.ts'

const asked: unknown[] = []
const quiet = startSession(corePipe({}).pipe, manualClock())
const incidents = startIncidents(quiet, manualClock())
const policyEditor = createPolicyEditor(quiet)
const deviceActions = createDeviceActions(quiet)
/** The part of the inventory that the actions use. */
const inventory = {
  view: createStore({ path: [], filter: '' }),
  columns: { state: createStore([]) },
  actions: {},
  selection: { state: createStore({ all: false, keys: new Set() }) },
  cursor: { state: createStore({ key: null }) },
  rows: { state: createStore({ total: 0 }) },
  subject: () => null,
}
function labels(typed: string, pausedUntil: number | null = null) {
  const app = appState({ settings: defaultSettings(false), notifications: { pausedUntil, recent: [] } })
  const session = { pipe: { call: (...call: unknown[]) => void asked.push(call) } }
  const around = {
    inventory,
    incidents,
    policyEditor,
    deviceActions,
    now: 0,
    session,
    app,
    onScreen() {},
    onHelp() {},
    onRead() {},
    onAdd() {},
  } as unknown as PaletteContext
  return matching(actionsOf(around), typed)
}

test('the first hit for notifications opens them, and silences nothing', () => {
  expect(labels('notif').map(({ label }) => label)).toEqual([
    'Open notifications',
    'Pause notifications for 15 minutes',
    'Pause notifications for an hour',
    'Pause notifications for a day',
    'Resume notifications',
  ])
  expect(
    labels('notif', Date.now() + 60_000)
      .map(({ label }) => label)
      .slice(0, 2),
  ).toEqual(['Open notifications', 'Resume notifications'])
})

test.each(['pause', 'mute', 'silence'])('“%s” finds the pauses', (typed) =>
  expect(labels(typed)[0]?.label).toBe('Pause notifications for 15 minutes'),
)

test.each(['resume', 'unmute'])('“%s” finds the resuming, which says so when there is nothing to resume', (typed) => {
  expect(labels(typed)[0]).toMatchObject({ label: 'Resume notifications', reason: 'They are not paused.' })
  const [first] = labels(typed, Date.now() + 60_000)
  expect(first?.reason).toBe('')
  first?.run()
  expect(asked.at(-1)).toEqual(['notifications.pause', { minutes: 0 }])
})

test.each(['background', 'hold', 'readings'])('“%s” finds the pausing and resuming of background work', (typed) => {
  const changed: unknown[] = []
  const offered = (backgroundPaused: boolean) => {
    const app = appState({ settings: { ...defaultSettings(false), backgroundPaused } })
    const session = {
      change: async (part: unknown) => {
        changed.push(part)
        return { ok: true }
      },
    }
    return matching(
      actionsOf({
        inventory,
        incidents,
        policyEditor,
        deviceActions,
        now: 0,
        session,
        app,
      } as unknown as PaletteContext),
      typed,
    )
  }
  expect(offered(false)[0]?.label).toBe('Pause background work')
  expect(offered(true)[0]?.label).toBe('Resume background work')
  offered(false)[0]?.run()
  offered(true)[0]?.run()
  expect(changed).toEqual([{ backgroundPaused: true }, { backgroundPaused: false }])
})

test('reserve and limit are found with their values, and points need a connection', () => {
  expect(
    matching(
      actionsOf({
        inventory,
        incidents,
        policyEditor,
        deviceActions,
        now: 0,
        session: {},
        app: appState(),
      } as unknown as PaletteContext),
      'ceiling',
    )[0],
  ).toMatchObject({ label: 'Set reserved points and background limit', hint: '10\u00A0% reserved, limit 100\u00A0%' })
  expect(
    matching(
      actionsOf({
        inventory,
        incidents,
        policyEditor,
        deviceActions,
        now: 0,
        session: {},
        app: appState(),
      } as unknown as PaletteContext),
      'quota',
    )[0],
  ).toMatchObject({ label: 'Show the points', reason: 'There is no connection.' })
})
