import { setTimeout } from 'node:timers/promises'
import { startService, type Service } from '../../../src-service/service.ts'
import { forkVerbs, moment, serveVerbs, type Forked } from '../../support/verbs.ts'

/** The reference service in a process of its own, and the events of its fleet. */
export type DrivenService = Forked<ReturnType<typeof openVerbs>>
export const forkDrivenService = (): DrivenService => forkVerbs(import.meta.url)

export interface ServiceFacts {
  addresses: Pick<Service, 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl' | 'clientId' | 'clientSecret' | 'ca'>
  devices: { id: string; tenantId: string; siteId: string | null; connected: boolean | null }[]
}

function openVerbs() {
  let running: Service | null = null
  const service = (): Service => {
    if (running === null) throw new Error('the service was not started')
    return running
  }
  return {
    async start(options: { devices: number; tenants: number; points: boolean }): Promise<ServiceFacts> {
      running = await startService(options)
      return factsOf(running)
    },
    change: (ids: readonly string[], connected: boolean, withinMs: number): Promise<number[]> =>
      change(service(), ids, connected, withinMs),
    connected: (): string[] => service().world.connected(),
    subscribed: (): number => service().subscribedIds().length,
    dropSockets: (code: number): void => service().misfortune.dropSockets(code),
    /** Returns the number of operations rejected for lack of points, or for their cost. */
    rejections(): number {
      const { tooExpensive, exhausted } = service().rejections()
      return tooExpensive + exhausted
    },
    /** Returns the operations with their costs, as far back as the service's log reaches, points. */
    spent: () =>
      service()
        .operations()
        .map(({ operationName, cost, status }) => ({ name: operationName ?? '', cost, status })),
  }
}

function factsOf({ tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca, world }: Service): ServiceFacts {
  return {
    addresses: { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca },
    devices: world
      .devices()
      .map(({ id, tenantId, site, connected }) => ({ id, tenantId, siteId: site?.id ?? null, connected })),
  }
}

/**
 * Changes devices at equal distances within this many ms; resolves with the moment of each, before the world changed.
 */
async function change(
  { world }: Service,
  ids: readonly string[],
  connected: boolean,
  withinMs: number,
): Promise<number[]> {
  const began = moment()
  const moments: number[] = []
  while (moments.length < ids.length) {
    const due =
      withinMs === 0 ? ids.length : Math.min(ids.length, 1 + Math.floor(((moment() - began) / withinMs) * ids.length))
    for (const id of ids.slice(moments.length, due)) {
      moments.push(moment())
      world.setConnected(id, connected)
    }
    if (moments.length < ids.length) await setTimeout(1)
  }
  return moments
}

serveVerbs(openVerbs())
