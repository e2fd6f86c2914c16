import { CONFIG_INTERVAL, HEARTBEAT } from '../device.ts'

/**
 * The columns that can be filtered and sorted, by field name; `site` and `room` by name (twin section 6). None is null,
 * so that comparing keys needs no special case. `internalIp` is missing, as in the twin.
 */
const columns = new Map<string, string>([
  ['id', 'd.id'],
  ['name', 'd.name'],
  ['displayName', 'd.name'],
  ['hardwareModel', 'd.hardwareModel'],
  ['hardwareFamily', 'd.hardwareFamily'],
  ['connected', "CASE d.connected WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE '' END"],
  ['site', "ifnull(s.name, '')"],
  ['room', "ifnull(r.name, '')"],
  [
    'macAddress',
    "(substr(d.id,1,2)||':'||substr(d.id,3,2)||':'||substr(d.id,5,2)||':'||substr(d.id,7,2)||':'||substr(d.id,9,2)||':'||substr(d.id,11,2))",
  ],
  ['serialNumber', 'd.serialNumber'],
  ['softwareVersion', 'd.softwareVersion'],
  ['softwareBuild', 'd.softwareBuild'],
  ['callStatus', 'd.callStatus'],
  ['activeApplicationName', "ifnull(d.application, '')"],
])

/** The dates: the stored column, and the interval in ms in which a connected device renews it. */
const dates = new Map<string, { column: string; interval: number }>([
  ['lastDetected', { column: 'd.lastDetected', interval: HEARTBEAT }],
  ['lastConfigRequestDate', { column: 'd.lastConfigRequest', interval: CONFIG_INTERVAL }],
])

/** Returns whether a field is a date, whose value depends on the moment of the search. */
export function isDate(field: string): boolean {
  return dates.has(field)
}

/**
 * Returns the SQL expression of a field; undefined for a field that cannot be filtered or sorted. Dates are text in the
 * form of the answers, as they are at `moment` (milliseconds since 1970); empty where there is none.
 */
export function columnAt(field: string, moment: number): string | undefined {
  const date = dates.get(field)
  return date === undefined ? columns.get(field) : textOfDate(date, Math.floor(moment))
}

function textOfDate({ column, interval }: { column: string; interval: number }, moment: number): string {
  const renewed = `${moment} - max(0, ${moment} - ${column}) % ${interval}`
  const milliseconds = `CASE d.connected WHEN 1 THEN ${renewed} ELSE ${column} END`
  return `ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', (${milliseconds}) / 1000.0, 'unixepoch'), '')`
}
