import type { EventData } from '../../../src-shared/contract/contract.ts'

/** How long an incident is snoozed, as the tray offers it; the end is calculated when it is chosen. */
export type SnoozeFor = '15-minutes' | 'hour' | 'morning' | 'recovery'

/** The action of an entry. */
export type TrayAction =
  | { do: 'raise' | 'quit' }
  /** 0: ends the pause. */
  | { do: 'pause'; minutes: number }
  | { do: 'open'; what: EventData<'open'> }
  | { do: 'snooze'; incident: string; title: string; how: SnoozeFor }
  | { do: 'undo'; act: number }

/** One entry of the tray's menu. Ids are stable from one menu to the next, and unique within one. */
export type Entry =
  | { kind: 'line'; id: string }
  | { kind: 'words'; id: string; label: string }
  | { kind: 'act'; id: string; label: string; deed: TrayAction }
  | { kind: 'more'; id: string; label: string; entries: Entry[] }

export const line = (id: string): Entry => ({ kind: 'line', id })
export const words = (id: string, label: string): Entry => ({ kind: 'words', id, label })
export const act = (id: string, label: string, deed: TrayAction): Entry => ({ kind: 'act', id, label, deed })
export const more = (id: string, label: string, entries: Entry[]): Entry => ({ kind: 'more', id, label, entries })
