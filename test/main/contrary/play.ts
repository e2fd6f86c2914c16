import type { Answers } from '../../../src-service/faults/contrary/answers.ts'
import { unusualAnswers } from '../../../src-service/faults/contrary/contrary.ts'
import { drawsOf, type Draws } from '../missed/draws.ts'
import { settle, turnedClock, type TurnedClock } from '../missed/turned.ts'
import { openFar, type Far } from './far.ts'
import { startNear, type Near } from './near.ts'
import { lastOnes, lookAt, type Look } from './oracle.ts'

/** The result of one contrary service. */
export interface Played {
  seed: number
  /** The answers that are not the usual ones. */
  odd: Partial<Answers>
  /** The data shown wrongly without a fault, and the data not shown within a minute though the service sends it. */
  wrong: string[]
  /** The faults at the last comparison. */
  said: string[]
  /** Whether everything was shown right in the end. */
  isWhole: boolean
}

const minute = 60_000

/** Ms before anything changes, and between full syncs. */
interface Pace {
  before: number
  refresh: number
}

const quick: Pace = { before: minute, refresh: 2 * minute }
export const slow: Pace = { before: 2 * minute, refresh: 5 * minute }

/** A console and the service that it reads, on one clock. */
interface Reading {
  far: Far
  near: Near
  clock: TurnedClock
  draws: Draws
}

/** Opens the service of a seed and a console on it, for as long as `run` takes. `from`: a profile of empty files. */
export async function reading<T>(
  seed: number,
  from: string,
  answers: Answers,
  run: (reading: Reading) => Promise<T>,
  refreshMs = quick.refresh,
): Promise<T> {
  const draws = drawsOf(seed)
  const opened: Far[] = []
  const rest = async () => {
    do await settle(4)
    while (opened.some((each) => each.underWay() > 0))
  }
  const clock = turnedClock(undefined, rest)
  const size = { tenants: draws.between(1, 3), devices: draws.between(3, 40), seed: draws.between(1, 20) }
  const far = await openFar({ ...size, profile: 'contrary', contrary: answers, contrarySeed: seed }, clock)
  opened.push(far)
  const near = startNear(far, clock, draws.part, from, refreshMs)
  try {
    return await run({ far, near, clock, draws })
  } finally {
    await near.stop()
    far.stop()
    await rest()
  }
}

/** Reads one service that follows from the seed, lets devices change, and looks when all of that must have come in. */
export function play(seed: number, from: string, answers: Answers, { before, refresh } = quick): Promise<Played> {
  return reading(
    seed,
    from,
    answers,
    async ({ far, near, clock, draws }) => {
      await clock.advance(before)
      for (let left = draws.between(0, 4); left > 0; left -= 1) {
        change(far, draws)
        await clock.advance(draws.of([10, 1_000, 20_000, minute]))
      }
      await clock.advance(refresh + minute)
      const looks = []
      do {
        await clock.advance(5_000)
        looks.push(lookAt(far, near, clock.now(), refresh))
      } while (looks.length < 13 && looks.at(-1)?.different.length !== 0)
      return { seed, odd: unusualAnswers(answers), ...judged(far, looks) }
    },
    refresh,
  )
}

/** The looks of a minute at a service that no longer changes, up to the first at which everything is shown as it is. */
function judged({ contrary }: Far, looks: readonly Look[]): Pick<Played, 'wrong' | 'said' | 'isWhole'> {
  const last = looks.at(-1) ?? { different: ['no look'], unsaid: [], said: [] }
  const isWhole = last.different.length === 0
  const late =
    isWhole || isWithheld(contrary)
      ? []
      : last.different
          .filter((words) => !words.endsWith(lastOnes))
          .map((words) => `${words}, though the service tells it`)
  return {
    wrong: [...looks.flatMap(({ unsaid }) => unsaid).map((words) => `${words}, and nothing says so`), ...late],
    said: last.said,
    isWhole,
  }
}

/** Whether the service withholds data for good: its absence then only needs a fault. */
function isWithheld({ is, isEmptying }: Far['contrary']): boolean {
  // Whose sockets are closed more often than every 30 s, in which the console is to be live again, may never be seen live.
  if (is.socketEndEveryMs > 0 && is.socketEndEveryMs <= 30_000) return true
  // Of what is never listed whole nothing is taken away.
  if (is.tokenRepeats || is.nullEdges > 0 || is.orderChanges > 0) return true
  return (
    is.missingFields.length > 0 ||
    is.unresolvedSites > 0 ||
    (isEmptying() && (is.emptyDevices !== 'never' || is.emptyTenants !== 'never'))
  )
}

function change({ world, past }: Far, draws: Draws): void {
  const device = world.devices()[draws.below(world.devices().length)]
  if (device === undefined) return
  past.push(device)
  const what = draws.of(['turn', 'turn', 'turn', 'rename', 'remove', 'add', 'move'])
  if (what === 'turn') world.setConnected(device.id, device.connected !== true)
  if (what === 'rename') world.renameDevice(device.id, `Renamed ${draws.below(1_000)}`)
  if (what === 'remove') world.removeDevice(device.id)
  if (what === 'add') world.addDevice({ tenantId: device.tenantId })
  const site = world.sites(device.tenantId)[0]
  if (what === 'move' && site !== undefined) world.moveDevice(device.id, site.id, null)
}
