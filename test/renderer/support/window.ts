import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { CallName, Answer } from '../../../src-shared/contract/contract.ts'
import { createDeviceActions } from '../../../src-renderer/actions/device-actions.ts'
import { createTeam } from '../../../src-renderer/incidents/team/team-source.ts'
import { AppContextProvider, type AppContext } from '../../../src-renderer/lib/context.ts'
import { type AppState, startSession } from '../../../src-renderer/lib/session.ts'
import { createStore } from '../../../src-renderer/lib/store.ts'
import { createTicker } from '../../../src-renderer/lib/ticker.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { appState, corePipe } from './pipe-stub.ts'

interface Options {
  /** The name of this Muster's operator in a team; null for a Muster on its own. */
  operator?: string | null
  app?: Partial<AppState>
  answers?: Parameters<typeof corePipe>[0]
}

/**
 * What all components of a window share, over a core of the test, and what draws one of them as text. `reject`: calls that
 * the core rejects, because the team's database is away.
 */
export async function openWindow({ operator = null, app = {}, answers = {} }: Options = {}) {
  const rejected = new Set<CallName>()
  const core = corePipe({
    'app.state': () => appState(app),
    'team.read': () => ({ joined: operator === null ? null : { operator, members: [], leads: [], looking: [] } }),
    'settings.change': () => ({}),
    ...answers,
  })
  const call = async (name: CallName, input: unknown): Promise<Answer<never>> => {
    const answer = await core.pipe.call(name, input as never)
    return rejected.has(name) ? { ok: false, fault: { kind: 'team-away', detail: '' } } : (answer as Answer<never>)
  }
  const pipe = { ...core.pipe, call: call as typeof core.pipe.call }
  const clock = manualClock()
  const session = startSession(pipe, clock)
  const context = {
    session,
    ticker: createTicker(clock),
    notifier: { permission: createStore('default') },
    deviceActions: createDeviceActions(session),
    team: createTeam(session),
  } as unknown as AppContext
  await settle()
  const markup = (element: ReactElement) =>
    renderToStaticMarkup(createElement(AppContextProvider, { value: context }, element))
  return {
    ...core,
    context,
    clock,
    session,
    reject: (name: CallName) => void rejected.add(name),
    accept: (name: CallName) => void rejected.delete(name),
    markup,
    /** Draws it, and returns its text, a part each. */
    texts: (element: ReactElement) =>
      markup(element)
        .split(/<[^>]*>/u)
        .map((text) => text.trim())
        .filter((text) => text !== ''),
  }
}
