import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownFolder } from '../main/shell/folder.ts'
import { codeLines } from '../support/code-lines.ts'

describe('the Electron shell', () => {
  const files = codeLines('src-main/electron')

  it('is thin: what is in it can be tried on a real runtime alone', () => {
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter(({ lines }) => lines > 100)).toEqual([])
    expect(files.reduce((sum, { code }) => sum + code, 0)).toBeLessThanOrEqual(900)
  })
})

describe('lines of code', () => {
  it('are those that hold more than a comment', () => {
    const folder = ownFolder()
    mkdirSync(path.join(folder, 'below'))
    writeFileSync(path.join(folder, 'below', 'a.ts'), '/** one */\nlet a // two\n\n/*\n * let b\n */\n// let c\n  let d\n')
    writeFileSync(path.join(folder, 'not.md'), 'let a\n')
    expect(codeLines(folder)).toEqual([{ file: path.join('below', 'a.ts'), lines: 8, code: 2 }])
  })
})
