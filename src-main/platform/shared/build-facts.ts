import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** Facts that the build of a package writes to its `resources`, as `build.json`. */
export interface BuildFacts {
  /** True when it was signed by its maker. */
  signed: boolean
}

const facts = z.object({ signed: z.boolean() })

/** Reads the facts. An unreadable file counts as not signed. */
export function readBuild(resources: string): BuildFacts {
  try {
    return facts.parse(JSON.parse(readFileSync(path.join(resources, 'build.json'), 'utf8')))
  } catch {
    return { signed: false }
  }
}
