import { indentUnit } from '@codemirror/language'
import type { TransactionSpec, EditorState } from '@codemirror/state'
import type { Command } from '@codemirror/view'
import { getSchema } from 'cm6-graphql'
import { getNamedType, isInterfaceType, isLeafType, isNonNullType, isObjectType, type GraphQLSchema } from 'graphql'
import { selectionAt, type SyntaxNode } from './symbol-at.ts'

/** Most fields that are inserted at once. */
const maxFields = 200

/**
 * Returns the change that selects all fields without fields of their own in the set around the cursor, or in that of the
 * field before it; null where nothing is missing. Left out: what is deprecated, and what requires an argument.
 */
export function fillFields(state: EditorState, position: number, schema: GraphQLSchema): TransactionSpec | null {
  const found = selectionAt(state, position, schema)
  if (found === null || !(isObjectType(found.type) || isInterfaceType(found.type))) return null
  const selected = found.node === null ? [] : namesIn(state, found.node)
  const missing = Object.values(found.type.getFields())
    .filter(
      ({ name, type, args, deprecationReason }) =>
        isLeafType(getNamedType(type)) &&
        (deprecationReason === null || deprecationReason === undefined) &&
        !args.some((argument) => isNonNullType(argument.type) && argument.defaultValue === undefined) &&
        !selected.includes(name),
    )
    .map(({ name }) => name)
    .slice(0, maxFields)
  if (missing.length === 0) return null
  const opened = found.node ?? found.field
  if (opened === null) return null
  const base = /^\s*/u.exec(state.doc.lineAt(opened.from).text)?.[0] ?? ''
  const lines = missing.map((name) => `${base}${state.facet(indentUnit)}${name}\n`).join('')
  if (found.node === null) return { changes: { from: opened.to, insert: ` {\n${lines}${base}}` }, userEvent: 'input' }
  const close = found.node.getChild('}')
  const until = close?.from ?? found.node.to
  const from = found.node.from + state.sliceDoc(found.node.from, until).trimEnd().length
  return { changes: { from, to: until, insert: `\n${lines}${close === null ? '' : base}` }, userEvent: 'input' }
}

function namesIn(state: EditorState, set: SyntaxNode): string[] {
  const names = set.getChildren('Selection').map((each) => {
    const name = each.getChild('Field')?.getChild('FieldName')
    return name ? state.sliceDoc(name.from, name.to) : ''
  })
  return names
}

/** Inserts the fields at the cursor. */
export const fillAtCursor: Command = (view) => {
  const schema = getSchema(view.state)
  const change = schema ? fillFields(view.state, view.state.selection.main.head, schema) : null
  if (change !== null) view.dispatch(change)
  return true
}
