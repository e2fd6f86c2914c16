import { writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Runs when the application lies in its folder, and before anything is signed. What the package says of itself goes beside
 * the asar as `build.json` (read by `src-main/shell/build-facts.ts`): `signed` is true only where electron-builder was told
 * to fail rather than to leave something unsigned (`forceCodeSigning`; scripts/dist.mjs).
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function afterPack({ appOutDir, packager }) {
  await writeFile(path.join(packager.getResourcesDir(appOutDir), 'build.json'), `${JSON.stringify({ signed: packager.forceCodeSigning })}\n`)
}
