import process from 'node:process'
import { repeat, wait } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { TeamTarget } from '../../../src-main/team/database/connect.ts'
import type { Leadership } from '../../../src-main/team/lead/lease.ts'
import { openBell } from '../../../src-main/team/lead/bell.ts'
import { follow } from '../../../src-main/team/log/follow.ts'
import type { Position } from '../../../src-main/team/log/log-store.ts'
import { entriesOf } from '../../../src-main/team/log/writer.ts'
import { digestOf, type MemberAsked, type MemberSaid } from './member-messages.ts'
import { openReplica, subject, type Replica } from './replicas.ts'
import { targetOf } from './team.ts'

const snapshotMs = 3000
const joinRetryMs = 250

const say = (said: MemberSaid) => void process.send?.(said)
const disk = { texts: [] as string[], position: null as Position | null }
let isQuiet = false

process.on('message', (asked: MemberAsked) => {
  if (asked.is === 'quiet') isQuiet = true
  else if (asked.is === 'report') say({ is: 'report', rows: disk.texts.length, digest: digestOf(disk.texts) })
  else start(asked).catch((error: unknown) => say({ is: 'broken', why: String(error) }))
})
process.once('disconnect', () => process.exit(0))

async function start({ port, database, appendMs }: Extract<MemberAsked, { is: 'start' }>): Promise<void> {
  const target = targetOf({ port }, 'anna', database)
  const replica = await join(target)
  const bell = openBell(target)
  const { logs: store, clock } = replica
  const follower = follow({
    store,
    clock,
    bell,
    from: null,
    onRows(rows, position) {
      for (const { body } of rows) disk.texts.push(Buffer.from(body).toString())
      disk.position = position
    },
    onSnapshot(snapshot) {
      disk.texts = snapshot === null ? [] : Buffer.from(snapshot.body).toString().split('\n')
      disk.position = snapshot?.position ?? null
    },
  })
  replica.lead(subject, {
    bell,
    onLead(leadership) {
      say({ is: 'leads', term: leadership.term })
      lead(leadership).catch((error: unknown) => {
        if (leadership.isCurrent()) say({ is: 'broken', why: String(error) })
      })
    },
    onFollow: (why) => say({ is: 'follows', why }),
  })
  async function lead(leadership: Leadership): Promise<void> {
    await follower.reached(leadership.last)
    write(replica, leadership, appendMs)
  }
}

/** Joins, again after a misfortune that met it meanwhile. */
async function join(target: TeamTarget): Promise<Replica> {
  for (;;) {
    const ends: (() => Promise<void>)[] = []
    try {
      return await openReplica(target, (stop) => ends.push(stop))
    } catch (error) {
      if (!(error instanceof FaultError)) throw error
      await Promise.all(ends.map((stop) => stop()))
      await wait(target.clock, joinRetryMs)
    }
  }
}

/** Appends at an even rate, and writes a snapshot from time to time. */
function write(replica: Replica, leadership: Leadership, appendMs: number): void {
  const writer = replica.writer(leadership, { position: () => disk.position })
  let count = 0
  const append = async () => {
    if (isQuiet || !leadership.isCurrent()) return
    count += 1
    const text = `${replica.member} ${leadership.term} ${count}`
    const outcome = await writer.append(entriesOf([Buffer.from(text)]))
    say({ is: 'told', text, outcome: outcome.is })
  }
  const stops = [
    repeat(replica.clock, appendMs, () => void append()),
    repeat(replica.clock, snapshotMs, () => {
      if (disk.position !== null) void writer.snapshot(disk.position, Buffer.from(disk.texts.join('\n')))
    }),
  ]
  leadership.signal.addEventListener('abort', () => {
    for (const stop of stops) stop()
  })
}
