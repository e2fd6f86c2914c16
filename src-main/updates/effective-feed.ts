import type { Settings } from '../../src-shared/model/settings.ts'
import type { Updates } from '../../src-shared/model/updates.ts'
import type { Policy } from './policy.ts'
import type { Feed } from './ports.ts'

export interface EffectiveFeed {
  feed: Feed
  /** What is found is downloaded by itself. */
  self: boolean
  fixed: Updates['by']['fixed']
}

/** What holds: the settings, the policy over them, and the package's own feed where neither names one. */
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

/** Whether what one offered counts for the other: the address, the channel and whom it trusts. */
export function isSameFeed(one: Feed, other: Feed): boolean {
  return one.url === other.url && one.channel === other.channel && one.ca === other.ca
}
