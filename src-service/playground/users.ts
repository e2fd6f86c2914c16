import type { AccessStore, User } from '../access/access-store.ts'
import { decoy, hashPassword, light } from '../access/passwords.ts'

/** A user of a service without a data folder. */
export type PlaygroundUser = {
  name: string
  password: string
  /** Default: false. */
  admin?: boolean
  /** Ids of tenants; left out, as with every administrator: all. */
  tenants?: readonly string[]
}

/** The local users, as they are now. */
export type Users = {
  list(): User[]
  /** What a password is compared with where there is no such user, or none with a password. */
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

/** Those of a data folder: a command may change them at any time. */
export function keptUsers({ users }: Pick<AccessStore, 'users'>): Users {
  return { list: users, decoy: decoy() }
}
