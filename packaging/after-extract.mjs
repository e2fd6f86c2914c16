import { rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Runs when Electron's runtime lies where Muster is put into it. Its own welcome goes: it is there when the runtime was not
 * unpacked for this package alone, and the sums of the asars are taken of whatever lies there.
 * @param {import('electron-builder').AfterExtractContext} context
 */
export default async function afterExtract({ appOutDir, packager }) {
  await rm(path.join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true })
}
