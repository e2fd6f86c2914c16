import { describe, expect, test } from 'vitest'
import type { CallName, EventName, Pipe } from '../../../src-shared/contract/contract.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import type { Patch } from '../../../src-shared/contract/patch.ts'
import { startSession, type AppState } from '../../../src-renderer/lib/session.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { corePipe, noUpdates, quietly } from '../support/pipe-stub.ts'

const zero = { connected: 0, disconnected: 0, unknown: 0 }
const state = (rev: number): AppState => ({
  version: '1',
  shell: 'web',
  demo: false,
  can: { startAtLogin: false, startOther: false, signOut: false },
  keychain: { kind: 'session', detail: '' },
  proxies: [],
  rev,
  totals: zero,
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
})
const patch = (base: number, rev: number): Patch => ({
  base,
  rev,
  totals: { ...zero, disconnected: rev },
  devices: [],
  many: false,
  structure: false,
})

/** A core that answers `app.state` with a revision of the test's choosing. */
function start() {
  const listeners = new Map<EventName, (data: never) => void>()
  const core = { rev: 7, there: true, asked: 0 }
  let reach = (_reached: boolean) => {}
  const pipe: Pipe = {
    call: async (name: CallName) => {
      expect(name).toBe('app.state')
      if (!core.there) return { ok: false, fault: { kind: 'stopped', detail: '' } }
      core.asked += 1
      return { ok: true, value: state(core.rev) as never }
    },
    on: (name, listener) => {
      listeners.set(name, listener as never)
      return () => listeners.delete(name)
    },
    onReach: (listener) => {
      reach = listener
      return () => {}
    },
  }
  const clock = manualClock()
  const session = startSession(pipe, clock)
  const changes: (number | null)[] = []
  session.onChange((change) => changes.push(change?.rev ?? null))
  const report = async (name: EventName, data: unknown) => {
    listeners.get(name)?.(data as never)
    await settle()
  }
  return { core, session, clock, changes, report, reach: (reached: boolean) => reach(reached) }
}

describe('the session', () => {
  test('the next patch is passed on; a patch with a gap causes a full read', async () => {
    const { core, session, changes, report } = start()
    await settle()
    await report('patch', patch(7, 8))
    expect(session.state.get().app).toMatchObject({ rev: 8, totals: { disconnected: 8 } })
    core.rev = 11
    await report('patch', patch(9, 10))
    expect([session.state.get().app?.rev, core.asked, changes]).toEqual([11, 2, [null, 8, null]])
  })

  test('events after the request for the state are newer than its answer, earlier ones are not', async () => {
    const { session, report, reach } = start()
    const banners = (id: string) => [{ id, level: 'info', fault: { kind: 'link', detail: '' }, at: 1 }]
    const notices = () => session.state.get().app?.banners.map(({ id }) => id)
    // The answer was made, and is not here yet.
    await report('banners', banners('link'))
    expect(notices()).toEqual(['link'])
    reach(true)
    await report('settings', { ...defaultSettings(false), theme: 'light' })
    expect([notices(), session.state.get().app?.settings.theme]).toEqual([[], 'light'])
  })

  test('under steady patches it reads once, and applies those that follow the answer', async () => {
    const { core, session, changes, report } = start()
    await settle()
    core.rev = 21
    // The first one does not follow; the others come before the answer, which holds one of them already.
    const reports = [
      report('patch', patch(19, 20)),
      report('patch', patch(20, 21)),
      report('patch', patch(21, 22)),
      report('patch', patch(22, 23)),
    ]
    await Promise.all(reports)
    expect([session.state.get().app?.rev, core.asked, changes]).toEqual([23, 2, [null, null, 22, 23]])
  })

  test('a gap among the patches before the answer makes it read once more', async () => {
    const { core, session, report } = start()
    await settle()
    core.rev = 21
    await Promise.all([report('patch', patch(19, 20)), report('patch', patch(24, 25))])
    expect([session.state.get().app?.rev, core.asked]).toEqual([21, 3])
  })

  test('a patch that the state already contains changes nothing', async () => {
    const { core, changes, report } = start()
    await settle()
    await report('patch', patch(6, 7))
    expect([core.asked, changes]).toEqual([1, [null]])
  })

  test('when the core goes, its state stays with the time of the loss, and is read again later', async () => {
    const { core, session, clock, changes, reach } = start()
    await settle()
    core.there = false
    const lostAt = clock.now()
    reach(false)
    await clock.advance(5000)
    reach(false)
    expect(session.state.get()).toMatchObject({ reach: { state: 'lost', at: lostAt }, app: { rev: 7 } })
    core.there = true
    core.rev = 1
    reach(true)
    await settle()
    expect(session.state.get()).toMatchObject({ reach: { state: 'reached' }, app: { rev: 1 } })
    expect(changes).toEqual([null, null])
  })

  test('events replace their part; stopped, none is handled', async () => {
    const { session, report } = start()
    await settle()
    const notice = { id: 'n', level: 'info', fault: { kind: 'keychain', detail: '' }, at: 1 }
    await report('banners', [notice])
    expect(session.state.get().app?.banners).toEqual([notice])
    session.stop()
    await report('banners', [])
    expect(session.state.get().app?.banners).toEqual([notice])
  })
})

test('a link opened before somebody listened is still passed on, the last of several', async () => {
  const core = corePipe({ 'app.state': () => state(1) })
  const session = startSession(core.pipe, manualClock())
  await settle()
  const received: string[] = []
  session.onOpen(({ scope }) => received.push(`early ${scope}`))
  for (const scope of ['a', 'b']) await core.report('open', { scope, filter: '', device: null })
  session.onOpen(({ scope }) => received.push(`late ${scope}`))
  session.open({ scope: 'c', filter: '', device: null })
  expect(received).toEqual(['early a', 'early b', 'late b', 'early c', 'late c'])
})

describe('a rejected change of settings', () => {
  /** A session whose core answers changes when the test says so. */
  async function setup() {
    const core = corePipe({ 'app.state': () => state(1) })
    const answers: ((answer: { ok: boolean }) => void)[] = []
    const call = async (name: CallName, input: never) =>
      name === 'settings.change'
        ? await new Promise<never>((resolve) => void answers.push(resolve as never))
        : await core.pipe.call(name, input)
    const session = startSession({ ...core.pipe, call: call as Pipe['call'] }, manualClock())
    await settle()
    const reject = async (index: number) => {
      answers[index]?.({ ok: false })
      await settle()
    }
    const told = (part: Partial<AppState['settings']>) =>
      core.report('settings', { ...defaultSettings(false), ...part })
    return { session, reject, told, settings: () => session.state.get().app?.settings }
  }

  test('has the values from before it again', async () => {
    const { session, reject, settings } = await setup()
    void session.change({ watched: ['a'], backgroundPaused: true })
    expect(settings()).toMatchObject({ watched: ['a'], backgroundPaused: true })
    await reject(0)
    expect(settings()).toEqual(defaultSettings(false))
  })

  test('leaves what another member has changed meanwhile, also to the same value', async () => {
    const { session, reject, told, settings } = await setup()
    void session.change({ watched: ['a'], backgroundPaused: true, fullSyncMinutes: 30 })
    await told({ watched: ['b'], backgroundPaused: true })
    await reject(0)
    expect(settings()).toEqual({ ...defaultSettings(false), watched: ['b'], backgroundPaused: true })
  })

  test('leaves what was changed here since, and restores no value that was rejected itself', async () => {
    const { session, reject, settings } = await setup()
    void session.change({ watched: ['a'] })
    void session.change({ watched: ['a', 'b'] })
    await reject(0)
    expect(settings()?.watched).toEqual(['a', 'b'])
    await reject(1)
    expect(settings()?.watched).toEqual([])
  })
})
