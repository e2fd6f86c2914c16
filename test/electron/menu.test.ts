import { describe, expect, it } from 'vitest'
import { menuTemplate } from '../../src-main/electron/menu.ts'

describe('the menu', () => {
  it('leaves F5 and Ctrl+R to the window, and has developer tools in development alone', () => {
    const text = (devTools: boolean) => JSON.stringify((['linux', 'win32', 'darwin'] as const).map((platform) => menuTemplate(platform, devTools)))
    expect(text(false)).not.toMatch(/reload|toggleDevTools|F5/i)
    expect(text(true)).toContain('toggleDevTools')
  })
})
