import type { z } from 'zod'
import { explain, type Fault, type FaultKind, type FaultMessage } from '../../src-shared/model/fault.ts'
import { teamInput, type TeamInput } from '../../src-shared/model/team.ts'

/** The fields of the form, which are the contract's own, in the order of the screen. */
export const fieldNames = ['address', 'password', 'ca', 'operator'] as const satisfies readonly (keyof TeamInput)[]
export type FieldName = (typeof fieldNames)[number]
export type Problems = ReadonlyMap<FieldName, string>
export const noProblems: Problems = new Map()

/** What a fault means for a database, where the usual text speaks of the device management service. */
const databaseMessages: Partial<Record<FaultKind, FaultMessage>> = {
  tls: {
    title: 'The database’s certificate is not trusted.',
    advice: 'If it is of your company’s own CA, give its CA certificate. Muster never skips this check.',
  },
  protocol: {
    title: 'Muster cannot use what answers there.',
    advice: 'It has to be PostgreSQL 15 or newer, with TLS unless it runs on this computer.',
  },
  reset: {
    title: 'The database cut the connection.',
    advice: 'Try again. If it keeps happening, look at the network between here and the database.',
  },
  timeout: {
    title: 'The database did not answer in time.',
    advice: 'It or the network may be overloaded, or a firewall or VPN does not let you through.',
  },
  credentials: {
    title: 'The database rejected this role and password.',
    advice: 'Enter the password again, or ask your database administrator whether the role still exists.',
  },
  'no-secret': { title: 'The database asks for a password.', advice: 'Enter it.' },
  forbidden: { title: 'The database does not allow it.', advice: 'Ask your database administrator.' },
  'not-found': {
    title: 'The server answers, but the database is not there.',
    advice: 'Check the name at the end of the address.',
  },
  unavailable: {
    title: 'The database is not available now.',
    advice: 'Try again in a moment. If it stays, ask your database administrator.',
  },
  query: {
    title: 'The database answered with an error.',
    advice: 'Ask your database administrator, with the text below.',
  },
}

/** Returns the title and advice for a fault of the team's database. */
export const explainTeam = (fault: Fault): FaultMessage => databaseMessages[fault.kind] ?? explain(fault)

/** Returns the fault of an invalid certificate or input by field; empty when it is about no field. */
export function problemsIn({ kind, detail }: Fault): Problems {
  if (kind === 'ca') {
    const { title, advice } = explain({ kind, detail })
    return new Map([['ca', `${title} ${advice}`]])
  }
  if (kind !== 'input') return noProblems
  return new Map(
    detail.split('\n').flatMap((line) => {
      const name = fieldNames.find((field) => line.startsWith(`${field}: `))
      return name === undefined ? [] : [[name, line.slice(name.length + 2)] as const]
    }),
  )
}

/** Returns the problems of an input before it is sent, by field. A test needs no name (`isNamed`: false). */
export function problemsOf(input: TeamInput, isNamed: boolean): Problems {
  const issues = teamInput.safeParse(input).error?.issues ?? []
  const found = new Map<FieldName, string>()
  for (const name of fieldNames) {
    const issue = issues.find(({ path }) => path[0] === name)
    if (name === 'address' && input.address.trim() === '') found.set(name, 'Enter the address.')
    else if (issue !== undefined && (name !== 'operator' || isNamed || input.operator.trim() !== ''))
      found.set(name, issueText(issue))
  }
  return found
}

const issueText = (issue: z.core.$ZodIssue): string =>
  issue.code === 'too_big' && issue.message.startsWith('Too big')
    ? `It is longer than ${issue.maximum} characters.`
    : issue.message
