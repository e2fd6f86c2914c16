import { copyFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What electron-builder calls while it packs, each by its name (electron-builder.yml). */

/**
 * Electron's runtime lies where Muster is put into it. Its own welcome goes: it is there when the runtime was not unpacked
 * for this package alone, and the sums of the asars are taken of whatever lies there.
 * @param {import('electron-builder').AfterExtractContext} context
 */
export async function afterExtract({ appOutDir, electronPlatformName, packager }) {
  // On macOS it is Electron.app at this moment, and becomes Muster.app later.
  const resources =
    electronPlatformName === 'darwin'
      ? path.join(appOutDir, packager.info.framework.distMacOsAppName, 'Contents', 'Resources')
      : packager.getResourcesDir(appOutDir)
  await rm(path.join(resources, 'default_app.asar'), { force: true })
}

/**
 * The application lies in its folder, and nothing is signed yet. What the package says of itself goes beside the asar as
 * `build.json` (read by `src-main/platform/shared/build-facts.ts`): `signed` is true only where electron-builder was told to fail
 * rather than to leave something unsigned (`forceCodeSigning`; scripts/packaging/pack.mjs).
 * @param {import('electron-builder').AfterPackContext} context
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const { electronDist } = packager.config
  if (electronPlatformName === 'darwin' && typeof electronDist === 'string')
    await copyLicences(electronDist, packager.getResourcesDir(appOutDir))
  await writeFile(
    path.join(packager.getResourcesDir(appOutDir), 'build.json'),
    `${JSON.stringify({ signed: packager.forceCodeSigning })}\n`,
  )
}

/** Of a runtime that was unpacked before, electron-builder takes Electron.app alone: the licences that must go along lie beside it. */
async function copyLicences(electronDist, resources) {
  await copyFile(path.join(electronDist, 'LICENSE'), path.join(resources, 'LICENSE.electron.txt'))
  await copyFile(path.join(electronDist, 'LICENSES.chromium.html'), path.join(resources, 'LICENSES.chromium.html'))
}
