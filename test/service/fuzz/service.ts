import { startService } from '../../../src-service/service.ts'

/** The reference service in a process of its own: it answers each message with its used heap in MiB, after a collection. */
const service = await startService({ devices: 400, tenants: 3, balance: 2 ** 31 - 1 })
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage().heapUsed / 2 ** 20)
})
const { graphqlUrl, tokenUrl, clientId, clientSecret, ca } = service
const tenants = service.world.tenants().map(({ id }) => id)
const ids = [
  ...tenants,
  ...service.world
    .devices()
    .slice(0, 20)
    .map(({ id }) => id),
  ...tenants
    .flatMap((id) => service.world.sites(id))
    .slice(0, 10)
    .map(({ id }) => id),
]
process.send?.({ graphqlUrl, tokenUrl, clientId, clientSecret, ca, ids })
