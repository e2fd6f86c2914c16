import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Settings } from '../../../src-shared/model/settings.ts'
import type { OperatorSettings } from '../../settings/settings.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { IncidentRunner } from '../runner.ts'

interface Options {
  data: Pick<InventoryData, 'longStanding'>
  alerts: Pick<IncidentRunner, 'state'>
  clock: Clock
}

const dayMs = 24 * 60 * 60_000

/** Returns the operator's definition of a spare in the form that the data thread takes. */
export function sparesOf({
  spareModels,
  spareDays,
}: Pick<Settings, 'spareModels' | 'spareDays'>): Parameters<InventoryData['spares']>[0] {
  return { models: spareModels, age: spareDays === 0 ? null : spareDays * dayMs }
}

/**
 * Sends the definition of a spare to the data thread now and after each change. Returns a function that sends it again,
 * for a thread that was restarted. Errors of a dead thread are ignored.
 */
export function followSpares(
  { spares }: Pick<InventoryData, 'spares'>,
  { get, onChange }: Pick<OperatorSettings, 'get' | 'onChange'>,
): () => Promise<void> {
  const send = () => spares(sparesOf(get())).catch(() => undefined)
  onChange(() => void send())
  void send()
  return send
}

/**
 * Returns devices that are down without an incident because they were before Muster first saw them. Later drops are
 * suspects or in an incident.
 */
export function longStandingOf(
  { data, alerts, clock }: Options,
  input: CallInput<'incidents.longStanding'>,
): Promise<CallOutput<'incidents.longStanding'>> {
  return data.longStanding({ ...input, except: [...alerts.state().drops.keys()], now: clock.now() })
}
