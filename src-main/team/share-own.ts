import { z } from 'zod'
import type { Channels } from '../channels/channels.ts'
import { openChannelList } from '../channels/list.ts'
import type { Connections } from '../connections/connections.ts'
import { connectionRecord } from '../connections/stored/record.ts'
import type { Ports } from '../ports.ts'
import type { MemberSettings } from '../settings/team-settings.ts'
import type { CoreTeam } from './core-team.ts'
import { loadJoined, storeJoined } from './stored.ts'

interface Sharing {
  core: Pick<CoreTeam, 'team' | 'columns'>
  /** The ports of this Muster on its own. */
  given: Ports
  connections: Connections
  channels: Channels
  settings: Pick<MemberSettings, 'shareOwn'>
}

/** Gives the team what this Muster has on its own, where that was asked for when it joined. Rejects with `team-away`; it is tried again at the next start. */
export async function shareOwn({
  core: { team, columns },
  given,
  connections,
  channels,
  settings,
}: Sharing): Promise<void> {
  if (loadJoined(given.settings)?.share !== true) return
  await settings.shareOwn()
  const known = connections.team.records()
  for (const record of ownRecords(given)) {
    const isKnown = known.some((one) => one.clientId === record.clientId && one.graphqlUrl === record.graphqlUrl)
    const secret = isKnown ? null : await given.secrets.get(record.id).catch(() => null)
    if (!isKnown) await connections.save({ ...record, id: null, clientSecret: secret ?? '' })
  }
  await channels.team.shareOwn(openChannelList(given.settings, given.secrets))
  await columns.share(ownColumns(given))
  // It may have left, or joined another team, meanwhile.
  const now = loadJoined(given.settings)
  if (now !== null && !team.isStopped()) storeJoined(given.settings, { ...now, share: false })
}

/** The connections of this Muster on its own. */
function ownRecords({ settings }: Ports) {
  const stored = z.array(z.unknown()).safeParse(settings.get('connections')).data ?? []
  return stored.flatMap((one) => {
    const record = connectionRecord.safeParse(one).data
    if (record === undefined) return []
    const { paused: _paused, inKeychain: _inKeychain, ...rest } = record
    return [rest]
  })
}

/** The extra columns that this Muster has on, on its own. */
const ownColumns = ({ settings }: Ports): string[] =>
  z
    .array(z.object({ name: z.string() }))
    .catch([])
    .parse(settings.get('columnsOn') ?? [])
    .map(({ name }) => name)
