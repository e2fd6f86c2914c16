import type { Notification, Notifications } from '../../src-shared/model/inventory.ts'

/** One notification as a line: its message and its time. */
export type NotificationLine = Pick<Notification, 'at' | 'kind' | 'message'>

/** The notifications of one incident, or one notification that is about none. */
export interface NotificationGroup {
  /** Id of the incident, or of the notification. */
  id: string
  /** The newest notification, which a click opens. */
  last: Notification
  /** The known ones before it, the newest first. */
  before: readonly NotificationLine[]
  /** Number of notifications, including those that are no longer known. */
  count: number
}

/**
 * Returns the bell's list: one line for each incident, the one with the newest notification first. `recent` may be in
 * any order.
 */
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
