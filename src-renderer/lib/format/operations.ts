import { lanes, type Gauge, type Lane } from '../../../src-shared/model/gauge.ts'
import { own } from '../../../src-shared/lib/own.ts'

/** Name of the document of a full sync. */
export const inventoryName = 'Devices'

/** Labels of Muster's operations, by the names of their documents (src-main/api/operations.ts). */
const operationLabels: Readonly<Record<string, string>> = {
  Tenants: 'Tenant list',
  [inventoryName]: 'Inventory',
  States: 'Reconciliation after a gap',
  StatesByIds: 'Reconciliation on screen',
  PlacesByIds: 'Name and place of a device',
  Fingerprint: 'Count of devices',
  Ids: 'New and removed devices',
  DevicesByIds: 'New devices',
  Schema: 'Schema introspection',
  Type: 'Schema introspection',
  Credential: 'Role and scope',
  RootFields: 'Schema introspection',
  PlaceType: 'Schema introspection',
  Places: 'Accounts, sites and rooms',
  Mutations: 'Schema introspection',
  ReadDevices: 'Devices of an action',
  Reboot: 'Reboot',
  UpdateDevices: 'Rename or move',
  SaveSite: 'Site',
  SaveRoom: 'Room',
}

const columnsPrefix = 'Columns_'

/** Returns for example "Inventory" for `Devices`. A document of another client keeps its name. */
export function operationText(name: string): string {
  if (name.startsWith(columnsPrefix)) return `Columns: ${name.slice(columnsPrefix.length).replaceAll('_', ' ')}`
  return own(operationLabels, name) ?? name
}

export interface Activity {
  /** The label of the operation. */
  what: string
  lane: Lane
  points: number
  count: number
}

/** Returns the operations of this rate window, the most expensive first. Documents with one label and lane are one. */
export function activitiesOf({ activities }: Pick<Gauge, 'activities'>): Activity[] {
  const merged = new Map<string, Activity>()
  for (const { name, lane, points, count } of activities) {
    const what = operationText(name)
    const same = merged.get(`${lane} ${what}`)
    merged.set(`${lane} ${what}`, {
      what,
      lane,
      points: points + (same?.points ?? 0),
      count: count + (same?.count ?? 0),
    })
  }
  return [...merged.values()].toSorted((one, other) => other.points - one.points)
}

/** Returns the same by lane, in the order of the bar. */
export function byLane(activities: readonly Activity[]): Activity[] {
  return activities.toSorted(
    (one, other) => lanes.indexOf(one.lane) - lanes.indexOf(other.lane) || other.points - one.points,
  )
}
