import { levels } from '../../../src-shared/contract/configuration-calls.ts'
import type { Handlers } from '../../../src-shared/contract/contract.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'
import type { Api, Reply } from '../../api/client.ts'
import { objectOf } from '../../api/decode.ts'
import type { Operation } from '../../api/operations.ts'
import { idOfKey } from '../../inventory/keys.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Shape } from '../../pacing/cost/shape.ts'
import { callsOperation, chartOperation, recordsPage, settingOperation, settingsOperation } from './documents.ts'
import { chartIn, recordsIn, settingsIn, valueIn } from './read.ts'

/** The connections, as reads of one device see them. */
export interface ConfigurationSource {
  /** Returns the reading of a connection; null where it does not run. */
  reader(connection: string): Reader | null
}

interface Reader {
  api: Api
  /** Names of the root fields of queries; null: not known. */
  queryFields: ReadonlySet<string> | null
  expects(shape: Shape, size: number): number
  /** Removes registered secrets from a text. */
  redact(text: string): string
}

type ConfigurationCall = Extract<keyof Handlers, `configuration.${string}`>

export interface Configuration {
  handlers: Pick<Handlers, ConfigurationCall>
  /** Ends what is on its way. */
  stop(): void
}

interface Target {
  reader: Reader
  row: DeviceRow
  tenant: string
}

/** Opens the reads of configuration and analytics. Nothing that they read is kept or logged. */
export function openConfiguration(
  data: Pick<InventoryData, 'device'>,
  source: ConfigurationSource,
  clock: Pick<Clock, 'now'>,
): Configuration {
  const stopping = new AbortController()
  const targetOf = async (key: string): Promise<Target> => {
    const { device } = await data.device({ key })
    const reader = device?.connections.flatMap((id) => source.reader(id) ?? []).at(0)
    if (device === null || reader === undefined)
      throw new FaultError('input', 'device: No running connection lists this device.')
    return { reader, row: device.row, tenant: idOfKey(device.row.tenant.key) }
  }
  const send = ({ reader }: Target, operation: Operation, variables: Record<string, unknown>, size = 1) =>
    reader.api.run({ operation, variables, lane: 'person', size, signal: stopping.signal })
  return {
    handlers: {
      'configuration.offered': async ({ device }) => offered(await targetOf(device)),
      async 'configuration.settings'({ device }) {
        const target = await targetOf(device)
        const { row, tenant } = target
        const reply = await send(target, settingsOperation(row.site !== null), {
          policyTenant: tenant,
          policyDevice: row.id,
          policyModel: row.hardwareModel,
          ...(row.site !== null && { policySite: row.site.id }),
        })
        return settingsOf(reply, row.site !== null)
      },
      async 'configuration.value'({ device, policy, name }) {
        const target = await targetOf(device)
        const reply = await send(target, settingOperation, { policyId: policy })
        const { found, value } = valueIn(reply.data, name)
        if (!found) throw failedIn(reply)
        return { value: value === null ? null : target.reader.redact(value) }
      },
      async 'configuration.calls'({ device, days, after }) {
        const target = await targetOf(device)
        const variables = {
          recordTenants: [target.tenant],
          recordDays: days,
          recordCount: recordsPage,
          recordAfter: after,
        }
        const reply = await send(target, callsOperation, variables, recordsPage)
        const found = recordsIn(reply.data, target.row.id)
        if (found === null) throw failedIn(reply)
        // A cursor that comes again would lead nowhere.
        return { ...found, next: found.next === after ? null : found.next }
      },
      async 'configuration.chart'({ device, topic, span }) {
        const target = await targetOf(device)
        const reply = await send(target, chartOperation, {
          chartTenant: target.tenant,
          chartDevice: target.row.id,
          chartSpan: span,
          chartStart: startOf(span, clock.now()),
          chartTopic: topic,
        })
        const found = chartIn(reply.data)
        if (found === null) throw failedIn(reply)
        return { series: found.series, text: found.text === null ? null : target.reader.redact(found.text) }
      },
    },
    stop: () => stopping.abort(new FaultError('stopped')),
  }
}

function offered({ reader, row }: Target) {
  const { queryFields } = reader
  const section = (names: readonly string[], { shape }: Operation, size: number) => ({
    offered: queryFields === null ? null : names.every((name) => queryFields.has(name)),
    points: reader.expects(shape, size),
  })
  return {
    settings: section(['getPolicies', 'getPolicyById'], settingsOperation(row.site !== null), 1),
    calls: section(['meetingRecordLists'], callsOperation, recordsPage),
    chart: section(['charts'], chartOperation, 1),
  }
}

/** Returns what was read, by level. Where no level could be read it fails. */
function settingsOf(reply: Reply, hasSite: boolean) {
  const data = objectOf(reply.data) ?? {}
  const wanted = levels.filter((level) => level !== 'SITE' || hasSite)
  const read = wanted.map((level) => ({ level, settings: settingsIn(data[level]) }))
  if (read.every(({ settings }) => settings === null)) throw failedIn(reply)
  return {
    settings: read.flatMap(({ level, settings }) => (settings ?? []).map((each) => ({ ...each, level }))),
    failed: read.flatMap(({ level, settings }) =>
      settings === null
        ? [
            {
              level,
              detail: reply.errors.find(({ path }) => path?.[0] === level)?.message ?? 'The service returned none.',
            },
          ]
        : [],
    ),
  }
}

/** Returns why an answer has not what was asked for. */
function failedIn({ errors }: Reply): FaultError {
  const [first] = errors
  if (first === undefined) return new FaultError('query', 'The service returned nothing.')
  return new FaultError(first.code === 'FORBIDDEN' ? 'forbidden' : 'query', first.message)
}

const dayMs = 86_400_000

/** Returns the start of a UTC day, as charts want it: 6 or 29 days before today, or the first of the UTC month or week. */
function startOf(span: 'WEEK' | 'MONTH', now: number): string {
  const today = Math.floor(now / dayMs) * dayMs
  return new Date(today - (span === 'WEEK' ? 6 : 29) * dayMs).toISOString()
}
