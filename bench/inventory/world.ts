import type { DeviceFact } from '../../src-main/inventory/thread/protocol.ts'

/** A seeded fleet for the benchmark: the same devices for the same seed and count. */
export interface World {
  service: string
  tenants: { id: string; name: string; region: string; devices: DeviceFact[] }[]
}

/** Returns Mulberry32: small, fast and even enough for names. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const customers = ['Acme', 'Müller & Söhne', 'Nordwind', 'Łódź Media', 'Contoso', 'Fabrikam', 'Globex', 'Initech']
const cities = [
  'Berlin',
  'Hamburg',
  'München',
  'Paris',
  'Lyon',
  'Madrid',
  'Lisboa',
  'Warszawa',
  'Oslo',
  'Malmö',
  'Austin',
  'Boston',
  'Chicago',
  'Denver',
  'Portland',
  'Seattle',
  'Toronto',
  'Montréal',
  '東京',
  'Singapore',
]
const rooms = [
  'Alder',
  'Birch',
  'Cedar',
  'Elm',
  'Fjord',
  'Gallery',
  'Harbour',
  'Atrium',
  'Kupfer',
  'Linde',
  'Board',
  'Studio',
]
const models = [
  'Studio X30',
  'Studio X50',
  'Studio X52',
  'Studio X70',
  'G7500',
  'TC8',
  'TC10',
  'Trio C60',
  'Trio 8800',
  'Sync 60',
  'E70',
  'E60',
  'P15',
  'R30',
  'CCX 700',
]
const day = 86_400_000

/** Returns a world. `now` in ms. About 2 % are offline, 1 % unknown, 1 % have no room, 1 % no site. */
export function makeWorld(devices: number, seed: number, now: number): World {
  const random = seeded(seed)
  const tenants = customers.map((name, n) => ({
    id: `tenant-${n}`,
    name,
    region: n % 3 === 2 ? 'US-1' : 'EU-1',
    devices: [] as DeviceFact[],
  }))
  for (let n = 0; n < devices; n += 1)
    tenants[Math.floor(random() ** 1.5 * tenants.length)]?.devices.push(makeDevice(n, random, now))
  return { service: 'https://bench.test', tenants }
}

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T

function makeDevice(n: number, random: () => number, now: number): DeviceFact {
  const city = pick(cities, random)
  const building = Math.floor(random() * 12)
  const floor = Math.floor(random() * 8)
  const room = `${pick(rooms, random)} ${floor}.${Math.floor(random() * 30)}`
  const model = pick(models, random)
  const chance = random()
  const connected = chance < 0.02 ? false : chance < 0.03 ? null : true
  return {
    id: `${Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')}-${n.toString(36)}`,
    name: `${city} ${room} ${model} ${1 + Math.floor(random() * 3)}`,
    hardwareModel: model,
    connected,
    lastDetected: random() < 0.02 ? null : now - Math.floor(random() * (connected ? 600_000 : 9 * day)),
    lastConfigRequestDate: random() < 0.1 ? null : now - Math.floor(random() * 30 * day),
    site:
      random() < 0.01
        ? null
        : { id: `${city}-${building}`, name: `${city} ${building === 0 ? 'HQ' : `Haus ${building}`}` },
    room: random() < 0.01 ? null : { id: room, name: room },
  }
}
