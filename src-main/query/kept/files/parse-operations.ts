import { FaultError } from '../../../../src-shared/model/fault.ts'
import { maxOperations, savedOperation, type SavedOperation } from '../../../../src-shared/model/kept-queries.ts'
import { marks, syntaxProblem } from './file-form.ts'
import { foreignOperations } from './foreign-operations.ts'

type Parsed = Omit<SavedOperation, 'id'>

/**
 * Returns the operations of a `.graphql` file: those that Muster printed (file-form.ts), and of any other text each operation with the
 * fragments that it needs. `file`: its name, for an operation without one. Throws a fault of kind `input` (`line 3: words`) where
 * one cannot be read, or there is none.
 */
export function parseOperations(text: string, file: string): Parsed[] {
  const lines = text
    .replace(/^\u{FEFF}/u, '')
    .replaceAll(/\r\n?/gu, '\n')
    .split('\n')
  const begins = lines.flatMap((line, index) => (line.startsWith(marks.begin) ? [index] : []))
  const [first = lines.length] = begins
  const before = lines.slice(0, first).join('\n')
  const operations = [
    ...(first < lines.length && isBlank(before) ? [] : foreignOperations(before, nameOf(file))),
    ...begins.map((begin, index) => markedOperation(lines, begin, begins[index + 1] ?? null)),
  ]
  if (operations.length > maxOperations)
    throw new FaultError('input', `The file has more than ${maxOperations} operations.`)
  return operations
}

/** Returns a fault that says where in the file something is wrong. `line`: from 0. */
export const faultAt = (line: number, words: string): FaultError =>
  new FaultError('input', `line ${line + 1}: ${words}`)

const isBlank = (text: string) => text.split('\n').every((line) => line.trim() === '' || line.startsWith('#'))

const nameOf = (file: string): string =>
  file
    .replace(/\.(?:graphql|gql|txt)$/iu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, 200) || 'Imported'

/** Reads the operation whose mark is in line `begin`. `next`: the line of the next mark; null: the file ends. */
function markedOperation(lines: readonly string[], begin: number, next: number | null): Parsed {
  const head = readHead(lines, begin, next ?? lines.length)
  // An empty line precedes the next mark, and an empty text the end of the file.
  const own = lines.slice(head.documentAt, next ?? lines.length)
  if (own.at(-1) === '') own.pop()
  if (next === null && lines.at(-1) !== '') throw faultAt(lines.length - 1, 'The file ends in the middle of a line.')
  const document = own.map((line) => line.replace(marks.escaped, '$1')).join('\n')
  const { name, folder, variables } = head
  const checked = savedOperation.omit({ id: true }).safeParse({ name, folder, variables, document })
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw faultAt(begin, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }
  const problem = head.isDraft ? null : syntaxProblem(document)
  if (problem !== null) throw faultAt(head.documentAt + problem.line - 1, problem.words)
  return checked.data
}

interface Head {
  name: string
  folder: string
  variables: string
  isDraft: boolean
  /** The first line of the document. */
  documentAt: number
}

function readHead(lines: readonly string[], begin: number, end: number): Head {
  const name = (lines[begin] ?? '').slice(marks.begin.length).trim()
  if (name === '') throw faultAt(begin, 'The operation has no name.')
  let [at, folder, isDraft] = [begin + 1, '', false]
  let variables: string[] | null = null
  for (; at < end; at += 1) {
    const line = lines[at] ?? ''
    if (line === marks.document)
      return { name, folder, isDraft, variables: variables?.join('\n') ?? '', documentAt: at + 1 }
    if (line.startsWith(marks.folder) && folder === '') folder = line.slice(marks.folder.length).trim()
    else if (line === marks.variables && variables === null) variables = []
    else if (line.startsWith(marks.value) && variables !== null) variables.push(line.slice(marks.value.length))
    else if (line === marks.draft) isDraft = true
    else break
  }
  return { name, folder, isDraft, variables: variables?.join('\n') ?? '', documentAt: at }
}
