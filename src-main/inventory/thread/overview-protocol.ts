import type { PastTransition } from '../../storage/journal/made-up-past.ts'
import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { FirmwareTarget } from '../../../src-shared/model/firmware.ts'
import type { CallOrder } from './call-order.ts'
import type { StreamedTenant } from './place-protocol.ts'

/**
 * The data thread's calls for the overview (protocol.ts). Those of the journal's history answer null while they are not done:
 * each call reads a part of it, so that other calls come between, and is to be repeated. `now` in ms.
 */
export interface OverviewData {
  overviewMap(
    input: CallInput<'overview.map'> & { watched: readonly string[]; now: number },
  ): Promise<CallOutput<'overview.map'>>
  overviewDay(input: { now: number }): Promise<CallOutput<'overview.day'> | null>
  overviewMonth(input: { now: number }): Promise<CallOutput<'overview.month'> | null>
  overviewPlaces(input: CallInput<'overview.places'> & { now: number }): Promise<CallOutput<'overview.places'> | null>
  overviewFacts(
    input: CallInput<'overview.facts'> & { targets: readonly FirmwareTarget[]; now: number },
  ): Promise<CallOutput<'overview.facts'>>
  overviewPlace(input: CallInput<'overview.place'> & { now: number }): Promise<CallOutput<'overview.place'> | null>
  overviewThen(input: CallInput<'overview.then'> & { now: number }): Promise<CallOutput<'overview.then'> | null>
  thenDevices(
    input: CallInput<'overview.thenDevices'> & { now: number },
  ): Promise<CallOutput<'overview.thenDevices'> | null>
  /** The rooms of the tenants that a connection lists, for people counts. */
  streamedRooms(input: { connection: string }): Promise<StreamedTenant[]>
  /** Writes a part of the states at the beginnings of past days. Returns true when none is missing. */
  fillDays(input: { now: number }): Promise<boolean>
  /** Makes up the past of a demo, once. Returns the number of transitions, and the latest ones in their order. */
  makeUpPast(input: { now: number }): Promise<{ count: number; latest: PastTransition[] }>
}

/** How the request queue orders each of these calls. */
export const overviewCallOrder: { readonly [N in keyof OverviewData]: CallOrder } = {
  overviewMap: 'read',
  overviewDay: 'read',
  overviewMonth: 'read',
  overviewPlaces: 'read',
  overviewFacts: 'read',
  overviewPlace: 'read',
  overviewThen: 'read',
  thenDevices: 'read',
  streamedRooms: 'read',
  fillDays: 'ordered',
  makeUpPast: 'ordered',
}
