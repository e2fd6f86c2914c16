import {
  Kind,
  print,
  valueFromASTUntyped,
  visit,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'
import type { MutationField } from '../../../src-shared/model/mutation.ts'
import { fragmentsIn } from '../../pacing/cost/fragments.ts'

/** Longest shown arguments of a field, characters. */
const maxArguments = 4_000
/** Most fields that a mutation may have: more cannot be read before a press. */
export const maxFields = 50

/**
 * Returns the root fields that an operation runs, with those of its fragments, each once under its name in the answer; without
 * those that a variable or value leaves out. Variables are filled in.
 */
export function rootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): MutationField[] {
  const fragments = fragmentsIn(document)
  const values = withDefaults(operation, variables)
  const found = new Map<string, MutationField>()
  const entered = new Set<string>()
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (isLeftOut(selection.directives ?? [], values)) continue
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value
        if (!found.has(name)) found.set(name, fieldOf(name, selection, values))
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else {
        const fragment = fragments.get(selection.name.value)
        if (fragment === undefined || entered.has(selection.name.value)) continue
        entered.add(selection.name.value)
        collect(fragment.selectionSet)
      }
    }
  }
  collect(operation.selectionSet)
  return [...found.values()]
}

function withDefaults(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>()
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value
    const given = own(variables, name)
    if (given !== undefined) values.set(name, given)
    else if (defaultValue !== undefined) values.set(name, valueFromASTUntyped(defaultValue))
  }
  return values
}

/** Returns whether a directive surely leaves a field out; in doubt it is shown. */
function isLeftOut(directives: readonly DirectiveNode[], values: ReadonlyMap<string, unknown>): boolean {
  return directives.some(({ name, arguments: given = [] }) => {
    const condition = given.find((each) => each.name.value === 'if')?.value
    if (condition === undefined) return false
    const value =
      condition.kind === Kind.BOOLEAN
        ? condition.value
        : condition.kind === Kind.VARIABLE
          ? values.get(condition.name.value)
          : undefined
    return (name.value === 'skip' && value === true) || (name.value === 'include' && value === false)
  })
}

function fieldOf(name: string, field: FieldNode, values: ReadonlyMap<string, unknown>): MutationField {
  const text = (field.arguments ?? [])
    .map(({ name: { value: argument }, value }) => `${argument}: ${valueText(value, values)}`)
    .join(', ')
  return {
    name,
    field: field.name.value,
    arguments: text.slice(0, maxArguments),
    isCut: text.length > maxArguments,
  }
}

/** Returns a value as GraphQL writes it, with JSON in the place of variables; one that is not given stays a variable. */
function valueText(value: ValueNode, values: ReadonlyMap<string, unknown>): string {
  const filled = visit(value, {
    Variable(node) {
      const given = values.get(node.name.value)
      // An enum is printed as it is.
      return given === undefined ? undefined : { kind: Kind.ENUM, value: JSON.stringify(given) }
    },
  })
  return print(filled)
}
