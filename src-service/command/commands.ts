import { parseArgs } from 'node:util'
import { openAccessStore } from '../access/access-store.ts'
import type { AccessStore, User } from '../access/access-store.ts'
import { openCredentials, toReach } from '../access/credentials.ts'
import type { CredentialSet, KnownCredentials, Scope } from '../access/credentials.ts'
import { hashPassword, MAX_PASSWORD, MIN_PASSWORD } from '../access/passwords.ts'
import { checkPlaces } from './places-check.ts'
import { isRole, roles } from '../access/roles.ts'
import type { Role } from '../access/roles.ts'

/** A failed command; `code` is the exit code: 1 rejected, 2 not understood. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: 1 | 2
  constructor(message: string, code: 1 | 2) {
    super(message)
    this.code = code
  }
}

export const commandsUsage = `
The users and credential sets of a data folder; a running service applies changes at once:
  npm run service -- users create NAME [--admin] [--tenants ID,…] [--password] --data DIR [--as USER]
  npm run service -- users password NAME --data DIR --as USER
  npm run service -- users list|delete [NAME] --data DIR --as USER
  npm run service -- credentials create --name NAME [--role R] [--tenants ID,…] [--accounts ID,…] [--sites ID,…]
                     --data DIR --as USER
  npm run service -- credentials list --data DIR --as USER
  npm run service -- credentials edit CLIENT_ID [--name NAME] [--role R] [--tenants ID,…|all] [--accounts ID,…|all]
                     [--sites ID,…|all] [--active yes|no] --data DIR --as USER
  npm run service -- credentials revoke|delete CLIENT_ID --data DIR --as USER
A password is for the playground. It is read from standard input, never from the command line: typed, or as in
  npm run service -- users password NAME --data DIR --as USER < FILE
USER must be an administrator; everybody may change their own password. As long as a folder has none, anybody may make users. R is ${roles.join(', ')}.`

const scopeOptions = ['tenants', 'accounts', 'sites'] as const
type ScopeOption = (typeof scopeOptions)[number]
type Option = 'name' | 'role' | ScopeOption | 'active'
type CommandInput = {
  data: string
  store: AccessStore
  subject: string
  flags: Partial<Record<Option, string>>
  admin: boolean
  /** From standard input; null where none is needed. */ password: string | null
}
type Verb = {
  options: readonly Option[]
  /** The name of the argument after the verb; null where there is none. */
  subject: string | null
  run: (input: CommandInput) => unknown
}

const verbs: Readonly<Record<string, Verb>> = {
  'users create': { options: ['tenants'], subject: 'NAME', run: createUser },
  'users password': { options: [], subject: 'NAME', run: changePassword },
  'users list': { options: [], subject: null, run: ({ store }) => ({ users: store.users().map(userToJson) }) },
  'users delete': { options: [], subject: 'NAME', run: deleteUser },
  'credentials create': { options: ['name', 'role', ...scopeOptions], subject: null, run: createSet },
  'credentials list': {
    options: [],
    subject: null,
    run: ({ store }) => ({
      credentials: openSets(store)
        .list()
        .map((set) => toJson(set)),
    }),
  },
  'credentials edit': { options: ['name', 'role', ...scopeOptions, 'active'], subject: 'CLIENT_ID', run: editSet },
  'credentials revoke': {
    options: [],
    subject: 'CLIENT_ID',
    run: (input) => changeSet(input, (sets) => sets.setActive(input.subject, false)),
  },
  'credentials delete': { options: [], subject: 'CLIENT_ID', run: deleteSet },
}

/** Returns true for the arguments of a command on a data folder, false for those of the service itself. */
export function isCommand([topic]: readonly string[]): boolean {
  return topic === 'users' || topic === 'credentials'
}

/** Returns whether a command needs a password, which is passed to `runCommand`. */
export function needsPassword([topic, verb, ...rest]: readonly string[]): boolean {
  return topic === 'users' && (verb === 'password' || (verb === 'create' && rest.includes('--password')))
}

/**
 * Runs a command and returns its answer: one JSON object. Throws a CommandError or a DataFolderError with a message.
 */
export function runCommand(args: readonly string[], password: string | null = null): unknown {
  const name = args.slice(0, 2).join(' ')
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new CommandError(`There is no command "${name}"\n${commandsUsage}`, 2)
  const { data, as, admin, subject, flags } = readArguments(name, verb, args.slice(2))
  const store = openAccessStore(data, { make: name === 'users create' })
  try {
    checkPermission(store, name, as, subject)
    return verb.run({ data, store, subject, flags, admin, password })
  } finally {
    store.close()
  }
}

function readArguments(name: string, { options, subject }: Verb, args: readonly string[]) {
  const text = { type: 'string' } as const
  const allowed = {
    data: text,
    as: text,
    ...(name === 'users create' ? { admin: { type: 'boolean' } as const, password: { type: 'boolean' } as const } : {}),
    ...Object.fromEntries(options.map((option) => [option, text])),
  }
  const { values, positionals } = parse(args, allowed)
  const { data, as, admin, password: _password, ...flags } = values
  if (typeof data !== 'string' || data === '') throw new CommandError(`${name} needs --data DIR`, 2)
  if (positionals.length !== (subject === null ? 0 : 1))
    throw new CommandError(`${name} takes ${subject === null ? 'no argument' : `one ${subject}`}\n${commandsUsage}`, 2)
  return {
    data,
    as: typeof as === 'string' ? as : null,
    admin: admin === true,
    subject: positionals[0] ?? '',
    flags: flags as Partial<Record<Option, string>>,
  }
}

function parse(
  args: readonly string[],
  options: Record<string, { type: 'string' | 'boolean' }>,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n${commandsUsage}`, 2)
  }
}

/**
 * Throws unless the user may run the command: only administrators manage credentials (spec section 5). Without any
 * administrator, everybody may create the first users.
 */
function checkPermission(store: AccessStore, name: string, as: string | null, subject: string): void {
  const users = store.users()
  if (name === 'users password' && as === subject) return
  if (name === 'users create' && !users.some(({ admin }) => admin)) return
  if (as === null) throw new CommandError(`${name} needs --as USER, an administrator of this data folder`, 1)
  if (!users.some((user) => user.name === as && user.admin))
    throw new CommandError(`${as} is no administrator of this data folder`, 1)
}

function createUser({ data, store, subject, admin, flags: { tenants }, password }: CommandInput): unknown {
  if (!/^[^\p{C}]{1,64}$/u.test(subject)) throw new CommandError('The name of a user has 1 to 64 characters', 2)
  const tenantIds = tenants === undefined ? null : (parseIds('tenants', tenants) ?? null)
  if (admin && tenantIds !== null)
    throw new CommandError('An administrator has all tenants: --tenants is for other users', 2)
  if (tenantIds !== null) rejectUnknown(data, { tenants: tenantIds })
  const user = {
    name: subject,
    admin,
    tenants: tenantIds,
    passwordHash: password === null ? null : hashPassword(checkedPassword(password)),
  }
  store.addUser(user)
  return { name: subject, admin, ...(tenantIds === null ? {} : { tenants: tenantIds }) }
}

/** Ends the user's sessions in the playground. */
function changePassword({ store, subject, password }: CommandInput): unknown {
  if (!store.users().some(({ name }) => name === subject)) throw new CommandError(`There is no user ${subject}`, 1)
  store.setPassword(subject, hashPassword(checkedPassword(password ?? '')))
  return { name: subject, changed: 'password' }
}

function checkedPassword(password: string): string {
  if (password.length >= MIN_PASSWORD && password.length <= MAX_PASSWORD) return password
  throw new CommandError(
    `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters, on one line of standard input`,
    2,
  )
}

function userToJson({ name, admin, tenants, passwordHash }: User): Record<string, unknown> {
  return { name, admin, ...(tenants === null ? {} : { tenants }), ...(passwordHash === null ? {} : { password: true }) }
}

function deleteUser({ store, subject }: CommandInput): unknown {
  const users = store.users()
  if (!users.some(({ name }) => name === subject)) throw new CommandError(`There is no user ${subject}`, 1)
  if (!users.some(({ name, admin }) => admin && name !== subject))
    throw new CommandError(`${subject} is the last administrator`, 1)
  store.dropUser(subject)
  return { name: subject, deleted: true }
}

const openSets = (store: AccessStore): KnownCredentials => openCredentials([], () => undefined, store)

/** Creates a set. Its secret is shown only here. */
function createSet({ data, store, flags }: CommandInput): unknown {
  if (flags.name === undefined) throw new CommandError('credentials create needs --name NAME', 2)
  const wanted = { name: nameOf(flags.name), role: roleOf(flags.role ?? 'admin'), ...scopeFrom(flags, null) }
  rejectUnknown(data, wanted)
  const set = openSets(store).add(wanted)
  return toJson(set, { client_secret: set.clientSecret })
}

function editSet({ data, store, subject, flags }: CommandInput): unknown {
  const { name, role, active } = flags
  if (Object.keys(flags).length === 0) throw new CommandError('credentials edit needs something to change', 2)
  if (active !== undefined && active !== 'yes' && active !== 'no') throw new CommandError('--active takes yes or no', 2)
  return changeSet({ store, subject }, (sets, before) => {
    const reach = scopeOptions.some((option) => flags[option] !== undefined) ? scopeFrom(flags, before) : null
    if (reach) rejectUnknown(data, reach)
    sets.edit(subject, {
      ...(name === undefined ? {} : { name: nameOf(name) }),
      ...(role === undefined ? {} : { role: roleOf(role) }),
      ...(reach === null ? {} : { reach: toReach(reach) }),
      ...(active === undefined ? {} : { active: active === 'yes' }),
    })
  })
}

/** Throws where the folder has a world without the places of the scope. */
function rejectUnknown(data: string, reach: Scope): void {
  const unknown = checkPlaces(data, reach)
  if (unknown !== null) throw new CommandError(`The world of this data folder has no ${unknown.type} ${unknown.id}`, 1)
}

function changeSet(
  { store, subject }: Pick<CommandInput, 'store' | 'subject'>,
  change: (sets: KnownCredentials, before: CredentialSet) => void,
): unknown {
  const sets = openSets(store)
  change(sets, knownSet(sets, subject))
  return toJson(knownSet(sets, subject))
}

function deleteSet({ store, subject }: CommandInput): unknown {
  const sets = openSets(store)
  knownSet(sets, subject)
  sets.remove(subject)
  return { client_id: subject, deleted: true }
}

function knownSet(sets: KnownCredentials, clientId: string): CredentialSet {
  const set = sets.list().find((one) => one.clientId === clientId)
  if (!set) throw new CommandError(`There is no credential set ${clientId}`, 1)
  return set
}

function toJson(
  { clientId, name, role, reach, active }: CredentialSet,
  more: Record<string, string> = {},
): Record<string, unknown> {
  return {
    client_id: clientId,
    ...more,
    name,
    role,
    tenants: reach?.tenants ?? 'all',
    accounts: reach?.accounts ?? 'all',
    sites: reach?.sites ?? 'all',
    active,
  }
}

function nameOf(text: string): string {
  if (text.trim() === '' || text.length > 255) throw new CommandError('--name takes 1 to 255 characters', 2)
  return text
}

function roleOf(text: string): Role {
  if (isRole(text)) return text
  throw new CommandError(`--role takes ${roles.join(', ')}, not "${text}"`, 2)
}

/** Returns the scope: members that are not given stay as in `before`; `all` removes a limit. */
function scopeFrom(flags: CommandInput['flags'], before: CredentialSet | null): Scope {
  const wanted = (option: ScopeOption) =>
    flags[option] === undefined ? (before?.reach?.[option] ?? undefined) : parseIds(option, flags[option])
  return Object.fromEntries(
    scopeOptions.flatMap((option) => {
      const ids = wanted(option)
      return ids === undefined ? [] : [[option, ids]]
    }),
  )
}

function parseIds(option: Option, text: string): string[] | undefined {
  if (text === 'all') return undefined
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids.length === 0) throw new CommandError(`--${option} takes ids separated by commas, or all`, 2)
  return ids
}
