import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import keytar from 'keytar'
import { openSecrets } from '../../src-main/secrets/keychain.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { connectionTo, createLeftovers, openConsole, service, type Console } from './fleet.ts'

/**
 * Run by the keychain's tests inside a private session bus with a real gnome-keyring; prints what it saw of one scenario
 * as a line of JSON. `bus` is what a person or the system does to the keychain meanwhile.
 */
const call = (...words: string[]) => void spawnSync('dbus-send', ['--session', '--print-reply=literal', ...words])

const profileHere = path.join(process.env['HOME'] ?? '', 'profile')
const bus = {
  lock: () =>
    call(
      '--dest=org.freedesktop.secrets',
      '/org/freedesktop/secrets',
      'org.freedesktop.Secret.Service.Lock',
      'array:objpath:/org/freedesktop/secrets/collection/login',
    ),
  /** Unlocks as a login does: by the socket of gnome-keyring, not by the bus. */
  unlock: () =>
    new Promise<void>((resolve, reject) => {
      const words = Buffer.from('pw')
      const head = Buffer.alloc(13)
      // A byte that carries who asks, then the length, the operation (unlock) and the password.
      for (const [at, value] of [
        [1, 12 + words.length],
        [5, 1],
        [9, words.length],
      ] as const)
        head.writeUInt32BE(value, at)
      const socket = net.connect(path.join(process.env['XDG_RUNTIME_DIR'] ?? '', 'keyring', 'control'), () =>
        socket.write(Buffer.concat([head, words])),
      )
      socket.once('data', (answer) =>
        answer.readUInt32BE(4) === 0 ? resolve() : reject(new Error('it was not unlocked')),
      )
      socket.once('error', reject)
    }),
}

async function holds(look: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await look()); tries += 1) {
    if (tries > 400) throw new Error(`it never came about: ${String(look)}`)
    await new Promise<void>((resolve) => {
      systemClock.after(50, resolve)
    })
  }
}

mkdirSync(profileHere, { recursive: true })

const open = (profile = 'one') => openSecrets({ profile, clock: systemClock })
const told = (work: Promise<unknown>) => work.catch((error: Error) => error.message)

async function keeps() {
  const [secrets, other] = [await open(), await open('two')]
  const seen: unknown[] = [await secrets.get('a')]
  await secrets.set('a', 'first')
  await secrets.set('a', 'sëcond 🔑')
  seen.push(await secrets.get('a'), await other.get('a'))
  await secrets.remove('a')
  await secrets.remove('never there')
  seen.push(await secrets.get('a'))
  return { kind: secrets.kind, detail: secrets.detail, seen }
}

/** Locked at the start, typed into, then unlocked. Then locked while it is used. */
async function locks() {
  await (await open()).set('a', 'from before')
  bus.lock()
  const secrets = await open()
  const seen: unknown[] = [secrets.kind, await told(secrets.get('a'))]
  await secrets.set('b', 'typed')
  seen.push(secrets.kind, await secrets.get('b'))
  await bus.unlock()
  await holds(() => secrets.kind === 'keychain')
  seen.push(await secrets.get('a'), await (await open()).get('b'))
  bus.lock()
  seen.push(await told(secrets.get('a')), secrets.kind)
  await secrets.set('c', 'typed later')
  await bus.unlock()
  await holds(() => secrets.kind === 'keychain')
  seen.push(await (await open()).get('c'))
  return { seen }
}

/** A console whose keychain is locked at the start, then loses and alters what it holds behind Muster. */
async function changes() {
  const leftovers = createLeftovers()
  const reference = await service(leftovers, { devices: 40, tenants: 1 })
  const start = async () => openConsole(leftovers, profileHere, { secrets: await open() })
  const steps: Record<string, unknown> = {}
  const first = await start()
  const { id } = await first.call('connections.save', connectionTo(reference))
  await holds(() => isLive(first))
  await first.stop()

  bus.lock()
  const locked = await start()
  await holds(() => hasFault(locked, 'keychain-locked'))
  steps['locked'] = await shown(locked)
  await bus.unlock()
  await holds(() => isLive(locked))
  steps['unlocked'] = await shown(locked)
  await locked.stop()

  const behind = {
    deleted: () => keytar.deletePassword('Muster (one)', id),
    altered: () => keytar.setPassword('Muster (one)', id, 'somebody else’s'),
  }
  for (const [name, act] of Object.entries(behind)) {
    await act()
    const muster = await start()
    await holds(() => hasFault(muster, name === 'altered' ? 'credentials' : 'no-secret'))
    steps[name] = await shown(muster)
    await typeAgain(muster, reference.clientSecret)
    steps[`${name}, typed again`] = await shown(muster)
    await muster.stop()
  }
  // Kept while it is locked, and by nothing but the clock put in: the next start finds it.
  const last = await start()
  bus.lock()
  await typeAgain(last, reference.clientSecret)
  steps['typed while locked'] = await shown(last)
  await keytar.deletePassword('Muster (one)', id)
  await bus.unlock()
  await holds(async () => (await stateOf(last)).keychain.kind === 'keychain')
  await last.stop()
  const after = await start()
  await holds(() => isLive(after))
  steps['at the next start'] = await shown(after)
  await after.stop()
  await leftovers.clean()
  return steps
}

/** The rest of it in a process of its own: another keychain that knows nothing. libsecret stays with the one that it found first. */
async function upgrades() {
  const leftovers = createLeftovers()
  const reference = await service(leftovers, { devices: 40, tenants: 1 })
  const first = await openConsole(leftovers, profileHere, { secrets: await open() })
  await first.call('connections.save', connectionTo(reference))
  await holds(() => isLive(first))
  await first.stop()
  const env = {
    ...process.env,
    MUSTER_TEST_SECRET: reference.clientSecret,
    XDG_DATA_HOME: path.join(profileHere, 'other'),
  }
  // Not `spawnSync`: the service is in this process.
  const { stdout } = await promisify(execFile)(
    'dbus-run-session',
    [
      '--',
      'bash',
      '-c',
      `printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null\n'${process.execPath}' '${process.argv[1]}' upgraded`,
    ],
    { env },
  )
  await leftovers.clean()
  return JSON.parse(stdout.split('\n').find((line) => line.startsWith('{')) ?? 'null')
}

async function upgraded() {
  const muster = await openConsole(createLeftovers(), profileHere, { secrets: await open() })
  await holds(() => hasFault(muster, 'no-secret'))
  const steps = { 'another backend': await shown(muster) }
  await typeAgain(muster, process.env['MUSTER_TEST_SECRET'] ?? '')
  const after = { ...steps, 'another backend, typed again': await shown(muster) }
  await muster.stop()
  return after
}

async function typeAgain(muster: Console, clientSecret: string): Promise<void> {
  const [connection] = (await stateOf(muster)).connections
  const { input } = await muster.call('connections.show', { id: connection?.id ?? '' })
  if (input === null) throw new Error('the connection is gone')
  await muster.call('connections.save', { ...input, clientSecret })
  await holds(() => isLive(muster))
}

const stateOf = async (muster: Console) => muster.call('app.state', {})
const isLive = async (muster: Console) =>
  (await stateOf(muster)).connections.every(
    ({ link, sync, lastReadingAt }) => link.state === 'live' && sync.state === 'idle' && lastReadingAt !== null,
  )
const hasFault = async (muster: Console, kind: string) =>
  (await stateOf(muster)).connections.some(({ faults }) => faults.some(({ fault }) => fault.kind === kind))

/** The visible state: the keychain, the connection's secret and faults, the banners, and the number of devices. */
async function shown(muster: Console) {
  const { keychain, connections, banners, totals } = await stateOf(muster)
  return {
    keychain: `${keychain.kind}: ${keychain.detail}`,
    secret: connections.map(({ secret }) => secret).join(),
    name: connections.map(({ name }) => name).join(),
    faults: connections.flatMap(({ faults }) => faults.map(({ fault }) => fault.kind)),
    notices: banners.map(({ fault }) => fault.kind),
    devices: totals.connected + totals.disconnected + totals.unknown,
    seen: totals.connected + totals.disconnected,
  }
}

const scenarios: Record<string, () => Promise<object>> = { keeps, locks, changes, upgrades, upgraded }
const [name = ''] = process.argv.slice(2)
// The clock's own timers keep no process alive.
setInterval(() => {}, 60_000)
process.stdout.write(`${JSON.stringify(await scenarios[name]?.())}\n`)
process.exit(0)
