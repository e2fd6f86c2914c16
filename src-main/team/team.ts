import { randomUUID } from 'node:crypto'
import { wait, type Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { TeamState } from '../../src-shared/model/team.ts'
import type { LoggedCall, LoggedResult } from '../inventory/thread/log-protocol.ts'
import { unrepeatedCalls } from '../inventory/thread/logged-calls.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { OpenResult } from '../inventory/thread/open-result.ts'
import type { Ports } from '../ports.ts'
import { parseTeamAddress } from './database/address.ts'
import { leaveTeam } from './database/members.ts'
import { openPool, type TeamPool } from './database/pool.ts'
import { correctedClock, openDatabaseLink, type DatabaseLink } from './link.ts'
import { openActs, type Acts } from './acts.ts'
import { authorAmong } from './author.ts'
import { replicatedData } from './replica/data.ts'
import { createRecentRows, type RecentRows } from './recent.ts'
import type { Message } from './replica/replica.ts'
import { createRequests, type Requests } from './requests.ts'
import { startRunning, type Running } from './running.ts'
import { type JoinedTeam, teamPassword } from './stored.ts'

/** What is of no use to whoever reads it later. */
const passing: ReadonlySet<Message['is']> = new Set(['status', 'ask', 'question', 'reply'])

/** What the core does for the team. */
export interface TeamSurroundings {
  /** A call of another member was carried out here, or one of this member that waited. */
  onCall: (call: LoggedCall, result: LoggedResult) => void
  /** `isOwn`: this member has sent it. `role`: with which its writer signed in to the database. */
  onMessage: (message: Message, isOwn: boolean, role: string) => void
  /** All that the team shares was replaced. `isRewound`: the database has lost what was in it before, as by a failover. */
  onReplaced: (opened: OpenResult, isRewound: boolean) => void
  onSet: (set: string, leads: boolean) => void
  /** This member begins or ends to send the messages of a channel. */
  onChannel: (channel: string) => void
  onEvaluating: (evaluates: boolean) => void
  /** The copy was opened, and members can be told something. */
  onOpened: () => void
  /** The data of a connection was erased, by this member or another one. */
  onErased: () => void
  onState: () => void
  /** Something that this member did while the database was away cannot be done. */
  onRefused: (call: string, fault: Fault) => void
}

export interface TeamOptions {
  ports: Pick<Ports, 'secrets' | 'clock' | 'log'>
  joined: JoinedTeam
  version: string
  /** The calls of this member's own data thread. */
  local: InventoryData
  /** Folder of the member's copy. */
  folder: string
  /** Returns the credential sets of a connection, or of a service. */
  setsOf: (of: { connection?: string; service?: string }) => string[]
  /** Is called once with the ids of this member and of the team. */
  onMember: (member: string, team: string) => void
}

/** A member of a team. */
export interface Team {
  /** The calls of the data thread, as all members carry them out. */
  data: InventoryData
  /** A clock with the database's time. */
  clock: Clock
  /** Begins to reach the database. Until then nothing is written. */
  start(surroundings: TeamSurroundings): void
  state(): Pick<
    NonNullable<TeamState['joined']>,
    | 'address'
    | 'operator'
    | 'hasCa'
    | 'link'
    | 'members'
    | 'evaluator'
    | 'waitingActs'
    | 'lagMs'
    | 'takeovers'
    | 'isCatchingUp'
  >
  /** Sets the credential sets that this member can read. */
  canRead(sets: ReadonlySet<string>): void
  /** Sets the channels (ids) whose secret this member has. */
  canSend(channels: ReadonlySet<string>): void
  leads(set: string): boolean
  /** Returns whether this member sends the messages of a channel. */
  sends(channel: string): boolean
  /** Returns the channels (ids) whose messages this member sends. */
  sending(): string[]
  evaluates(): boolean
  /** Returns the operator of a member; null for an unknown one. */
  operatorOf(member: string): string | null
  /** Returns the operator who signs in with a role (`authorAmong`). */
  authorOf(role: string, claimed: string): string
  /** Returns the own id; null before this member was there for the first time. */
  member(): string | null
  /** Tells all members. Rejects with `team-away`; then nothing was changed. */
  tell(message: Message): Promise<void>
  /** Asks the member that evaluates. Resolves with what its call came to. */
  ask(what: 'mark' | 'refresh', input: unknown): Promise<unknown>
  /** Tells why what was asked is not done. */
  refuse(id: string, fault: Fault): void
  /** Ends to take part, and takes this member off the team's list, as far as the database is reached. */
  leave(): Promise<void>
  /** Drops what waits for the database: it holds another team. */
  dropActs(): Promise<void>
  /** Notes that what the other members wrote before is there. */
  caughtUp(): void
  isStopped(): boolean
  stop(): Promise<void>
}

interface Parts {
  readonly options: TeamOptions
  link: DatabaseLink | null
  running: Running | null
  /** Resolves when it runs. */
  starting: Promise<void> | null
  sets: ReadonlySet<string>
  channels: ReadonlySet<string>
  /** With the database's time. */
  readonly clock: Clock
  readonly requests: Requests
  member: string | null
  acts: Acts | null
  readonly recent: RecentRows
  /** Null before it is started. */
  surroundings: TeamSurroundings | null
  isCatchingUp: boolean
  stopped: boolean
}

export function openTeam(options: TeamOptions): Team {
  const { ports, joined } = options
  const parts = partsOf(options)
  const address = parseTeamAddress(joined.address)
  const password = () => ports.secrets.get(teamPassword).catch(() => null)
  const target = { address, password, ca: joined.ca, clock: ports.clock }
  const pool = openPool(target)
  const leading = () => parts.running?.leads ?? null
  const { data, tell, acts } = writing(parts)
  parts.acts = acts
  return {
    data,
    clock: parts.clock,
    start(surroundings) {
      parts.surroundings = surroundings
      parts.link = linkOf(parts, { target, pool, clock: ports.clock }, surroundings)
    },
    state: () => stateOf(parts),
    canRead(sets) {
      parts.sets = sets
      leading()?.canRead(sets)
    },
    canSend(channels) {
      parts.channels = channels
      leading()?.canSend(channels)
    },
    leads: (set) => (leading()?.writerOf(set) ?? null) !== null,
    sending: () => [...parts.channels].filter((channel) => leading()?.writerOfChannel(channel)),
    sends: (channel) => (leading()?.writerOfChannel(channel) ?? null) !== null,
    evaluates: () => (leading()?.evaluating() ?? null) !== null,
    operatorOf: (member) => operatorOf(parts, member),
    authorOf: (role, claimed) => authorAmong(parts.link?.members() ?? [], role, claimed),
    member: () => parts.member,
    tell,
    ask: (what, input) =>
      what === 'mark' ? parts.requests.ask(tell, what, input) : tell({ is: 'ask', id: randomUUID(), what, input }),
    refuse: (id, fault) =>
      void tell({ is: 'refused', id, fault }).catch(() => ports.log('warn', 'a request could not be answered')),
    leave: () => leave(parts, pool),
    dropActs: acts.drop,
    caughtUp: () => void (parts.isCatchingUp = false),
    isStopped: () => parts.stopped,
    async stop() {
      parts.stopped = true
      acts.stop()
      parts.recent.stop()
      await parts.link?.stop()
      await end(parts)
      await pool.close()
    },
  }
}

/** Returns the parts of a team that is not opened yet. */
function partsOf(options: TeamOptions): Parts {
  const { ports, joined } = options
  const clock = correctedClock(ports.clock, () => parts.link?.clockOffset() ?? 0)
  const parts: Parts = {
    options,
    link: null,
    running: null,
    starting: null,
    sets: new Set(),
    channels: new Set(),
    clock,
    requests: createRequests(clock),
    member: joined.member,
    acts: null,
    recent: createRecentRows({
      clock: ports.clock,
      post: (entries) => parts.running?.post(entries) ?? Promise.reject(new FaultError('team-away')),
      onFault: ({ kind }) => ports.log('warn', `what a failover lost could not be written again (${kind})`),
    }),
    surroundings: null,
    isCatchingUp: true,
    stopped: false,
  }
  return parts
}

/** Begins to reach the database, and to take part once it is reached. */
function linkOf(parts: Parts, target: Omit<Target, 'member' | 'team'>, surroundings: TeamSurroundings): DatabaseLink {
  const { joined, version, onMember } = parts.options
  return openDatabaseLink({
    pool: target.pool,
    clock: target.clock,
    operator: joined.operator,
    version,
    member: joined.member,
    team: joined.team,
    onChange: surroundings.onState,
    onMember(id, team) {
      if (parts.stopped || parts.starting !== null) return
      parts.member = id
      onMember(id, team)
      parts.starting = begin(parts, { ...target, member: id, team }, surroundings)
    },
    onBlocked: () => void end(parts),
  })
}

/** Returns what writes to the log as this member, while it is opened. */
function writing(parts: Parts): Pick<Team, 'data' | 'tell'> & { acts: Acts } {
  const { local, setsOf, ports } = parts.options
  const leading = () => parts.running?.leads ?? null
  const write = async (...given: Parameters<Running['replica']['write']>) => {
    if (parts.running === null) throw new FaultError('team-away')
    return parts.running.replica.write(...given)
  }
  const post = (entries: Parameters<Running['post']>[0]) =>
    parts.running === null ? Promise.reject(new FaultError('team-away')) : parts.running.post(entries)
  const tell = async (message: Message) => void (await write(message, post))
  const acts = openActs({
    local,
    clock: ports.clock,
    write: (item) => write(item, (entries) => parts.recent.post(entries, item.call)),
    // An own row comes after all that others wrote before it.
    caughtUp: () => (parts.member === null ? Promise.resolve() : tell({ is: 'hello', member: parts.member })),
    isAway: () => parts.running === null || parts.link?.state().is !== 'online',
    onChange: () => parts.surroundings?.onState(),
    onAgain: (call, result) => parts.surroundings?.onCall(call, result),
    onRefused: (call, fault) => parts.surroundings?.onRefused(call, fault),
  })
  return {
    acts,
    data: replicatedData({
      local,
      write,
      post: (entries, call) => (unrepeatedCalls.has(call) ? post(entries) : parts.recent.post(entries, call)),
      act: acts.run,
      writerFor: (of) => setsOf(of).flatMap((set) => leading()?.writerOf(set) ?? [])[0] ?? null,
      sending: (channel) => leading()?.writerOfChannel(channel) ?? null,
      evaluating: () => leading()?.evaluating() ?? null,
    }),
    tell,
  }
}

type Target = Pick<Parameters<typeof startRunning>[0], 'target' | 'pool' | 'clock' | 'member' | 'team'>

/** Ends to take part: its leases are released while the database still knows it, and nothing tells of it afterwards. */
async function leave(parts: Parts, pool: TeamPool): Promise<void> {
  const {
    member,
    options: { ports },
  } = parts
  parts.stopped = true
  await parts.link?.stop()
  await end(parts)
  if (member === null) return
  await leaveTeam(pool, member).catch(() => ports.log('info', 'the team was not told of the leave'))
}

/** Ends to take part, as long as the database is not this team's any more. */
async function end(parts: Parts): Promise<void> {
  await parts.starting
  const { running } = parts
  parts.running = null
  parts.starting = null
  await running?.stop()
}

/** Time before the next try to open the copy, ms: the disk may be full. */
const reopenMs = 5000

/** Starts what needs the member's id. What cannot be opened is tried again while the team runs. */
async function begin(parts: Parts, target: Target, surroundings: TeamSurroundings): Promise<void> {
  const { clock, log } = parts.options.ports
  while (!parts.stopped && parts.running === null)
    await run(parts, target, surroundings).catch(async (error: unknown) => {
      log('error', `the team’s data could not be opened (${toFault(error).kind})`)
      await wait(clock, reopenMs)
    })
}

async function run(parts: Parts, target: Target, surroundings: TeamSurroundings): Promise<void> {
  const { options } = parts
  const { requests } = parts
  const { onSet, onChannel, onEvaluating, onCall, onMessage, onState } = surroundings
  const running = await startRunning({
    ...target,
    local: options.local,
    folder: options.folder,
    onFault: (what, { kind }) => options.ports.log('warn', `${what} (${kind})`),
    sets: parts.sets,
    channels: parts.channels,
    onSet,
    onChannel,
    onEvaluating(evaluates) {
      onEvaluating(evaluates)
      onState()
      if (evaluates) for (const { message, role } of requests.open()) onMessage(message, false, role)
    },
    onReplaced: surroundings.onReplaced,
    isNew: () => options.joined.team === null && parts.isCatchingUp,
    onEmptied(fault) {
      parts.link?.block(fault)
      void end(parts)
    },
    replica: {
      onCall,
      onAnswer(ask, result) {
        // Whoever evaluates does it once more, on what an erasure has left.
        if (result.ok || result.fault.kind !== 'erased') requests.answered(ask, result)
      },
      onMessage(message, { at, role }, isOwn) {
        if (message.is === 'refused') requests.answered(message.id, { ok: false, fault: message.fault })
        else if (passing.has(message.is) && requests.isStale(at)) return
        else {
          if (message.is === 'hello' && operatorOf(parts, message.member) === null) parts.link?.lookAgain()
          if (message.is === 'ask' && message.what === 'mark') requests.add(message.id, { message, role, at })
          onMessage(message, isOwn, role)
        }
      },
      onStorage: (fault) =>
        options.ports.log('error', `the team’s log ${fault === null ? 'can be written again' : 'cannot be written'}`),
      onNewer() {
        parts.link?.block({ kind: 'team-old', detail: 'a newer Muster has written to the team’s log' })
        void end(parts)
      },
      onCaughtUp: parts.recent.again,
      onErased() {
        parts.recent.erased()
        parts.running?.snapshots.soon()
        surroundings.onErased()
      },
    },
  })
  parts.running = running
  surroundings.onOpened()
}

function operatorOf({ link }: Parts, member: string): string | null {
  return link?.members().find(({ id }) => id === member)?.operator ?? null
}

function stateOf(parts: Parts): ReturnType<Team['state']> {
  const { options, link, running, member: self } = parts
  const { address, operator, ca } = options.joined
  const evaluator = running?.leads.evaluatorMember() ?? null
  const waitingSince = running?.replica.waitingSince() ?? null
  return {
    address,
    operator,
    hasCa: ca.trim() !== '',
    link: link?.state() ?? { is: 'connecting' },
    members: (link?.members() ?? []).map((one) => ({ ...one, isSelf: one.id === self })),
    evaluator: evaluator === null ? null : { operator: operatorOf(parts, evaluator) ?? '', isSelf: evaluator === self },
    lagMs: waitingSince === null ? 0 : Math.max(0, parts.clock.now() - waitingSince),
    waitingActs: parts.acts?.waiting() ?? 0,
    takeovers: running?.leads.takeovers() ?? 0,
    isCatchingUp: parts.isCatchingUp,
  }
}
