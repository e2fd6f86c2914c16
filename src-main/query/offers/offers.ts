import type { CallOutput, Handlers } from '../../../src-shared/contract/contract.ts'

/** What is known of the services, by connection. */
export interface OffersSource {
  offers(connection: string): Promise<CallOutput<'offers.read'>>
  schemaHistory: {
    read(connection: string, introspection: string): Promise<void>
    of(connection: string): Promise<CallOutput<'offers.history'>>
  }
}

type OfferCall = Extract<keyof Handlers, `offers.${string}`>

/** Returns the calls of the page that shows what a service offers. */
export function offerHandlers({ offers, schemaHistory }: OffersSource): Pick<Handlers, OfferCall> {
  return {
    'offers.read': ({ connection }) => offers(connection),
    'offers.history': ({ connection }) => schemaHistory.of(connection),
  }
}
