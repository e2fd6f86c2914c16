import { OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql'
import { FaultError } from '../../src-shared/model/fault.ts'
import { isOperation, readDocument, readingDocument, sentOperation, type SentOperation } from '../pacing/cost/shape.ts'

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
export const operationOf = (
  { document, operation }: ChosenOperation,
  kind: OperationTypeNode,
): OperationDefinitionNode => readingDocument(() => chosen(readDocument(document), operation, kind))

/** Returns the chosen operation with what its cost depends on. Throws as `operationOf` does. */
export function sentOf(
  { document, operation }: ChosenOperation,
  kind: OperationTypeNode,
  variables: Record<string, unknown>,
): SentOperation {
  return readingDocument(() => {
    const tree = readDocument(document)
    return sentOperation(tree, chosen(tree, operation, kind), variables)
  })
}

function chosen(tree: DocumentNode, name: string | null, kind: OperationTypeNode): OperationDefinitionNode {
  const all = tree.definitions.filter(isOperation)
  const named = name === null ? all : all.filter((node) => node.name?.value === name)
  const [only, ...more] = named
  if (only === undefined)
    throw new FaultError(
      'input',
      `document: ${name === null ? 'It has no operation.' : `It has no operation “${name}”.`}`,
    )
  if (more.length > 0) throw new FaultError('input', 'document: It has several operations: choose one.')
  if (only.operation !== kind)
    throw new FaultError('input', `document: This is a ${only.operation}. ${advice[only.operation]}`)
  return only
}
