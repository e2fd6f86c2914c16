import type { ChannelRule } from '../../src-shared/model/channels.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import type { Message, MessageOf } from '../../src-shared/model/messages.ts'
import { isDownIn } from '../incidents/engine/drops/drop.ts'
import type { Incident } from '../incidents/engine/incident.ts'
import type { State } from '../incidents/engine/state.ts'
import { maxNamed } from '../incidents/scope/places.ts'
import { commonScope } from '../incidents/scope/scope.ts'
import { wantsTenants } from './rules.ts'

/** What a notification is about, and what of it a rule wants. */
export interface Wanted {
  incidents: readonly Incident[]
  matching: readonly Incident[]
  /** Keys of tenants and devices; tenants have a `/` at the end. */
  about: readonly string[]
  /** The lost tenants before the step and after it, by their keys. */
  lost: State['monitoringLost']
  /** The devices that are down. */
  drops: State['drops']
  /** Keys of the devices whose drop or recovery is notified. */
  keys: readonly string[]
}

const tenantOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1)

/** Returns whether a tenant, or the tenant of a device, is one that a rule names, or has a place that it names. */
export const isWithin = (key: string, rule: Pick<ChannelRule, 'places'>): boolean => wantsTenants(rule, [tenantOf(key)])

/** Returns whether all tenants of an incident are those of a rule. */
const isWhole = ({ about }: Incident, rule: ChannelRule): boolean => about.every((tenant) => isWithin(tenant, rule))

/** Returns a notification with what a rule wants of it alone: a channel of one customer hears of no other. */
export function narrowed(content: Notification, rule: ChannelRule, wanted: Wanted): Notification {
  const { message } = content
  if (message.kind === 'monitoring-lost' || message.kind === 'monitoring-restored') {
    if (rule.places.length === 0) return content
    return message.kind === 'monitoring-lost' ? lostIn(content, rule, wanted) : restoredIn(content, rule, wanted)
  }
  const { incidents, matching, drops, keys } = wanted
  if (matching.length === incidents.length && matching.every((one) => isWhole(one, rule))) return content
  if (message.kind === 'recovered' || message.kind === 'unlisted') return endIn(content, message, rule, matching, keys)
  const mine = matching.map((one) => partOf(one, rule, drops))
  const [only, ...more] = mine
  return only !== undefined && more.length === 0 ? ofOne(content, only) : ofSome(content, mine)
}

/** Returns an incident over several tenants with what of it is in those of a rule. */
function partOf(incident: Incident, rule: ChannelRule, drops: State['drops']): Incident {
  if (isWhole(incident, rule)) return incident
  const { id, message, extent, scope } = incident
  const down = [...drops.values()].filter((drop) => isDownIn(drop, id) && isWithin(drop.key, rule)).length
  const named = extent.named.filter(({ key }) => isWithin(key, rule))
  const about = incident.about.filter((tenant) => isWithin(tenant, rule))
  const [only = '', ...more] = about
  const node = more.length === 0 ? `t:${only.slice(0, -1)}` : 'all'
  const place = rule.places.find((one) => one.node === node)
  const mine = {
    count: down,
    names: named.map(({ name }) => name),
    where: place === undefined ? { kind: 'none' as const } : { kind: 'place' as const, name: place.name },
    context: [],
  }
  return {
    ...incident,
    about,
    scope: { ...scope, path: [] },
    extent: { ...extent, down, named, unseen: 0 },
    message: partMessage(message, mine),
    open: { scope: node, filter: 'connected:no', device: null, incident: id },
  }
}

type Part = Pick<MessageOf<'flapping'>, 'count' | 'names' | 'where' | 'context'>

function partMessage(message: Incident['message'], mine: Part): Incident['message'] {
  if (message.kind === 'offline') return { ...message, ...mine, shape: 'several', others: 0, unseen: 0, overrode: null }
  if (message.kind === 'flapping' || message.kind === 'unseen') return { ...message, ...mine, shape: 'several' }
  return { kind: 'text', title: ['Devices offline'], body: [] }
}

/** Returns the end of devices in the tenants of a rule. */
function endIn(
  content: Notification,
  message: MessageOf<'recovered'> | MessageOf<'unlisted'>,
  rule: ChannelRule,
  matching: readonly Incident[],
  keys: readonly string[],
): Notification {
  const mine = new Set(keys.filter((key) => isWithin(key, rule)))
  const names = matching
    .flatMap(({ extent }) => extent.named.filter(({ key }) => mine.has(key)))
    .map(({ name }) => name)
  const part = { count: mine.size, names: names.slice(0, maxNamed), where: { kind: 'none' as const }, context: [] }
  const left = { left: { down: 0, unseen: 0 }, missed: null }
  return {
    ...content,
    message: message.kind === 'recovered' ? { ...message, ...part, ...left } : { ...message, ...part },
    devices: mine.size,
    open: { scope: 'all', filter: '', device: null, incident: content.open.incident },
  }
}

function tenantsIn(rule: ChannelRule, { about, lost }: Wanted) {
  const keys = about.filter((key) => key.endsWith('/') && wantsTenants(rule, [key])).map((key) => key.slice(0, -1))
  return { keys, tenants: keys.flatMap((key) => lost.get(key) ?? []) }
}

const openIn = (keys: readonly string[]): Notification['open'] => ({
  scope: keys.length === 1 ? `t:${keys[0]}` : 'all',
  filter: '',
  device: null,
})

function lostIn(content: Notification, rule: ChannelRule, wanted: Wanted): Notification {
  const { keys, tenants } = tenantsIn(rule, wanted)
  const message: Message = {
    kind: 'monitoring-lost',
    tenants: tenants.slice(0, maxNamed).map(({ name, partial }) => ({ name, partial })),
    count: tenants.length,
    all: false,
    since: tenants.reduce((least, { since }) => Math.min(least, since), content.at),
  }
  return { ...content, message, devices: 0, open: openIn(keys) }
}

function restoredIn(content: Notification, rule: ChannelRule, wanted: Wanted): Notification {
  const { keys, tenants } = tenantsIn(rule, wanted)
  const { matching } = wanted
  const open = matching.filter(({ closedAt }) => closedAt === null)
  const message: Message = {
    kind: 'monitoring-restored',
    tenants: tenants.slice(0, maxNamed).map(({ name }) => name),
    count: tenants.length,
    all: matching.length,
    open: open.length,
    beside: 0,
    behind: content.message.kind === 'monitoring-restored' && content.message.behind,
    ...headlinesOf(matching),
  }
  return { ...content, message, devices: downIn(open), open: openIn(keys) }
}

const headlinesOf = (incidents: readonly Incident[]) => ({
  headlines: incidents.slice(0, maxNamed).map(({ message }) => message),
  total: incidents.length,
})

const downIn = (incidents: readonly Incident[]): number => incidents.reduce((sum, { extent }) => sum + extent.down, 0)

const ofOne = (content: Notification, { id, message, extent, open }: Incident): Notification => ({
  ...content,
  message,
  devices: extent.down === 0 ? extent.unseen : extent.down,
  open: { ...open, incident: id },
})

function ofSome(content: Notification, matching: readonly Incident[]): Notification {
  const open = matching.filter(({ closedAt }) => closedAt === null)
  const { path, where } = commonScope(matching.map(({ scope }) => scope.path))
  const flapping = downIn(open.filter(({ kind }) => kind === 'flapping'))
  const message: Message =
    open.length === 0
      ? { kind: 'absence', all: matching.length, open: 0, ...headlinesOf(matching) }
      : { kind: 'storm', offline: downIn(open) - flapping, flapping, where, ...headlinesOf(open) }
  const target = { scope: path[0]?.id ?? 'all', filter: open.length === 0 ? '' : 'connected:no', device: null }
  return { ...content, message, devices: downIn(open), open: target }
}
