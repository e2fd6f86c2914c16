import type { PlaceNode, Whereabouts } from '../data/protocol.ts'
import type { Told } from '../../src-shared/model.ts'
import { cameBack, tellBack, type Back } from './back.ts'
import { draftOf, finished, newId, scopeOf, type Draft } from './draft.ts'
import { holdsUntil, isPaused } from './due.ts'
import { pathOf, type Down } from './fold.ts'
import { around, opensThese } from './members.ts'
import { tellDown, tellMissed } from './offline.ts'
import { noteSight, tellBlind, tellSighted } from './sight.ts'
import type { Drop, Rules, State, Step } from './state.ts'
import { pauseWords } from './words.ts'

/** What is to be told now, given how things are (design, section 8). In a pause nothing is, and all of it at its end as one. */
export function look(state: State, asked: readonly string[], found: Whereabouts, now: number, rules: Rules): Step {
  const draft = draftOf(state, now, rules, foundBy(found))
  noteSight(draft, found.tenants)
  if (isPaused(state, now)) return finished(draft)
  const { down, missed, back } = weigh(draft, asked, found)
  tellBlind(draft, found.tenants)
  tellMissed(draft, tellSighted(draft, found.tenants, missed))
  tellDown(draft, down)
  tellBack(draft, back)
  if (draft.pause !== null) endPause(draft)
  return finished(draft)
}

function foundBy(found: Whereabouts): Draft['found'] {
  const paths = new Map<number, PlaceNode[]>()
  const pathAt = (node: number) => {
    const path = paths.get(node) ?? pathOf(found, node)
    paths.set(node, path)
    return path
  }
  return new Map(found.devices.map(({ key, name, status, node }) => [key, { name, status, path: pathAt(node) }]))
}

interface Weighed {
  down: Down[]
  /** Dropped while Muster did not see their tenant. */
  missed: Down[]
  back: Back[]
}

/** How the devices stand whose hold-off is over. Nothing is said of what Muster does not see: it waits. */
function weigh(draft: Draft, asked: readonly string[], found: Whereabouts): Weighed {
  const devices = new Map(found.devices.map((device) => [device.key, device]))
  const tenants = new Map(found.tenants.map((tenant) => [tenant.key, tenant]))
  const weighed: Weighed = { down: [], missed: [], back: [] }
  for (const key of asked) {
    const drop = draft.drops.get(key)
    const due = drop === undefined ? Infinity : holdsUntil(drop, draft.rules)
    if (drop === undefined || (due !== null && due > draft.now)) continue
    const device = devices.get(key)
    const tenant = tenants.get(key.slice(0, key.lastIndexOf('/')))
    if (device === undefined) gone(draft, drop, tenant)
    else if (due === null) stands(draft, drop, device)
    else if (drop.telling !== null) returns(draft, drop, device, weighed.back)
    else if (device.connected === true || (device.status === 'disconnected' && !draft.rules.offline)) draft.drops.delete(key)
    else if (device.status !== 'disconnected') draft.drops.set(key, { ...drop, waitUntil: Infinity })
    else {
      const { at, notBefore } = drop
      const isMissed = notBefore !== null && notBefore < seenSince(draft, tenant)
      const down = { key, name: device.name, at, notBefore, path: draft.found.get(key)?.path ?? [] }
      if (isMissed) weighed.missed.push(down)
      else weighed.down.push(down)
    }
  }
  return weighed
}

/** Of a tenant that was out of sight in part, the rest was seen all the time; it is whole again since then. */
function seenSince({ blind }: Draft, tenant: Whereabouts['tenants'][number] | undefined): number {
  return Math.max(tenant?.seenSince ?? 0, blind.get(tenant?.key ?? '')?.sightedAt ?? 0)
}

/** A device that the service no longer lists is not down. While its tenant has not been read, it is only not there yet. */
function gone(draft: Draft, drop: Drop, tenant: Whereabouts['tenants'][number] | undefined): void {
  if (tenant?.seen === true && tenant.read) draft.drops.delete(drop.key)
  else draft.drops.set(drop.key, { ...drop, waitUntil: Infinity })
}

/** One that was told: it may have come back without anybody having heard of it. */
function stands(draft: Draft, drop: Drop, { key, connected }: Whereabouts['devices'][number]): void {
  if (connected === true) draft.drops.set(key, { ...drop, backAt: draft.now, waitUntil: 0 })
}

function returns(draft: Draft, drop: Drop, { key, name, connected, status }: Whereabouts['devices'][number], back: Back[]): void {
  if (connected === false) draft.drops.set(key, { ...drop, backAt: null, waitUntil: 0 })
  else if (status === 'connected' && drop.telling !== null) back.push({ key, name, path: draft.found.get(key)?.path ?? [] })
  else draft.drops.set(key, { ...drop, waitUntil: Infinity })
}

/** The parts stay in the list of what was told, below what is told now. */
function endPause(draft: Draft): void {
  draft.pause = null
  if (draft.tells.length < 2) return
  const parts = draft.tells
  const sum = (of: readonly Told['kind'][]) => parts.reduce((sum, { told, keys }) => sum + (of.includes(told.kind) ? keys.length : 0), 0)
  const [offline, back] = [sum(['offline', 'sighted']), sum(['recovered'])]
  const [first] = parts
  const kind = offline > 0 ? 'offline' : back > 0 ? 'recovered' : (first?.told.kind ?? 'blind')
  const words = pauseWords(offline, back, parts.map(({ told }) => told), draft.now, draft.rules)
  const keys = [...new Set(parts.flatMap((part) => part.keys))]
  const scope = scopeOf(around(keys.map((key) => draft.found.get(key)?.path ?? [])))
  const open = opensThese(scope, keys, offline > 0 ? 'connected:no' : back > 0 ? cameBack : '')
  const told: Told = { id: newId(draft), at: draft.now, kind, ...words, devices: offline + back, open }
  const about = parts.flatMap(({ told: { id } }) => draft.tellings.get(id)?.about ?? [])
  draft.tellings.set(told.id, { told, about: [...new Set(about)], open: null })
  draft.tells = [{ told, keys }]
}
