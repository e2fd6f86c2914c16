import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeAuthority } from '../main/platform/web/certificates.ts'
import type { Leftovers } from './fleet.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A feed as electron-builder's `latest-linux.yml` and its files make one, on a real HTTPS server of loopback. */
export interface UpdateFeed {
  url: string
  /** The certificate of the authority that issued its own. */
  ca: string
  /** Paths that were asked for, without what keeps caches away, in their order. */
  asked: string[]
  /** Offers this version, whose package has these bytes. */
  offer(version: string, bytes: Buffer, more?: Partial<Entry>): void
  /** Sets the answer of a path from now on. */
  answer(path: string, answer: Answer): void
  stop(): Promise<void>
}

interface Entry {
  sha512: string
  size: number | null
  notes: string
  channel: string
  name: string
}

export async function startUpdateFeed(leftovers: Pick<Leftovers, 'push'>): Promise<UpdateFeed> {
  const authority = await makeAuthority()
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  const server = createServer(await authority.issue(['127.0.0.1']), (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://feed')
    asked.push(pathname)
    const known = answers.get(pathname)
    if (known !== undefined) return known(request, response)
    response.writeHead(404).end('not here')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  leftovers.push(stop)
  const suffix = process.arch === 'x64' ? '' : `-${process.arch}`
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/muster/`,
    ca: authority.ca,
    asked,
    stop,
    answer: (path, answer) => void answers.set(`/muster/${path}`, answer),
    offer(
      version,
      bytes,
      {
        sha512 = hashOf(bytes),
        size = bytes.length,
        notes = '',
        channel = 'latest',
        name = `Muster-${version}.AppImage`,
      } = {},
    ) {
      const file = [`  - url: ${name}`, `    sha512: ${sha512}`, ...(size === null ? [] : [`    size: ${size}`])]
      const text = [
        `version: ${version}`,
        'files:',
        ...file,
        `path: ${name}`,
        `sha512: ${sha512}`,
        `releaseNotes: ${JSON.stringify(notes)}`,
        "releaseDate: '2026-11-20T10:00:00.000Z'",
        '',
      ].join('\n')
      answers.set(`/muster/${channel}-linux${suffix}.yml`, (_request, response) => response.end(text))
      answers.set(`/muster/${name}`, (_request, response) =>
        response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes),
      )
    },
  }
}

export const hashOf = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('base64')
