import type { SavedOperation } from '../../../../src-shared/model/kept-queries.ts'
import { marks, syntaxProblem } from './file-form.ts'

type Printed = Omit<SavedOperation, 'id'>

/** Returns operations as the text of a `.graphql` file (form: file-form.ts). `parseOperations` returns the same ones again. */
export const printOperations = (operations: readonly Printed[]): string => operations.map(printed).join('\n')

function printed({ name, folder, document, variables }: Printed): string {
  const head = [
    `${marks.begin}${name}`,
    ...(folder === '' ? [] : [`${marks.folder}${folder}`]),
    ...(variables === '' ? [] : [marks.variables, ...variables.split('\n').map((line) => `${marks.value}${line}`)]),
    ...(syntaxProblem(document) === null ? [] : [marks.draft]),
    marks.document,
  ]
  return `${head.join('\n')}\n${document.split('\n').map(escaped).join('\n')}\n`
}

/** Marks a line of a document that would begin another operation. */
const escaped = (line: string): string => line.replace(marks.escapable, '$1\\')
