import { createHash } from 'node:crypto'
import type { LeadEnd } from '../../../src-main/team/lead/lease.ts'
import type { AppendOutcome } from '../../../src-main/team/log/writer.ts'

/** What a member in a process of its own is asked. */
export type MemberAsked =
  | { is: 'start'; port: number; database: string; appendMs: number }
  | { is: 'quiet' }
  | { is: 'report' }

/** What it says. `digest`: of the rows that it has. */
export type MemberSaid =
  | { is: 'leads'; term: number }
  | { is: 'follows'; why: LeadEnd }
  | { is: 'told'; text: string; outcome: AppendOutcome['is'] }
  | { is: 'report'; rows: number; digest: string }
  | { is: 'broken'; why: string }

export const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('hex')
