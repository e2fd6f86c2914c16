import { randomBytes } from 'node:crypto'
import type { User } from '../access/access-store.ts'
import type { CredentialSet, KnownCredentials } from '../access/credentials.ts'
import { toReach } from '../access/credentials.ts'
import type { Session } from '../access/tokens.ts'
import type { Users } from './users.ts'

/** Spec section 8. */
const LIFETIME = 3_600_000

/** Somebody who is logged in, until a moment (milliseconds since 1970) that does not move. */
export type Login = { user: User; /** What the user is without a chosen one. */ set: CredentialSet; expiresAt: number }

/** A login, and the user as it stood then. */
type Kept = Login & { asItWas: string }

/** The logins of the playground (spec section 5.6), kept in memory only. */
export type Sessions = {
  /** The id of a new one: 256 bits of chance. */
  begin(user: User): string
  /** Null for an id that is unknown or over, and where the user was changed or deleted since the login. */
  find(id: string): Login | null
  end(id: string): void
  /** The credential sets, active ones, that this user may choose, by name. */
  choices(user: User): CredentialSet[]
  /** In whose name a login asks: of all that the user may access where `clientId` is null; else of that set, or null where it cannot be chosen. */
  session(login: Login, clientId: string | null): Session | null
}

type SessionOptions = {
  users: Users
  credentials: Pick<KnownCredentials, 'list' | 'find'>
  /** Milliseconds since 1970. */ now: () => number
}

export function startSessions({ users, credentials, now }: SessionOptions): Sessions {
  const logins = new Map<string, Kept>()
  const isOver = ({ user, expiresAt, asItWas }: Kept): boolean => {
    const today = users.list().find(({ name }) => name === user.name)
    return now() >= expiresAt || JSON.stringify(today) !== asItWas
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
      logins.set(id, { user, set: setOf(user), expiresAt: now() + LIFETIME, asItWas: JSON.stringify(user) })
      return id
    },
    find,
    end: (id) => void logins.delete(id),
    choices: (user) =>
      credentials
        .list()
        .filter((set) => set.active && mayChoose(user, set) && credentials.find(set.clientId) !== undefined)
        .map((set) => heldBy(user, set))
        .toSorted((one, other) => one.name.localeCompare(other.name)),
    session(login, clientId) {
      if (clientId === null) return login
      const set = credentials.find(clientId)
      return set && mayChoose(login.user, set) ? { set: heldBy(login.user, set), expiresAt: login.expiresAt } : null
    },
  }
}

/** Ours: an administrator chooses from all; others from the sets that reach into none but their own tenants. */
function mayChoose({ admin, tenants }: User, { reach }: CredentialSet): boolean {
  return admin || tenants === null || (reach?.tenants?.every((id) => tenants.includes(id)) ?? false)
}

/** A set limits, and never gives more than the user has: who is no administrator has no more than role `user` by it. Follows every change of the set. */
function heldBy({ admin }: User, set: CredentialSet): CredentialSet {
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

/** What a user is without a chosen set: as a credential set of their own, with a balance of its own. */
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
