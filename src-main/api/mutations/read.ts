import { own } from '../../../src-shared/lib/own.ts'
import type { CallState } from '../../../src-shared/model/jobs.ts'
import type { Api, Reply } from '../client.ts'
import { deviceOf } from '../decode.ts'
import { maxByIds } from '../operations.ts'
import { readOperation } from './documents.ts'
import type { ReadDevice } from './mutations.ts'
import type { MutationSchema } from './schema.ts'

/** Reads devices by their ids, so many at a time as are known to be accepted. Rejects with a `FaultError`. */
export async function readDevices(
  api: Api,
  device: NonNullable<MutationSchema['device']>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<(ReadDevice | null)[]> {
  const read: (ReadDevice | null)[] = []
  for (let from = 0; from < ids.length; from += maxByIds) {
    const part = ids.slice(from, from + maxByIds)
    const operation = readOperation(device, part.length)
    const variables = Object.fromEntries(part.map((id, at) => [`i${at}`, id]))
    const reply = await api.run({ operation, variables, lane: 'visible', size: part.length, signal })
    for (const [at, id] of part.entries()) read.push(deviceIn(reply, at, id))
  }
  return read
}

const calls: ReadonlyMap<unknown, CallState> = new Map([
  ['IN_CALL', 'in-call'],
  ['NOT_IN_CALL', 'free'],
  ['UNSUPPORTED', 'unsupported'],
] as const)

function deviceIn({ data, errors }: Reply, at: number, id: string): ReadDevice | null {
  const alias = `d${at}`
  const failures = errors.filter(({ path }) => path?.[0] === alias)
  const failed = new Set(failures.map(({ path }) => path?.[1]))
  const value = typeof data === 'object' && data !== null ? own(data as Record<string, unknown>, alias) : undefined
  const device = deviceOf(value, (field) => failed.has(field))
  // An answer for another device tells nothing of this one.
  if (device === null || device.id !== id) return null
  const has = (field: 'name' | 'site' | 'room' | 'connected' | 'lastConfigRequestDate') =>
    device.failed?.includes(field) !== true
  const call = own(value as Record<string, unknown>, 'callStatus')
  return {
    id: device.id,
    ...(has('name') && { name: device.name }),
    ...(has('site') && { site: device.site }),
    ...(has('room') && { room: device.room }),
    ...(has('connected') && { connected: device.connected }),
    ...(has('lastConfigRequestDate') && { lastConfigRequestDate: device.lastConfigRequestDate }),
    ...(call !== undefined && { call: failed.has('callStatus') ? 'unknown' : (calls.get(call) ?? 'unknown') }),
  }
}
