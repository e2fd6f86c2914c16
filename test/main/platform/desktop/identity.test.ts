import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { identityOf } from '../../../../src-main/platform/desktop/start/identity.ts'

const starts = [
  { demo: false, profile: null },
  { demo: true, profile: null },
  { demo: false, profile: '/p' },
  { demo: true, profile: '/p' },
]

it('a checkout, the demo and another profile have identities of their own in Windows', () => {
  const all = [true, false].flatMap((packaged) => starts.slice(0, 3).map((start) => identityOf(packaged, start)))
  for (const part of ['name', 'appUserModelId', 'activator'] as const)
    expect(new Set(all.map((each) => each[part].toLowerCase())).size).toBe(6)
  for (const { name, appUserModelId, activator } of all) {
    expect(name).not.toMatch(/[<>:"/\\|?*]/u)
    expect(appUserModelId).toMatch(/^[\w.]{1,128}$/u)
    expect(activator).toMatch(/^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/u)
  }
  expect(identityOf(true, starts[3] ?? { demo: true, profile: null })).toBe(
    identityOf(true, { demo: false, profile: '/other' }),
  )
})

it("the installed Muster has its packages' identity, and its uninstaller removes its keys", () => {
  expect(readFileSync('electron-builder.yml', 'utf8')).toContain(
    `\nappId: ${identityOf(true, { demo: false, profile: null }).appUserModelId}\n`,
  )
  const installer = readFileSync('packaging/installer.nsh', 'utf8')
  for (const start of starts) {
    const { name, activator } = identityOf(true, start)
    expect(installer).toContain(`DeleteRegKey HKCU "Software\\Classes\\CLSID\\${activator}"`)
    expect(installer).toContain(`Delete "$R0\\Microsoft\\Windows\\Start Menu\\Programs\\${name}.lnk"`)
  }
})
