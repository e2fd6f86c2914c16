import { severities, type SchemaChange, type Severity } from '../../../src-shared/model/schema-history.ts'
import type { FormLine, SchemaForm } from './form.ts'

/**
 * Returns the differences of two schemas, breaking ones first, then by coordinate. What is within an added or removed type
 * or field is not listed beside it. Severities as in graphql-js (`findBreakingChanges`, `findDangerousChanges`).
 */
export function differencesBetween(before: SchemaForm, after: SchemaForm): SchemaChange[] {
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, line]) => line)
  const added = [...after].filter(([key]) => !before.has(key)).map(([, line]) => line)
  const changed = [...after].flatMap(([key, line]) => {
    const former = before.get(key)
    return former === undefined ? [] : changesOf(former, line)
  })
  return [
    ...outermost(removed).map((line) => change(line.coordinate, 'removed', 'breaking', line.type, '')),
    ...outermost(added).map((line) => change(line.coordinate, 'added', addedSeverity(line), '', line.type)),
    ...changed,
  ].toSorted(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
      compare(one.coordinate, other.coordinate) ||
      compare(one.what, other.what),
  )
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

function change(
  coordinate: string,
  what: SchemaChange['what'],
  severity: Severity,
  from: string,
  to: string,
): SchemaChange {
  return { coordinate, what, severity, from, to }
}

/** Leaves out lines within another one of the list. */
function outermost(lines: readonly FormLine[]): FormLine[] {
  const types = new Set(lines.filter(({ kind }) => kind === 'type').map(({ coordinate }) => coordinate))
  const fields = new Set(lines.filter(({ kind }) => kind === 'field').map(({ coordinate }) => coordinate))
  return lines.filter(
    ({ kind, coordinate }) =>
      kind === 'type' ||
      (!types.has(coordinate.split(/[. ]/, 1)[0] ?? '') &&
        (kind !== 'argument' || !fields.has(coordinate.split('(', 1)[0] ?? ''))),
  )
}

function addedSeverity({ kind, type }: FormLine): Severity {
  if (kind === 'type' || kind === 'field') return 'safe'
  return (kind === 'argument' || kind === 'input') && isRequired(type) ? 'breaking' : 'dangerous'
}

function changesOf(before: FormLine, after: FormLine): SchemaChange[] {
  const changes: SchemaChange[] = []
  const { coordinate } = after
  if (before.type !== after.type)
    changes.push(change(coordinate, 'changed', changedSeverity(before, after), before.type, after.type))
  if (before.deprecated === null && after.deprecated !== null)
    changes.push(change(coordinate, 'deprecated', 'safe', '', after.deprecated))
  if (before.deprecated !== null && after.deprecated === null)
    changes.push(change(coordinate, 'undeprecated', 'safe', before.deprecated, ''))
  return changes
}

function changedSeverity({ kind, type: from }: FormLine, { type: to }: FormLine): Severity {
  if (kind === 'field') return isNarrowed(from, to) ? 'safe' : 'breaking'
  if (kind !== 'argument' && kind !== 'input') return 'breaking'
  if (!isNarrowed(typeIn(to), typeIn(from))) return 'breaking'
  // Of two defaults the service uses the new one.
  return typeIn(from) === typeIn(to) ? 'dangerous' : 'safe'
}

const isRequired = (type: string): boolean => type.endsWith('!') && !type.includes(' = ')
const typeIn = (type: string): string => type.split(' = ', 1)[0] ?? ''

/** Returns whether each value of `to` is one of `from`: the same type, or the same without null. */
function isNarrowed(from: string, to: string): boolean {
  if (from === to) return true
  if (to.endsWith('!')) return isNarrowed(from.endsWith('!') ? from.slice(0, -1) : from, to.slice(0, -1))
  return from.startsWith('[') && from.endsWith(']') && to.startsWith('[') && isNarrowed(inner(from), inner(to))
}

const inner = (list: string): string => list.slice(1, -1)
