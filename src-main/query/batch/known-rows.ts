import { Kind, type FieldNode, type ValueNode } from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'
import type { ConnectionField } from './connections-in.ts'

/** A tenant of the inventory, as far as a batch needs it. */
export interface KnownTenant {
  key: string
  id: string
  name: string
  region: string | null
  devices: number
  /** It has been read: `devices` is not just what is known so far. */
  read: boolean
  /** Ids of the connections that list it. */
  connections: readonly string[]
}

/**
 * Returns how many rows a connection has by the inventory: it must be a search for devices without a filter (service-spec.md,
 * section 2), of one tenant or of all that the connection lists. Null: that cannot be known before.
 */
export function knownRows(
  { names, above, nodes }: ConnectionField,
  variables: Readonly<Record<string, unknown>>,
  tenants: readonly KnownTenant[],
): number | null {
  const [node] = nodes
  if (node === undefined || isFiltered(node, variables)) return null
  const path = names.join('.')
  const ofTenant = path === 'tenant.inventory.deviceSearch'
  if (!ofTenant && path !== 'deviceSearch') return null
  const id = ofTenant ? textOf(argumentOf(above[0], 'id'), variables) : null
  const meant = ofTenant ? tenants.filter((tenant) => tenant.id === id) : tenants
  if (meant.length === 0 || meant.some(({ read }) => !read)) return null
  return meant.reduce((sum, { devices }) => sum + devices, 0)
}

const argumentOf = (field: FieldNode | undefined, name: string): ValueNode | undefined =>
  field?.arguments?.find((argument) => argument.name.value === name)?.value

function textOf(value: ValueNode | undefined, variables: Readonly<Record<string, unknown>>): string | null {
  if (value?.kind === Kind.STRING) return value.value
  const held = value?.kind === Kind.VARIABLE ? own(variables, value.name.value) : null
  return typeof held === 'string' ? held : null
}

/** Returns whether a search says anything but its page. */
function isFiltered({ arguments: given = [] }: FieldNode, variables: Readonly<Record<string, unknown>>): boolean {
  return given.some(({ name, value }) => {
    if (name.value !== 'params') return true
    if (value.kind === Kind.OBJECT)
      return value.fields.some((field) => field.name.value === 'filter' && field.value.kind !== Kind.NULL)
    const held = value.kind === Kind.VARIABLE ? (own(variables, value.name.value) ?? null) : null
    return typeof held === 'object' && held !== null && 'filter' in held && held.filter !== null
  })
}
