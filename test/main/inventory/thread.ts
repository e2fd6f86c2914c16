import { afterEach, beforeEach } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { acme, connection, service, tempProfile } from './profile.ts'

/** The data thread's calls and store of each test of a file, with one tenant that nothing was read of. */
export interface TestThread {
  calls: Calls
  store: Store
  /** Closes the files and opens them again, as a restart does. */
  reopen(): void
}

/** Opens a profile before each test of the file, and removes it after. */
export function useThread(): TestThread {
  const opened: Partial<TestThread> & { temp?: ReturnType<typeof tempProfile> } = {}
  const open = () => {
    opened.store = openStore(opened.temp?.profile ?? '', 1, 0)
    opened.calls = callsOn(opened.store)
  }
  const need = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('nothing is open outside of a test')
    return value
  }
  const thread: TestThread = {
    get calls() {
      return need(opened.calls)
    },
    get store() {
      return need(opened.store)
    },
    reopen() {
      thread.calls.close(undefined)
      open()
    },
  }
  beforeEach(() => {
    opened.temp = tempProfile()
    open()
    thread.calls.tenants({ service, connection, tenants: [acme], at: 0 })
  })
  afterEach(() => {
    thread.calls.close(undefined)
    opened.temp?.remove()
  })
  return thread
}
