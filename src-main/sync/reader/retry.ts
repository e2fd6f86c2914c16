import type { SyncContext } from '../context.ts'
import type { TaskKind } from './requests.ts'
import { toFault, lacksSecret } from '../../../src-shared/model/fault.ts'
import { retryDelay } from '../../live/transport/backoff.ts'

/** Longest delay after rejected credentials, ms, so that Muster never locks an account out. */
const rejectedCapMs = 5 * 60_000

/** Records the fault of a sync that failed as a whole, and waits for the next attempt or for a request. */
export async function failed(sync: SyncContext, kind: TaskKind, error: unknown): Promise<void> {
  const { clock, log } = sync.options
  const fault = toFault(error)
  log('warn', `sync failed (${fault.kind})`)
  const begun = sync.reader.fail()
  sync.link.suspendPolling()
  if (fault.kind === 'storage') sync.faults.note('storage', 'this computer', fault)
  else sync.faults.note('service', 'the service', fault)
  sync.link.reportRank()
  for (const tenant of begun) sync.member.ended(tenant, 'failed', clock.now())
  sync.requests.requestAgain(kind)
  if (sync.link.isPolling()) await sync.visibility.report()
  if (lacksSecret(fault)) await waitForRequest(sync)
  else await waitForRetry(sync, error)
  if (fault.kind === 'storage') await waitForStorage(sync)
  sync.reader.retried()
}

/** Waits for a secret or a person's request: without a secret no attempt can succeed. */
async function waitForRequest(sync: SyncContext): Promise<void> {
  sync.schedule.stop()
  await pause(sync, null)
}

async function waitForRetry(sync: SyncContext, error: unknown): Promise<void> {
  const { clock, random } = sync.options
  const delay = delayOf(error, sync.reader.failures(), random())
  sync.reader.retryAt(clock.now() + delay)
  await pause(sync, delay)
}

/** Waits until the disk accepts an empty write: until then each page would cost points and be lost. */
async function waitForStorage(sync: SyncContext): Promise<void> {
  const { data, service, connection, clock, publish, random } = sync.options
  for (let attempt = 1; !sync.signal.aborted; attempt += 1) {
    try {
      publish(await data.tenants({ service, connection, tenants: [], partial: true, at: clock.now() }))
      return sync.faults.note('storage', 'this computer', null)
    } catch (error) {
      sync.faults.note('storage', 'this computer', toFault(error))
      const delay = retryDelay(attempt + 1, random())
      sync.reader.retryAt(clock.now() + delay)
      await pause(sync, delay)
    }
  }
}

/** Waits for `ms` (null: forever), a request, or the end of the sync. */
async function pause(sync: SyncContext, ms: number | null): Promise<void> {
  const woken = sync.requests.next(ms)
  sync.options.onState()
  if (!sync.signal.aborted) await woken
}

function delayOf(error: unknown, failures: number, random: number): number {
  const { kind } = toFault(error)
  return kind === 'credentials' ? retryDelay(failures + 4, random, rejectedCapMs) : retryDelay(failures, random)
}
