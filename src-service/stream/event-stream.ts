import { createSourceEventStream, execute } from 'graphql'
import type { ExecutionArgs, ExecutionResult } from 'graphql'

type Events = AsyncGenerator<ExecutionResult, void, void>

/**
 * As `subscribe` of graphql-js, but for the time of an event: there each event coerces all variables anew, and with
 * 10,000 ids that takes more than a millisecond. They are read once, at the start. Below the field of a subscription
 * nothing takes a list, so that for the events lists are empty.
 */
export async function subscribeOnce(args: ExecutionArgs): Promise<Events | ExecutionResult> {
  const source = await createSourceEventStream(args)
  if (!(Symbol.asyncIterator in source)) return source
  const short = Object.fromEntries(
    Object.entries(args.variableValues ?? {}).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  )
  return eventsOf(source[Symbol.asyncIterator](), async (rootValue) =>
    execute({ ...args, rootValue, variableValues: short }),
  )
}

/** Unlike a generator function, it ends at once on `return`, also while it waits. */
function eventsOf(source: AsyncIterator<unknown>, toResult: (event: unknown) => Promise<ExecutionResult>): Events {
  const ended = { done: true, value: undefined } as const
  const events: Events = {
    async next() {
      const { done, value } = await source.next()
      return done ? ended : { done: false, value: await toResult(value) }
    },
    async return() {
      await source.return?.()
      return ended
    },
    async throw(error) {
      await source.return?.()
      throw error
    },
    [Symbol.asyncIterator]: () => events,
    [Symbol.asyncDispose]: async () => void (await source.return?.()),
  }
  return events
}
