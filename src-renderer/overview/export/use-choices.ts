import type { RefObject } from 'react'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { useAppContext } from '../../lib/context.ts'
import { titleText } from '../../lib/format/messages.ts'
import { useSettings } from '../../settings/use-settings.ts'
import type { ExportChoice } from './export-menu.tsx'

/** Returns what a menu calls when it opens: the files of the charts that are shown then. */
export function useChoices<T>(
  charts: RefObject<T | null>,
  make: (charts: T, titleOf: (incident: Incident) => string) => readonly ExportChoice[],
): () => readonly ExportChoice[] {
  const { ticker } = useAppContext()
  const { times } = useSettings()
  return () =>
    charts.current === null ? [] : make(charts.current, ({ message }) => titleText(message, ticker.now(), times))
}
