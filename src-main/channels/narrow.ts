import type { ChannelRule } from '../../src-shared/model/channels.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import type { Message } from '../../src-shared/model/messages.ts'
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
}

/** Returns a notification with what a rule wants of it alone: a channel of one customer hears of no other. */
export function narrowed(content: Notification, rule: ChannelRule, wanted: Wanted): Notification {
  const { message } = content
  if (message.kind === 'monitoring-lost' || message.kind === 'monitoring-restored') {
    if (rule.places.length === 0) return content
    return message.kind === 'monitoring-lost' ? lostIn(content, rule, wanted) : restoredIn(content, rule, wanted)
  }
  const { incidents, matching } = wanted
  if (matching.length === incidents.length) return content
  const [only, ...more] = matching
  return only !== undefined && more.length === 0 ? ofOne(content, only) : ofSome(content, matching)
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
