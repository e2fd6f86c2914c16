import {
  GraphQLError,
  Kind,
  parse,
  print,
  typeFromAST,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'

/** A variable that an operation takes. */
export interface DeclaredVariable {
  name: string
  /** Its type as the document has it: "[ID!]!". */
  written: string
  /** Null where the schema has no such type. */
  type: GraphQLInputType | null
  hasDefault: boolean
}

/** The longest document whose variables are known, characters: it is read anew at each pause in typing. */
const maxDocument = 200_000

/**
 * Returns the variables of an operation of a document, of the first one without a name. Null where the document cannot be
 * read, as while it is being written, or has no such operation.
 */
export function variablesOf(
  document: string,
  operation: string | null,
  schema: GraphQLSchema,
): DeclaredVariable[] | null {
  if (document.length > maxDocument) return null
  const node = operationIn(document, operation)
  if (node === null) return null
  return (node.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => ({
    name: variable.name.value,
    written: print(type),
    // The type of a variable is an input type; by another one nothing can be checked.
    type: (typeFromAST(schema, type) as GraphQLInputType | undefined) ?? null,
    hasDefault: defaultValue !== undefined,
  }))
}

function operationIn(document: string, operation: string | null): OperationDefinitionNode | null {
  const read = readable(document)
  const all = read?.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION) ?? []
  return (operation === null ? all[0] : all.find(({ name }) => name?.value === operation)) ?? null
}

function readable(document: string): DocumentNode | null {
  try {
    return parse(document)
  } catch (error) {
    // Also of a document that is nested too deep to be read.
    if (error instanceof GraphQLError || error instanceof RangeError) return null
    throw error
  }
}
