import type { Diagnostics, LoopDelay, SocketMove } from '../contract/diagnostics.ts'
import { explain } from '../model/fault.ts'
import { updateLines } from './update-lines.ts'

export const momentLabels: Record<Diagnostics['start']['moments'][number]['what'], string> = {
  core: 'Core started',
  files: 'Cache and journal open',
  ready: 'Core ready',
  asked: 'First window request',
  rows: 'First rows answered',
  drawn: 'Window drawn',
}

export const threadLabels = { core: 'Core', data: 'Data' } as const

/** Returns for example "after 1.3 s", counted from the operator's input where the moment had to wait for it. */
export const momentText = ({ ms, entered }: Diagnostics['start']['moments'][number]): string =>
  ms === null
    ? 'not yet'
    : entered
      ? `${spanText(ms)} after a connection or login was entered`
      : `after ${spanText(ms)}`

/**
 * Returns the moments in the order in which they came. Those that waited for the operator, and those that have not
 * come, are last.
 */
export const inOrder = (moments: Diagnostics['start']['moments']): Diagnostics['start']['moments'] =>
  moments.toSorted(
    (one, other) => Number(one.entered) - Number(other.entered) || (one.ms ?? Infinity) - (other.ms ?? Infinity) || 0,
  )

const keychainWords: Record<Diagnostics['keychain']['kind'], string> = {
  keychain: 'Keychain',
  locked: 'Locked keychain',
  session: 'Memory',
}

const moveWords: Record<SocketMove['to'], string> = {
  off: 'off',
  connecting: 'connecting',
  live: 'live',
  renewed: 'live, with the next token',
  waiting: 'waiting',
  polling: 'polling',
}

/** Returns for example "connecting, attempt 2: The connection was reset (…)". */
export function moveText({ to, attempt, fault }: SocketMove): string {
  const words = `${moveWords[to]}${attempt === null || attempt < 2 ? '' : `, attempt ${attempt}`}`
  return fault === null ? words : `${words}: ${explain(fault).title}${fault.detail === '' ? '' : ` (${fault.detail})`}`
}

/** Returns for example "1.4 ms", "240 ms", "12.4 s" or "3 min 5 s". */
export function spanText(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`
}

/** Returns for example "812 B" or "1.4 MB". A kB is 1,000 B. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  return bytes < 999_500_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

export const rowsText = ({ rows, more }: { rows: number; more: boolean }): string =>
  `${more ? 'more than ' : ''}${rows.toLocaleString('en')}`

export const delayText = (delay: LoopDelay | null): string =>
  delay === null
    ? 'not measured yet'
    : `p50 ${spanText(delay.p50)}, p99 ${spanText(delay.p99)}, at most ${spanText(delay.max)}`

export const proxyText = ({ proxy, problem }: Diagnostics['proxies'][number]): string =>
  problem === '' ? (proxy ?? 'no proxy') : problem

export function waitText({ waiting, oldest }: Diagnostics['queues'][number]): string {
  return waiting === 0
    ? 'no requests waiting'
    : `${waiting.toLocaleString('en')} wait${waiting === 1 ? 's' : ''}${oldest === null ? '' : `, the oldest for ${spanText(oldest)}`}`
}

type TeamFacts = NonNullable<Diagnostics['team']>

const evaluatorWords: Record<TeamFacts['evaluator'], string> = {
  self: 'kept by this Muster',
  other: 'kept by another member',
  none: 'kept by nobody now',
}

/** Returns the lines about a team, each with its name. */
export function teamLines(team: TeamFacts): { name: string; text: string }[] {
  const { link, fault, members, here, sets, lagMs, waitingActs } = team
  return [
    {
      name: 'Database',
      text: `${link}${fault === '' ? '' : ` (${fault})`}${team.isCatchingUp ? ', catching up' : ''}`,
    },
    { name: 'Members', text: `${members}, ${here} here` },
    { name: 'Credential sets', text: `${sets.own} read here, ${sets.others} by others, ${sets.none} by nobody` },
    { name: 'Incidents', text: evaluatorWords[team.evaluator] },
    { name: 'Log', text: lagMs === 0 ? 'carried out' : `${spanText(lagMs)} behind` },
    { name: 'Changes that wait', text: waitingActs.toLocaleString('en') },
    { name: 'Leases taken over', text: team.takeovers.toLocaleString('en') },
  ]
}

const stamp = (at: number): string => new Date(at).toISOString()

/** Returns the diagnostics as plain text for a ticket. Times are in UTC. */
export function diagnosticsText(seen: Diagnostics): string {
  const { start, threads, dataSilent } = seen
  const parts: [string, string[]][] = [
    ['Versions', seen.versions.map(({ name, version }) => `${name}: ${version}`)],
    [
      'Start',
      [
        `Process started: ${stamp(start.at)}`,
        ...inOrder(start.moments).map((moment) => `${momentLabels[moment.what]}: ${momentText(moment)}`),
      ],
    ],
    [
      'Event loop delay in the last minute',
      [
        ...threads.map(({ name, delay }) => `${threadLabels[name]} thread: ${delayText(delay)}`),
        ...(dataSilent === '' ? [] : [`Data thread: ${dataSilent}`]),
      ],
    ],
    [
      'Memory',
      [
        `Process: ${sizeText(seen.rss)}`,
        ...threads.map(
          ({ name, heapUsed, heapTotal, external }) =>
            `${threadLabels[name]} thread: heap ${sizeText(heapUsed)} of ${sizeText(heapTotal)}, outside of it ${sizeText(external)}`,
        ),
      ],
    ],
    ['Files', seen.files.map(({ name, bytes }) => `${name}: ${sizeText(bytes)}`)],
    ['Rows', seen.tables.map((table) => `${table.file}, ${table.name}: ${rowsText(table)}`)],
    ['Requests that wait for points', seen.queues.flatMap(queueLines)],
    ['Updates', updateLines(seen.updates).map(({ name, text }) => `${name}: ${text}`)],
    ...(seen.team === null
      ? []
      : [['Team', teamLines(seen.team).map(({ name, text }) => `${name}: ${text}`)] satisfies [string, string[]]]),
    ['Secrets', [`${keychainWords[seen.keychain.kind]}: ${seen.keychain.detail}`]],
    ['Proxies', seen.proxies.map((one) => `${one.host}: ${proxyText(one)}`)],
    [
      'Sockets',
      seen.connections.flatMap(({ name, moves }) => [
        name,
        ...(moves.length === 0 ? ['  no move yet'] : moves.map((move) => `  ${stamp(move.at)} ${moveText(move)}`)),
      ]),
    ],
    ['Log', seen.log.map(({ at, level, text }) => `${stamp(at)} ${level} ${text}`)],
  ]
  const sections = parts.map(([title, lines]) =>
    [title, '-'.repeat(title.length), ...(lines.length === 0 ? ['none'] : lines)].join('\n'),
  )
  return `Muster diagnostics, ${stamp(seen.at)}\n\n${sections.join('\n\n')}\n`
}

function queueLines(queue: Diagnostics['queues'][number]): string[] {
  return [
    `${queue.name}: ${waitText(queue)}`,
    ...queue.waits.map(({ name, lane, why, count }) => `  ${name}, ${lane}, ${count}: waits for ${why}`),
    ...queue.waited.map(
      ({ lane, count, p50, max }) =>
        `  the last ${count} of the lane ${lane} waited ${spanText(p50)} (half of them), ${spanText(max)} at most`,
    ),
  ]
}
