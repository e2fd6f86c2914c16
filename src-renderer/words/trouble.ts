import { explain, type Fault, type FaultKind } from '../../src-shared/fault.ts'
import type { ConnectionState } from '../../src-shared/model.ts'
import type { Reach } from '../session.ts'

/** What stands between Muster and the estate now, in words; the first thing that an operator must know. */
export interface Trouble {
  /** Whose trouble it is, as the operator named it; null for the window's own. */
  who: string | null
  title: string
  advice: string
  /** The particulars, as the fault tells them; may be empty. */
  detail: string
  /** What can be done from here, where something can. */
  connection: { id: string; act: 'retry' | 'edit' } | null
}

/** Faults that pass by themselves and hide nothing: they show in the status bar and in the connection's card only. */
const mild: readonly FaultKind[] = ['exhausted', 'partial', 'cost-limit', 'abort', 'stopped']

/** Faults that only a change of the connection can mend. */
const byHand: readonly FaultKind[] = ['credentials', 'no-secret', 'ca', 'name', 'tls', 'not-found', 'not-json', 'not-graphql', 'input', 'forbidden']

/** Whether the connection can no longer see its devices as they are. */
export function isBlind({ link }: Pick<ConnectionState, 'link'>): boolean {
  return link.state !== 'live' && link.state !== 'readings-only'
}

export function mendedBy(fault: Fault): 'retry' | 'edit' {
  return byHand.includes(fault.kind) ? 'edit' : 'retry'
}

/** Troubles of the connections, one for each that has one, worst fault only. */
export function troubles(connections: readonly ConnectionState[]): Trouble[] {
  return connections.flatMap((connection) => {
    const worst = connection.faults.find(({ fault }) => !mild.includes(fault.kind))
    return worst === undefined ? [] : [troubleOf(connection, worst.fault)]
  })
}

function troubleOf({ id, name, ...rest }: ConnectionState, fault: Fault): Trouble {
  const { title, advice } = explain(fault)
  const seenBefore = rest.lastReadingAt !== null
  const blind = seenBefore && isBlind(rest) ? ' Until then its devices are unknown, not offline; what is shown keeps its age.' : ''
  return {
    who: name,
    title,
    advice: `${advice}${blind}`,
    detail: fault.detail,
    connection: { id, act: rest.demo ? 'retry' : mendedBy(fault) },
  }
}

/** The window itself is cut off: said before all else, and with the age of what is shown. */
export function coreLost(reach: Reach, span: string): Trouble | null {
  if (reach.state !== 'lost') return null
  return {
    who: null,
    title: `Muster’s core is not running; what you see is ${span} old.`,
    advice: 'Start Muster again. This window stays as it is and connects by itself.',
    detail: '',
    connection: null,
  }
}
