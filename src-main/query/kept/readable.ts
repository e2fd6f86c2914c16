import type { z } from 'zod'
import type { Log } from '../../ports.ts'

/**
 * Returns what can be read of stored values. What another version of Muster wrote may be unreadable: it stays in the journal and
 * is not shown.
 */
export function readable<T>(
  schema: z.ZodType<T>,
  stored: readonly unknown[],
  { log, what }: { log: Log; what: string },
): T[] {
  const read = stored.flatMap((value) => {
    const { data } = schema.safeParse(value)
    return data === undefined ? [] : [data]
  })
  if (read.length < stored.length) log('warn', `${stored.length - read.length} of the ${what} cannot be read`)
  return read
}
