import { GraphQLError, Kind, specifiedRules, validate } from 'graphql'
import type { ASTVisitor, SelectionNode, ValidationContext } from 'graphql'
import { boundsRule } from './bounds.ts'

/**
 * Validates as `validate` of graphql-js does, with the limits of a document (README.md), for both addresses. Our rules
 * run first, and alone where they find an error: a rule of the library throws where a skipped root has a variable.
 */
export const validateBounded: typeof validate = (schema, document, rules = specifiedRules, ...rest) => {
  const ours = validate(schema, document, [boundsRule, rootStaysRule, knownRootRule], ...rest)
  return ours.length > 0 ? ours : validate(schema, document, rules, ...rest)
}

/**
 * A validation rule: a subscription's root field cannot be skipped. GraphQL requires it since 2023; the library's rules
 * do not, and its execution then fails on an empty subscription.
 */
function rootStaysRule(context: ValidationContext): ASTVisitor {
  const seen = new Set<string>()
  const canGo = (node: SelectionNode): boolean => {
    if (node.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include')) return true
    if (node.kind === Kind.FIELD) return false
    if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet.selections.some(canGo)
    if (seen.has(node.name.value)) return false
    seen.add(node.name.value)
    return context.getFragment(node.name.value)?.selectionSet.selections.some(canGo) ?? false
  }
  return {
    OperationDefinition(node) {
      seen.clear()
      if (node.operation === 'subscription' && node.selectionSet.selections.some(canGo))
        context.reportError(
          new GraphQLError('The field of a subscription takes no @skip and no @include', { nodes: node }),
        )
    },
  }
}

/**
 * A validation rule with the library's message, which the library reports only at execution: a profile without
 * mutations rejects them.
 */
function knownRootRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (!context.getSchema().getRootType(node.operation))
        context.reportError(
          new GraphQLError(`Schema is not configured to execute ${node.operation} operation.`, { nodes: node }),
        )
    },
  }
}
