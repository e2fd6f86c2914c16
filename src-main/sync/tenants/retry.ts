import { type ConnectionSyncState, type TaskKind, noteFault, rejectedCapMs } from '../state.ts'
import { toFault, lacksSecret } from '../../../src-shared/model/fault.ts'
import { failsToAnswer, isPolling } from '../polling.ts'
import { reportRank } from '../events/subscribe.ts'
import { reportVisibility } from '../health/visibility.ts'
import { retryDelay } from '../../live/transport/backoff.ts'

/** Says what failed and waits for its time, or for somebody who wants it now. */
export async function failed(estate: ConnectionSyncState, kind: TaskKind, error: unknown): Promise<void> {
  const { clock, log } = estate.options
  const fault = toFault(error)
  log('warn', `reading failed (${fault.kind})`)
  estate.sync = { state: 'idle' }
  estate.failures += 1
  failsToAnswer(estate)
  if (fault.kind === 'storage') noteFault(estate, 'storage', 'this computer', fault)
  else noteFault(estate, 'service', 'the service', fault)
  reportRank(estate)
  for (const tenant of estate.inProgress) estate.member.ended(tenant, 'failed', clock.now())
  estate.inProgress.clear()
  wantAgain(estate, kind)
  if (isPolling(estate)) await reportVisibility(estate)
  if (lacksSecret(fault)) await untilAsked(estate)
  else await untilRetry(estate, error)
  if (fault.kind === 'storage') await untilWritable(estate)
  estate.retryAt = null
}

/** What was begun and not ended is asked for as before. When all of it has gone to others, the list of tenants tells whether this one can read again. */
function wantAgain({ asked, asking, wanted }: ConnectionSyncState, kind: TaskKind): void {
  for (const tenant of asking) asked.add(tenant)
  asking.clear()
  wanted.add(kind === 'asked' && asked.size === 0 ? 'full' : kind)
}

/** Without a secret nothing can succeed, so nothing is tried by itself: the secret comes, or a person asks. */
async function untilAsked(estate: ConnectionSyncState): Promise<void> {
  estate.cancelFull()
  estate.fullSince = null
  estate.cancelCatchUp()
  await pause(estate, null)
}

async function untilRetry(estate: ConnectionSyncState, error: unknown): Promise<void> {
  const { clock, random } = estate.options
  const delay = delayOf(error, estate.failures, random())
  estate.retryAt = clock.now() + delay
  await pause(estate, delay)
}

/** While the disk takes nothing, nothing is read: each page would cost points and be lost. Whether it does is tried with an empty write. */
async function untilWritable(estate: ConnectionSyncState): Promise<void> {
  const { data, service, connection, clock, publish, random } = estate.options
  for (let attempt = 1; !estate.stopping.signal.aborted; attempt += 1) {
    try {
      publish(await data.tenants({ service, connection, tenants: [], partial: true, at: clock.now() }))
      return noteFault(estate, 'storage', 'this computer', null)
    } catch (error) {
      noteFault(estate, 'storage', 'this computer', toFault(error))
      const delay = retryDelay(attempt + 1, random())
      estate.retryAt = clock.now() + delay
      await pause(estate, delay)
    }
  }
}

/** Until the time is over (null: it never is), somebody wants something, or it stops. */
async function pause(estate: ConnectionSyncState, ms: number | null): Promise<void> {
  const woken = new Promise<void>((resolve) => {
    const cancel = ms === null ? () => {} : estate.options.clock.after(ms, resolve)
    estate.wake = () => {
      cancel()
      resolve()
    }
  })
  estate.options.onState()
  if (!estate.stopping.signal.aborted) await woken
}

function delayOf(error: unknown, failures: number, random: number): number {
  const { kind } = toFault(error)
  return kind === 'credentials' ? retryDelay(failures + 4, random, rejectedCapMs) : retryDelay(failures, random)
}
