import { spawn } from 'node:child_process'
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces the running AppImage `image` by a new one, completely or not at all; electron-updater would remove the old
 * one before the new one is complete. A name without a version was chosen by the user and stays; otherwise the new one
 * keeps its own. Resolves with its path. Rejects with the file system's error.
 */
export async function installAppImage(file: string, image: string): Promise<string> {
  const target = /\d\.\d+\.\d/.test(path.basename(image)) ? path.join(path.dirname(image), path.basename(file)) : image
  const part = `${target}.part`
  try {
    await copyFile(file, part)
    await chmod(part, 0o755)
    await syncFile(part)
    await rename(part, target)
  } catch (thrown) {
    await rm(part, { force: true })
    throw thrown
  }
  // Two working files are better than none.
  if (target !== image) await rm(image, { force: true }).catch(() => {})
  return target
}

/** Flushes a file to disk before the former one is removed. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Returns the flags for an image that is extracted instead of mounted, where the system cannot mount (`appDir`: the
 * folder of the running one).
 */
export const appImageFlags = (appDir: string | undefined): string[] =>
  appDir?.includes('appimage_extracted_') === true ? ['--appimage-extract-and-run'] : []

/** Starts an image as a process that outlives this one. Rejects when it cannot be started. */
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
