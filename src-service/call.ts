import type { GraphQLError } from 'graphql'
import type { Session } from './access/tokens.ts'
import type { Charge } from './points/ledger.ts'
import type { Reader } from './stream/streams.ts'

/** Written while a request is answered: who asks, and what it cost. */
export type Call = {
  session: Session | null
  /** Null until the operation is about to run, and for good when nobody is logged in. */
  charge: Charge | null
  /** Told beside data that is there only in part. */
  beside?: GraphQLError[]
  /** Who takes the events of a subscription. */
  reader?: Reader
}
