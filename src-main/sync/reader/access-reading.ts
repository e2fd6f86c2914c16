import { toFault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import { accessOperation, askAccess } from '../../api/access.ts'
import type { Capabilities } from '../../api/capabilities.ts'
import type { Operation } from '../../api/operations.ts'
import type { AskedAs } from '../../api/selection.ts'
import type { SyncContext } from '../context.ts'
import type { Tenants } from '../tenants/tenant-list.ts'

/** Reads the role and scope of the connection's credential set, once for each list of tenants. */
export interface AccessReading {
  /** Begins to read, when no sync runs and the list of tenants was read since the last time. */
  check(): void
  /** Begins to read after a rejection: the role may have been changed. */
  recheck(): void
  /** Resolves when nothing is being read. */
  stop(): Promise<void>
}

interface State {
  /** The list of tenants for which it was read. */
  readFor: Tenants | null
  /** The capabilities for which `operation` was made; they are read again once a day. */
  madeFor: Capabilities | null
  /** Null where the service offers nothing, or rejected it. */
  operation: Operation | null
  reading: Promise<void>
}

export function createAccessReading(sync: Pick<SyncContext, 'options' | 'signal' | 'reader'>): AccessReading {
  const state: State = { readFor: null, madeFor: null, operation: null, reading: Promise.resolve() }
  const check = () => {
    const tenants = sync.reader.tenants()
    if (tenants === null || tenants === state.readFor || sync.signal.aborted) return
    state.readFor = tenants
    state.reading = state.reading.then(() => read(state, sync, tenants.capabilities))
  }
  return {
    check,
    recheck() {
      state.readFor = null
      check()
    },
    stop: () => state.reading,
  }
}

/** Reads once. What was known stays where the service rejects it or does not answer: the next list tries again. */
async function read(
  state: State,
  { options: { api, access, log }, signal }: Pick<SyncContext, 'options' | 'signal'>,
  capabilities: Capabilities,
): Promise<void> {
  const { credential } = capabilities
  const as: AskedAs = { lane: 'background', signal }
  try {
    if (state.madeFor !== capabilities) {
      state.operation = credential === null ? null : await accessOperation(api, credential, as)
      state.madeFor = capabilities
    }
    const found = state.operation === null ? null : await askAccess(api, state.operation, access.clientId, as)
    if (found !== null) access.onRead(found.access, found.partial)
  } catch (error) {
    const { kind } = toFault(error)
    if (signal.aborted) return
    log('info', `the role of the credential set could not be read (${kind})`)
    // A role that may not read itself may be changed back.
    if (kind === 'forbidden' || traitsOf(kind).rejects === null) return
    state.operation = null
    state.madeFor = capabilities
  }
}
