import { tenantText, sentences, shortList } from './messages.ts'
import { maxNamed } from '../incidents/places.ts'
import { numberFormat, devices } from '../../src-shared/text/counts.ts'
import type { AlertRules } from '../incidents/engine/rules.ts'
import type { Message } from '../incidents/message.ts'
import { formatMessage, moment } from './moments.ts'
import { nameText, nameList } from '../../src-shared/text/names.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import { withMoments } from '../../src-shared/text/moments.ts'

/** Several incidents as one: how many, and how many of them are open still. */
export function countText(all: number, open: number): string {
  const some = all === 1 ? '1 incident' : `${numberFormat.format(all)} incidents`
  if (open === 0) return all === 1 ? `${some}, which is over` : `${some}, all of them over`
  return open === all ? `${some}, still open` : `${some}, ${numberFormat.format(open)} still open`
}

/** `titles`: what the incidents are, the worst first. `beside`: devices that went offline without any of these. `behind`: not everything has been read again yet. */
export function monitoringRestoredMessage(
  tenants: readonly string[],
  titles: readonly string[],
  { all, open, beside }: { all: number; open: number; beside: number },
  behind: boolean,
  now: number,
  rules: AlertRules,
): Message {
  return formatMessage(
    {
      title: `Monitoring restored for ${tenantText(tenants)}`,
      body: sentences(
        tenants.length > 1 ? shortList(tenants) : null,
        all === 0 ? noOfflineText(beside, behind) : `Meanwhile: ${countText(all, open)}`,
        titlesText(titles),
        behind ? 'The sync is not complete yet' : null,
      ),
    },
    now,
    rules,
  )
}

function noOfflineText(beside: number, behind: boolean): string | null {
  if (beside > 0)
    return `${devices(beside)} went offline meanwhile, in what was known before or in a maintenance window`
  return behind ? null : 'No device went offline meanwhile'
}

/** What an absence brought that nobody was told the beginning of. */
export function absenceMessage(
  titles: readonly string[],
  { all, open }: { all: number; open: number },
  now: number,
  rules: AlertRules,
): Message {
  return formatMessage(
    { title: `While you were away: ${countText(all, open)}`, body: sentences(titlesText(titles)) },
    now,
    rules,
  )
}

/** Many incidents at a time. */
export function stormMessage(
  { offline, flapping }: { offline: number; flapping: number },
  where: string,
  titles: readonly string[],
  now: number,
  rules: AlertRules,
): Message {
  const parts = [
    offline === 0 ? null : `${devices(offline)} offline`,
    flapping === 0 ? null : `${devices(flapping)} flapping`,
  ]
  return formatMessage(
    {
      title: `${parts.filter((part) => part !== null).join(', ')}${where === '' ? '' : ` ${where}`}`,
      body: sentences(`${titles.length} incidents`, titlesText(titles)),
    },
    now,
    rules,
  )
}

/** The report at the end of a maintenance window: what changed in it, and what did not come back. `hidden`: it ended where Muster did not see it, and so many went down in a span that may be in it or after it. */
export function maintenanceMessage(
  name: string,
  {
    offline,
    back,
    still,
    flapping,
    unseen,
  }: { offline: number; back: number; still: readonly string[]; flapping: number; unseen: number },
  unseenDrops: { count: number; from: number; until: number; endedAt: number } | null,
  now: number,
  rules: AlertRules,
): Message {
  const rest = [
    still.length === 0 ? null : `${devices(still.length)} did not come back`,
    flapping === 0 ? null : `${devices(flapping)} flapping`,
    unseen === 0 ? null : `${devices(unseen)} with no data since`,
  ].filter((part) => part !== null)
  const left = rest.length === 0 ? 'all of it is back' : rest.join(', ')
  return formatMessage(
    {
      title: `${nameText(name)} is over: ${left}`,
      body: sentences(
        `${devices(offline)} went offline in this maintenance window${unseenDrops === null ? '' : ' or after it'}, ${numberFormat.format(back)} came back`,
        unseenDrops === null
          ? null
          : `It ended at ${moment(unseenDrops.endedAt)}, while monitoring was lost: ${devices(unseenDrops.count)} went offline between ${moment(unseenDrops.from)} and ${moment(unseenDrops.until)}`,
        still.length === 0 ? null : `Still offline: ${nameList(still.slice(0, maxNamed).map(nameText), still.length)}`,
      ),
    },
    now,
    rules,
  )
}

function titlesText(titles: readonly string[]): string[] {
  return titles.length > maxNamed
    ? [...titles.slice(0, maxNamed), `${numberFormat.format(titles.length - maxNamed)} more`]
    : [...titles]
}

/** How many devices a pause held back. `still…`: told before, and told again after a snooze. */
interface Paused {
  offline: number
  back: number
  stillOffline: number
  stillFlapping: number
}

/** What a pause held back, as one. `parts`: what would have been told. */
export function pauseMessage(
  { offline, back, stillOffline, stillFlapping }: Paused,
  parts: readonly Notification[],
  now: number,
  rules: AlertRules,
): Message {
  const counted = (count: number, what: string) => (count === 0 ? null : `${devices(count)} ${what}`)
  const both = [
    counted(offline, 'went offline'),
    counted(back, 'came back'),
    counted(stillOffline, 'still offline'),
    counted(stillFlapping, 'still flapping'),
  ].filter((part) => part !== null)
  const titles = parts.slice(0, maxNamed).map((content) => withMoments(content, 'title', moment))
  return formatMessage(
    {
      title:
        both.length === 0
          ? 'What happened while notifications were paused'
          : `${both.join(', ')} while notifications were paused`,
      body: sentences(titles, parts.length > maxNamed ? `${parts.length - maxNamed} more` : null),
    },
    now,
    rules,
  )
}
