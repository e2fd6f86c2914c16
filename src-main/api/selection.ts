import { z } from 'zod'
import type { Lane } from '../../src-shared/model/gauge.ts'
import { args, needsArguments } from './capabilities.ts'
import type { Api } from './client.ts'
import { typeOperation } from './operations.ts'

/** How the requests are sent. */
export interface AskedAs {
  lane: Lane
  signal: AbortSignal
}

/** The members that Muster can use, with those of their objects. */
export interface Members {
  [name: string]: Members
}

const named = z.object({ kind: z.string(), name: z.string().nullish() })
const wrapped = named.extend({
  ofType: named.extend({ ofType: named.extend({ ofType: named.nullish() }).nullish() }).nullish(),
})
const field = z.object({ name: z.string(), args, type: wrapped })
const described = z.object({ type: z.object({ fields: z.array(field) }) })

interface Wrapped {
  kind: string
  name?: string | null | undefined
  ofType?: Wrapped | null | undefined
}

/** Returns the type within lists and non-null types. */
function innermost(type: Wrapped): Wrapped {
  return type.ofType === null || type.ofType === undefined ? type : innermost(type.ofType)
}

/**
 * Returns those of `members` that a type offers, as they are written in a document: scalars named in `plain`, and
 * objects with the members below. Walks down no deeper than `members`. Rejects with a `FaultError`.
 */
export async function selectionOf(
  api: Api,
  type: string,
  members: Members,
  plain: ReadonlySet<string>,
  as: AskedAs,
): Promise<string> {
  const reply = await api.run({ operation: typeOperation, variables: { name: type }, size: 1, ...as })
  const read = described.safeParse(reply.data)
  const offered = new Map((read.success ? read.data.type.fields : []).map((each) => [each.name, each]))
  const selected: string[] = []
  for (const [name, below] of Object.entries(members)) {
    const declared = offered.get(name)
    if (declared === undefined || needsArguments(declared.args)) continue
    const { kind, name: of } = innermost(declared.type)
    if ((kind === 'SCALAR' || kind === 'ENUM') && plain.has(name)) selected.push(name)
    if ((kind !== 'OBJECT' && kind !== 'INTERFACE') || typeof of !== 'string') continue
    const inside = Object.keys(below).length === 0 ? '' : await selectionOf(api, of, below, plain, as)
    if (inside !== '') selected.push(`${name} { ${inside} }`)
  }
  return selected.join(' ')
}
