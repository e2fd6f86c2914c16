import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Link } from '../../../src-main/ports.ts'
import { answerRequest } from '../../../src-service/net/router.ts'
import { startClock } from '../../../src-service/faults/clock.ts'
import { chooseProfile } from '../../../src-service/faults/contrary/profile.ts'
import type { ServiceOptions } from '../../../src-service/options.ts'
import { openParts, type Parts } from '../../../src-service/parts.ts'
import { openState } from '../../../src-service/storage/state.ts'
import { makeProtocol } from '../../../src-service/stream/stream-protocol.ts'
import type { Device } from '../../../src-service/world/device.ts'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { startDials, wayMs } from './dials.ts'

/** The reference service itself, asked without a port: all of it from the request to its world, on the clock of the test. */
export interface Far extends Pick<Parts, 'world' | 'contrary' | 'pair' | 'endpoint' | 'ledger'> {
  link: Link
  /** Devices as they were before each change. */
  past: Device[]
  /** Requests and messages that it is still at work on. */
  underWay(): number
  stop(): void
}

export async function openFar(options: ServiceOptions, clock: Clock): Promise<Far> {
  let underWay = 0
  const track = async <T>(work: Promise<T>): Promise<T> => {
    underWay += 1
    try {
      return await work
    } finally {
      underWay -= 1
    }
  }
  const chosen = chooseProfile(options, clock.now)
  const own = startClock(() => clock.now() + chosen.contrary.is.clockSkewMs)
  const { seed = 1, tenants = 2, devices = 20 } = options
  const state = openState(null, { seed, tenants, devices, now: own.now })
  const parts = await openParts({ options, chosen, state, clock: own, kept: null, dropSet: () => {} })
  const dials = startDials({
    clock,
    contrary: chosen.contrary,
    protocol: makeProtocol({ ...parts, schema: chosen.schema, now: own.now }),
    track,
  })
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const signal = init?.signal ?? new AbortController().signal
    await wait(clock, wayMs, signal)
    const answer = await track(answered(parts, own.now, new URL(String(url)).pathname, init ?? {}))
    await wait(clock, wayMs, signal)
    return answer
  }
  return {
    ...parts,
    past: [],
    link: { fetch, fetchOnce: fetch, dial: dials.dial, close: async () => {} },
    underWay: () => underWay,
    stop() {
      dials.stop()
      parts.context.hub.stop()
      parts.planes.stop()
      state.close()
    },
  }
}

function answered(
  { endpoint }: Parts,
  now: () => number,
  path: string,
  { method = 'GET', headers, body }: RequestInit,
): Promise<Response> {
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method,
    url: path,
    headers: Object.fromEntries(new Headers(headers)),
  })
  if (typeof body === 'string') request.push(body)
  request.push(null)
  const response = new ServerResponse(request)
  return new Promise((resolve) => {
    response.end = (text: unknown) => {
      resolve(
        new Response(String(text), {
          status: response.statusCode,
          headers: new Headers(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)])),
        }),
      )
      return response
    }
    answerRequest(endpoint, now, request, response)
  })
}
