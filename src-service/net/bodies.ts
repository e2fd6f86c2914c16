import type { Request } from './wire.ts'

/** Largest body, bytes. */
const MAX_BODY = 1024 * 1024

/** An incomplete body. `status`: the status for its sender; null when the sender is gone. */
export class UnfinishedBodyError extends Error {
  override readonly name = 'UnfinishedBodyError'
  readonly status: 408 | 503 | null

  constructor(status: 408 | 503 | null) {
    super('The body did not come whole')
    this.status = status
  }
}

/** `ms`: longest time of a body, by the wall clock. `bytes`: most memory for all incomplete ones. */
export type BodyBounds = { ms?: number; bytes?: number }

/** Reads the bodies of requests with limits, so that unfinished ones cannot hold memory for long. */
export type Bodies = {
  /**
   * Resolves with the whole body as text; null when it exceeds a MiB, of which nothing is kept. Rejects with an
   * UnfinishedBodyError when it takes too long, when other incomplete bodies take too much memory, or when the
   * connection breaks.
   */
  read(request: Request): Promise<string | null>
}

export function openBodies({ ms = 30_000, bytes = 64 * MAX_BODY }: BodyBounds = {}): Bodies {
  let total = 0
  return {
    read: (request) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = []
        let [size, own] = [0, 0]
        const count = (change: number): void => {
          own += change
          total += change
        }
        const take = (chunk: Buffer): void => {
          size += chunk.length
          if (size > MAX_BODY) return count(-chunks.splice(0).reduce((sum, { length }) => sum + length, 0))
          if (total + chunk.length > bytes) return end(() => reject(new UnfinishedBodyError(503)))
          chunks.push(chunk)
          count(chunk.length)
        }
        // The remaining listeners find a settled promise. Later data is dropped.
        const end = (settle: () => void): void => {
          clearTimeout(timer)
          request.off('data', take)
          count(-own)
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
