import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parsedIn, visit, type SyntaxNode } from './syntax.ts'

/** A regular expression of the sources, with the file in which it is made. */
export interface Pattern {
  file: string
  source: string
  flags: string
}

interface Called extends SyntaxNode {
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
  arguments?: { type: string; name?: string }[]
}

/**
 * Returns every regular expression that the sources below these folders write or create while they are loaded. Patterns
 * created later cannot be checked: they are listed in `unknown`, unless they copy a named one (`new RegExp(shape)`).
 */
export async function patternsIn(
  root: string,
  folders: readonly string[],
): Promise<{ patterns: Pattern[]; unknown: string[] }> {
  const patterns: Pattern[] = []
  const unknown: string[] = []
  for (const { file, program } of parsedIn(root, folders)) {
    let made = 0
    visit(program, (node, depth) => {
      const { type, regex, callee, arguments: given = [] } = node as Called
      if (type === 'Literal' && regex !== undefined) patterns.push({ file, source: regex.pattern, flags: regex.flags })
      if (callee?.name !== 'RegExp') return
      if (depth === 0) made += 1
      else if (given.length !== 1 || given[0]?.type !== 'Identifier') unknown.push(file)
    })
    if (made > 0) patterns.push(...(await madeBy(root, file)))
  }
  return { patterns: patterns.filter((each) => !isChoice(each, patterns)), unknown }
}

/** Whether it is an alternation whose branches are checked one by one: nothing follows them that could fail. */
function isChoice({ source }: Pattern, all: readonly Pattern[]): boolean {
  const parts = all
    .map((each) => `(?:${each.source})`)
    .filter((part) => source.includes(part))
    .toSorted((one, other) => source.indexOf(one) - source.indexOf(other))
  return parts.length > 1 && [...new Set(parts)].join('|') === source
}

/** The patterns that a module creates when it is loaded. */
async function madeBy(root: string, file: string): Promise<Pattern[]> {
  const made: Pattern[] = []
  const usual = globalThis.RegExp
  globalThis.RegExp = new Proxy(usual, {
    construct(target, given, by) {
      const pattern = Reflect.construct(target, given, by) as RegExp
      made.push({ file, source: pattern.source, flags: pattern.flags })
      return pattern
    },
  })
  try {
    await import(`${pathToFileURL(path.join(root, file)).href}?patterns`)
  } finally {
    globalThis.RegExp = usual
  }
  return made
}
