import { useMemo } from 'react'
import type { Policies } from '../../src-shared/model/incidents.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { type ActiveMaintenance, activeNow } from './maintenance/active.ts'
import { type Clocks, operatorZone } from './format.ts'

const none: Policies = { ownZone: 'UTC', windows: [], zones: [], thresholds: [] }

/** What the operator has laid down, as it is now. */
export function usePolicies(): Policies {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app?.policies ?? none)
}

/** For words that are made at the moment when they are drawn. */
export function useClocks(): Clocks {
  const { policyEditor, ticker } = useAppContext()
  const { times } = useSettings()
  return { zones: policyEditor.zones, now: ticker.now(), own: operatorZone(times) }
}

/** The windows that hold now; another list only when one begins, ends or changes, and at the day's change. */
export function useActiveMaintenance(): readonly ActiveMaintenance[] {
  const { policyEditor, ticker } = useAppContext()
  const { times } = useSettings()
  const { windows } = usePolicies()
  const now = () =>
    activeNow(
      policyEditor.maintenance,
      { zones: policyEditor.zones, now: ticker.now(), own: operatorZone(times) },
      windows,
    )
  const key = useTickedText(() =>
    windows.length === 0
      ? ''
      : now()
          .map(({ id, words }) => `${id} ${words}`)
          .join('\n'),
  )
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` says when it is another list
  return useMemo(() => (key === '' ? nothing : now()), [key, windows])
}

const nothing: readonly ActiveMaintenance[] = []
