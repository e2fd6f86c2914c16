import type { Request } from './wire.ts'

/** More than this is no request that the service knows. */
const MAX_BODY = 1024 * 1024

/** A body that did not come whole. `status`: what its sender is told; null when nobody is there any more. */
export class UnfinishedBodyError extends Error {
  override readonly name = 'UnfinishedBodyError'
  readonly status: 408 | 503 | null

  constructor(status: 408 | 503 | null) {
    super('The body did not come whole')
    this.status = status
  }
}

/** `ms`: how long a body may take, by the wall clock. `bytes`: how much may be held of all that are still on their way. */
export type BodyBounds = { ms?: number; bytes?: number }

/** Reads the bodies of requests, and lets nobody hold memory for long by not ending one. */
export type Bodies = {
  /**
   * The whole body as text; null when it is larger than a MiB, of which nothing is kept. Fails with an UnfinishedBodyError
   * when it takes too long, when too much of others is on its way, or when the line breaks off.
   */
  read(request: Request): Promise<string | null>
}

export function openBodies({ ms = 30_000, bytes = 64 * MAX_BODY }: BodyBounds = {}): Bodies {
  let held = 0
  return {
    read: (request) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = []
        let [size, kept] = [0, 0]
        const keep = (change: number): void => {
          kept += change
          held += change
        }
        const take = (chunk: Buffer): void => {
          size += chunk.length
          if (size > MAX_BODY) return keep(-chunks.splice(0).reduce((sum, { length }) => sum + length, 0))
          if (held + chunk.length > bytes) return end(() => reject(new UnfinishedBodyError(503)))
          chunks.push(chunk)
          keep(chunk.length)
        }
        // The listeners that are left find a promise that is settled. What still comes is thrown away.
        const end = (settle: () => void): void => {
          clearTimeout(timer)
          request.off('data', take)
          keep(-kept)
          settle()
        }
        const timer = setTimeout(() => end(() => reject(new UnfinishedBodyError(408))), ms)
        request.on('data', take)
        request.once('end', () => end(() => resolve(size > MAX_BODY ? null : Buffer.concat(chunks).toString('utf8'))))
        request.once('close', () => end(() => reject(new UnfinishedBodyError(null))))
        request.once('error', () => end(() => reject(new UnfinishedBodyError(null))))
      }),
  }
}
