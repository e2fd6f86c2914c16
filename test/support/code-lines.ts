import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Lines of code in each file of a folder and of those below it: without blank lines, and without those that hold nothing
 * but a comment. `lines` is all of them.
 */
export function codeLines(folder: string): { file: string; lines: number; code: number }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')).map((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n')
    let inComment = false
    const code = lines.filter((line) => {
      const text = line.trim()
      if (!inComment && text.startsWith('/*')) inComment = true
      const counts = !inComment && text !== '' && !text.startsWith('//')
      if (inComment && text.endsWith('*/')) inComment = false
      return counts
    })
    return { file: name, lines: lines.length, code: code.length }
  })
}
