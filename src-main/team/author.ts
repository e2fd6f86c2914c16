import type { TeamMember } from '../../src-shared/model/team.ts'

/**
 * Returns the name with which a login (its role) marks: the claimed one where a member of that role has it. A name that a member
 * of another role had before has the login beside it.
 */
export function authorAmong(
  members: readonly Pick<TeamMember, 'operator' | 'role' | 'joinedAt'>[],
  role: string,
  claimed: string,
): string {
  const own = members.flatMap((member) => (member.role === role ? member.operator : []))
  const name = own.includes(claimed) ? claimed : (own[0] ?? role)
  const [first] = members
    .filter(({ operator }) => operator === name)
    .toSorted((one, other) => one.joinedAt - other.joinedAt)
  return first === undefined || first.role === role ? name : `${name} (${role})`
}
