import { serverAudits } from 'graphql-http'
import { fetch, Agent } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { open } from '../client.ts'

// The minimal profile has no introspection, by which two of the audits ask.
test('GraphQL over HTTP: the audits find no error and no warning', async () => {
  const service = await open()
  const dispatcher = new Agent({ connect: { ca: service.ca } })
  onTestFinished(() => dispatcher.destroy())
  const audits = serverAudits({
    url: service.graphqlUrl,
    fetchFn: (url: string, init: object) => fetch(url, { ...init, dispatcher }),
  })
  expect(audits.length).toBeGreaterThan(50)
  const found = await Promise.all(audits.map((audit) => audit.fn()))
  expect(
    found
      .filter(({ status }) => status === 'error' || status === 'warn')
      .map(({ name, ...rest }) => [name, 'reason' in rest ? rest.reason : '']),
  ).toEqual([])
})
