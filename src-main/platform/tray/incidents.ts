import type { Incident } from '../../../src-shared/model/incidents.ts'
import { attentionCount } from '../../../src-shared/notifications/desktop-notification.ts'
import { messageTitle } from '../../../src-shared/text/messages.ts'
import { nameText, timeText } from '../../../src-shared/text/names.ts'
import { item, separator, submenu, textItem, type Entry, type SnoozeDuration } from './entry.ts'
import { numberText, type FleetStatus } from './status.ts'

type Told = Pick<FleetStatus, 'incidents' | 'utc'>

/** Returns the worst open incidents below their sites, the site of the worst one first. */
export function incidentEntries({ incidents, utc }: Told, now: number): Entry[] {
  const { worst } = incidents
  const left = attentionCount(incidents) - worst.length
  return [
    ...sitesOf(worst).flatMap(({ id, name, of }) => [
      separator(`line ${id}`),
      textItem(`site ${id}`, name),
      ...of.map((one) => incidentEntry(one, now, utc)),
    ]),
    ...(left > 0 ? [separator('rest'), item('more', `${numberText(left)} more in Muster`, { do: 'raise' })] : []),
  ]
}

interface Site {
  id: string
  name: string
  of: Incident[]
}

function sitesOf(incidents: readonly Incident[]): Site[] {
  const sites = new Map<string, Site>()
  for (const incident of incidents) {
    const { id, name } = siteOf(incident)
    const site = sites.get(id) ?? { id, name, of: [] }
    site.of.push(incident)
    sites.set(id, site)
  }
  return [...sites.values()]
}

/** Returns an incident's site with its tenant; for a larger scope its tenant or region. */
function siteOf({ places }: Incident): Pick<Site, 'id' | 'name'> {
  const from = places.findIndex(({ kind }) => kind !== 'room' && kind !== 'device')
  const [first, ...above] = from === -1 ? [] : places.slice(from)
  if (first === undefined) return { id: 'everywhere', name: 'Several tenants' }
  const tenant = above.find(({ kind }) => kind === 'tenant')
  return {
    id: first.id,
    name: [first, ...(tenant === undefined ? [] : [tenant])].map(({ name }) => nameText(name)).join(', '),
  }
}

const severities = { critical: 'Critical', major: 'Major', minor: 'Minor' } as const

/** Returns a label such as "Critical: 143 devices offline in Berlin, 143 of 150, since 02:10". */
function labelOf(incident: Incident, now: number, utc: boolean): string {
  const {
    devices: { down, unseen, total },
    since,
    foundAt,
    severity,
  } = incident
  const title = titleOf(incident, now, utc)
  const share = total === null || total < 2 || down === 0 ? '' : `${numberText(down)} of ${numberText(total)}`
  const noData = down === 0 && unseen > 0 ? 'no data' : ''
  const begin = since === null ? `found ${timeText(foundAt, now, utc)}` : `since ${timeText(since, now, utc)}`
  return `${severities[severity]}: ${[title, share, noData, begin].filter((part) => part !== '').join(', ')}`
}

const titleOf = ({ message }: Incident, now: number, utc: boolean): string =>
  messageTitle(message, (at) => timeText(at, now, utc))

function incidentEntry(incident: Incident, now: number, utc: boolean): Entry {
  const { id } = incident
  const title = titleOf(incident, now, utc)
  const open = { ...incident.open, incident: id }
  const snooze = (duration: SnoozeDuration, label: string) =>
    item(`${duration} ${id}`, label, { do: 'snooze', incident: id, title, duration })
  return submenu(`incident ${id}`, labelOf(incident, now, utc), [
    item(`open ${id}`, 'Open', { do: 'open', what: open }),
    item(`acknowledge ${id}`, 'Acknowledge…', { do: 'open', what: { ...open, seek: 'acknowledge' } }),
    separator(`snoozes ${id}`),
    snooze('15-minutes', 'Snooze for 15 minutes'),
    snooze('hour', 'Snooze for an hour'),
    snooze('morning', `Snooze until 08:00${utc ? ' UTC' : ''}`),
    snooze('recovery', 'Snooze until it recovers'),
    separator(`whys ${id}`),
    item(`why ${id}`, 'Why this alert', { do: 'open', what: { ...open, seek: 'why' } }),
  ])
}
