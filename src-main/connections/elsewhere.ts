import { z } from 'zod'
import { costCalls } from '../../src-shared/contract/cost-calls.ts'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { assertNever, FaultError } from '../../src-shared/model/fault.ts'
import { largest } from '../../src-shared/lib/extremes.ts'
import { cost, refreshCost, type Cost, type RefreshCost } from '../../src-shared/model/gauge.ts'
import { ownPacers, type ConnectionContext } from './context.ts'
import { hoursOf } from './pacers.ts'
import { costOfRefresh, readOwnStatus } from './refresh.ts'
import type { TeamQuestion } from './team-connections.ts'

/*
 * What only the member that reads a connection can say or do. In a team the other members ask it (team/questions.ts), and put its
 * answers and their own together.
 */

type SetHours = CallOutput<'points.hour'>['sets']

const scopeOf = z.string().max(2048)
const hoursAnswer = costCalls['points.hour'].output.shape.sets
const statusAnswer = z.object({ isRead: z.boolean() })

/** Answers another member for the connections that this one reads. Rejects with the fault. */
export async function answerOf(context: ConnectionContext, what: TeamQuestion, input: unknown): Promise<unknown> {
  switch (what) {
    case 'hours':
      return ownHours(context)
    case 'cost':
      return costOfRefresh(context, scopeOf.parse(input))
    case 'status':
      return { isRead: await readOwnStatus(context, scopeOf.parse(input)) }
    case 'column':
      return context.extraColumns.cost(z.string().max(200).parse(input))
    default:
      return assertNever(what)
  }
}

const ownHours = (context: ConnectionContext): SetHours => hoursOf(ownPacers(context), context.entries.all())

/** Asks the other members. Rejects as `SharedConnections.ask` does, or with `team-old` for an answer of another version. */
async function asked<T>(
  { options: { shared } }: ConnectionContext,
  what: TeamQuestion,
  input: unknown,
  answer: z.ZodType<T>,
): Promise<T[]> {
  if (shared === undefined) return []
  const answers = z.array(answer).safeParse(await shared.ask(what, input))
  if (!answers.success) throw new FaultError('team-old', 'a member answers otherwise')
  return answers.data
}

/** Returns the points that each credential set used in the last hour. Rejects where nobody reads any, and where a member does not answer. */
export async function hours(context: ConnectionContext): Promise<SetHours> {
  const all = [...ownHours(context), ...(await asked(context, 'hours', null, hoursAnswer)).flat()]
  const isAnyRunning = [...context.entries.all()].some(({ record }) => !record.paused)
  if (all.length === 0 && isAnyRunning && context.options.shared !== undefined)
    throw new FaultError('no-secret', 'No member of the team that has it is here now.')
  return all
}

/** Returns the cost of refreshing a scope, whoever reads it. */
export async function refreshCostOf(context: ConnectionContext, scope: string): Promise<RefreshCost> {
  return addedCosts([await costOfRefresh(context, scope), ...(await asked(context, 'cost', scope, refreshCost))])
}

/** Returns the costs of the parts of a scope, which different members read, as one. */
export function addedCosts(all: readonly RefreshCost[]): RefreshCost {
  const parts = all.filter(({ full, status }) => full.tenants > 0 || status !== null)
  const status = parts.flatMap((part) => part.status ?? [])
  return {
    full: { ...together(parts.map(({ full }) => full)), tenants: sum(parts.map(({ full }) => full.tenants)) },
    // As in one Muster: the status of all of its devices, or none.
    status: status.length > 0 && status.length === parts.length ? together(status) : null,
  }
}

/** Reads the status of a scope's known devices, whoever reads it. Rejects with the reason, or with `input` where nobody can. */
export async function readStatus(context: ConnectionContext, scope: string): Promise<void> {
  const [isOwn, answers] = await Promise.all([
    readOwnStatus(context, scope),
    asked(context, 'status', scope, statusAnswer),
  ])
  if (!isOwn && !answers.some(({ isRead }) => isRead))
    throw new FaultError('input', 'scope: The status of this place alone cannot be read.')
}

/** Returns the cost of reading an extra column, whoever reads it; null where nobody can say it. */
export async function columnCostOf(context: ConnectionContext, name: string): Promise<Cost | null> {
  const own = await context.extraColumns.cost(name)
  const others = await asked(context, 'column', name, cost.nullable())
  const parts = [own, ...others].filter((part) => part !== null)
  return parts.length === 0 ? null : together(parts)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Credential sets wait for their points at the same time. */
const together = (parts: readonly Cost[]): Cost => ({
  points: sum(parts.map(({ points }) => points)),
  devices: sum(parts.map(({ devices }) => devices)),
  windows: Math.max(0, largest(parts.map(({ windows }) => windows))),
  ms: Math.max(0, largest(parts.map(({ ms }) => ms))),
  known: parts.length > 0 && parts.every(({ known }) => known),
})
