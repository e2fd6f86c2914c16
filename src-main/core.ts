import { calls, events, type EventData, type EventName, type Handlers } from '../src-shared/contract/contract.ts'
import { FaultError } from '../src-shared/model/fault.ts'
import { oneByOne } from '../src-shared/lib/one-by-one.ts'
import type { CoreOptions } from './core-base.ts'
import { createPublisher } from './ipc/publish.ts'
import { startParts, type CoreParts } from './core-parts.ts'
import type { Ports } from './ports.ts'

/**
 * The console without a shell: a handler for every call of the contract, and its events. They stay the same while its
 * parts are started again, as when this Muster joins a team or leaves it.
 */
export interface Core {
  handlers: Handlers
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
  /**
   * Reports that the computer goes to sleep or its screen is locked, or that it is woken or unlocked. Without it, a
   * comparison of two clocks detects sleep.
   */
  power(word: 'sleeps' | 'wakes' | 'locks' | 'unlocks'): void
  stop(): Promise<void>
}

/** Starts the core. Rejects where its files cannot be opened. */
export async function startCore(given: Ports, options: CoreOptions): Promise<Core> {
  // Its listeners stay while the parts, with their own publisher, are started again.
  const publisher = createPublisher(given.clock)
  const inOrder = oneByOne()
  let parts: CoreParts | null = null
  const start = async () => {
    const started = await startParts(given, options, restart)
    for (const name of Object.keys(events) as EventName[]) started.on(name, (data) => publisher.send(name, data))
    parts = started
  }
  const restart = () =>
    inOrder(async () => {
      const before = parts
      parts = null
      await before?.stop()
      await start()
      publisher.send('restarted', {})
    })
  await start()
  const names = Object.keys(calls) as (keyof Handlers)[]
  const call = (name: keyof Handlers) => async (input: never) => {
    if (parts === null) throw new FaultError('stopped', 'Muster starts again')
    return (parts.handlers[name] as (input: never) => Promise<unknown>)(input)
  }
  return {
    // One for each call of the contract.
    handlers: Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Handlers,
    on: publisher.on,
    power: (word) => parts?.power(word),
    // Its calls still answer what they can.
    stop: () => inOrder(async () => parts?.stop()),
  }
}
