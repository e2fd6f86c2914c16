import { Kind, type DocumentNode, type FragmentDefinitionNode } from 'graphql'

/** Returns the fragments of a document by their names. */
export const fragmentsIn = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions.flatMap((node): [string, FragmentDefinitionNode][] =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  )
