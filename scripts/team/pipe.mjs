import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { WebSocket } from 'ws'
import { musterProof, nonce, verifierOf, windowProof } from '../../src-shared/lib/proof.ts'

/** Longest wait for the answer of a call, ms: joining a team starts the core again. */
const answerLimit = 60_000

/** A call that the console answered with a fault. */
export class CallFault extends Error {
  constructor(call, { kind, detail }) {
    super(`${call}: ${kind}${detail === '' ? '' : `, ${detail}`}`)
    this.kind = kind
  }
}

/** Opens the pipe of the console that runs on a profile, as one of its windows. */
export async function openPipe(profile) {
  const { origin, host, hash } = new URL(await newAddress(profile))
  const socket = new WebSocket(`ws://${host}/pipe`, { headers: { origin } })
  const waiting = new Map()
  let calls = 0
  await once(socket, 'open')
  await signIn(socket, hash.slice('#key='.length), origin)
  socket.on('message', (data) => {
    const { id, answer } = JSON.parse(String(data))
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
  })
  return {
    close: () => socket.terminate(),
    /** Resolves with the output of a call of src-shared/contract/contract.ts. */
    async call(name, input) {
      const answer = await new Promise((resolve) => {
        calls += 1
        const id = calls
        const timer = setTimeout(() => resolve(null), answerLimit)
        waiting.set(id, (given) => {
          clearTimeout(timer)
          resolve(given)
        })
        socket.send(JSON.stringify({ id, call: name, input }))
      })
      if (answer === null) throw new Error(`${name}: the console did not answer`)
      if (!answer.ok) throw new CallFault(name, answer.fault)
      return answer.value
    },
  }
}

/** Asks a running console for an address, as a second start on its profile does (src-main/platform/shared/lock.ts). */
async function newAddress(profile) {
  const { port, token } = JSON.parse(readFileSync(path.join(profile, 'running.json'), 'utf8'))
  const response = await fetch(`http://127.0.0.1:${port}/key`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  return (await response.json()).url
}

/** The window's side of src-main/platform/web/sign-in/sign-in.ts. */
async function signIn(socket, key, origin) {
  const next = async () => JSON.parse(String((await once(socket, 'message'))[0]))
  const verifier = await verifierOf(key)
  const hello = { id: verifier.id, nonce: nonce() }
  const challenged = next()
  socket.send(JSON.stringify({ hello }))
  const { challenge } = await challenged
  const exchange = { origin, id: hello.id, window: hello.nonce, muster: challenge.nonce }
  if (challenge.proof !== (await musterProof(verifier, exchange))) throw new Error('it is not Muster that answers')
  const welcomed = next()
  socket.send(JSON.stringify({ proof: await windowProof(key, exchange) }))
  await welcomed
}
