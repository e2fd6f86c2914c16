import { updateSending } from '../../src-main/api/mutations/documents.ts'
import type { DeviceUpdate } from '../../src-main/api/mutations/mutations.ts'
import { mutationsOperation, readMutationSchema } from '../../src-main/api/mutations/schema.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { ask, tokenOf } from '../support/ask.ts'
import type { Addresses } from '../support/reference.ts'

/** Another client of the service, which sends the same operations as Muster and nothing else. */
export interface UpdateClient {
  /** Returns the sending of one operation. `once`: on a connection of its own. Rejects with the answer's errors. */
  prepare(updates: readonly DeviceUpdate[], once?: boolean): () => Promise<void>
  close(): Promise<void>
}

export async function openUpdateClient(at: Addresses): Promise<UpdateClient> {
  const link = openNetwork({}).open(at.ca)
  const token = await tokenOf(link.fetch, at)
  const { data } = (await ask(link.fetch, at.graphqlUrl, { query: mutationsOperation.document }, token)) as {
    data: unknown
  }
  const update = readMutationSchema(data)?.update ?? null
  if (update === null) throw new Error('the service offers no updates')
  return {
    prepare(updates, once = false) {
      const { operation, variables } = updateSending(update, updates)
      const body = { query: operation.document, variables }
      return async () => {
        const answer = await ask(once ? link.fetchOnce : link.fetch, at.graphqlUrl, body, token)
        if ((answer as { errors?: unknown }).errors !== undefined) throw new Error(JSON.stringify(answer))
      }
    },
    close: async () => void (await link.close()),
  }
}
