import { Kind, parse, type OperationTypeNode } from 'graphql'

export type OperationKind = `${OperationTypeNode}`

/**
 * Returns the kind of the chosen operation (null: the first one); `query` where the document cannot be read, as the core says then
 * what is wrong with it. What is sent as what is for the core to judge.
 */
export function operationKind(document: string, operation: string | null): OperationKind {
  try {
    const all = parse(document, { noLocation: true, maxTokens: 50_000 }).definitions.flatMap((node) =>
      node.kind === Kind.OPERATION_DEFINITION ? [node] : [],
    )
    const chosen = operation === null ? all[0] : all.find(({ name }) => name?.value === operation)
    return chosen?.operation ?? 'query'
  } catch {
    return 'query'
  }
}
