import type { DatabaseSync } from 'node:sqlite'

/** Longest name of an operator, characters. */
const maxName = 200

/** The names of a team's operators: each belongs to the login of the database that used it first in the team's log. */
export interface MemberNames {
  /** Returns the name with which a login (its role) signs: the claimed one, with the login where that name is another one's. */
  signed(claimed: string, role: string): string
}

export function memberNamesIn(db: DatabaseSync): MemberNames {
  const claim = db.prepare('INSERT OR IGNORE INTO member_name (name, role) VALUES (?, ?)')
  const find = db.prepare('SELECT role FROM member_name WHERE name = ?')
  return {
    signed(claimed, role) {
      const name = claimed.slice(0, maxName)
      claim.run(name, role)
      return find.get(name)?.['role'] === role ? name : `${name} (${role})`
    },
  }
}
