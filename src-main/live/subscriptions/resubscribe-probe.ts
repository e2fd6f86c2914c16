import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Tokens } from '../../auth/token.ts'
import type { SecondSocketListeners } from '../renewal.ts'
import type { Shard } from './shards.ts'
import type { Transport } from '../transport/transport.ts'

/**
 * Interval of the probe, ms, as that of the full sync; random from half of it to one and a half, so that many consoles
 * do not connect at once.
 */
const everyMs = 30 * 60_000

export interface ResubscribeProbeOptions<W extends Transport> {
  clock: Clock
  random: () => number
  tokens: Pick<Tokens, 'get'>
  shards: () => readonly Shard[]
  open: (token: string, listeners: SecondSocketListeners) => W
  /** The service knows the stream: the transport has sent these subscriptions, and `confirmed` are confirmed. */
  onAvailable: (transport: W, token: string, shards: readonly Shard[], confirmed: readonly Shard[]) => void
}

/**
 * Probes from time to time whether a service without a live stream offers it now; polling continues meanwhile, and
 * faults here are ignored. Returns a function that stops it.
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
    const onAvailable = (confirmed: readonly Shard[]) => {
      if (isOver) return
      isOver = true
      trial = null
      options.onAvailable(transport, token, shards, confirmed)
    }
    const transport = options.open(token, {
      onOpen() {
        for (const shard of shards) transport.subscribe(shard)
        // Without a subscription, the probe finds out nothing.
        if (shards.length === 0) transport.close()
      },
      onSubscribed: (shard) => onAvailable([shard]),
      // A service that rejects the subscription knows the stream.
      onRejected: () => onAvailable([]),
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
