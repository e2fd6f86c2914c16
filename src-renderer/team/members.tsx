import { type ReactNode, useId, useState } from 'react'
import { Button } from 'react-aria-components'
import type { TeamMember } from '../../src-shared/model/team.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { Age } from '../lib/ui/moment.tsx'
import { NameText } from '../lib/ui/name-text.tsx'
import { type JoinedTeam, leaderText, sortedLeads, sortedMembers } from './words.ts'

/** A long table begins with so many rows. */
const firstRows = 25

interface TableProps<T> {
  name: string
  /** What one row is, for the button: "member". */
  unit: string
  columns: readonly string[]
  rows: readonly T[]
  /** The text in place of a table without rows. */
  none: string
  children: (row: T) => ReactNode
}

function TeamTable<T>({ name, unit, columns, rows, none, children }: TableProps<T>) {
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  return (
    <div className="team-part">
      <h3 id={id}>{rows.length === 0 ? name : `${name} (${numberText(rows.length)})`}</h3>
      {rows.length === 0 ? (
        <p className="team-none">{none}</p>
      ) : (
        <table className="team-table" aria-labelledby={id} data-columns={columns.length}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows.slice(0, isWhole ? rows.length : firstRows).map(children)}</tbody>
        </table>
      )}
      {rows.length > firstRows && (
        <Button className="button subtle" onPress={() => setWhole(!isWhole)}>
          {isWhole ? `Show ${many(firstRows, unit)}` : `Show all ${many(rows.length, unit)}`}
        </Button>
      )}
    </div>
  )
}

/** `isCurrent`: who is here is known; otherwise only when each member was seen last. */
export function Members({ members, isCurrent }: { members: readonly TeamMember[]; isCurrent: boolean }) {
  return (
    <TeamTable
      name="Members"
      unit="member"
      columns={['Name', 'Database role', 'Version', 'Last seen']}
      rows={sortedMembers(members)}
      none="Not known yet."
    >
      {(member) => <MemberRow key={member.id} member={member} isCurrent={isCurrent} />}
    </TeamTable>
  )
}

function MemberRow({ member, isCurrent }: { member: TeamMember; isCurrent: boolean }) {
  const { operator, role, musterVersion, seenAt, isHere, isSelf } = member
  return (
    <tr>
      <th scope="row">
        <NameText name={operator} />
        {isSelf && (
          <>
            {' '}
            <span className="team-self">this Muster</span>
          </>
        )}
      </th>
      <td>
        <Isolated>{role}</Isolated>
      </td>
      <td>
        <Isolated>{musterVersion}</Isolated>
      </td>
      <td>{isHere && isCurrent ? <span className="team-here">Here now</span> : <Age at={seenAt} />}</td>
    </tr>
  )
}

/** The connections of each credential set, and the member that reads them for all. `isKnown`: these are all. */
export function Leads({ leads, isKnown }: Pick<JoinedTeam, 'leads'> & { isKnown: boolean }) {
  return (
    <TeamTable
      name="Who reads what"
      unit="credential set"
      columns={['Connections', 'Read by']}
      rows={sortedLeads(leads)}
      none={isKnown ? 'The team has no connections yet.' : 'Not known yet.'}
    >
      {({ connections, leader }) => (
        <tr key={connections.join('\n')}>
          <th scope="row">
            <ul className="team-connections">
              {connections.map((name, index) => (
                // Two connections may have the same name.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={`${index} ${name}`}>
                  <NameText name={name} />
                </li>
              ))}
            </ul>
          </th>
          <td>{leader === null ? <span className="absent">{leaderText(leader)}</span> : leaderText(leader)}</td>
        </tr>
      )}
    </TeamTable>
  )
}
