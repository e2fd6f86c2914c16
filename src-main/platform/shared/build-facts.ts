import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** What the build of a package leaves about itself in its `resources`, as `build.json`. */
export interface BuildFacts {
  /** It was signed by an identity of whoever made it. */
  signed: boolean
}

const facts = z.object({ signed: z.boolean() })

/** What cannot be read proves nothing: then it is not signed. */
export function readBuild(resources: string): BuildFacts {
  try {
    return facts.parse(JSON.parse(readFileSync(path.join(resources, 'build.json'), 'utf8')))
  } catch {
    return { signed: false }
  }
}
