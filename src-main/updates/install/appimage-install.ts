import { spawn } from 'node:child_process'
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Puts a new AppImage in the place of `image`, the one that runs, whole or not at all; electron-updater would remove the one
 * before it has the other. A name without a version is its person's own and stays; else the new one brings its own. Answers
 * its path. Rejects with the file system's error.
 */
export async function installAppImage(file: string, image: string): Promise<string> {
  const place = /\d\.\d+\.\d/.test(path.basename(image)) ? path.join(path.dirname(image), path.basename(file)) : image
  const part = `${place}.part`
  try {
    await copyFile(file, part)
    await chmod(part, 0o755)
    await written(part)
    await rename(part, place)
  } catch (thrown) {
    await rm(part, { force: true })
    throw thrown
  }
  // Two that work are better than none.
  if (place !== image) await rm(image, { force: true }).catch(() => {})
  return place
}

/** On the disk itself, and not in memory alone: the former one goes after this. */
async function written(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The image that is not mounted, where the system cannot (`appDir`: what the one that runs has for its folder). */
export const appImageFlags = (appDir: string | undefined): string[] =>
  appDir?.includes('appimage_extracted_') === true ? ['--appimage-extract-and-run'] : []

/** Starts it, to live on when this process ends. Rejects when it cannot be started. */
export function startAppImage(image: string, flags: readonly string[]): Promise<void> {
  const child = spawn(image, flags, { detached: true, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
