import type { AccessStore, User } from '../access/access-store.ts'
import { decoy, hashPassword, light } from '../access/passwords.ts'

/** A user of a service without a data folder. */
export type PlaygroundUser = {
  name: string
  password: string
  /** Default: false. */
  admin?: boolean
  /** Ids of tenants; left out, as for every administrator: all. */
  tenants?: readonly string[]
}

/** The present local users. */
export type Users = {
  list(): User[]
  /** Compared with a password where the user is unknown or has none. */
  decoy: string
  /** Where to find a name and a password. */
  hint: string
}

export function memoryUsers(given: readonly PlaygroundUser[]): Users {
  const users = given.map(({ name, password, admin = false, tenants = null }) => ({
    name,
    admin,
    tenants,
    passwordHash: hashPassword(password, light),
  }))
  const hint = 'The service printed the name and the password when it started: playground_user and playground_password.'
  return { list: () => users, decoy: decoy(light), hint }
}

/** Returns the users of a data folder, which a command may change at any time. */
export function storedUsers({ users }: Pick<AccessStore, 'users'>): Users {
  const hint =
    'The users are those of the data folder. An administrator sets passwords with the command users password.'
  return { list: users, decoy: decoy(), hint }
}
