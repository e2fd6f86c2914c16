import { answerTest, tellTest } from './channel.ts'

const waiting = new Map<number, (value: unknown) => void>()
let last = 0
answerTest('secret-reply', ({ id, value }) => {
  waiting.get(id)?.(value)
  waiting.delete(id)
})

/** A keychain that the test holds, so that it is kept when the main process ends. Without one in the test, keytar is missing. */
if (process.env['MUSTER_TEST_KEYCHAIN'] === undefined)
  throw new Error('libsecret-1.so.0: cannot open shared object file')

function ask(call: 'get' | 'set' | 'delete', account: string, secret: string): Promise<unknown> {
  last += 1
  const id = last
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    tellTest({ say: 'secret', id, call, account, secret })
  })
}

export const getPassword = (_service: string, account: string) => ask('get', account, '')
export const setPassword = (_service: string, account: string, secret: string) => ask('set', account, secret)
export const deletePassword = (_service: string, account: string) => ask('delete', account, '')
