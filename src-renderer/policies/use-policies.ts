import { useMemo } from 'react'
import type { Policies } from '../../src-shared/model/incidents.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { type ActiveMaintenance, activeNow } from './maintenance/active.ts'
import { type Clocks, operatorZone } from './format.ts'

const none: Policies = { ownZone: 'UTC', windows: [], zones: [], thresholds: [], places: [] }

/** Returns the operator's present policies. */
export function usePolicies(): Policies {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app?.policies ?? none)
}

/** Returns the present time and zones, for texts that are formatted once per render. */
export function useClocks(): Clocks {
  const { policyEditor, ticker } = useAppContext()
  const { times } = useSettings()
  return { zones: policyEditor.zones, now: ticker.now(), own: operatorZone(times) }
}

/**
 * Returns the active maintenance windows. The list changes only when a window begins, ends or is edited, and at
 * midnight.
 */
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
