import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { Removed } from '../../../src-renderer/connections/remove.tsx'
import { openWindow } from '../support/window.ts'

describe('what removing a connection wipes', () => {
  const textOf = async (operator: string | null) =>
    (await openWindow({ operator })).texts(createElement(Removed)).join(' ')

  test('is on this computer alone, for a Muster on its own', async () => {
    const text = await textOf(null)
    expect(text).toContain('This wipes from this computer:')
    expect(text).not.toMatch(/team|member/u)
  })

  test('is at every member, in a team', async () => {
    const text = await textOf('Ann')
    expect(text).toContain('This wipes from the computer of every member of the team')
    expect(text).toContain('A member that is away wipes it when it is back')
    expect(text).not.toContain('This wipes from this computer')
  })
})
