// What the three consoles share, in a process of its own, so that Ctrl-C ends it last: the database and the reference
// service. It ends, and removes the folder, when it is told to, or when its parent is gone.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { startService } from '../../src-service/service.ts'
import { startDatabase } from './database.mjs'
import { nativeFolder } from './postgres.mjs'

/** Longest wait for consoles that end because the parent is gone, ms. */
const consolesLimit = 8000

const stops = []
let starting = Promise.resolve()
let ending = null

/** What is being started is ended once it is there. */
const end = (code) => {
  ending ??= starting
    .catch(() => {})
    .then(stopAll)
    .then(() => process.exit(code))
}

async function stopAll() {
  for (const stop of stops.splice(0).toReversed()) await stop()
}

process.on('SIGTERM', () => end(0))
process.on('disconnect', () => void whenConsolesEnded().then(() => end(0)))
process.on('message', (message) => {
  if (message.is === 'start') {
    starting = run(message)
    starting.catch(fail)
  }
  if (message.is === 'stop') end(0)
})

let folder = null

async function run({ devices }) {
  const native = nativeFolder()
  if (native === null)
    throw new Error(
      `There is no PostgreSQL for this computer (${process.platform} ${process.arch}) among the dependencies.`,
    )
  folder = mkdtempSync(path.join(tmpdir(), 'muster-team-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  // The server may run as another user, whose folder is below this one.
  chmodSync(folder, 0o711)
  const database = await startDatabase(native, folder)
  stops.push(database.stop)
  if (ending !== null) return
  const service = await startService({ devices, life: true, emptyPlaces: true })
  stops.push(() => service.stop())
  if (ending !== null) return
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca } = service
  process.on('message', (message) => {
    if (message.is === 'verb') answer(message, service.world)
  })
  process.send({
    is: 'ready',
    folder,
    members: database.members,
    service: { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca },
  })
}

const dropped = new Set()

function answer({ id, verb, count }, world) {
  process.send({ is: 'answer', id, count: verb === 'drop' ? drop(world, count) : restore(world) })
}

/** Drops devices site by site, from the largest on, as an outage does. Returns how many. */
function drop(world, count) {
  const sites = world.siteSizes().toSorted((one, other) => other.devices - one.devices)
  let left = count
  for (const { siteId } of sites)
    for (const id of world.connectedAt(siteId).slice(0, left)) {
      world.setConnected(id, false)
      dropped.add(id)
      left -= 1
    }
  return count - left
}

function restore(world) {
  const away = [...dropped].filter((id) => world.device(id)?.connected === false)
  for (const id of away) world.setConnected(id, true)
  dropped.clear()
  return away.length
}

function fail(error) {
  const text = error instanceof Error ? error.message : String(error)
  if (process.connected) process.send({ is: 'failed', text })
  end(1)
}

/** Consoles end by themselves when the parent is gone; their folders are removed after that. */
async function whenConsolesEnded() {
  const until = performance.now() + consolesLimit
  const runs = () =>
    folder !== null && readdirSync(folder).some((name) => existsSync(path.join(folder, name, 'running.json')))
  const isWaiting = () => ending === null && runs() && performance.now() < until
  while (isWaiting()) await wait(100)
}
