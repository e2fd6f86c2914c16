import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Throws an Error with a message for a file of `option` that could not be written; writes and creates nothing. */
export function checkFile(option: string, file: string): void {
  if (file === '') throw new Error(`${option} takes the path of a file`)
  const there = statSync(file, { throwIfNoEntry: false })
  if (there?.isDirectory()) throw new Error(`${option}: ${file} is a folder`)
  const folder = path.dirname(path.resolve(file))
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${option}: there is no folder ${folder}`)
  withMessage(option, file, () => accessSync(there ? file : folder, constants.W_OK))
}

/** Writes a file. Throws an Error with a message for the user. */
export function writeFile(option: string, file: string, text: string): void {
  withMessage(option, file, () => writeFileSync(file, text))
}

function withMessage(option: string, file: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new Error(`${option}: ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
