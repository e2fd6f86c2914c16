import { onTestFinished } from 'vitest'
import { startLive } from '../../../src-main/live/socket.ts'
import type { Fault, FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock, settle, type ManualClock } from '../../support/clock.ts'
import { dialled, type Far } from './dialled.ts'
import { fixedDocument } from '../../../src-main/live/subscriptions/stream-document.ts'

/** A document that never changes. */
export const deviceDocument = fixedDocument('subscription { device { id } }')

/** A live connection that wants one device, with its first socket dialled and its reports recorded. */
export async function start(fault?: FaultError, renewsIn = Infinity) {
  const clock = manualClock()
  const { link, fars } = dialled(fault)
  const begun = clock.now()
  const events: unknown[] = []
  const sources: [socket: number, since: number, isTwofold: boolean][] = []
  const states: string[] = []
  const faults: Fault[] = []
  const subscribed: string[][] = []
  const lost: string[][] = []
  const doubts: (number | null)[][] = []
  const log: string[] = []
  const dropped: string[] = []
  const proved: string[] = []
  const renewed: string[] = []
  const renewsAt = { at: clock.now() + renewsIn }
  const tokens = {
    get: async () => (clock.now() < renewsAt.at ? 't1' : 't2'),
    renew: async (token: string) => {
      renewed.push(token)
      return `t${Number(token.slice(1)) + 1}`
    },
    drop: (token: string) => dropped.push(token),
    prove: (token: string) => proved.push(token),
    problem: () => null,
    redact: (text: string) => text,
    renewsAt: () => renewsAt.at,
    stop: () => {},
  }
  const live = startLive({
    link,
    clock,
    tokens,
    random: () => 1,
    log: (_level, text) => log.push(text),
    url: 'wss://api.test/graphql',
    document: deviceDocument,
    onState: ({ state }, fault) => {
      states.push(state)
      if (fault !== null) faults.push(fault)
    },
    onEvent(event, { socket, since, isOverlapping }) {
      events.push(event)
      sources.push([socket, since - begun, isOverlapping])
    },
    onSubscribed: (devices) => subscribed.push([...devices]),
    onSubscriptionLost: (devices) => lost.push([...devices]),
    onParked: () => {},
    onDoubt: () => doubts.push([live.lateSince(), live.subscriptionLostSince()]),
  })
  onTestFinished(() => live.stop())
  live.setDevices(new Map([['d1', 't']]))
  await settle()
  const far = fars[0]
  if (far === undefined) throw new Error('nothing was dialled')
  return {
    clock,
    far,
    fars,
    live,
    dropped,
    proved,
    renewed,
    renewsAt,
    events,
    sources,
    states,
    faults,
    subscribed,
    unheard: lost,
    doubts,
    log,
  }
}

/** Opens it, and takes its token. */
export async function acknowledge(far: Far): Promise<void> {
  far.open()
  await settle()
  far.say({ type: 'connection_ack' })
  await settle()
}

/** Lets time pass and answers each Ping. */
export async function pass(clock: ManualClock, ms: number, fars: readonly Far[]): Promise<void> {
  for (let gone = 0; gone < ms; gone += 5_000) {
    await clock.advance(5_000)
    for (const far of fars) far.say({ type: 'pong' })
  }
}

export const event = (id: string) => ({ type: 'next', payload: { data: { deviceStream: { id } } } })
