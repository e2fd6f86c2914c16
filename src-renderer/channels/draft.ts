import type { ChannelStatus } from '../../src-shared/contract/channel-calls.ts'
import type {
  Channel,
  ChannelRule,
  ChannelSecret,
  MailChannel,
  Rota,
  WebhookFormat,
} from '../../src-shared/model/channels.ts'

/** The input of a channel's form: texts as they are typed. */
export interface ChannelDraft {
  id: string
  on: boolean
  name: string
  kind: Channel['kind']
  ca: string
  rule: ChannelRule
  /** Whether the hours hold. They stay in the form when they are switched off. */
  hasHours: boolean
  hours: NonNullable<ChannelRule['hours']>
  afterMinutes: string
  format: WebhookFormat
  address: string
  key: string
  user: string
  host: string
  port: string
  security: MailChannel['security']
  login: string
  password: string
  from: string
  to: string
  hasRota: boolean
  people: string
  every: Rota['every']
  at: string
  first: string
}

/** What the fields of the form need. */
export interface FieldProps {
  draft: ChannelDraft
  /** What is stored of the channel that is edited; null for a new one. */
  known: ChannelStatus | null
  problems: ReadonlyMap<string, string>
  onChange: (part: Partial<ChannelDraft>) => void
}

const usualHours: ChannelDraft['hours'] = { days: [0, 1, 2, 3, 4], from: '08:00', until: '18:00' }

/** The ports of mail servers by how they are reached. */
export const usualPorts: Record<MailChannel['security'], string> = { tls: '465', starttls: '587', none: '25' }

const usualRule = (zone: string): ChannelRule => ({
  places: [],
  severities: ['critical', 'major', 'minor'],
  recoveries: true,
  monitoringLost: true,
  hours: null,
  zone,
  afterMinutes: 0,
})

/** Returns the input for a new channel. `today`: 2026-11-27. */
export const freshDraft = (zone: string, today: string): ChannelDraft => ({
  id: crypto.randomUUID(),
  on: true,
  name: '',
  kind: 'webhook',
  ca: '',
  rule: usualRule(zone),
  hasHours: false,
  hours: usualHours,
  afterMinutes: '0',
  format: 'slack',
  address: '',
  key: '',
  user: '',
  host: '',
  port: usualPorts.starttls,
  security: 'starttls',
  login: '',
  password: '',
  from: '',
  to: '',
  hasRota: false,
  people: '',
  every: 'week',
  at: '09:00',
  first: today,
})

/** Returns the input of a stored channel. Its secrets are not known here and stay empty. */
export function draftOf(channel: Channel, today: string): ChannelDraft {
  const { id, on, name, kind, ca, rule } = channel
  const base: ChannelDraft = {
    ...freshDraft(rule.zone, today),
    id,
    on,
    name,
    kind,
    ca,
    rule,
    hasHours: rule.hours !== null,
    hours: rule.hours ?? usualHours,
    afterMinutes: String(rule.afterMinutes),
  }
  if (channel.kind === 'webhook') return { ...base, format: channel.format }
  const { host, port, security, user, from, to, rota } = channel
  return {
    ...base,
    host,
    port: String(port),
    security,
    login: user,
    from,
    to: to.join('\n'),
    hasRota: rota !== null,
    people: rota?.people.map((person) => `${person.name} <${person.address}>`).join('\n') ?? '',
    every: rota?.every ?? 'week',
    at: rota?.at ?? '09:00',
    first: rota?.from ?? today,
  }
}

const linesOf = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Reads "Ann Lee <ann@example.com>", or an address alone, which is then the name, too. */
function personOf(line: string): Rota['people'][number] {
  const [, name = '', address = ''] = /^([^<]*)<([^>]*)>$/u.exec(line) ?? []
  return address === ''
    ? { name: line, address: line }
    : { name: name.trim() || address.trim(), address: address.trim() }
}

/** Returns what the call `channels.save` takes: the channel as it was typed, which the core checks, and its secret. */
export function inputOf(draft: ChannelDraft): { channel: unknown; secret: ChannelSecret } {
  const { id, on, name, kind, ca, hours, hasHours } = draft
  const rule = { ...draft.rule, hours: hasHours ? hours : null, afterMinutes: numberOf(draft.afterMinutes) }
  const base = { id, on, name, ca, rule, kind }
  if (kind === 'webhook')
    return {
      channel: { ...base, format: draft.format, host: '' },
      secret: { address: draft.address, key: draft.key, user: draft.user },
    }
  const people = linesOf(draft.people, /\n/u).map(personOf)
  return {
    channel: {
      ...base,
      host: draft.host,
      port: numberOf(draft.port),
      security: draft.security,
      user: draft.login.trim(),
      from: draft.from.trim(),
      to: linesOf(draft.to, /[\n,;]/u),
      rota: draft.hasRota ? { people, every: draft.every, at: draft.at, from: draft.first } : null,
    },
    secret: { password: draft.password },
  }
}

/** Null for a text that is no whole number: the core then says so. */
const numberOf = (text: string): number | null => (/^\d{1,6}$/u.test(text.trim()) ? Number(text) : null)

/** The form's fields by the fields of the core's answers. */
const fieldNames: readonly [RegExp, string][] = [
  [/^rule\.severities/u, 'severities'],
  [/^rule\.hours/u, 'hours'],
  [/^rule\.zone/u, 'zone'],
  [/^rule\.afterMinutes/u, 'afterMinutes'],
  [/^rule\.places/u, 'places'],
  [/^to/u, 'to'],
  [/^rota\.people/u, 'people'],
  [/^rota/u, 'rota'],
]

/** Returns the words about each field from the detail of a fault of kind `input`. */
export function problemsIn(detail: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of detail.split('\n')) {
    const [, path = '', words = ''] = /^([\w.]+): (.*)$/su.exec(line) ?? []
    const name = fieldNames.find(([pattern]) => pattern.test(path))?.[1] ?? path
    if (!found.has(name)) found.set(name, words === '' ? line : words)
  }
  return found
}

/** Returns where the secret of what the form leads to now is stored: here, at other members of the team, or nowhere (null). */
export function keptAt(known: ChannelStatus | null, { kind, format }: ChannelDraft): 'here' | 'elsewhere' | null {
  if (known === null) return null
  const { channel, hasSecret, sender } = known
  const isSame =
    channel.kind === 'webhook'
      ? kind === 'webhook' && channel.format === format
      : kind === 'email' && channel.user !== ''
  if (!isSame) return null
  if (hasSecret === true) return 'here'
  return sender === undefined ? null : 'elsewhere'
}

/** Returns a new signing secret as Standard Webhooks defines it: 32 random bytes. */
export function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))}`
}
