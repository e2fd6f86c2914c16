import type { Off, Updates } from '../model/updates.ts'

const offWords: Record<Off['reason'], string> = {
  web: 'this Muster runs in a browser',
  development: 'this Muster runs from its sources',
  unsigned: 'this copy is not signed',
  package: 'this copy cannot be renewed',
  publisher: 'this copy names no publisher of its installers',
  apart: 'it shows the demo, or has a profile of its own',
  policy: 'the policy of this computer',
  'policy-unread': 'the policy of this computer cannot be read',
  'no-feed': 'no feed is named',
  'package-manager': 'renewed by the system’s package manager',
}

const stateWords: Record<Exclude<Updates['now']['is'], 'off'>, string> = {
  idle: 'on, nothing newer is known',
  checking: 'on, the feed is being asked',
  available: 'on, one is offered',
  downloading: 'on, one is being downloaded',
  ready: 'on, one is ready for the next start',
  failed: 'on, the last try failed',
}

/** Returns lines that say whether Muster updates itself here, why not, and which policy applies. */
export function updateLines({ now, copy, by }: Updates): { name: string; text: string }[] {
  const state =
    now.is === 'off' ? `off: ${offWords[now.reason]}${now.detail === '' ? '' : ` (${now.detail})`}` : stateWords[now.is]
  const set = by.fixed.length === 0 ? '' : ', some of it set by the policy'
  const feed = { name: 'Feed', text: by.feed === '' ? 'none' : `${by.feed}, channel ${by.channel}${set}` }
  return [{ name: 'Updates', text: state }, feed, ...(copy === null ? [] : copyLines(copy))]
}

/** Returns lines that describe this copy and its policy. */
export function copyLines({
  policy,
  file,
  kind,
  signed,
}: NonNullable<Updates['copy']>): { name: string; text: string }[] {
  const policyText = {
    none: `none: ${file} is not there`,
    read: `read from ${file}`,
    unread: `cannot be read: ${file}`,
  }[policy]
  return [
    { name: 'Policy', text: policyText },
    {
      name: 'Package',
      text: `${kind === '' ? 'none that can be renewed' : kind}, ${signed ? 'signed' : 'not signed'}`,
    },
  ]
}
