import { makePerson } from './generate.ts'
import type { PlacePool } from './generate.ts'
import { models } from './models.ts'
import type { Kind, Model } from './models.ts'
import { itemAt } from '../random.ts'
import type { Random } from '../random.ts'
import type { DeviceRow, RoomRow, SiteRow } from '../store/rows.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Shares at the start: 0.9 % offline and 0.15 % never detected, as in a well-kept fleet. */
const OFFLINE = 0.009
const STAGED = 0.0015

/** How a tenant names its devices: one habit each, with exceptions. */
type NamingScheme = (site: SiteRow | null, room: RoomRow | null, model: string, n: number) => string

const namingSchemes: readonly NamingScheme[] = [
  (site, room, model) => [site?.name, room && bare(room.name), model].filter(Boolean).join(' '),
  (site, room, model) =>
    [site?.code ?? 'XX', room ? bare(room.name).replaceAll(' ', '') : 'STOCK', model.replaceAll(' ', '')].join('-'),
  (_site, room, model, n) => (room ? `${model} (${room.name})` : `${model} ${n}`),
  (site, room, model) => `${room?.name ?? 'Spare'}, ${site?.name ?? 'unassigned'}: ${model}`,
]

/** Returns the habit of the tenant with this index; neighbours differ. */
export function namingSchemeOf(index: number): NamingScheme {
  return itemAt(namingSchemes, index % namingSchemes.length)
}

/** Returns the `n`th device of the world, at a place of `estate`, as it is at `now` (milliseconds since 1970). */
export function makeDevice(
  random: Random,
  n: number,
  places: PlacePool,
  namingScheme: NamingScheme,
  now: number,
): DeviceRow {
  const kind = pickKind(random)
  const model = pickModel(random, kind)
  const { site, room } = pickPlace(random, places, kind)
  const person = kind === 'personal' || (kind === 'phone' && !room) ? makePerson(random, places.tenant) : null
  const version = random.pick(model.versions)
  const build = buildOf(version, random)
  return {
    id: macOf(n),
    tenantId: places.tenant.id,
    siteId: site?.id ?? null,
    roomId: room?.id ?? null,
    name:
      person && random.chance(0.7)
        ? `${person.name} ${model.hardwareModel}`
        : nameOf(random, namingScheme, site, room, model, n),
    hardwareModel: model.hardwareModel,
    hardwareFamily: model.hardwareFamily,
    hardwareRevision: String(random.int(1, 5)),
    ...stateOf(random, now),
    dateRegistered: now - Math.round(random.log(20, 1600) * DAY),
    serialNumber: `8${random.hex(13).toUpperCase()}`,
    softwareVersion: `${version}.${build}`,
    softwareBuild: build,
    internalIp: `10.${random.int(1, 250)}.${random.int(0, 250)}.${random.int(2, 250)}`,
    externalIp: `198.51.100.${random.int(1, 250)}`,
    userName: person?.name ?? null,
    userEmail: person?.email ?? null,
    callStatus: kind === 'controller' ? 'UNSUPPORTED' : random.chance(0.18) ? 'IN_CALL' : 'NOT_IN_CALL',
    application: kind === 'bar' ? random.pick(['Teams', 'Teams', 'Zoom', 'Poly']) : null,
  }
}

/** Returns the build of a version: each has one. The draw keeps the devices of a seed as they were. */
function buildOf(version: string, random: Random): string {
  random.int(400_000, 469_999)
  const hash = [...version].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 70_000, 7)
  return String(400_000 + hash)
}

/**
 * Returns a MAC address without separators: the maker's prefix, and a number that never repeats below 16,777,216
 * devices.
 */
export function macOf(n: number): string {
  return `00e0db${((n * 7_368_787 + 0x2b1c05) % 0x1000000).toString(16).padStart(6, '0')}`
}

function pickKind(random: Random): Kind {
  const at = random.next()
  return at < 0.46 ? 'bar' : at < 0.78 ? 'controller' : at < 0.95 ? 'phone' : 'personal'
}

function pickModel(random: Random, kind: Kind): Model {
  const fitting = models.filter((model) => model.kind === kind)
  let left = random.next() * fitting.reduce((sum, model) => sum + model.weight, 0)
  return fitting.find((model) => (left -= model.weight) < 0) ?? random.pick(fitting)
}

/**
 * Returns the place of a device: 2 % have none; headsets and some phones have a site only; the rest have a room, and
 * large sites have more rooms.
 */
function pickPlace(random: Random, places: PlacePool, kind: Kind): { site: SiteRow | null; room: RoomRow | null } {
  if (random.chance(kind === 'personal' ? 0.3 : 0.02)) return { site: null, room: null }
  const { site, room } = random.pick(places.places)
  return { site, room: random.chance(roomless(kind)) ? null : room }
}

function roomless(kind: Kind): number {
  return kind === 'personal' ? 1 : kind === 'phone' ? 0.35 : 0.03
}

function nameOf(
  random: Random,
  namingScheme: NamingScheme,
  site: SiteRow | null,
  room: RoomRow | null,
  model: Model,
  n: number,
): string {
  const name = namingScheme(site, room, model.hardwareModel, n)
  if (random.chance(0.003))
    return `${name} - please do not rename, ticket ${random.int(10_000, 99_999)}, moved here from the old building in spring and waiting for a new mount on the west wall`
  return random.chance(0.02) ? `${model.hardwareModel} ${macOf(n).slice(-6).toUpperCase()}` : name
}

function stateOf(random: Random, now: number): Pick<DeviceRow, 'connected' | 'lastDetected' | 'lastConfigRequest'> {
  const at = random.next()
  if (at < STAGED) return { connected: null, lastDetected: null, lastConfigRequest: null }
  if (at >= STAGED + OFFLINE) {
    return {
      connected: true,
      lastDetected: now - random.int(0, 5 * MINUTE),
      lastConfigRequest: now - random.int(0, DAY),
    }
  }
  // Most have been offline for minutes, some for weeks.
  const away = random.chance(0.75) ? random.log(1, 30) * MINUTE : random.log(60, 60 * 24 * 40) * MINUTE
  const lastDetected = Math.round(now - away)
  return { connected: false, lastDetected, lastConfigRequest: lastDetected - random.int(0, DAY) }
}

/** Returns a room's name without its leading "Room", "Raum" …, as in device names. */
function bare(name: string): string {
  return name.replace(/^(Room|Raum|Salle) /, '')
}
