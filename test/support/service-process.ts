import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { NewCredentialSet } from '../../src-service/access/credentials.ts'
import { startService, type Service, type ServiceOptions } from '../../src-service/service.ts'

/** A credential set that names its tenants by their places in the world, since their ids are not known before it is made. */
export type PlacedSet = Pick<NewCredentialSet, 'clientId' | 'clientSecret' | 'name'> & { places?: readonly number[] }
type Options = Omit<ServiceOptions, 'credentials' | 'now'> & { sets?: readonly PlacedSet[] }

type Verbs<T> = { [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] }
type Part = {
  world: Verbs<Service['world']>
  credentials: Verbs<Service['credentials']>
  misfortune: Verbs<Service['misfortune']>
  service: Pick<Verbs<Service>, 'operations' | 'rejections' | 'requests' | 'openSockets' | 'subscribedIds'>
}
type Args<F> = F extends (...args: infer A) => unknown ? A : never
type Result<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never

/** The reference service in a process of its own: it takes no time of the console's, and can be killed. */
export interface ServiceProcess extends Pick<
  Service,
  'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl' | 'clientId' | 'clientSecret' | 'ca'
> {
  sets: { clientId: string; clientSecret: string; name: string; tenants: string[] }[]
  /** Calls a verb over there. What cannot go by message (functions) cannot be asked for. */
  ask<P extends keyof Part, V extends keyof Part[P]>(
    part: P,
    verb: V,
    ...args: Args<Part[P][V]>
  ): Promise<Result<Part[P][V]>>
  /** No goodbye: SIGKILL. */
  kill(): Promise<void>
  /** Another one in its place after `kill`: the same port, certificates, credential sets and world, with nothing remembered. */
  again(): Promise<ServiceProcess>
}

type Told =
  | { ready: Omit<ServiceProcess, 'ask' | 'kill' | 'again'> & Pick<Service, 'certificates'> }
  | { id: number; value?: unknown; error?: string }

export async function forkService(options: Options): Promise<ServiceProcess> {
  const child = fork(fileURLToPath(import.meta.url), ['--service'], { execArgv: [] })
  const waiting = new Map<number, (told: { value?: unknown; error?: string }) => void>()
  let calls = 0
  const ready = new Promise<Extract<Told, { ready: unknown }>['ready']>((resolve, reject) => {
    child.on('message', (told: Told) => ('ready' in told ? resolve(told.ready) : waiting.get(told.id)?.(told)))
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  child.send(options)
  const { certificates, ...facts } = await ready
  const again: Options = {
    ...options,
    certificates,
    port: Number(new URL(facts.graphqlUrl).port),
    clientId: facts.clientId,
    clientSecret: facts.clientSecret,
    ...(options.sets === undefined
      ? {}
      : { sets: options.sets.map((set, at) => ({ ...set, ...pairAt(facts.sets, at) })) }),
  }
  return {
    ...facts,
    ask: (part, verb, ...args) =>
      new Promise((resolve, reject) => {
        const id = (calls += 1)
        waiting.set(id, ({ value, error }) =>
          error === undefined ? resolve(value as never) : reject(new Error(error)),
        )
        child.send({ id, part, verb, args })
      }),
    kill: () => end(child),
    again: () => forkService(again),
  }
}

function pairAt(sets: ServiceProcess['sets'], at: number): { clientId?: string; clientSecret?: string } {
  const set = sets[at]
  return set === undefined ? {} : { clientId: set.clientId, clientSecret: set.clientSecret }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function serveHere({ sets, ...options }: Options): Promise<Service> {
  if (sets === undefined) return startService(options)
  return startService({
    ...options,
    credentials: (world) => {
      const tenants = world.tenants()
      return sets.map(({ places, ...set }) => ({
        ...set,
        ...(places === undefined ? {} : { tenants: places.flatMap((place) => tenants[place]?.id ?? []) }),
      }))
    },
  })
}

function factsOf(service: Service): Extract<Told, { ready: unknown }>['ready'] {
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca, certificates } = service
  const sets = service.credentials.list().map(({ name, reach, ...pair }) => ({
    name,
    clientId: pair.clientId,
    clientSecret: pair.clientSecret,
    tenants: [...(reach?.tenants ?? [])],
  }))
  return { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca, certificates, sets }
}

if (process.argv[2] === '--service') {
  process.once(
    'message',
    (options: Options) =>
      void serveHere(options).then((service) => {
        const parts: Record<string, object> = {
          world: service.world,
          credentials: service.credentials,
          misfortune: service.misfortune,
          service,
        }
        process.on('message', (asked: { id: number; part: string; verb: string; args: unknown[] }) => {
          const verb: unknown = Reflect.get(parts[asked.part] ?? {}, asked.verb)
          Promise.resolve()
            .then(() =>
              typeof verb === 'function'
                ? (verb(...asked.args) as unknown)
                : Promise.reject(new Error(`no verb ${asked.verb}`)),
            )
            .then(
              (value) => process.send?.({ id: asked.id, value }),
              (error: unknown) => process.send?.({ id: asked.id, error: String(error) }),
            )
        })
        process.send?.({ ready: factsOf(service) })
      }),
  )
  process.on('disconnect', () => process.exit(0))
}
