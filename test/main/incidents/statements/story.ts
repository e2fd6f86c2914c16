import { drawsOf, type Draws } from '../../missed/draws.ts'
import type { NodeThresholds } from '../../../../src-shared/model/incidents.ts'
import type { Plan } from '../world-devices.ts'

/** Random events of a small fleet and actions of its operator, one after the other, by seed. */

export const plan: Plan = {
  acme: { berlin: { a: 3, b: 3, c: 2 }, paris: { a: 2, b: 1, c: 1 }, rome: { a: 6 } },
  beta: { london: { a: 3, b: 2 }, york: { a: 3 } },
}

export interface Device {
  tenant: string
  site: string
  room: string
  id: string
}

export const devicesOf = (): Device[] =>
  Object.entries(plan).flatMap(([tenant, sites]) =>
    Object.entries(sites).flatMap(([site, rooms]) =>
      Object.entries(rooms).flatMap(([room, count]) =>
        Array.from({ length: count }, (_, n) => ({ tenant, site, room, id: `${site}-${room}-${n + 1}` })),
      ),
    ),
  )

export const tenants = Object.keys(plan)
const everything = devicesOf() as [Device, ...Device[]]
const tenantNode = ({ tenant }: Device): string => `t:test/${tenant}`
const siteNode = ({ tenant, site }: Device): string => `s:test/${tenant}/${site}`
export const roomNode = ({ tenant, site, room }: Device): string => `m:test/${tenant}/${site}/${room}`
export const isIn = (device: Device, node: string): boolean =>
  node === 'all' || node.startsWith('r:') || [tenantNode(device), siteNode(device), roomNode(device)].includes(node)
const second = 1_000
export const minute = 60 * second

export type Action =
  | { do: 'drop' | 'back' | 'drop unseen' | 'back unseen' | 'remove'; ids: string[] }
  | { do: 'blind' | 'see'; tenant: string }
  | { do: 'pause' | 'pass' | 'set clock'; ms: number }
  | { do: 'restart' | 'crash' }
  | { do: 'acknowledge' | 'snooze' | 'snooze until it recovers' | 'release'; nth: number; ms: number }
  | { do: 'quiet'; node: string; inMs: number; ms: number }
  | { do: 'reboot'; ids: string[]; ms: number; falls: boolean }
  | { do: 'reject reboots' }
  | { do: 'move'; ids: string[]; site: string; room: string }
  | { do: 'watch'; watched: { node: string } | { id: string } | null }
  | { do: 'mute' | 'tell offline' | 'tell recovered' | 'fill the disk'; on: boolean }
  | { do: 'figures'; node: string; rules: NodeThresholds | null }

/** One device, some, a room, a site or a tenant. */
function some({ of, chance, between }: Draws): string[] {
  const one = of(everything)
  const where = of([null, null, null, roomNode, siteNode, siteNode, tenantNode])
  if (where === null) return Array.from({ length: between(1, 3) }, () => of(everything).id)
  const there = everything.filter((each) => where(each) === where(one))
  const all = chance(0.6) ? there : there.filter(() => chance(0.5))
  return all.map(({ id }) => id)
}

const node = ({ of }: Draws): string => of([tenantNode, siteNode, roomNode])(of(everything))

/** The possible events and their weights; the rare ones occur in few stories each. */
const usual: [share: number, make: (draws: Draws) => Action][] = [
  [10, ({ of }) => ({ do: 'pass', ms: of([1, 5, 20, 50, 65, 80, 95, 100, 200, 900, 2_400]) * second })],
  [7, (draws) => ({ do: 'drop', ids: some(draws) })],
  [6, (draws) => ({ do: 'back', ids: some(draws) })],
  [2, (draws) => ({ do: draws.of(['drop unseen', 'back unseen']), ids: some(draws) })],
  [2, ({ of }) => ({ do: 'blind', tenant: of(['acme', 'beta']) })],
  [
    3,
    (draws) => ({
      do: 'reboot',
      ids: some(draws),
      ms: draws.of([1, 5, 10]) * minute,
      falls: draws.chance(0.8),
    }),
  ],
  [3, ({ of }) => ({ do: 'see', tenant: of(['acme', 'beta']) })],
  [1, ({ of }) => ({ do: 'pause', ms: of([0, 1, 5, 60]) * minute })],
  [1, ({ of }) => ({ do: of(['restart', 'crash']) })],
  [
    3,
    ({ of, below }) => ({
      do: of(['acknowledge', 'snooze', 'snooze until it recovers', 'release']),
      nth: below(6),
      ms: of([1, 10, 60]) * minute,
    }),
  ],
  [
    1,
    (draws) => ({
      do: 'quiet',
      node: node(draws),
      inMs: draws.of([0, 0, 2, 10]) * minute,
      ms: draws.of([1, 10, 60]) * minute,
    }),
  ],
]
const rare: ((draws: Draws) => Action)[] = [
  () => ({ do: 'reject reboots' }),
  (draws) => ({ do: 'move', ids: some(draws), site: draws.of(['berlin', 'rome']), room: draws.of(['a', 'b', 'z']) }),
  (draws) => ({ do: 'remove', ids: some(draws).slice(0, 3) }),
  (draws) => ({ do: 'watch', watched: draws.of([null, { node: node(draws) }, { id: draws.of(everything).id }]) }),
  ({ chance }) => ({ do: 'mute', on: chance(0.5) }),
  ({ chance }) => ({ do: 'tell offline', on: chance(0.5) }),
  ({ chance }) => ({ do: 'tell recovered', on: chance(0.5) }),
  ({ chance }) => ({ do: 'fill the disk', on: chance(0.5) }),
  (draws) => ({
    do: 'figures',
    node: node(draws),
    rules: draws.of([
      null,
      { holdOffSeconds: 0 },
      { holdOffSeconds: 300 },
      { recoverySeconds: 600 },
      { siteDownDevices: 2, siteDownPercent: 30 },
      { siteDownPercent: 100 },
    ]),
  }),
  ({ of }) => ({ do: 'set clock', ms: of([-300, -60, -5, -1, 2, 60]) * minute }),
]

export function storyOf(seed: number): Action[] {
  const draws = drawsOf(seed)
  const happens = [
    ...usual.filter(([share]) => share > 3 || draws.chance(0.6)),
    ...rare.filter(() => draws.chance(0.2)).map((make): (typeof usual)[number] => [2, make]),
  ]
  const shares = happens.reduce((sum, [share]) => sum + share, 0)
  const one = (): Action => {
    let drawn = draws.below(shares)
    const found = happens.find(([share]) => (drawn -= share) < 0)
    return found === undefined ? { do: 'pass', ms: second } : found[1](draws)
  }
  return Array.from({ length: draws.between(8, 45) }, one)
}
