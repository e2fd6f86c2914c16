import { createContext, useContext } from 'react'
import type { DeviceActions } from '../actions/device-actions.ts'
import type { TeamSource } from '../incidents/team/team-source.ts'
import type { PolicyEditor } from '../policies/policy-editor.ts'
import type { Session } from './session.ts'
import type { Notifier } from '../notifications/notifier.ts'
import type { Unread } from '../notifications/unread.ts'
import type { Ticker } from './ticker.ts'

/** Objects that all components share: the session with the core, the time, notifications, policies, actions, and the team. */
export interface AppContext {
  session: Session
  ticker: Ticker
  unread: Unread
  notifier: Notifier
  policyEditor: PolicyEditor
  deviceActions: DeviceActions
  team: Pick<TeamSource, 'state'>
}

export const AppContextProvider = createContext<AppContext | null>(null)

export function useAppContext(): AppContext {
  const context = useContext(AppContextProvider)
  if (context === null) throw new Error('a part of the window was drawn outside of it')
  return context
}
