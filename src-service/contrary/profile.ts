import type { GraphQLSchema } from 'graphql'
import { makeSchema } from '../graphql/schema/schema.ts'
import type { Profile } from '../graphql/schema/type-definitions.ts'
import type { Answers } from './answers.ts'
import { startContrary } from './contrary.ts'
import type { Contrary, ContraryVerbs } from './contrary.ts'
import { withoutOffers } from './fields/schema.ts'
import { otherValues } from './fields/values.ts'

/** Of the service's options, those that say how it answers what the specification leaves open. */
export type ProfileOptions = {
  /** `minimal`: what the specification shows and nothing else; `contrary`: what it leaves open is answered as `contrary` says. Default: full. */
  profile?: Profile | 'contrary'
  /** Of the profile `contrary`: the answers that are not the usual ones (README.md). */
  contrary?: Partial<Answers>
  /** Which of the answers are hit where a share of them is. Default: 1. */
  contrarySeed?: number
}

export type ChosenProfile = { schema: GraphQLSchema; contrary: Contrary & ContraryVerbs }

/** Throws RangeError for answers where no profile takes any. `now`: milliseconds, not skewed. */
export function chooseProfile(
  { profile = 'full', contrary, contrarySeed = 1 }: ProfileOptions,
  now: () => number,
): ChosenProfile {
  if (profile === 'contrary') {
    const chosen = startContrary({ contrary: contrary ?? {}, seed: contrarySeed, now })
    return { schema: otherValues(withoutOffers(makeSchema(chosen.is.schema), chosen.is), chosen.is), contrary: chosen }
  }
  if (contrary !== undefined) throw new RangeError('Only the contrary profile has answers of its own')
  return { schema: makeSchema(profile), contrary: asUsual(profile, now) }
}

/** Nothing is contrary, in one of the other profiles. */
export function asUsual(profile: Profile, now: () => number): Contrary & ContraryVerbs {
  return startContrary({ contrary: null, usual: { schema: profile, introspection: profile === 'full' }, seed: 1, now })
}
