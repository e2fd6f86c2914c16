import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { makeCertificates } from '../../src-service/net/certificates.ts'
import type { Addresses } from '../support/reference.ts'

/** A server without GraphQL, in a process of its own, that sends one long answer from its memory; and one tenant and device. */
export interface BareAnswers {
  addresses: Addresses
  stop(): Promise<void>
}

/** `bytes`: least length of the answer to operations called `Long`. */
export async function forkBareAnswers(bytes: number): Promise<BareAnswers> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', String(bytes)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [addresses] = (await once(child, 'message')) as [Addresses]
  return {
    addresses,
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

const tenants = '{"data":{"tenants":[{"id":"t1","name":"Tenant","region":{"id":"EU-1"}}]}}'
const page =
  '{"data":{"tenant":{"inventory":{"deviceSearch":{"edges":[{"node":{"id":"d1","name":"Device","connected":true}}],"pageInfo":{"totalCount":1,"countOnPage":1,"nextToken":null,"hasNextPage":false}}}}}}'

/** Devices as a search returns them. */
function longAnswer(bytes: number): Buffer {
  const nodes: string[] = []
  for (let at = 0, length = 0; length < bytes; at += 1) {
    const node = JSON.stringify({
      node: {
        id: `device-${at}`,
        name: `Room ${at % 997} Studio X${at % 90}`,
        connected: at % 3 > 0,
        site: { id: `s${at % 50}` },
      },
    })
    nodes.push(node)
    length += node.length + 1
  }
  return Buffer.from(`{"data":{"deviceSearch":{"edges":[${nodes.join(',')}]}}}`)
}

async function serve(bytes: number): Promise<void> {
  const long = longAnswer(bytes)
  const { key, certificate, ca } = await makeCertificates()
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const isToken = request.url === '/oauth/token'
    const answer = isToken
      ? '{"access_token":"bare","token_type":"Bearer","expires_in":86400}'
      : body.includes('"operationName":"Long"')
        ? long
        : body.includes('"operationName":"Tenants"')
          ? tenants
          : body.includes('deviceSearch')
            ? page
            : '{"errors":[{"message":"no introspection","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}'
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
      .end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `https://127.0.0.1:${port}`
  process.send?.({
    tokenUrl: `${url}/oauth/token`,
    graphqlUrl: `${url}/graphql`,
    subscriptionUrl: `wss://127.0.0.1:${port}/graphql`,
    clientId: 'bench',
    clientSecret: 'bench',
    ca,
  } satisfies Addresses)
  process.on('disconnect', () => process.exit(0))
}

if (process.argv[2] === '--child') await serve(Number(process.argv[3]))
