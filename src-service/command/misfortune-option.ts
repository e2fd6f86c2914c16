import { misfortuneKinds } from '../faults/misfortune/misfortune.ts'
import type { MisfortuneKind } from '../faults/misfortune/misfortune.ts'
import type { Service } from '../service.ts'

/** Values of `--misfortune` beside the kinds that affect single requests. */
const others = ['clock', 'drop-sockets', 'half-open-sockets'] as const
type Kind = MisfortuneKind | (typeof others)[number]

export type MisfortuneOption = {
  kind: Kind
  /** For `latency`: the delay, ms; for `clock`: the difference, ms; for the two of sockets: the interval, ms. */
  ms: number
  /** Share of the requests to /graphql; 1 for kinds that do not affect requests. */
  share: number
}

export const misfortuneUsage = `  --misfortune KIND[=MS][:SHARE]
                    what clients meet, all of them or a share (0 to 1) of their requests to /graphql; may be given more
                    than once. KIND: ${misfortuneKinds.slice(0, 8).join(' ')}
                    ${misfortuneKinds.slice(8).join(' ')};
                    latency=MS (1000) is how late; clock=MS how far off the service's clock is; drop-sockets=MS and
                    half-open-sockets=MS (60000) how often all sockets are cut, or go silent`

/** Throws an Error with a message for the user. */
export function readMisfortune(text: string): MisfortuneOption {
  const {
    kind: name,
    ms,
    share,
  } = /^(?<kind>[a-z0-9-]+)(?:=(?<ms>-?\d+))?(?::(?<share>\d*\.?\d+))?$/.exec(text)?.groups ?? {}
  const kind = [...misfortuneKinds, ...others].find((one) => one === name)
  if (!kind)
    throw new Error(
      `--misfortune takes KIND[=MS][:SHARE], not "${text}"; KIND is one of ${[...misfortuneKinds, ...others].join(', ')}`,
    )
  if (share !== undefined && (isOther(kind) || Number(share) > 1))
    throw new Error(
      `--misfortune ${kind}: ${isOther(kind) ? 'it has no share' : 'a share is from 0 to 1'}, not "${text}"`,
    )
  if (ms !== undefined && kind !== 'latency' && !isOther(kind))
    throw new Error(`--misfortune ${kind} takes no milliseconds, not "${text}"`)
  if (kind === 'clock' && ms === undefined) throw new Error('--misfortune clock=MS: how far is it off?')
  const value = ms === undefined ? (kind === 'latency' ? 1000 : 60_000) : Number(ms)
  if (Math.abs(value) > LONGEST || (kind !== 'clock' && value < 1))
    throw new Error(`--misfortune ${kind} takes milliseconds up to ${LONGEST}, not "${text}"`)
  return { kind, ms: value, share: share === undefined ? 1 : Number(share) }
}

/** The longest time of a timer, ms. */
const LONGEST = 2 ** 31 - 1

/** Starts the misfortunes; returns a function that stops them. The same seed of the world affects the same requests. */
export function startMisfortunesOf(
  service: Pick<Service, 'misfortune' | 'world'>,
  wanted: readonly MisfortuneOption[],
): () => void {
  const { misfortune, world } = service
  const stops = wanted.map(({ kind, ms, share }, n) => {
    if (!isOther(kind)) return misfortune.always(kind, { ms, share, seed: world.size.seed + n })
    if (kind === 'clock') return skewed(misfortune, ms)
    const timer = setInterval(
      () => (kind === 'drop-sockets' ? misfortune.dropSockets(1006) : misfortune.stallSockets()),
      ms,
    )
    return () => clearInterval(timer)
  })
  return () => stops.forEach((stop) => stop())
}

function skewed(misfortune: Service['misfortune'], ms: number): () => void {
  misfortune.skewClock(ms)
  return () => misfortune.skewClock(0)
}

function isOther(kind: Kind): kind is (typeof others)[number] {
  return others.some((one) => one === kind)
}
