import { randomBytes } from 'node:crypto'
import type { User } from '../access/access-store.ts'
import type { CredentialSet, KnownCredentials } from '../access/credentials.ts'
import { toReach } from '../access/credentials.ts'
import type { Session } from '../access/tokens.ts'
import type { Users } from './users.ts'

/** Lifetime of a session, ms (spec section 8). */
const LIFETIME = 3_600_000

/** A logged-in user, until a fixed moment (milliseconds since 1970). */
export type Login = { user: User; /** What the user is without a chosen one. */ set: CredentialSet; expiresAt: number }

/** A login, and the user at that time. */
type StoredLogin = Login & { snapshot: string }

/** The logins of the playground (spec section 5.6), in memory only. */
export type Sessions = {
  /** Begins a login and returns its id: 256 random bits. */
  begin(user: User): string
  /** Returns a login; null for an unknown or expired id, and where the user was changed or deleted since. */
  find(id: string): Login | null
  end(id: string): void
  /** Returns the active credential sets that this user may choose, by name. */
  choices(user: User): CredentialSet[]
  /**
   * Returns the session of a login: of all that the user may access where `clientId` is null; otherwise of that set, or
   * null where it cannot be chosen.
   */
  session(login: Login, clientId: string | null): Session | null
}

type SessionOptions = {
  users: Users
  credentials: Pick<KnownCredentials, 'list' | 'find'>
  /** Milliseconds since 1970. */ now: () => number
}

export function startSessions({ users, credentials, now }: SessionOptions): Sessions {
  const logins = new Map<string, StoredLogin>()
  const isOver = ({ user, expiresAt, snapshot }: StoredLogin): boolean => {
    const today = users.list().find(({ name }) => name === user.name)
    return now() >= expiresAt || JSON.stringify(today) !== snapshot
  }
  const find = (id: string) => {
    const login = logins.get(id)
    if (!login) return null
    if (!isOver(login)) return login
    logins.delete(id)
    return null
  }
  return {
    begin(user) {
      for (const [id, login] of logins) if (isOver(login)) logins.delete(id)
      const id = randomBytes(32).toString('base64url')
      logins.set(id, { user, set: setOf(user), expiresAt: now() + LIFETIME, snapshot: JSON.stringify(user) })
      return id
    },
    find,
    end: (id) => void logins.delete(id),
    choices: (user) =>
      credentials
        .list()
        .filter((set) => set.active && mayChoose(user, set) && credentials.find(set.clientId) !== undefined)
        .map((set) => limitedTo(user, set))
        .toSorted((one, other) => one.name.localeCompare(other.name)),
    session(login, clientId) {
      if (clientId === null) return login
      const set = credentials.find(clientId)
      return set && mayChoose(login.user, set) ? { set: limitedTo(login.user, set), expiresAt: login.expiresAt } : null
    },
  }
}

/**
 * Returns whether a user may choose a set (ours): an administrator any; others those that reach only their own tenants.
 */
function mayChoose({ admin, tenants }: User, { reach }: CredentialSet): boolean {
  return admin || tenants === null || (reach?.tenants?.every((id) => tenants.includes(id)) ?? false)
}

/**
 * Returns a set limited to the user's rights: a user who is not an administrator has at most the role `user`. Follows
 * every change of the set.
 */
function limitedTo({ admin }: User, set: CredentialSet): CredentialSet {
  if (admin) return set
  return {
    ...set,
    get role() {
      return set.role === 'device_user' ? 'device_user' : 'user'
    },
    get reach() {
      return set.reach
    },
  }
}

/** Returns the credential set of a user without a chosen one, with its own balance. */
function setOf({ name, admin, tenants }: User): CredentialSet {
  return {
    clientId: `user:${name}`,
    clientSecret: '',
    name,
    role: admin ? 'admin' : 'user',
    reach: admin || tenants === null ? null : toReach({ tenants }),
    active: true,
  }
}
