import { z } from 'zod'

/** What Muster can use of a service beyond the documented minimum. */
export const useNames = [
  'introspection',
  'pageSize',
  'sort',
  'deviceById',
  'totals',
  'searchError',
  'stream',
  'eventFields',
  'people',
  'credential',
  'places',
  'columns',
  'cost',
  'reboot',
  'update',
  'site',
  'room',
] as const
export type UseName = (typeof useNames)[number]

/**
 * `used`: Muster uses it. `fallback`: it does without, in another way. `off`: there is no other way, so that Muster lacks
 * something. `unknown`: it is not known yet.
 */
export const useStates = ['used', 'fallback', 'off', 'unknown'] as const

/**
 * Why: `schema`: the schema has it, or has it not. `no-schema`: the service tells its schema to nobody. `answers`: known by what the
 * service answered or rejected. `unread`: nothing was read yet. `own`: the operator configured it. `fault`: reading failed.
 */
export const useReasons = ['schema', 'no-schema', 'answers', 'unread', 'own', 'fault'] as const

export const serviceUse = z.object({
  name: z.enum(useNames),
  state: z.enum(useStates),
  reason: z.enum(useReasons),
  /** In the service's or Muster's terms: fields, numbers; '' for none. */
  detail: z.string(),
})
export type ServiceUse = z.infer<typeof serviceUse>
