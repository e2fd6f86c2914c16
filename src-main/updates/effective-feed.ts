import type { Settings } from '../../src-shared/model/settings.ts'
import type { Updates } from '../../src-shared/model/updates.ts'
import type { Policy } from './policy.ts'
import type { Feed } from './ports.ts'

export interface EffectiveFeed {
  feed: Feed
  /** Updates are downloaded automatically. */
  self: boolean
  fixed: Updates['by']['fixed']
}

/**
 * Returns the feed in effect: the settings, overruled by the policy, and the package's own feed where neither names
 * one.
 */
export function effectiveFeed(
  { updateFeed, updateChannel, updateCa, updateSelf }: Settings,
  policy: Policy,
  own: string,
): EffectiveFeed {
  return {
    feed: {
      url: policy.feed ?? (updateFeed === '' ? own : updateFeed),
      channel: policy.channel ?? updateChannel,
      ca: updateCa,
    },
    self: policy.updates === null && updateSelf,
    fixed: [
      ...(policy.feed === null ? [] : ['feed' as const]),
      ...(policy.channel === null ? [] : ['channel' as const]),
      ...(policy.updates === null ? [] : ['self' as const]),
    ],
  }
}

/** Returns whether two feeds are equal: address, channel and CA, so that an offer of one is valid for the other. */
export function isSameFeed(one: Feed, other: Feed): boolean {
  return one.url === other.url && one.channel === other.channel && one.ca === other.ca
}
