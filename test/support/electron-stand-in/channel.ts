import v8 from 'node:v8'
import type { Deed, FromTest, ToTest } from './messages.ts'

type Handler = (asked: never) => unknown
const handlers = new Map<FromTest['ask'], Handler>()

/** Everything that crosses is cloned as Electron clones it: a function or a class of ours fails here. */
export function cloned<T>(value: T): T {
  return v8.deserialize(v8.serialize(value)) as T
}

export function tellTest(message: ToTest): void {
  // The test may be gone already; then nobody is interested.
  if (process.connected) process.send?.(message, () => {})
}

export function did(what: Deed): void {
  tellTest({ say: 'did', what })
}

/** Answers what the test asks by this name. */
export function answerTest<A extends FromTest['ask']>(
  ask: A,
  handler: (asked: Extract<FromTest, { ask: A }>) => unknown,
): void {
  handlers.set(ask, handler as Handler)
}

process.on('message', (message: FromTest | 'here' | 'stop') => {
  if (typeof message === 'string') return
  const handler = handlers.get(message.ask)
  if (handler === undefined) throw new Error(`the stand-in is asked for ${message.ask}, which it does not know`)
  void Promise.resolve(handler(message as never)).then((value) => tellTest({ say: 'reply', id: message.id, value }))
})

/** An object that fails loudly when something is read that it does not have: only the calls that we make exist. */
export function strict<T extends object>(name: string, object: T): T {
  return new Proxy(object, {
    get(target, key) {
      if (typeof key === 'string' && !(key in target) && key !== 'then' && key !== 'toJSON')
        throw new Error(`the stand-in for electron has no ${name}.${key}`)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
