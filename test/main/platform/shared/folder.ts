import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of the running test's own, gone when it is over. */
export function ownFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
