import { own } from '../../../src-shared/lib/own.ts'
import type { Page } from '../tenants/pages.ts'

/** Maximum length of a cell, characters. */
const maxTextLength = 1_000

export interface ExtraFacts {
  id: string
  /** By the column's name; null: the service returned null. Without failed fields. */
  values: Record<string, string | null>
}

/**
 * Returns the extra fields of a page, as text, by the names of their columns (`user.email` for a member of an object).
 */
export function extraFacts({ edges, errors }: Pick<Page, 'edges' | 'errors'>, names: readonly string[]): ExtraFacts[] {
  const failed = new Set(errors.flatMap(({ path }) => failedCell(path)))
  return edges.flatMap((edge, index) => {
    const node = objectOf(objectOf(edge)?.['node'])
    const id = node?.['id']
    if (node === null || (typeof id !== 'string' && typeof id !== 'number') || id === '') return []
    const present = names.filter(
      (name) => !failed.has(`${index} ${name.split('.')[0] ?? ''}`) && !failed.has(`${index} ${name}`),
    )
    return [{ id: String(id), values: Object.fromEntries(present.flatMap((name) => valueOf(node, name))) }]
  })
}

/** Returns the position of the edge and the column in the path of an error (`…, edges, 3, node, user, email`). */
function failedCell(path: readonly (string | number)[] | null): string[] {
  const at = path?.indexOf('edges') ?? -1
  if (path === null || at < 0 || typeof path[at + 1] !== 'number') return []
  const field = path
    .slice(at + 3)
    .filter((part) => typeof part === 'string')
    .join('.')
  return [`${path[at + 1]} ${field}`]
}

/** Returns the value of a column. An object that is null makes its members null. A missing field was not answered. */
function valueOf(node: Record<string, unknown>, name: string): [string, string | null][] {
  const [field = '', member] = name.split('.')
  const outer = own(node, field)
  const value =
    member === undefined || outer === null || outer === undefined ? outer : own(objectOf(outer) ?? {}, member)
  return value === undefined ? [] : [[name, textOf(value)]]
}

function textOf(value: unknown): string | null {
  if (value === null) return null
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.slice(0, maxTextLength)
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}
