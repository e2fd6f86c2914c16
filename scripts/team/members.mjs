import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startConsole } from './console.mjs'
import { forget } from './keychain.mjs'
import { openPipe } from './pipe.mjs'

/** `secret`: whether the operator has the client secret of the connection; `says`: what that means for the team. */
export const operators = [
  { id: 'ann', name: 'Ann', secret: true, says: 'shares the connection, and reads it for all' },
  { id: 'ben', name: 'Ben', secret: true, says: 'has its client secret too, and takes over when Ann ends' },
  { id: 'cleo', name: 'Cleo', secret: false, says: 'has no secret, and sees what another one reads' },
]

const connectionName = 'Reference service'
/** Whoever tries it out does not wait for the usual 90 s. */
const alertSeconds = 5
/** Longest wait for a member to be there, ms. */
const joinLimit = 60_000

/**
 * A member of the team: a console on a profile of its own, which the script joins through the console's own pipe, as an
 * operator does in the window. Password and secret go there and nowhere else.
 * @param {{ operator: typeof operators[number], folder: string, team: { address: string, password: string }, service: object }} options
 */
export function openMember({ operator, folder, team, service }) {
  const profile = path.join(folder, operator.id)
  let running = null
  let hasKeychain = false
  const withPipe = async (run) => {
    const pipe = await openPipe(profile)
    try {
      return await run(pipe)
    } finally {
      pipe.close()
    }
  }
  const enter = async (pipe, { isFirst }) => {
    const { keychain } = await pipe.call('app.state', {})
    hasKeychain = keychain.kind !== 'session'
    // A keychain has kept everything for a second start.
    if (!isFirst && hasKeychain) return
    if (isFirst) await pipe.call('settings.change', { holdOffSeconds: alertSeconds })
    const shares = isFirst && operator.id === 'ann'
    if (shares) await pipe.call('connections.save', connectionTo(service))
    const typed = { ...team, ca: '', operator: operator.name }
    await pipe.call('team.join', { typed, share: shares })
    await whenHere(pipe)
    if (operator.secret) await enterSecret(pipe, service.clientSecret)
  }
  return {
    ...operator,
    isRunning: () => running !== null,
    /** Starts it and lets it join. Resolves with its address, which works once. `onEnd`: it has ended by itself. */
    async start({ isFirst = false, onEnd }) {
      const console = startConsole(profile)
      running = console
      const url = await console.url.catch((error) => {
        running = null
        throw error
      })
      void console.ended.then((how) => {
        if (running !== console) return
        running = null
        onEnd(how)
      })
      await withPipe((pipe) => enter(pipe, { isFirst }))
      return url
    },
    /** Resolves with another address, which works once within five minutes. `open`: in the browser. */
    async address(open) {
      const second = startConsole(profile, { open })
      const url = await second.url
      await second.ended
      return url
    },
    async end(how) {
      const console = running
      running = null
      await console?.[how]()
    },
    forget: async () => (hasKeychain ? forget(profile) : undefined),
  }
}

function connectionTo({ tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca }) {
  const addresses = { tokenUrl, graphqlUrl, subscriptionUrl, ca, subscription: '', portal: '' }
  return { id: null, name: connectionName, ...addresses, clientId, clientSecret }
}

async function whenHere(pipe) {
  await until(async () => {
    const { joined } = await pipe.call('team.read', {})
    return joined?.link.is === 'online' && !joined.isCatchingUp
  }, 'the team’s database was not reached')
}

async function enterSecret(pipe, clientSecret) {
  const connection = await until(
    async () => (await pipe.call('app.state', {})).connections[0],
    'the team’s connection did not arrive',
  )
  if (connection.secret === 'session' || connection.secret === 'keychain') return
  const { input } = await pipe.call('connections.show', { id: connection.id })
  await pipe.call('connections.save', { ...input, clientSecret })
}

/** Looks until there is something. */
async function until(look, failure) {
  const end = performance.now() + joinLimit
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > end) throw new Error(failure)
    await wait(100)
  }
}
