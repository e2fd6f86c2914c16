import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openAppImageLinks, type RunTool } from '../../../../src-main/platform/desktop/links/appimage-links.ts'
import { ownFolder } from '../shared/folder.ts'

const icon = path.resolve('assets/icon.png')

/** A person's own desktop, with the tools that it has. */
function desktop(tools: RunTool | undefined = undefined) {
  const home = ownFolder()
  const data = path.join(home, '.local', 'share')
  const ran: string[] = []
  let chosen = 'other.desktop'
  const run: RunTool =
    tools ??
    (async (tool, args) => {
      ran.push([tool, ...args].join(' '))
      if (tool !== 'xdg-mime') return null
      if (args[0] === 'default') chosen = args[1] ?? ''
      return `${chosen}\n`
    })
  const logged: string[] = []
  const image = (name: string, env: NodeJS.ProcessEnv = {}) => {
    const file = path.join(home, name)
    if (!existsSync(file)) writeFileSync(file, '')
    const links = openAppImageLinks({
      image: file,
      env: { HOME: home, ...env },
      icon,
      log: (_level, text) => logged.push(text),
      run,
    })
    if (links === null) throw new Error('an AppImage has links')
    return { file, links }
  }
  return {
    home,
    image,
    ran,
    logged,
    entry: path.join(data, 'applications', 'muster-appimage.desktop'),
    icon: path.join(data, 'icons', 'hicolor', '256x256', 'apps', 'muster-appimage.png'),
    choose: (entry: string) => {
      chosen = entry
    },
  }
}

describe('muster:// links of an AppImage', () => {
  it('need nothing from Muster where a package has registered them', () => {
    expect(openAppImageLinks({ image: undefined, env: {}, icon, log: () => {} })).toBeNull()
  })

  it('get a desktop file with an icon when they are switched on, and lose it when off', async () => {
    const { image, ran, entry, icon: placed } = desktop()
    const { file, links } = image('Muster.AppImage')
    expect(await links.state()).toEqual({ here: file, named: null, chosen: false })
    expect([existsSync(entry), ran]).toEqual([false, []])
    expect(await links.set(true)).toEqual({ here: file, named: file, chosen: true })
    const text = readFileSync(entry, 'utf8')
    for (const line of [
      '[Desktop Entry]',
      `Exec="${file}" -- %u`,
      `TryExec=${file}`,
      `Icon=${placed}`,
      'MimeType=x-scheme-handler/muster;',
      'Terminal=false',
    ])
      expect(text.split('\n')).toContain(line)
    expect([statSync(entry).mode & 0o777, readFileSync(placed).equals(readFileSync(icon))]).toEqual([0o644, true])
    expect(ran).toContain('xdg-mime default muster-appimage.desktop x-scheme-handler/muster')
    expect(await links.set(false)).toEqual({ here: file, named: null, chosen: false })
    expect([existsSync(entry), existsSync(placed)]).toEqual([false, false])
    await links.set(false)
  })

  it('follow it where it was moved or renamed, and only then', async () => {
    const { home, image, entry, logged, choose } = desktop()
    const first = image('Muster-0.1.0.AppImage')
    image('other.AppImage')
    expect(existsSync(entry)).toBe(false)
    await first.links.set(true)
    const second = image('Muster-0.2.0.AppImage')
    // Both are there: which of them is a person's word.
    expect(await second.links.state()).toMatchObject({ named: first.file })
    renameSync(first.file, path.join(home, 'Muster 50%-"M" $x.AppImage'))
    const moved = image('Muster 50%-"M" $x.AppImage')
    expect(await moved.links.state()).toEqual({ here: moved.file, named: moved.file, chosen: true })
    expect(readFileSync(entry, 'utf8')).toContain('Muster 50%%-\\\\"M\\\\" \\\\$x.AppImage" -- %u')
    expect(logged).toEqual(['links open this AppImage: the one that they opened is gone'])
    choose('firefox.desktop')
    expect(await moved.links.state()).toMatchObject({ named: moved.file, chosen: false })
  })

  it('report a desktop without the tools, and a disk that rejects the file', async () => {
    const { home, image, entry } = desktop(async () => null)
    const { file, links } = image('Muster.AppImage')
    expect(await links.set(true)).toEqual({ here: file, named: file, chosen: null })
    await links.set(false)
    const data = path.join(home, 'elsewhere')
    const other = image('Muster.AppImage', { XDG_DATA_HOME: data }).links
    await other.set(true)
    expect([existsSync(entry), existsSync(path.join(data, 'applications', 'muster-appimage.desktop'))]).toEqual([
      false,
      true,
    ])
    const refused = image('Muster.AppImage', { XDG_DATA_HOME: file }).links
    await expect(refused.set(true)).rejects.toMatchObject({ fault: { kind: 'file' } })
    expect(await refused.state()).toMatchObject({ named: null })
  })

  it("run the desktop's own tools without the AppImage's libraries", async () => {
    const home = ownFolder()
    const [bin, told] = [path.join(home, 'bin'), path.join(home, 'told')]
    mkdirSync(bin)
    writeFileSync(
      path.join(bin, 'xdg-mime'),
      `#!/bin/sh\necho "$* [$LD_LIBRARY_PATH]" >> '${told}'\necho muster-appimage.desktop\n`,
    )
    chmodSync(path.join(bin, 'xdg-mime'), 0o755)
    const image = path.join(home, 'Muster.AppImage')
    const open = (env: NodeJS.ProcessEnv) =>
      openAppImageLinks({
        image,
        env: { HOME: home, LD_LIBRARY_PATH: '/tmp/.mount/usr/lib', ...env },
        icon,
        log: () => {},
      })
    expect(await open({ PATH: `${bin}:/usr/bin:/bin` })?.set(true)).toEqual({ here: image, named: image, chosen: true })
    expect(readFileSync(told, 'utf8').split('\n')[0]).toBe('default muster-appimage.desktop x-scheme-handler/muster []')
    expect(await open({ PATH: path.join(home, 'nothing') })?.state()).toMatchObject({ chosen: null })
  })
})
