import type { Notification, Notifications } from '../../src-shared/model/inventory.ts'

/** One notification as a line: what it says, and when. */
export type NotificationLine = Pick<Notification, 'at' | 'kind' | 'message'>

/** The notifications of one incident, or one that is about none. */
export interface NotificationGroup {
  /** Of the incident, or of the notification. */
  id: string
  /** The newest: what a press opens. */
  last: Notification
  /** Those before it that are known, the newest first. */
  before: readonly NotificationLine[]
  /** How many there were, also such as are no longer known. */
  count: number
}

/** The bell's list: one line for each incident, the one with the newest word first. `recent` in any order. */
export function groupsOf(recent: Notifications['recent']): NotificationGroup[] {
  const byIncident = Map.groupBy(recent, ({ id, open }) => open.incident ?? id)
  return [...byIncident]
    .flatMap(([id, all]): NotificationGroup[] => {
      const [last, ...others] = all.toSorted(byNewest)
      if (last === undefined) return []
      const before = [
        ...others,
        ...all.flatMap(({ kind, earlier = [] }) => earlier.map((one) => ({ ...one, kind }))),
      ].toSorted(byNewest)
      return [{ id, last, before, count: all.reduce((sum, { times = 1 }) => sum + times, 0) }]
    })
    .toSorted((one, other) => byNewest(one.last, other.last))
}

const byNewest = (one: { at: number }, other: { at: number }): number => other.at - one.at
