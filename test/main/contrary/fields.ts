import type { DeviceRow } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Answers } from '../../../src-service/faults/contrary/answers.ts'
import type { Device } from '../../../src-service/world/device.ts'
import type { Excuses } from './excuses.ts'

/** The faults of the connection, and when they were reported. */
export type State = Pick<ConnectionState, 'faults' | 'link' | 'sync' | 'notOffered'> & {
  now: number
  refreshMs: number
}

export interface Difference {
  words: string
  said: boolean
}

interface Compared {
  device: Device
  /** The same device before each change, as the service sent it then. */
  former: readonly Device[]
  row: DeviceRow
  is: Readonly<Answers>
  state: State
  excuses: Excuses
}

const texts = {
  name: ({ name }) => name,
  hardwareModel: ({ hardwareModel }) => hardwareModel,
  site: ({ site }) => site?.name ?? null,
  room: ({ room }) => room?.name ?? null,
} as const satisfies Record<
  string,
  (of: Pick<Device | DeviceRow, 'name' | 'hardwareModel' | 'site' | 'room'>) => string | null
>
const textNames = ['name', 'hardwareModel', 'site', 'room'] as const
const timeNames = ['lastDetected', 'lastConfigRequestDate'] as const

/** The differences of a device's row from the service. A fault may excuse an old or missing value, and never one that never was. */
export function fieldsThatDiffer(compared: Compared): Difference[] {
  return [
    ...textNames.flatMap((name) => textThatDiffers(name, compared)),
    ...timeNames.flatMap((name) => timeThatDiffers(name, compared)),
  ]
}

function textThatDiffers(name: (typeof textNames)[number], compared: Compared): Difference[] {
  const { device, former, row } = compared
  const [value, truth] = [texts[name](row), texts[name](device)]
  if (value === truth) return []
  // What has no name is called by its id.
  const isBlank = value === null || value === '' || (name === 'name' && value === device.id)
  const isFormer = former.some((each) => texts[name](each) === value)
  const said = (isBlank && isUntold(name, compared)) || (isFormer && isOld(name, compared))
  return [{ words: `${device.id} has the ${name} ${value} and not ${truth}`, said }]
}

/** Whether a fault says that the service lacks or failed this field. An unresolved site has no fault of its own while the whole list fails. */
function isUntold(name: keyof DeviceRow, { is, state: { notOffered = [] }, excuses }: Compared): boolean {
  const lacks = is.missingFields.some((field) => field === name)
  if (lacks) return notOffered.some((each) => each === name || each.startsWith(`${name}.`))
  return excuses.fields.has(name) || (name === 'site' && is.unresolvedSites > 0 && excuses.lists)
}

/** Whether a fault says that the value is an older one. */
const isOld = (name: keyof DeviceRow, { is, row, excuses }: Compared): boolean =>
  !is.missingFields.some((field) => field === name) && (excuses.lists || Object.hasOwn(row.staleFields ?? {}, name))

/** The interval at which a connected device updates its lastDetected (src-service/README.md), ms. */
const everyMs = { lastDetected: 5 * 60_000, lastConfigRequestDate: 24 * 60 * 60_000 } as const

/** A connected device has ever new times: the shown one is among them, no older than the last sync. */
function timeThatDiffers(name: (typeof timeNames)[number], compared: Compared): Difference[] {
  const { device, former, row, is, state } = compared
  const value = row[name]
  const truth = timeOf(device[name], is)
  if (value === truth) return []
  const words = `${device.id} has the ${name} ${textOf(value)} and not ${textOf(truth)}`
  if (value === null)
    return [
      {
        words,
        said: isUntold(name, compared) || (isOld(name, compared) && former.some((each) => each[name] === null)),
      },
    ]
  const isBeat = device.connected === true && truth !== null && value <= truth && (truth - value) % everyMs[name] === 0
  if (isBeat && truth - value <= Math.max(everyMs[name], state.refreshMs + everyMs[name])) return []
  return [{ words, said: isOld(name, compared) && (isBeat || former.some((each) => wasTold(each, name, value, is))) }]
}

/** A time of the device's state as it was then. */
function wasTold(each: Device, name: (typeof timeNames)[number], value: number, is: Readonly<Answers>): boolean {
  const then = timeOf(each[name], is)
  return (
    then !== null && (each.connected === true ? value <= then && (then - value) % everyMs[name] === 0 : value === then)
  )
}

/** Some services send whole seconds alone. */
const timeOf = (time: string | null, { timesAs }: Readonly<Answers>): number | null =>
  time === null ? null : timesAs === 'text-seconds' ? Math.floor(Date.parse(time) / 1000) * 1000 : Date.parse(time)

const textOf = (time: number | null): string => (time === null ? 'null' : new Date(time).toISOString())
