import { startRandom } from '../world/random.ts'
import { contraryNames, usualAnswers } from './answers.ts'
import type { Answers, ContraryName } from './answers.ts'
import { startDeviceIds } from './fields/device-ids.ts'
import type { DeviceIds } from './fields/device-ids.ts'

/** How the service answers what the specification leaves open; in the other profiles as it is usual. */
export type Contrary = {
  readonly is: Readonly<Answers>
  readonly ids: DeviceIds
  /** Takes one of a count: false when none is left. */
  take(name: 'upgradeRefusals' | 'initRefusals' | 'maxPageSizeFrom' | 'awayFor' | 'tokenAwayFor'): boolean
  /** True in a seeded `share` of all calls. */
  chance(share: number): boolean
  /** Whether answers are empty now that should not be. */
  isEmptying(): boolean
}

/** What a test can do to a service of the contrary profile. */
export type ContraryVerbs = {
  answers(): Readonly<Answers>
  /**
   * Answers otherwise from now on; counts begin anew. Throws RangeError for what the schema or the port was made of, and in any other profile.
   */
  change(answers: Partial<Answers>): void
}

export type ContraryOptions = {
  /** Answers that differ from the usual ones; null in a profile that has none. */
  contrary: Partial<Answers> | null
  /** What is usual for the profile where it is not for the full one. */
  usual?: Partial<Answers>
  seed: number
  /** Milliseconds, without the skew of the service's clock. */
  now: () => number
}

/** The schema and the port are made of these once. */
const lasting: readonly ContraryName[] = [
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
      const fixed = lasting.find((name) => name in answers)
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

/** In words, for whoever reads a log: the points that are not answered as usual. */
export function oddOnes(answers: Readonly<Answers>): Partial<Answers> {
  const usual = usualAnswers()
  return Object.fromEntries(
    contraryNames
      .filter((name) => JSON.stringify(answers[name]) !== JSON.stringify(usual[name]))
      .map((name) => [name, answers[name]]),
  )
}
