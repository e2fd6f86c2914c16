import type { CallName, EventName, Pipe } from '../../../src-shared/contract/contract.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import type { AppState } from '../../../src-renderer/lib/session.ts'
import { settle } from '../../support/clock.ts'

/** No open incidents. */
export const quietly = {
  rev: 0,
  open: { critical: 0, major: 0, minor: 0 },
  acknowledged: 0,
  snoozed: 0,
  suppressed: 0,
  monitoringLost: 0,
  worst: [],
}

/** The pipe of a browser. */
export const noUpdates: AppState['updates'] = {
  now: { is: 'off', reason: 'web', detail: '' },
  copy: null,
  by: { feed: '', channel: 'latest', self: false, fixed: [] },
}

export const appState = (more: Partial<AppState> = {}): AppState => ({
  version: '1',
  shell: 'web',
  demo: false,
  can: { startAtLogin: false, startOther: false, signOut: false },
  keychain: { kind: 'session', detail: '' },
  proxies: [],
  rev: 1,
  totals: { connected: 0, disconnected: 0, unknown: 0 },
  connections: [],
  gauges: [],
  banners: [],
  settings: defaultSettings(false),
  settingsFile: '',
  columns: [],
  views: [],
  notifications: { pausedUntil: null, recent: [] },
  incidents: quietly,
  delays: [],
  policies: { ownZone: 'UTC', windows: [], zones: [], thresholds: [], places: [] },
  updates: noUpdates,
  ...more,
})

/** A core on the other end of a pipe: it answers calls and sends events as the test says. */
export function corePipe(answers: Partial<Record<CallName, (input: unknown) => unknown>>) {
  const listeners = new Map<EventName, Set<(data: never) => void>>()
  const asked: [CallName, unknown][] = []
  const pipe: Pipe = {
    async call(name: CallName, input: unknown) {
      asked.push([name, input])
      const answer = answers[name]
      return answer === undefined
        ? { ok: false, fault: { kind: 'storage', detail: name } }
        : { ok: true, value: answer(input) as never }
    },
    on(name, listener) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known.add(listener as never))
      return () => known.delete(listener as never)
    },
    onReach: () => () => {},
  }
  const report = async (name: EventName, data: unknown) => {
    listeners.get(name)?.forEach((listener) => listener(data as never))
    await settle()
  }
  return { pipe, report, asked, listening: (name: EventName) => (listeners.get(name)?.size ?? 0) > 0 }
}
