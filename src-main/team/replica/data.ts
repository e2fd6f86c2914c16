import { z } from 'zod'
import { assertNever, FaultError } from '../../../src-shared/model/fault.ts'
import { loggedCalls, mayWait, type LoggedName } from '../../inventory/thread/logged-calls.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Entry } from '../log/log-store.ts'
import type { LogWriter } from '../log/writer.ts'
import type { Item } from './codec.ts'

export interface ReplicatedOptions {
  local: InventoryData
  /** Writes an item to the log and resolves with what came of it here (replica.ts). */
  write: (item: Item, append: (entries: readonly Entry[]) => Promise<number>) => Promise<unknown>
  /** Appends the rows of a call that needs no lease. Rejects with `team-away`. */
  post: (entries: readonly Entry[], call: LoggedName) => Promise<number>
  /** Returns what writes for a connection's, or a service's, credential set; null while another member leads it. */
  writerFor: (of: { connection?: string; service?: string }) => LogWriter | null
  /** Returns what writes what becomes of a channel's messages; null while another member sends them. */
  sending: (channel: string) => LogWriter | null
  evaluating: () => LogWriter | null
  /** Carries out a call that may wait (`mayWait`). */
  act: (call: LoggedName, input: unknown) => Promise<unknown>
}

const asking = z.object({ ask: z.string() })
const ofChannel = z.object({ channel: z.string() })

/** Returns the data thread's calls of a member: those that all carry out go through the log. */
export function replicatedData(options: ReplicatedOptions): InventoryData {
  const run = (call: LoggedName) => (input: unknown) => {
    if (mayWait(call)) return options.act(call, input)
    const ask = asking.safeParse(input).data ?? {}
    return options.write({ is: 'call', call, input, ...ask }, (entries) => appendAs(options, call, input, entries))
  }
  const logged = Object.keys(loggedCalls).map((call) => [call, run(call as LoggedName)])
  // The names are those of `loggedCalls`, whose type has them from the protocol.
  return { ...options.local, ...(Object.fromEntries(logged) as Partial<InventoryData>) }
}

function appendAs(
  { post, writerFor, sending, evaluating }: ReplicatedOptions,
  call: LoggedName,
  input: unknown,
  entries: readonly Entry[],
): Promise<number> {
  const who = loggedCalls[call]
  switch (who) {
    case 'anyone':
      return post(entries, call)
    case 'evaluator':
      return appendBy(evaluating(), entries)
    case 'sender':
      return appendBy(sending(ofChannel.parse(input).channel), entries)
    case 'reader':
      return appendBy(writerFor(namedIn(input)), entries)
    default:
      return assertNever(who)
  }
}

/** The connection and the service that an input names. */
function namedIn(input: unknown): { connection?: string; service?: string } {
  const { connection, service, to } = input as Record<'connection' | 'service' | 'to', unknown>
  const named = typeof connection === 'string' ? connection : to
  return {
    ...(typeof named === 'string' && { connection: named }),
    ...(typeof service === 'string' && { service }),
  }
}

/** Appends rows in a term. Rejects with `stopped` where it has ended, or never began. */
async function appendBy(writer: LogWriter | null, entries: readonly Entry[]): Promise<number> {
  for (;;) {
    if (writer === null) throw new FaultError('stopped', 'another member of the team leads')
    const outcome = await writer.append(entries)
    if (outcome.is === 'stored') return outcome.number
    if (outcome.is !== 'full') throw new FaultError('stopped', 'another member of the team leads')
    await writer.room()
  }
}
