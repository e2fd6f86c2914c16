import { lanes, type Gauge, type Lane } from '../../../src-shared/model/gauge.ts'
import { own } from '../../../src-shared/lib/own.ts'

/** The document of a full reading. */
export const inventoryName = 'Devices'

/** What Muster asks for, by the names of its documents (src-main/api/operations.ts), as an operator would call it. */
const words: Readonly<Record<string, string>> = {
  Tenants: 'Tenant list',
  [inventoryName]: 'Inventory',
  States: 'Reconciliation after a gap',
  StatesByIds: 'Reconciliation on screen',
  Look: 'Count of devices',
  Schema: 'Schema introspection',
}

const columnsLead = 'Columns_'

/** "Inventory" for `Devices`; a document of another hand is called what it is called. */
export function operationText(name: string): string {
  if (name.startsWith(columnsLead)) return `Columns: ${name.slice(columnsLead.length).replaceAll('_', ' ')}`
  return own(words, name) ?? name
}

export interface Activity {
  /** In words. */
  what: string
  lane: Lane
  points: number
  count: number
}

/** What was asked in this window, in words, the dearest first. */
export function activitiesOf({ activities }: Pick<Gauge, 'activities'>): Activity[] {
  return activities
    .map(({ name, lane, points, count }) => ({ what: operationText(name), lane, points, count }))
    .toSorted((one, other) => other.points - one.points)
}

/** The same lane by lane, as a bar shows them. */
export function byLane(activities: readonly Activity[]): Activity[] {
  return activities.toSorted(
    (one, other) => lanes.indexOf(one.lane) - lanes.indexOf(other.lane) || other.points - one.points,
  )
}
