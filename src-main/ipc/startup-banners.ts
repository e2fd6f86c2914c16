import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import type { Banner } from '../../src-shared/model/inventory.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { OpenResult } from '../inventory/thread/open-result.ts'
import type { Log, Ports } from '../ports.ts'
import type { Self } from '../support/self.ts'
import type { Banners } from './banners.ts'
import type { Publisher } from './publish.ts'

type AddBanner = (kind: FaultKind, level: Banner['level'], detail: string) => void

/** Reports what the start found as banners and in the log. */
export function reportStartup(
  ports: Ports,
  { opened, data }: { opened: OpenResult; data: Pick<InventoryData, 'unreadableJobs'> },
  demo: boolean,
  banners: Banners,
): void {
  const add: AddBanner = (kind, level, detail) => {
    banners.show(kind, level, new FaultError(kind, detail).fault)
    ports.log(level === 'info' ? 'info' : 'warn', `found at the start: ${kind}${detail === '' ? '' : ` (${detail})`}`)
  }
  if (opened.cache === 'damaged') add('cache-renewed', 'info', '')
  if (opened.journal === 'damaged') add('journal-damaged', 'warning', opened.damagedJournal ?? '')
  if (ports.settings.damaged !== null) add('settings-damaged', 'warning', ports.settings.damaged)
  // The demo's secret is new at each start, so nothing is lost.
  if (ports.secrets.kind === 'session' && !demo) add('keychain', 'info', ports.secrets.detail)
  if (ports.secrets.kind === 'locked' && !demo) add('keychain-locked', 'warning', ports.secrets.detail)
  reportUnreadableJobs(data, add, ports.log)
}

/** Reports jobs that were not ended and cannot be read: they are not continued, and shown nowhere. */
function reportUnreadableJobs(data: Pick<InventoryData, 'unreadableJobs'>, add: AddBanner, log: Log): void {
  data.unreadableJobs().then(
    (count) => {
      if (count === 0) return
      add(
        'jobs-unread',
        'warning',
        `${count} ${count === 1 ? 'is' : 'are'} kept in journal.db as ${count === 1 ? 'it is' : 'they are'}`,
      )
    },
    () => log('warn', 'whether the journal has damaged jobs could not be found out'),
  )
}

/** Reports stored connections that cannot be read. */
export function reportUnreadable(unreadable: number, banners: Banners): void {
  if (unreadable === 0) return
  const detail = `${unreadable} of them are kept in settings.json as they are`
  banners.show('unreadable', 'warning', { kind: 'settings-unread', detail })
}

/** Reports that the keychain was locked or unlocked. */
export function reportKeychain(ports: Ports, demo: boolean, banners: Banners, publisher: Publisher): void {
  const { kind, detail } = ports.secrets
  ports.log('info', `the keychain is ${kind === 'keychain' ? 'open' : 'locked'} now`)
  if (kind === 'keychain') banners.remove('keychain-locked')
  else if (!demo) banners.show('keychain-locked', 'warning', { kind: 'keychain-locked', detail })
  publisher.send('keychain', { kind, detail })
}

/** Shows a banner while a removed connection's secret may remain in the keychain. */
export function reportOrphanedSecrets(count: number, banners: Banners): void {
  if (count === 0) banners.remove('secret-left')
  else
    banners.show('secret-left', 'warning', { kind: 'secret-left', detail: count === 1 ? '' : `${count} connections` })
}

/** Reports that a service's schema has changed. */
export function reportDrift(
  { id, name }: { id: string; name: string },
  detail: string,
  { findings }: Pick<Self, 'findings'>,
  banners: Banners,
): void {
  findings.note(name, detail)
  banners.show(`drift ${id}`, 'info', { kind: 'schema-drift', detail: `${name}: ${detail}` })
}
