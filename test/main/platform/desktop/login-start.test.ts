import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  autostart,
  desktopEntry,
  followLogin,
  loginWindow,
} from '../../../../src-main/platform/desktop/start/login-start.ts'
import { ownFolder } from '../shared/folder.ts'

describe('start at login on Linux', () => {
  const file = (home: string) => path.join(home, '.config', 'autostart', 'muster.desktop')

  it('is an entry in the autostart folder, which is removed when it is switched off', () => {
    const home = ownFolder()
    const login = autostart('/opt/Muster/muster', { HOME: home })
    login.set(true)
    expect(readFileSync(file(home), 'utf8')).toContain('\nExec="/opt/Muster/muster" --hidden\n')
    expect(statSync(file(home)).mode & 0o777).toBe(0o644)
    login.set(false)
    login.set(false)
    expect(existsSync(file(home))).toBe(false)
  })

  it('lies where XDG_CONFIG_HOME says, if that is a whole path', () => {
    const [home, config] = [ownFolder(), ownFolder()]
    autostart('/opt/muster', { HOME: home, XDG_CONFIG_HOME: config }).set(true)
    expect(existsSync(path.join(config, 'autostart', 'muster.desktop'))).toBe(true)
    autostart('/opt/muster', { HOME: home, XDG_CONFIG_HOME: 'config' }).set(true)
    expect(existsSync(file(home))).toBe(true)
  })

  it('follows a moved program, and does not restore an entry that the user removed', () => {
    const home = ownFolder()
    autostart('/old/Muster.AppImage', { HOME: home }).renew()
    expect(existsSync(file(home))).toBe(false)
    autostart('/old/Muster.AppImage', { HOME: home }).set(true)
    autostart('/new/Muster.AppImage', { HOME: home }).renew()
    expect(readFileSync(file(home), 'utf8')).toBe(desktopEntry('/new/Muster.AppImage'))
    mkdirSync(path.dirname(file(home)), { recursive: true })
    for (const off of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
      writeFileSync(file(home), `[Desktop Entry]\n${off}\n`)
      autostart('/new/Muster.AppImage', { HOME: home }).renew()
      expect(readFileSync(file(home), 'utf8')).toBe(`[Desktop Entry]\n${off}\n`)
    }
  })

  it('quotes any character of a path', () => {
    expect(
      desktopEntry('/home/a b/50%/"M" $x `y`\\z')
        .split('\n')
        .find((line) => line.startsWith('Exec=')),
    ).toBe('Exec="/home/a b/50%%/\\\\"M\\\\" \\\\$x \\\\`y\\\\`\\\\\\\\z" --hidden')
  })
})

describe('the setting', () => {
  it('runs when it changes and at a start where it is on, and errors are reported', () => {
    const did: string[] = []
    const login = (refuses: boolean) => ({
      set: (on: boolean) => {
        if (refuses) throw new Error('EACCES')
        did.push(`set ${on}`)
      },
      renew: () => void did.push('renew'),
    })
    const say = (title: string) => void did.push(title)
    const follow = followLogin(login(false), false, say)
    for (const on of [false, true, true, false]) follow(on)
    followLogin(login(true), true, say)(false)
    expect(did).toEqual(['set true', 'set false', 'renew', 'Start at login could not be changed'])
  })
})

it('a start at login shows no window where the tray surely leads to it', () => {
  expect([
    loginWindow('win32', false),
    loginWindow('darwin', false),
    loginWindow('linux', true),
    loginWindow('linux', false),
  ]).toEqual(['none', 'none', 'none', 'minimised'])
})
