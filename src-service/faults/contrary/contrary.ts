import { startRandom } from '../../world/random.ts'
import { contraryNames, usualAnswers } from './answers.ts'
import type { Answers, ContraryName } from './answers.ts'
import { startDeviceIds } from './fields/device-ids.ts'
import type { DeviceIds } from './fields/device-ids.ts'

/** The answers to what the specification leaves open; in the other profiles the usual ones. */
export type Contrary = {
  readonly is: Readonly<Answers>
  readonly ids: DeviceIds
  /** Takes one from a counter; returns false when none is left. */
  take(name: 'upgradeRefusals' | 'initRefusals' | 'maxPageSizeFrom' | 'awayFor' | 'tokenAwayFor'): boolean
  /** Returns true in a seeded `share` of all calls. */
  chance(share: number): boolean
  /** Returns whether answers are emptied now. */
  isEmptying(): boolean
}

/** Control of the contrary profile by a test. */
export type ContraryVerbs = {
  answers(): Readonly<Answers>
  /**
   * Changes answers from now on and resets the counters. Throws RangeError for points that the schema or the port
   * depends on, and in any other profile.
   */
  change(answers: Partial<Answers>): void
}

export type ContraryOptions = {
  /** Answers that differ from the usual ones; null in the other profiles. */
  contrary: Partial<Answers> | null
  /** Usual answers of the profile that differ from the full one's. */
  usual?: Partial<Answers>
  seed: number
  /** Milliseconds, without the skew of the service's clock. */
  now: () => number
}

/** The schema and the port are created from these once. */
const fixedAtStart: readonly ContraryName[] = [
  'schema',
  'introspection',
  'http',
  'pageInfo',
  'missingFields',
  'costField',
  'connectedAs',
  'timesAs',
  'numbersAs',
  'nullTenants',
  'exhaustedStatus',
  'sharedIds',
  'idTypes',
  'accounts',
  'placeFields',
  'mutations',
  'actionAnswers',
]

export function startContrary({ contrary, usual, seed, now }: ContraryOptions): Contrary & ContraryVerbs {
  const is = { ...usualAnswers(), ...usual, ...contrary }
  const random = startRandom(seed)
  let since = now()
  return {
    is,
    ids: startDeviceIds(is),
    answers: () => ({ ...is }),
    change(answers) {
      const fixed = fixedAtStart.find((name) => name in answers)
      if (contrary === null) throw new RangeError('Only a service of the contrary profile answers otherwise')
      if (fixed !== undefined) throw new RangeError(`${fixed} is fixed when the service starts`)
      since = now()
      Object.assign(is, answers)
    },
    take(name) {
      if (is[name] <= 0) return false
      is[name] -= 1
      return true
    },
    chance: (share) => share > 0 && random.chance(share),
    isEmptying() {
      const passed = now() - since - is.emptyAfterMs
      return passed >= 0 && passed < is.emptyForMs
    },
  }
}

/** Returns the points that are not answered as usual, for the log. */
export function unusualAnswers(answers: Readonly<Answers>): Partial<Answers> {
  const usual = usualAnswers()
  return Object.fromEntries(
    contraryNames
      .filter((name) => JSON.stringify(answers[name]) !== JSON.stringify(usual[name]))
      .map((name) => [name, answers[name]]),
  )
}
