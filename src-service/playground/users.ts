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
}

export function memoryUsers(given: readonly PlaygroundUser[]): Users {
  const users = given.map(({ name, password, admin = false, tenants = null }) => ({
    name,
    admin,
    tenants,
    passwordHash: hashPassword(password, light),
  }))
  return { list: () => users, decoy: decoy(light) }
}

/** Returns the users of a data folder, which a command may change at any time. */
export function keptUsers({ users }: Pick<AccessStore, 'users'>): Users {
  return { list: users, decoy: decoy() }
}
