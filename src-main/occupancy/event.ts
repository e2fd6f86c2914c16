import { z } from 'zod'
import type { Fault } from '../../src-shared/model/fault.ts'
import { kindOf, readErrors } from '../api/classify.ts'

/** The document of the stream (twin, section 12): it is edge-triggered, and sends nothing at the start. */
export const peopleDocument = `subscription PeopleCount($tenantId: ID!, $roomIds: [ID!]!) {
  peopleCountStream(tenantId: $tenantId, roomIds: $roomIds) { count roomId updatedAt } }`

const payload = z.object({
  data: z.object({
    peopleCountStream: z.object({
      count: z.number().int().min(0),
      roomId: z.union([z.string(), z.number()]).transform(String),
      updatedAt: z.unknown(),
    }),
  }),
})

/** The number of people in a room. `updatedAt`: by the service's clock, ms; null where it tells no time. */
export interface PeopleEvent {
  room: string
  count: number
  updatedAt: number | null
}

/** Reads an event from its JSON, which has no secrets; with the error in its place, null where it tells neither. */
export function readPeopleEvent(text: string): PeopleEvent | { fault: Fault } | null {
  const value: unknown = JSON.parse(text)
  const read = payload.safeParse(value)
  if (!read.success) return errorIn(value)
  const { count, roomId, updatedAt } = read.data.data.peopleCountStream
  const at = typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN
  return { room: roomId, count, updatedAt: Number.isNaN(at) ? null : at }
}

/** Some services send the error of a subscription as its only event, and complete it. */
function errorIn(value: unknown): { fault: Fault } | null {
  const errors: unknown = typeof value === 'object' && value !== null && 'errors' in value ? value.errors : []
  const [error] = readErrors(errors, (text) => text)
  return error === undefined ? null : { fault: { kind: kindOf(error) ?? 'query', detail: error.message } }
}
