import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

/** A node of a source's syntax tree (ESTree with TypeScript), as far as a check looks at it. */
export interface SyntaxNode {
  type: string
  [member: string]: unknown
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value

/** Calls `seen` for every node below; `depth` is in how many functions it stands. */
export function visit(value: unknown, seen: (node: SyntaxNode, depth: number) => void, depth = 0): void {
  if (Array.isArray(value)) for (const each of value) visit(each, seen, depth)
  if (!isNode(value)) return
  seen(value, depth)
  const inside = depth + Number(/Function|Method/u.test(value.type))
  for (const each of Object.values(value)) visit(each, seen, inside)
}

/** The sources below these folders of the project, parsed, by their paths. */
export function parsedIn(root: string, folders: readonly string[]): { file: string; text: string; program: unknown }[] {
  return globSync(`{${folders.join(',')}}/**/*.{ts,tsx}`, { cwd: root })
    .toSorted()
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return { file, text, program: parseSync(file, text).program }
    })
}
