import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { jsonLanguage } from '@codemirror/lang-json'
import { linter, type Diagnostic } from '@codemirror/lint'
import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import {
  coerceInputValue,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'
import { readVariables } from '../variables.ts'
import { itemType, treeUntil, type SyntaxNode } from './symbol-at.ts'
import type { DeclaredVariable } from './variable-types.ts'

/** By what variables are completed and checked. */
export interface VariablesContext {
  /** Null: not known, so that nothing is completed or marked. */
  declared: readonly DeclaredVariable[] | null
  /** False: the service tells no schema, and values are not checked. */
  isChecked: boolean
  tenants: readonly { id: string; name: string }[]
}

const unknown: VariablesContext = { declared: null, isChecked: false, tenants: [] }

export const setVariablesContext = StateEffect.define<VariablesContext>()

const context = StateField.define<VariablesContext>({
  create: () => unknown,
  update(value, { effects }) {
    for (const effect of effects) if (effect.is(setVariablesContext)) return effect.value
    return value
  },
})

/** The deepest nesting that is followed. */
const maxDepth = 100
/** Most marks of a text. */
const maxMarks = 50
/** Longest text that is checked, characters. */
const maxChecked = 200_000

/** Returns the completions at a position of the variables. */
export function variableCompletions({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const { declared, tenants } = state.field(context)
  if (declared === null) return null
  const node = treeUntil(state, pos).resolveInner(pos, -1)
  const isText = node.name === 'String' || node.name === 'PropertyName'
  const quoted = isText || state.sliceDoc(pos - 1, pos) === '"'
  const word = /"?[\w-]*$/u.exec(state.sliceDoc(Math.max(0, pos - 200), pos))?.[0] ?? ''
  if (word === '' && !explicit && !quoted) return null
  const from = pos - word.length
  // The quotation mark behind the cursor is one that the editor has closed.
  const to = word.startsWith('"') && state.sliceDoc(pos, pos + 1) === '"' ? pos + 1 : pos
  // A value that has ended is followed by a comma first.
  if (!/[{[,:]\s*$/u.test(state.sliceDoc(Math.max(0, from - 200), from))) return null
  const place = placeAt(state, node, from, declared)
  if (place === null) return null
  const options = place.is === 'name' ? names(place.options) : values(place, tenants)
  return options.length === 0 ? null : { from, to, options, filter: true, validFor: /^"?[\w-]*$/u }
}

type Place =
  | { is: 'name'; options: readonly { name: string; detail: string; info: string | null; required: boolean }[] }
  | { is: 'value'; name: string; type: GraphQLInputType }

/** Returns what belongs at a place: a name in an object of a known type, or a value. */
function placeAt(
  state: EditorState,
  node: SyntaxNode,
  from: number,
  declared: readonly DeclaredVariable[],
): Place | null {
  let inner: SyntaxNode | null = node
  while (inner !== null && inner.name !== 'Object' && inner.name !== 'Array' && inner.name !== 'JsonText')
    inner = inner.parent
  if (inner === null || inner.name === 'JsonText') return null
  if (inner.name === 'Array') {
    const item = itemType(typeOf(state, inner, declared))
    return item !== null ? { is: 'value', name: nameAround(state, inner), type: item } : null
  }
  // Behind a colon stands the value of the name before it, else a name.
  const before = state.sliceDoc(inner.from, from)
  const name = /"((?:[^"\\]|\\.)*)"\s*:\s*$/u.exec(before.slice(-300))?.[1]
  if (name !== undefined) {
    const type = memberType(state, inner, name, declared)
    return type === null ? null : { is: 'value', name, type }
  }
  const used = new Set(inner.getChildren('Property').map((each) => nameOf(state, each, from)))
  return { is: 'name', options: membersOf(state, inner, declared).filter((option) => !used.has(option.name)) }
}

function membersOf(state: EditorState, object: SyntaxNode, declared: readonly DeclaredVariable[]) {
  if (object.parent?.name === 'JsonText')
    return declared.map(({ name, written, type, hasDefault }) => ({
      name,
      detail: written,
      info: (type && getNamedType(type).description) ?? null,
      required: written.endsWith('!') && !hasDefault,
    }))
  const type = getNamedType(typeOf(state, object, declared) ?? undefined)
  if (!isInputObjectType(type)) return []
  return Object.values(type.getFields()).map(({ name, type: of, description, defaultValue }) => ({
    name,
    detail: String(of),
    info: description ?? null,
    required: isNonNullType(of) && defaultValue === undefined,
  }))
}

/** Returns the type that an object or list must have, by the names around it. */
function typeOf(
  state: EditorState,
  node: SyntaxNode,
  declared: readonly DeclaredVariable[],
  depth = 0,
): GraphQLInputType | null {
  const { parent } = node
  if (parent === null || depth > maxDepth) return null
  if (parent.name === 'Array') return itemType(typeOf(state, parent, declared, depth + 1))
  if (parent.name !== 'Property' || parent.parent === null) return null
  return memberType(state, parent.parent, nameOf(state, parent), declared, depth + 1)
}

function memberType(
  state: EditorState,
  object: SyntaxNode,
  name: string,
  declared: readonly DeclaredVariable[],
  depth = 0,
): GraphQLInputType | null {
  if (object.parent?.name === 'JsonText') return declared.find((each) => each.name === name)?.type ?? null
  const type = getNamedType(typeOf(state, object, declared, depth + 1) ?? undefined)
  return isInputObjectType(type) ? (own(type.getFields(), name)?.type ?? null) : null
}

/** Returns the name of a member; '' for the one that is being written at `from`. */
function nameOf(state: EditorState, property: SyntaxNode, from = -1): string {
  const name = property.getChild('PropertyName')
  if (name === null || name.from === from) return ''
  return state.sliceDoc(name.from + 1, name.to - 1)
}

function nameAround(state: EditorState, node: SyntaxNode): string {
  let each: SyntaxNode | null = node
  while (each !== null && each.name !== 'Property') each = each.parent
  return each === null ? '' : nameOf(state, each)
}

const names = (all: (Place & { is: 'name' })['options']): Completion[] =>
  all.map(({ name, detail, info, required }) => ({
    label: `"${name}"`,
    displayLabel: name,
    detail,
    ...(info !== null && { info }),
    apply: `"${name}": `,
    type: 'property',
    boost: required ? 1 : 0,
  }))

/** Returns the values of a type, as they are written in JSON. */
function values({ name, type }: Place & { is: 'value' }, tenants: VariablesContext['tenants']): Completion[] {
  const named = getNamedType(type)
  const nothing: Completion[] = isNonNullType(type) ? [] : [{ label: 'null', type: 'keyword', boost: -1 }]
  if (named.name === 'Boolean')
    return [{ label: 'true', type: 'keyword' }, { label: 'false', type: 'keyword' }, ...nothing]
  if (isEnumType(named)) {
    const all = named.getValues().map(({ name: value, description, deprecationReason }) => ({
      label: `"${value}"`,
      displayLabel: value,
      type: 'enum',
      ...(typeof description === 'string' && { info: description }),
      ...(typeof deprecationReason === 'string' && { detail: 'deprecated', boost: -1 }),
    }))
    return [...all, ...nothing]
  }
  if (!/^tenant_?ids?$/iu.test(name)) return nothing
  const ids = tenants.map(({ id, name: tenant }) => ({
    label: JSON.stringify(id),
    displayLabel: tenant,
    detail: id,
    type: 'constant',
  }))
  return [...ids, ...nothing]
}

/** Returns what is wrong with the variables of an operation, each at its place. A text that is no JSON is marked elsewhere. */
export function variableProblems(state: EditorState): Diagnostic[] {
  const { declared, isChecked } = state.field(context)
  const text = state.doc.toString()
  if (declared === null || !isChecked || text.length > maxChecked) return []
  const read = readVariables(text)
  if ('problem' in read) return []
  const top = treeUntil(state, text.length).topNode.getChild('Object')
  const found: Diagnostic[] = []
  const mark = (node: SyntaxNode | null, message: string, severity: Diagnostic['severity'] = 'error') => {
    const [from, to] = node === null ? [0, Math.min(1, text.length)] : [node.from, node.to]
    if (found.length < maxMarks) found.push({ from, to, severity, message })
  }
  for (const property of top?.getChildren('Property') ?? []) {
    const name = nameOf(state, property)
    if (!declared.some((each) => each.name === name))
      mark(property.getChild('PropertyName'), `The operation has no variable $${name}.`, 'warning')
  }
  for (const { name, written, type, hasDefault } of declared) {
    const value = own(read.values, name)
    if (value === undefined) {
      if (written.endsWith('!') && !hasDefault) mark(top?.firstChild ?? null, `$${name} is missing: ${written}.`)
    } else if (type !== null && isInputType(type))
      coerceInputValue(value, type, (path, _, { message }) => mark(nodeAt(state, top, [name, ...path]), message))
  }
  return found
}

/** Returns the node of the value at a path, or of the deepest one on the way to it. */
function nodeAt(state: EditorState, top: SyntaxNode | null, path: readonly (string | number)[]): SyntaxNode | null {
  let node = top
  for (const part of path) {
    const next: SyntaxNode | null =
      typeof part === 'number' ? itemOf(node, part) : (memberOf(state, node, part)?.lastChild ?? null)
    if (next === null) return node
    node = next
  }
  return node
}

const memberOf = (state: EditorState, object: SyntaxNode | null, name: string): SyntaxNode | undefined =>
  // Of two members with one name the later one counts, as in JSON.
  object?.getChildren('Property').findLast((each) => nameOf(state, each) === name)

function itemOf(list: SyntaxNode | null, index: number): SyntaxNode | null {
  let at = -1
  for (let each = list?.name === 'Array' ? list.firstChild : null; each !== null; each = each.nextSibling)
    if (each.name !== '[' && each.name !== ']' && each.name !== ',') {
      at += 1
      if (at === index) return each
    }
  return null
}

/** Completion and marks of variables, by what `setVariablesContext` has set. */
export const variablesLanguage: Extension = [
  context,
  jsonLanguage.data.of({ autocomplete: variableCompletions }),
  linter(({ state }) => variableProblems(state), {
    needsRefresh: ({ startState, state }) => startState.field(context) !== state.field(context),
  }),
]
