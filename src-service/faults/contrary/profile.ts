import type { GraphQLSchema } from 'graphql'
import { makeSchema } from '../../graphql/schema/schema.ts'
import type { Profile } from '../../graphql/schema/type-definitions.ts'
import type { Answers } from './answers.ts'
import { startContrary } from './contrary.ts'
import type { Contrary, ContraryVerbs } from './contrary.ts'
import { otherMutations } from './fields/mutations.ts'
import { pruned, removeFields } from './fields/schema.ts'
import { changeValueTypes } from './fields/values.ts'

/** The options that say how the service answers what the specification leaves open. */
export type ProfileOptions = {
  /**
   * `minimal`: only what the specification shows; `contrary`: open points are answered as `contrary` says. Default:
   * full.
   */
  profile?: Profile | 'contrary'
  /** For the profile `contrary`: the answers that are not the usual ones (README.md). */
  contrary?: Partial<Answers>
  /** Seed of the answers with a share. Default: 1. */
  contrarySeed?: number
}

export type ChosenProfile = { schema: GraphQLSchema; contrary: Contrary & ContraryVerbs }

/**
 * Returns the schema and the answers of a profile. Throws RangeError for answers in a profile without any. `now`:
 * milliseconds, not skewed.
 */
export function chooseProfile(
  { profile = 'full', contrary, contrarySeed = 1 }: ProfileOptions,
  now: () => number,
): ChosenProfile {
  if (profile === 'contrary') {
    const chosen = startContrary({ contrary: contrary ?? {}, seed: contrarySeed, now })
    const offered = otherMutations(removeFields(makeSchema(chosen.is.schema), chosen.is), chosen.is)
    return { schema: pruned(changeValueTypes(offered, chosen.is)), contrary: chosen }
  }
  if (contrary !== undefined) throw new RangeError('Only the contrary profile has answers of its own')
  return { schema: makeSchema(profile), contrary: usualContrary(profile, now) }
}

/** Returns the usual answers of one of the other profiles. */
export function usualContrary(profile: Profile, now: () => number): Contrary & ContraryVerbs {
  return startContrary({ contrary: null, usual: { schema: profile, introspection: profile === 'full' }, seed: 1, now })
}
