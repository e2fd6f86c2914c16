import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Tokens } from '../../auth/token.ts'
import type { SecondSocketListeners } from '../renewal.ts'
import type { Shard } from './shards.ts'
import type { Transport } from '../transport/transport.ts'

/** As often as the inventory is read; half of it to one and a half, so that many consoles do not come at once. */
const everyMs = 30 * 60_000

export interface ResubscribeProbeOptions<W extends Transport> {
  clock: Clock
  random: () => number
  tokens: Pick<Tokens, 'get'>
  shards: () => readonly Shard[]
  open: (token: string, listeners: SecondSocketListeners) => W
  /** The service knows the stream: the transport has asked for these subscriptions, and `confirmed` stand. */
  takeUp: (transport: W, token: string, shards: readonly Shard[], confirmed: readonly Shard[]) => void
}

/**
 * Tries from time to time whether a service that knew no live stream knows it now; meanwhile its readings go on, and what
 * goes wrong here concerns nobody. Returns the way to call it off.
 */
export function startResubscribeProbe<W extends Transport>(options: ResubscribeProbeOptions<W>): () => void {
  const { clock, random, tokens } = options
  let trial: W | null = null
  let isOver = false
  let cancel = () => {}
  const plan = () => {
    trial = null
    if (!isOver) cancel = clock.after(everyMs * (0.5 + random()), probe)
  }
  const probe = () => {
    tokens.get().then((token) => {
      if (!isOver) begin(token, options.shards())
    }, plan)
  }
  const begin = (token: string, shards: readonly Shard[]) => {
    const takeUp = (confirmed: readonly Shard[]) => {
      if (isOver) return
      isOver = true
      trial = null
      options.takeUp(transport, token, shards, confirmed)
    }
    const transport = options.open(token, {
      onOpen() {
        for (const shard of shards) transport.subscribe(shard)
        // With nothing to subscribe to, nothing is found out.
        if (shards.length === 0) transport.close()
      },
      onSubscribed: (shard) => takeUp([shard]),
      // What it rejects it has.
      onRejected: () => takeUp([]),
      onEnd: plan,
    })
    trial = transport
  }
  plan()
  return () => {
    isOver = true
    cancel()
    trial?.close()
  }
}
