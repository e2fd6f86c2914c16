import type { CallInput, CallOutput } from '../../src-shared/contract.ts'
import type { Clock } from '../../src-shared/clock.ts'
import type { Settings } from '../../src-shared/model.ts'
import type { Data } from '../data/protocol.ts'
import type { Alerts } from './runner.ts'

interface Options {
  data: Pick<Data, 'longStanding'>
  alerts: Pick<Alerts, 'state'>
  settings: () => Pick<Settings, 'spareModels' | 'spareDays'>
  clock: Clock
}

const dayMs = 24 * 60 * 60_000

/** Devices that are down without an incident, because they were before Muster first saw them: whatever dropped since is held, or in an incident. */
export async function longStandingOf({ data, alerts, settings, clock }: Options, input: CallInput<'incidents.longStanding'>): Promise<CallOutput<'incidents.longStanding'>> {
  const { spareModels, spareDays } = settings()
  return data.longStanding({ ...input, except: [...alerts.state().drops.keys()], models: spareModels, before: spareDays === 0 ? null : clock.now() - spareDays * dayMs })
}
