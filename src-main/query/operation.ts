import { Kind, OperationTypeNode, type OperationDefinitionNode } from 'graphql'
import { FaultError } from '../../src-shared/model/fault.ts'
import { readDocument, readingDocument } from '../pacing/cost/shape.ts'

/** What is to be run: a document, and the name of one of its operations where it has several. */
export interface ChosenOperation {
  document: string
  operation: string | null
}

const advice: Record<OperationTypeNode, string> = {
  [OperationTypeNode.QUERY]: 'Run it as a query.',
  [OperationTypeNode.MUTATION]: 'It is sent by “Run mutation”, while all tenants of its connection are armed.',
  [OperationTypeNode.SUBSCRIPTION]: 'It is started by “Subscribe”.',
}

/**
 * Returns the chosen operation, as parsed: its kind is what the document says, whatever its name is. Throws a fault of kind
 * `input` where there is none, or where it is of another kind.
 */
export function operationOf(
  { document, operation }: ChosenOperation,
  kind: OperationTypeNode,
): OperationDefinitionNode {
  const all = readingDocument(() => readDocument(document)).definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  )
  const named = operation === null ? all : all.filter(({ name }) => name?.value === operation)
  const [only, ...more] = named
  if (only === undefined)
    throw new FaultError(
      'input',
      `document: ${operation === null ? 'It has no operation.' : `It has no operation “${operation}”.`}`,
    )
  if (more.length > 0) throw new FaultError('input', 'document: It has several operations: choose one.')
  if (only.operation !== kind)
    throw new FaultError('input', `document: This is a ${only.operation}. ${advice[only.operation]}`)
  return only
}
