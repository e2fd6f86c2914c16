import { Kind, visit, type OperationDefinitionNode, type TypeNode } from 'graphql'
import type { ReadOperation } from './paged-operation.ts'

/** The variable of an operation that names its tenant. */
export interface TenantVariable {
  name: string
  /** It takes a list of ids. */
  isList: boolean
}

/** Names of such a variable, where the operation does not show it by its use. */
const usualNames: readonly string[] = ['tenantId', 'tenant_id', 'tenant']

/**
 * Returns the variable that is used as `tenant(id:)`, or as an argument `tenantId` (service-spec.md, section 4; service-twin.md,
 * section 8), or else has a usual name; or why there is none.
 */
export function tenantVariable({ document, operation }: ReadOperation): TenantVariable | { why: string } {
  const used = new Set<string>()
  visit(document, {
    Field({ name, arguments: given = [] }) {
      for (const argument of given) {
        const isTenant = argument.name.value === 'tenantId' || (name.value === 'tenant' && argument.name.value === 'id')
        if (isTenant && argument.value.kind === Kind.VARIABLE) used.add(argument.value.name.value)
      }
    },
  })
  const declared = declaredIn(operation)
  const found = [...used].filter((name) => declared.has(name))
  const [name = usualNames.find((usual) => declared.has(usual)), ...more] = found
  if (more.length > 0)
    return { why: `It names a tenant by several variables: ${found.map((each) => `$${each}`).join(', ')}.` }
  const type = name === undefined ? undefined : declared.get(name)
  return name === undefined || type === undefined
    ? { why: 'It takes no tenant: declare $tenantId: ID! and use it, as in tenant(id: $tenantId).' }
    : { name, isList: isListType(type) }
}

const declaredIn = ({ variableDefinitions = [] }: OperationDefinitionNode): Map<string, TypeNode> =>
  new Map(variableDefinitions.map(({ variable, type }) => [variable.name.value, type]))

const isListType = (type: TypeNode): boolean =>
  type.kind === Kind.NON_NULL_TYPE ? isListType(type.type) : type.kind === Kind.LIST_TYPE

/** Returns the variables for one tenant. */
export const forTenant = (
  variables: Record<string, unknown>,
  { name, isList }: TenantVariable,
  tenant: string,
): Record<string, unknown> => ({ ...variables, [name]: isList ? [tenant] : tenant })
