import { everything } from '../../../src-shared/model/inventory.ts'
import type { Session } from '../../lib/session.ts'
import { createStore } from '../../lib/store.ts'

/** The tenant, account or site (its node) whose page the overview shows; null for the overview itself. */
export const shownPlace = createStore<string | null>(null)

/** Opens the page of a tenant, account or site. */
export function showPlace({ open }: Pick<Session, 'open'>, place: string): void {
  open({ scope: everything, filter: '', device: null, screen: 'overview', place })
}
