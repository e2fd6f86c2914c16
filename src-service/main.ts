import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import { askPassword } from './command/ask-password.ts'
import { checkFile, writeFile } from './command/out-file.ts'
import { CommandError, commandsUsage, isCommand, runCommand, needsPassword } from './command/commands.ts'
import type { CredentialSet } from './access/credentials.ts'
import { isRole, roles } from './access/roles.ts'
import type { WhenEmpty } from './graphql/graph.ts'
import { contraryUsage, readContrary } from './command/contrary-option.ts'
import { misfortuneUsage, readMisfortune, startMisfortunesOf } from './command/misfortune-option.ts'
import type { MisfortuneOption } from './command/misfortune-option.ts'
import { readReboots, rebootsUsage } from './command/reboots-option.ts'
import { unusualAnswers } from './faults/contrary/contrary.ts'
import type { ProfileOptions } from './faults/contrary/profile.ts'
import { startService } from './service.ts'
import type { Service, ServiceOptions } from './service.ts'
import { scenarioNames } from './world/life/scenarios.ts'
import type { ScenarioName } from './world/life/scenarios.ts'

const usage = `npm run service -- [options]
  --port N          port on 127.0.0.1; 0 (the default) takes any free one
  --devices N       devices in the world, at most 1000000 (5000)
  --tenants N       tenants in the world (6)
  --seed N          the same seed gives the same world (1)
  --data DIR        keeps the world and the credential sets in that folder, made when it is not there; the three
                    options above are then for the first start only
  --credentials X   one (the default) for all tenants, or per-tenant: one for each, listed under "credentials"
  --role ROLE       of these sets: admin (the default), it-admin, user or device_user; not with --data
  --playground-user NAME
                    the administrator who can log in to the playground (admin), with a password made at the start and
                    printed once; not with --data
  --profile NAME    full (the default); minimal: what the specification shows and nothing else; contrary: what the
                    specification leaves open is answered in the least convenient way
${contraryUsage}
  --exhausted CODE  how an empty balance is answered: 429 (the default), 503, 400 or 200 with errors
  --token-lifetime S
                    seconds for which a token is good (86400)
  --life, --no-life whether devices drop and come back by themselves, and people come into the rooms; they do,
                    unless a scenario is named
  --scenario NAME   ${scenarioNames.join(', ')}: what happens to the fleet (README.md);
                    nothing else does then, unless --life is given as well
${misfortuneUsage}
${rebootsUsage}
  --ca-out FILE     writes the certificate authority to trust, PEM
  --with-parent     stops when standard input closes, for a parent that starts it as its child
  --help            shows this
${commandsUsage}`

const flags = {
  port: { type: 'string', default: '0' },
  devices: { type: 'string' },
  tenants: { type: 'string' },
  seed: { type: 'string' },
  data: { type: 'string' },
  credentials: { type: 'string' },
  role: { type: 'string' },
  'playground-user': { type: 'string' },
  profile: { type: 'string', default: 'full' },
  contrary: { type: 'string', multiple: true },
  'contrary-seed': { type: 'string' },
  exhausted: { type: 'string', default: '429' },
  'token-lifetime': { type: 'string', default: '86400' },
  life: { type: 'boolean' },
  scenario: { type: 'string' },
  misfortune: { type: 'string', multiple: true },
  reboots: { type: 'string', multiple: true },
  'ca-out': { type: 'string' },
  'with-parent': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options']

type Command = {
  options: ServiceOptions
  misfortunes: MisfortuneOption[]
  caOut: string | undefined
  withParent: boolean
}

/** Returns the options of the command line, or the text to print for help or an invalid one. */
function readCommand(args: readonly string[]): Command | { text: string; code: number } {
  try {
    const { values } = parseArgs({ args: [...args], options: flags, allowNegative: true })
    if (values.help) return { text: usage, code: 0 }
    if (args.includes('--life') && args.includes('--no-life')) throw new Error('--life does not go with --no-life')
    if (values['ca-out'] !== undefined) checkFile('--ca-out', values['ca-out'])
    const options = {
      emptyPlaces: true,
      port: wholeNumber('port', values.port, 0, 65_535),
      ...(values.devices === undefined ? {} : { devices: wholeNumber('devices', values.devices, 0, 1_000_000) }),
      ...(values.tenants === undefined ? {} : { tenants: wholeNumber('tenants', values.tenants, 1, 10_000) }),
      ...(values.seed === undefined ? {} : { seed: wholeNumber('seed', values.seed, 0, 2 ** 32 - 1) }),
      ...profileOf(values),
      ...setsOf(values),
      ...usersOf(values.data, values['playground-user']),
      exhausted: whenEmptyOf(values.exhausted),
      tokenLifetimeSeconds: wholeNumber('token-lifetime', values['token-lifetime'], 1, 10 * 365 * 86_400),
      ...(values.reboots === undefined ? {} : { reboots: readReboots(values.reboots) }),
      life: values.life ?? values.scenario === undefined,
      ...(values.scenario === undefined ? {} : { scenario: scenarioOf(values.scenario) }),
    }
    return {
      options,
      misfortunes: (values.misfortune ?? []).map(readMisfortune),
      caOut: values['ca-out'],
      withParent: values['with-parent'],
    }
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : String(error)}\n\n${usage}`, code: 2 }
  }
}

type ProfileFlags = { profile: string; contrary?: string[]; 'contrary-seed'?: string }

function profileOf({ profile, contrary, 'contrary-seed': seed }: ProfileFlags): ProfileOptions {
  if (profile === 'contrary') {
    const contrarySeed = seed === undefined ? null : wholeNumber('contrary-seed', seed, 0, 2 ** 32 - 1)
    return { profile, contrary: readContrary(contrary ?? [], contrarySeed), contrarySeed: contrarySeed ?? 1 }
  }
  if (contrary !== undefined || seed !== undefined)
    throw new Error('--contrary and --contrary-seed go with --profile contrary')
  if (profile === 'full' || profile === 'minimal') return { profile }
  throw new Error(`--profile takes full, minimal or contrary, not "${profile}"`)
}

function scenarioOf(text: string): ScenarioName {
  const name = scenarioNames.find((one) => one === text)
  if (name) return name
  throw new Error(`--scenario takes one of ${scenarioNames.join(', ')}, not "${text}"`)
}

function whenEmptyOf(text: string): WhenEmpty {
  const code = Number(text)
  if (code === 429 || code === 503 || code === 400 || code === 200) return code
  throw new Error(`--exhausted takes 429, 503, 400 or 200, not "${text}"`)
}

type SetFlags = { data?: string; credentials?: string; role?: string }

function setsOf({ data, credentials, role }: SetFlags): Pick<ServiceOptions, 'data' | 'credentials' | 'role'> {
  if (data === '') throw new Error('--data takes the path of a folder')
  if (data !== undefined && role !== undefined)
    throw new Error('--role does not go with --data: each credential set of the folder has its own')
  if (role !== undefined && !isRole(role)) throw new Error(`--role takes one of ${roles.join(', ')}, not "${role}"`)
  if (data !== undefined && credentials !== undefined)
    throw new Error('--credentials does not go with --data: the credential sets are those that stand in the folder')
  if (data !== undefined) return { data }
  const held = role === undefined ? {} : { role }
  if (credentials === undefined || credentials === 'one') return held
  if (credentials === 'per-tenant') return { credentials, ...held }
  throw new Error(`--credentials takes one or per-tenant, not "${credentials}"`)
}

/** Returns the administrator of the playground with a new password; a data folder has users of its own. */
function usersOf(data: string | undefined, name: string | undefined): Pick<ServiceOptions, 'users'> {
  if (data !== undefined && name !== undefined)
    throw new Error('--playground-user does not go with --data: the users are those that stand in the folder')
  if (data !== undefined) return {}
  const user = name ?? 'admin'
  if (!/^[^\p{C}]{1,64}$/u.test(user)) throw new Error('--playground-user takes a name of 1 to 64 characters')
  return { users: [{ name: user, password: randomBytes(12).toString('base64url'), admin: true }] }
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`--${flag} takes a whole number from ${min} to ${max}, not "${text}"`)
}

/** Returns one line with a JSON object that contains everything a client needs to connect. */
function describe(service: Service, { options, caOut }: Command): string {
  return JSON.stringify({
    token_url: service.tokenUrl,
    graphql_url: service.graphqlUrl,
    subscription_url: service.subscriptionUrl,
    ...(options.data === undefined ? { client_id: service.clientId, client_secret: service.clientSecret } : {}),
    ...(options.data === undefined
      ? {}
      : {
          tenants: service.world.tenants().map((tenant) => ({
            ...tenant,
            accounts: service.world.accounts(tenant.id).map(({ id, name }) => ({ id, name })),
          })),
        }),
    ...(caOut === undefined ? {} : { ca_file: caOut }),
    ...(options.users?.[0]
      ? { playground_user: options.users[0].name, playground_password: options.users[0].password }
      : {}),
    ...(service.scenario === null ? {} : { scenario: service.scenario }),
    ...(options.profile === 'contrary' ? { contrary: unusualAnswers(service.contrary.answers()) } : {}),
    ...(options.credentials === undefined ? {} : { credentials: service.credentials.list().map(describeSet) }),
  })
}

function describeSet({ name, clientId, clientSecret, reach }: CredentialSet): Record<string, unknown> {
  return { name, client_id: clientId, client_secret: clientSecret, tenants: reach?.tenants ?? [] }
}

function stopOnRequest(end: () => Promise<void>, withParent: boolean): void {
  let stopping = false
  const stop = (why: string): void => {
    if (stopping) return
    stopping = true
    console.error(`Stopping: ${why}`)
    void end().finally(() => process.exit(0))
  }
  process.once('SIGINT', () => stop('interrupted'))
  process.once('SIGTERM', () => stop('terminated'))
  if (!withParent) return
  // A pipe closes; any other input only ends.
  process.stdin.once('end', () => stop('the parent has ended'))
  process.stdin.once('close', () => stop('the parent has ended'))
  process.stdin.once('error', () => stop('the parent has ended'))
  process.stdin.resume()
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  if (isCommand(args)) {
    process.stdout.write(`${JSON.stringify(runCommand(args, needsPassword(args) ? await askPassword() : null))}\n`)
    return
  }
  const command = readCommand(args)
  if ('text' in command) {
    console.error(command.text)
    process.exitCode = command.code
    return
  }
  const service = await startService(command.options)
  const liftMisfortunes = startMisfortunesOf(service, command.misfortunes)
  stopOnRequest(() => {
    liftMisfortunes()
    return service.stop()
  }, command.withParent)
  if (command.caOut !== undefined) writeFile('--ca-out', command.caOut, service.ca)
  console.error(`The reference service is at ${service.graphqlUrl}`)
  const [user] = command.options.users ?? []
  // A parent reads the object itself, and may log this.
  if (user && !command.withParent)
    console.error(
      `Its playground: open that address in a browser, log in as ${user.name} with the playground_password below`,
    )
  if (service.scenario) console.error(`${service.scenario.name}: ${service.scenario.announced}`)
  if (service.credentials.list().length === 0)
    console.error('There is no credential set yet: make one with npm run service -- credentials create')
  process.stdout.write(`${describe(service, command)}\n`)
}

main().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(error instanceof CommandError ? error.code : 1)
})

/** Returns one line for the user. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} on 127.0.0.1 is in use by another program: name another one with --port, or leave it out to get a free one.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be opened by this user: name one above 1023 with --port, or leave it out to get a free one.`
  return error.message
}
