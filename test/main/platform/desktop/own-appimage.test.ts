import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { forgetInheritedAppImage } from '../../../../src-main/platform/desktop/start/own-appimage.ts'
import { ownFolder } from '../shared/folder.ts'

it('an inherited AppImage that Muster does not run from is ignored', () => {
  const folder = ownFolder()
  const [mount, elsewhere] = [path.join(folder, '.mount_Muster'), path.join(folder, '.mount_Muster2')]
  for (const each of [mount, elsewhere]) {
    mkdirSync(each)
    writeFileSync(path.join(each, 'muster'), '')
  }
  symlinkSync(mount, path.join(folder, 'link'))
  const image = (appDir: string | undefined, program = path.join(mount, 'muster')) => {
    const env: NodeJS.ProcessEnv = { APPIMAGE: '/opt/it.AppImage', ...(appDir === undefined ? {} : { APPDIR: appDir }) }
    forgetInheritedAppImage(env, program)
    return env['APPIMAGE'] ?? null
  }
  expect([image(mount), image(path.join(folder, 'link'))]).toEqual(['/opt/it.AppImage', '/opt/it.AppImage'])
  expect([
    image(mount, path.join(elsewhere, 'muster')),
    image(undefined),
    image(''),
    image(path.join(folder, 'gone')),
  ]).toEqual([null, null, null, null])
})
