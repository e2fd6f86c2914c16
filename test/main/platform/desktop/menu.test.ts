import { describe, expect, it } from 'vitest'
import { aboutText, menuLines, type MenuLine } from '../../../../src-main/platform/desktop/menu.ts'
import { screens } from '../../../../src-shared/navigation/screens.ts'

const menu = (platform: NodeJS.Platform, label: string) =>
  menuLines(platform, false).find((each) => each.kind === 'menu' && each.label === label)
const linesOf = (line: MenuLine | undefined) => (line?.kind === 'menu' ? line.lines : [])
const said = (lines: readonly MenuLine[]) =>
  lines.map((each) =>
    each.kind === 'item' || each.kind === 'menu' ? each.label : each.kind === 'role' ? each.role : '-',
  )

describe('the menu of each system', () => {
  it.each([
    ['linux', ['File', 'editMenu', 'View', 'windowMenu', 'Help']],
    ['win32', ['File', 'editMenu', 'View', 'windowMenu', 'Help']],
    ['darwin', ['Muster', 'File', 'editMenu', 'View', 'windowMenu', 'Help']],
  ] as const)('%s', (platform, wanted) => {
    expect(said(menuLines(platform, false))).toEqual(wanted)
    const everywhere = menuLines(platform, false)
      .filter((each) => said([each])[0] !== 'View')
      .flatMap(linesOf)
    // Each has settings, about and quit once, wherever its system puts them.
    for (const word of [/^Settings/u, /^About Muster$/u, /^quit$/u, /^List of Keys$/u])
      expect(
        said(everywhere).filter((each) => word.test(each)),
        String(word),
      ).toHaveLength(1)
    expect(said(linesOf(menu(platform, platform === 'darwin' ? 'Muster' : 'File')))).toContain('quit')
    expect(everywhere.find((each) => each.kind === 'item' && each.label.startsWith('Settings'))).toMatchObject({
      keys: 'CmdOrCtrl+,',
      action: { do: 'open', what: { screen: 'settings' } },
    })
  })

  it('leads to each screen by its number, and to nothing that changes anything', () => {
    const acts = linesOf(menu('linux', 'View')).flatMap((each) =>
      each.kind === 'item' && each.action.do === 'open'
        ? [[each.label, each.keys, each.action.what.wall === true ? 'wall' : each.action.what.screen]]
        : [],
    )
    expect(acts).toEqual([
      ...screens.map((room, index) => [`${room[0]?.toUpperCase()}${room.slice(1)}`, `CmdOrCtrl+${index + 1}`, room]),
      ['Wall Display', 'F11', 'wall'],
    ])
  })
})

it('about Muster: the versions that a report needs', () => {
  const { message, detail, copy } = aboutText(
    '0.1.0',
    { electron: '45.4.1', chrome: '153.0', node: '24.18.0' },
    'Linux 6.1 x64',
  )
  expect([message, copy]).toEqual([
    'Muster 0.1.0',
    'Muster 0.1.0\nElectron 45.4.1\nChromium 153.0\nNode.js 24.18.0\nLinux 6.1 x64\n',
  ])
  expect(detail).toContain('MIT licence')
})
