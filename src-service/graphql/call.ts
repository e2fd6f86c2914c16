import type { GraphQLError } from 'graphql'
import type { Session } from '../access/tokens.ts'
import type { Charge } from './points/ledger.ts'
import type { Reader } from '../stream/streams.ts'

/** The state of a request: its caller and its cost. */
export type Call = {
  session: Session | null
  /** Null until the operation is about to run, and always without a login. */
  charge: Charge | null
  /** Errors to report beside partial data. */
  extraErrors?: GraphQLError[]
  /** The reader of a subscription's events. */
  reader?: Reader
}
