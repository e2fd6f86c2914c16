import { z } from 'zod'
import { own } from '../../../src-shared/lib/own.ts'
import type { CallRecord, ChartSeries } from '../../../src-shared/contract/configuration-calls.ts'

const text = z.string().max(2_000).catch('')

/** A list whose unreadable elements are left out. */
const readable = <T>(element: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .max(50_000)
    .transform((all) =>
      all.flatMap((each) => {
        const read = element.safeParse(each)
        return read.success ? [read.data] : []
      }),
    )

const attribute = z.object({ name: z.string().min(1).max(500) })
const policies = readable(
  z.object({ policyId: z.string().min(1).max(500), configurationAttributes: readable(attribute).nullable() }),
)

/** Returns the settings of a level, by policy; null where the answer has no list. */
export function settingsIn(value: unknown): { name: string; policy: string }[] | null {
  const read = policies.safeParse(value)
  return read.success
    ? read.data.flatMap(({ policyId, configurationAttributes }) =>
        (configurationAttributes ?? []).map(({ name }) => ({ name, policy: policyId })),
      )
    : null
}

const values = z.object({
  getPolicyById: z.object({
    configurationAttributes: readable(
      attribute.extend({ currentValue: z.union([z.string(), z.number(), z.boolean()]).nullish() }),
    ),
  }),
})

/** Returns the value of one setting: `found` false where the policy cannot be read. */
export function valueIn(data: unknown, name: string): { found: boolean; value: string | null } {
  const read = values.safeParse(data)
  if (!read.success) return { found: false, value: null }
  const value = read.data.getPolicyById.configurationAttributes.find((each) => each.name === name)?.currentValue
  return { found: true, value: value === null || value === undefined ? null : String(value).slice(0, 100_000) }
}

const time = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) =>
    typeof value === 'number' ? msOf(value) : value === null || value === undefined ? null : at(value),
  )
const at = (value: string): number | null => {
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? null : ms
}
/** Numbers below this are seconds: they would lie in 1970 as ms. */
const leastMs = 100_000_000_000
const msOf = (value: number): number => (value < leastMs ? value * 1000 : value)

const node = z.object({
  deviceId: z.string(),
  startTime: time,
  endTime: time,
  callDirection: text,
  protocol: text,
  remoteParty: text,
  disconnectInfo: text,
  callRate: z.union([z.number().transform(String), text]),
})
const records = z.object({
  meetingRecordLists: z.object({
    pageInfo: z
      .object({
        hasNextPage: z.boolean().nullish(),
        endCursor: z.union([z.string(), z.number().transform(String)]).nullish(),
      })
      .nullish(),
    edges: z.array(z.unknown()).max(50_000),
  }),
})
const edge = z.object({ node })

/** Returns the records of a device in a page, and where the next one begins; null where the answer has no list. */
export function recordsIn(
  data: unknown,
  device: string,
): { records: CallRecord[]; read: number; next: string | null } | null {
  const found = records.safeParse(data)
  if (!found.success) return null
  const { edges, pageInfo } = found.data.meetingRecordLists
  const mine = edges.flatMap((each) => {
    const read = edge.safeParse(each)
    return read.success && read.data.node.deviceId === device ? [read.data.node] : []
  })
  const next = pageInfo?.hasNextPage === false ? null : (pageInfo?.endCursor ?? null)
  return {
    records: mine.map(({ deviceId: _deviceId, callDirection: direction, callRate: rate, ...rest }) => ({
      ...rest,
      direction,
      rate,
    })),
    read: edges.length,
    next: next === '' ? null : next,
  }
}

const point = z.union([
  z
    .tuple([z.union([z.string(), z.number()]), z.coerce.number()])
    .rest(z.unknown())
    .transform(([when, value]) => ({ when, value })),
  z
    .looseObject({})
    .transform((each) => ({
      when: first(each, ['at', 'time', 'timestamp', 'date', 'x', 't']),
      value: first(each, ['value', 'y', 'v', 'count']),
    }))
    .pipe(z.object({ when: z.union([z.string(), z.number()]), value: z.coerce.number() })),
])

function first(record: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return names.map((name) => own(record, name)).find((value) => value !== undefined)
}

const series = z
  .looseObject({ name: text, unit: text })
  .transform((each) => ({ ...each, points: first(each, ['points', 'data', 'values']) }))
  .pipe(z.object({ name: z.string(), unit: z.string(), points: z.array(point).max(20_000) }))

const chart = z.object({ charts: z.object({ series: z.unknown() }) })
const maxText = 20_000

/**
 * Returns a chart. The shape of its series is not documented: lists of points as pairs or as objects with usual names are understood,
 * and anything else is returned as text. Null where the answer has no chart.
 */
export function chartIn(data: unknown): { series: ChartSeries[]; text: string | null } | null {
  const read = chart.safeParse(data)
  if (!read.success || read.data.charts.series === null || read.data.charts.series === undefined) return null
  const all = z.array(series).max(50).safeParse(read.data.charts.series)
  const known = all.success ? all.data.map((each) => ({ ...each, points: each.points.flatMap(pointOf) })) : []
  if (all.success && known.every(({ points }, index) => points.length === all.data[index]?.points.length))
    return { series: known, text: null }
  return { series: [], text: JSON.stringify(read.data.charts.series, null, 2).slice(0, maxText) }
}

function pointOf({ when, value }: { when: string | number; value: number }): { at: number; value: number }[] {
  const ms = typeof when === 'number' ? msOf(when) : at(when)
  return ms === null || !Number.isFinite(value) ? [] : [{ at: ms, value }]
}
