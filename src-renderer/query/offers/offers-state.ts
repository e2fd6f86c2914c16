import { createStore, type Store } from '../../lib/store.ts'

/** The sections of the page, in order. */
export const offerSections = ['uses', 'queries', 'mutations', 'subscriptions', 'fields', 'limits', 'history'] as const
export type OfferSection = (typeof offerSections)[number]

/** The page that shows what a connection's service offers, in the place of the query screen; null: it is not shown. */
export const offersShown: Store<{ connection: string; section: OfferSection } | null> = createStore<{
  connection: string
  section: OfferSection
} | null>(null)

/** Opens the page; the query screen is shown with it (app/screens/use-screen.ts). */
export const showOffers = (connection: string, section: OfferSection = 'uses'): void =>
  offersShown.set({ connection, section })

export const closeOffers = (): void => offersShown.set(null)
