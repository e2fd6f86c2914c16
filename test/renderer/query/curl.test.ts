import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlText } from '../../../src-renderer/query/curl.ts'

test('the command has the operation as one argument, whatever it contains, and no token', () => {
  const document = `query It's { a(text: "$HOME \`id\` \\"quoted\\" 'single'") } # é\n`
  const variables = { a: "it's", b: '$(id)' }
  const command = curlText('https://api.example/graphql?a=1&b=2', { document, variables, operation: "It's" })
  // A shell reads the arguments, with another program in place of curl.
  const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    env: { TOKEN: 'of the shell' },
  })
  const [url, , authorization, , type, , body] = shown.toString().split('\0')
  expect([url, authorization, type]).toEqual([
    'https://api.example/graphql?a=1&b=2',
    'authorization: Bearer of the shell',
    'content-type: application/json',
  ])
  expect(JSON.parse(body ?? '')).toEqual({ query: document, variables, operationName: "It's" })
})
