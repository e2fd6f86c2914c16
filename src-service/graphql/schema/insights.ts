import { badInput, loggedIn, permitted, reachOf, tenantOf, withDevice, found } from '../../access/access.ts'
import { spoiled } from '../../faults/contrary/fields/insights.ts'
import { callsOf, chartOf, chartTopics, type CallRecord } from '../../world/configuration.ts'
import type { Device } from '../../world/device.ts'
import type { GraphContext } from '../context.ts'
import { MAX_PAGE_SIZE } from '../points/cost.ts'

/** Calls and charts, in the form of the twin (section 11). */
export const insightTypes = /* GraphQL */ `
  extend type Query {
    "The calls of a device now; empty when it is idle."
    activeCalls(deviceId: String!): ActiveCalls
    "Ended calls, by device and then by time."
    meetingRecordLists(
      tenantId: [String!]!
      meetingRecordType: [MeetingRecordType!]
      timeRange: TimeRangeInput
      "1 to 5000."
      first: Int = 10
      after: String
    ): MeetingRecordConnection
    "One value a day from timeStart, which is the start of a UTC day. Topics here: callDuration, deviceUptime, connectedDevices."
    charts(
      tenantId: String!
      id: ID!
      locationScope: LocationScope!
      timeScope: TimeScope!
      timeStart: DateTime!
      topic: ID!
    ): Charts
  }
  scalar JSON
  type ActiveCalls {
    calls: [Call]
  }
  type Call {
    id: ID
    state: String
  }
  enum MeetingRecordType {
    CDR
  }
  input TimeRangeInput {
    relativeRange: RelativeRange
  }
  "The last so many days, up to 31."
  input RelativeRange {
    increment: RangeUnit!
    value: Int!
  }
  enum RangeUnit {
    DAY
  }
  type MeetingRecordConnection {
    pageInfo: CursorPageInfo
    edges: [MeetingRecordEdge]
  }
  type MeetingRecordEdge {
    node: MeetingRecord
  }
  type MeetingRecord {
    "Always null."
    id: ID
    deviceId: String
    mac: String
    startTime: DateTime
    endTime: DateTime
    callDirection: String
    protocol: String
    disconnectInfo: String
    remoteParty: String
    hardwareModel: String
    ipAddress: String
    softwareRelease: String
    callRate: String
  }
  enum LocationScope {
    DEVICE
    ROOM
    SITE
    TENANT
  }
  enum TimeScope {
    DAY
    WEEK
    MONTH
  }
  type Charts {
    invocationId: ID
    meta: JSON
    series: JSON
  }
`

type RecordsArgs = {
  tenantId: readonly string[]
  timeRange?: { relativeRange?: { value: number } | null } | null
  first?: number | null
  after?: string | null
}
type ChartArgs = {
  tenantId: string
  id: string
  locationScope: string
  timeScope: string
  timeStart: string
  topic: string
}

const DAY = 86_400_000
const MAX_DAYS = 31
const scopeDays: Readonly<Record<string, number>> = { DAY: 1, WEEK: 7, MONTH: 30 }

export const insightFields = {
  Query: {
    activeCalls: loggedIn((_source, { deviceId }: { deviceId: string }, context) =>
      spoiled(context, 'activeCalls', () =>
        withDevice(context, worldId(context, deviceId), ({ id, callStatus }) => ({
          calls: callStatus === 'IN_CALL' ? [{ id: `${id}-1`, state: 'CONNECTED' }] : [],
        })),
      ),
    ),
    meetingRecordLists: permitted(
      'device:details',
      ({ tenantId }: RecordsArgs) => ({ id: tenantId[0] ?? '', type: 'tenant' }),
      (args, context) => spoiled(context, 'meetingRecordLists', () => recordsFor(context, args)),
    ),
    charts: permitted(
      'device:details',
      ({ id, locationScope }: ChartArgs) => ({ id, type: locationScope.toLowerCase() }),
      (args, context) => spoiled(context, 'charts', () => chartFor(context, args)),
    ),
  },
}

const worldId = ({ contrary }: GraphContext, id: string): string => contrary.ids.worldIds(id)[0] ?? id

/** Returns a page of the records of one tenant: of the whole devices that fit, and of the last one its beginning. */
function recordsFor(context: GraphContext, { tenantId, timeRange, first, after }: RecordsArgs) {
  const [only, ...others] = tenantId
  if (only === undefined || others.length > 0) throw badInput('tenantId takes one tenant')
  const { id, region } = tenantOf(context, only)
  const days = timeRange?.relativeRange?.value ?? 1
  const size = first ?? 10
  if (days < 1 || days > MAX_DAYS) throw badInput(`value must be between 1 and ${MAX_DAYS}`)
  if (size < 1 || size > MAX_PAGE_SIZE) throw badInput(`first must be between 1 and ${MAX_PAGE_SIZE}`)
  const now = context.nowSeconds() * 1000
  const position = positionOf(after)
  return context.planes.of(region).use(async (data) => {
    const search = {
      tenantId: id,
      reach: reachOf(context),
      filter: null,
      sort: [],
      pageSize: Math.min(MAX_PAGE_SIZE, size + 1),
      after: position.device === null ? null : [position.device],
    }
    const { devices, more } = await data.search(search, context.call)
    const all = devices.flatMap((device) => callsOf(device, now - days * DAY, now).map((call) => ({ device, call })))
    const last = devices.at(-1)
    const records = all.slice(position.skip, position.skip + size)
    const isCut = all.length > position.skip + size
    const next = isCut ? cursorOf(position.device, position.skip + size) : more && last ? cursorOf(last.id, 0) : null
    return {
      pageInfo: { hasNextPage: next !== null, endCursor: next },
      edges: records.map(({ device, call }) => ({ node: recordOf(context, device, call) })),
    }
  })
}

/** A cursor is a plain number (twin section 11): the device before the page's first one, and the records to leave out after it. */
const SKIPS = 1_000_000n

const cursorOf = (device: string | null, skip: number): string =>
  String(BigInt(device === null ? '0' : `0x1${device}`) * SKIPS + BigInt(skip))

function positionOf(after: string | null | undefined): { device: string | null; skip: number } {
  if (after === null || after === undefined || after === '') return { device: null, skip: 0 }
  if (!/^\d{1,40}$/u.test(after)) throw badInput('after is no cursor')
  const device = (BigInt(after) / SKIPS).toString(16)
  return { device: device === '0' ? null : device.slice(1), skip: Number(BigInt(after) % SKIPS) }
}

function recordOf({ contrary }: GraphContext, device: Device, { startTime, endTime, ...call }: CallRecord) {
  return {
    ...call,
    id: null,
    deviceId: contrary.ids.reported(device),
    mac: device.macAddress,
    startTime: new Date(startTime).toISOString(),
    endTime: new Date(endTime).toISOString(),
    hardwareModel: device.hardwareModel,
    ipAddress: device.internalIp,
    softwareRelease: device.softwareVersion,
  }
}

async function chartFor(
  context: GraphContext,
  { tenantId, id, locationScope, timeScope, timeStart, topic }: ChartArgs,
) {
  const tenant = tenantOf(context, tenantId)
  const unit = Object.hasOwn(chartTopics, topic) ? chartTopics[topic] : undefined
  if (unit === undefined) throw badInput(`There is no topic ${JSON.stringify(topic)}`)
  const start = Date.parse(timeStart)
  if (!(start % DAY === 0)) throw badInput('timeStart must be the start of a UTC day')
  if (locationScope === 'TENANT') found('tenant', id, id === tenant.id ? tenant : undefined)
  if (locationScope === 'DEVICE')
    await withDevice(context, worldId(context, id), (device) =>
      found('device', id, device.tenantId === tenant.id ? device : undefined),
    )
  const points = chartOf(topic, id, start, scopeDays[timeScope] ?? 1).filter(
    ({ at }) => at <= context.nowSeconds() * 1000,
  )
  return {
    invocationId: `${topic}-${id}-${start}`,
    meta: { topic, unit, locationScope, timeScope },
    series: [{ name: topic, unit, points: points.map(({ at, value }) => [new Date(at).toISOString(), value]) }],
  }
}
