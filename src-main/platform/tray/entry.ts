import type { EventData } from '../../../src-shared/contract/contract.ts'

/** How long an incident is snoozed, as the tray offers it; the end is calculated when it is chosen. */
export type SnoozeDuration = '15-minutes' | 'hour' | 'morning' | 'recovery'

/** The action of an entry. */
export type TrayAction =
  | { do: 'raise' | 'quit' }
  /** 0: ends the pause. */
  | { do: 'pause'; minutes: number }
  | { do: 'open'; what: EventData<'open'> }
  | { do: 'snooze'; incident: string; title: string; duration: SnoozeDuration }
  | { do: 'undo'; id: number }

/** One entry of the tray's menu. Ids are stable from one menu to the next, and unique within one. */
export type Entry =
  | { kind: 'separator'; id: string }
  | { kind: 'text'; id: string; label: string }
  | { kind: 'item'; id: string; label: string; action: TrayAction }
  | { kind: 'submenu'; id: string; label: string; entries: Entry[] }

export const separator = (id: string): Entry => ({ kind: 'separator', id })
export const textItem = (id: string, label: string): Entry => ({ kind: 'text', id, label })
export const item = (id: string, label: string, action: TrayAction): Entry => ({ kind: 'item', id, label, action })
export const submenu = (id: string, label: string, entries: Entry[]): Entry => ({ kind: 'submenu', id, label, entries })
