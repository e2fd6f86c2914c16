import type { EventData } from '../../../src-shared/contract/contract.ts'

/** For how long an incident is not told, as the tray offers it; the moment is reckoned when it is chosen. */
export type SnoozeFor = '15-minutes' | 'hour' | 'morning' | 'recovery'

/** What choosing an entry does. */
export type TrayAction =
  | { do: 'raise' | 'quit' }
  /** 0: tell again. */
  | { do: 'pause'; minutes: number }
  | { do: 'open'; what: EventData<'open'> }
  | { do: 'snooze'; incident: string; title: string; how: SnoozeFor }
  | { do: 'undo'; act: number }

/** One line of the tray's menu. Ids are the same for the same thing from one menu to the next, and unlike within one. */
export type Entry =
  | { kind: 'line'; id: string }
  | { kind: 'words'; id: string; label: string }
  | { kind: 'act'; id: string; label: string; deed: TrayAction }
  | { kind: 'more'; id: string; label: string; entries: Entry[] }

export const line = (id: string): Entry => ({ kind: 'line', id })
export const words = (id: string, label: string): Entry => ({ kind: 'words', id, label })
export const act = (id: string, label: string, deed: TrayAction): Entry => ({ kind: 'act', id, label, deed })
export const more = (id: string, label: string, entries: Entry[]): Entry => ({ kind: 'more', id, label, entries })
