import path from 'node:path'
import { expect, test } from 'vitest'
import { isNode, parsedIn, visit, type SyntaxNode } from '../../support/syntax.ts'

/*
 * `record[name]` finds what every object inherits where a foreign name is `constructor`, and sets its prototype where it is `__proto__`. So
 * what is declared as a record by any text is read by `own()` or as entries, or is a Map.
 */

const root = path.join(import.meta.dirname, '../../..')
const sources = parsedIn(root, ['src-main', 'src-shared', 'src-renderer'])

const nameOf = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '')

/** `Record<string, …>`, also within `Readonly` and `Partial`. */
function isRecord(type: unknown): boolean {
  if (!isNode(type) || type.type !== 'TSTypeReference') return false
  const { params = [] } = (type['typeArguments'] ?? {}) as { params?: SyntaxNode[] }
  const name = nameOf(type['typeName'])
  return name === 'Record'
    ? params[0]?.type === 'TSStringKeyword'
    : ['Readonly', 'Partial'].includes(name) && isRecord(params[0])
}

const annotated = (node: SyntaxNode): boolean => {
  const { typeAnnotation } = (node['typeAnnotation'] ?? {}) as { typeAnnotation?: unknown }
  return isRecord(typeAnnotation)
}

/** Members of objects are known wherever they are read; variables in their own file. */
const members = new Set<string>()
for (const { program } of sources)
  visit(program, (node) => {
    if (node.type === 'TSPropertySignature' && annotated(node)) members.add(nameOf(node['key']))
  })

function readsIn(file: string, text: string, program: unknown): string[] {
  const variables = new Set<string>()
  visit(program, (node) => {
    if (node.type === 'Identifier' && annotated(node)) variables.add(nameOf(node))
  })
  const reads: string[] = []
  visit(program, (node) => {
    if (node.type !== 'MemberExpression' || node['computed'] !== true) return
    const { object, property, start, end } = node as SyntaxNode & {
      object: SyntaxNode
      property: SyntaxNode
      start: number
      end: number
    }
    const isText = property.type === 'Literal' || property.type === 'TemplateLiteral'
    const isHeld =
      object.type === 'Identifier'
        ? variables.has(nameOf(object))
        : object.type === 'MemberExpression' && members.has(nameOf(object['property']))
    if (isHeld && !isText) reads.push(`${file}: ${text.slice(start, end)}`)
  })
  return reads
}

/** Written here, with every name that can be asked for; and what has a number between the brackets. */
const ours =
  /^src-shared\/lib\/own\.ts: |\[slot\]$|: (?:schema|connectionInput)\.shape\[name\]$|^src-main\/(?:platform\/web\/network\/proxy\.ts: env\[|network\/proxies\/environment\.ts: env\[|updates\/|platform\/shared\/window-files\.ts: types\[)|^src-shared\/filter\/filter\.ts: units\[/u

test('no record is read or written by a foreign name', () => {
  expect(sources.length).toBeGreaterThan(300)
  expect([...members].filter((name) => ['extra', 'values', 'columns'].includes(name)).length).toBeGreaterThan(0)
  expect(
    sources.flatMap(({ file, text, program }) => readsIn(file, text, program)).filter((read) => !ours.test(read)),
  ).toEqual([])
})
