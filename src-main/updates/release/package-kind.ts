import path from 'node:path'
import { z } from 'zod'
import { feedProblem } from '../../../src-shared/model/updates.ts'
import { textOf } from '../../settings/text-file.ts'

/** By what a copy renews itself. */
export type RenewedBy = 'nsis' | 'mac' | 'AppImage'
/** Of which kind a copy is: a deb or rpm is the package manager's to renew. */
export type Kind = RenewedBy | 'deb' | 'rpm'

/** What a package says about how it is renewed. */
export interface PackageFacts {
  /**
   * Null for a copy that was only unpacked, or was made without a feed: electron-builder says beside that alone who signs the
   * installers for Windows, and that a package is a deb or rpm.
   */
  kind: Kind | null
  /** Why it is null. */
  lacks: 'package' | 'publisher' | null
  /** The feed that it was built with, or ''. */
  feed: string
  /** Whose signature an installer for Windows must have. */
  publishers: readonly string[]
}

const schema = z.object({
  provider: z.string().nullish(),
  url: z.string().nullish(),
  publisherName: z.union([z.string(), z.array(z.string())]).nullish(),
})

/** Reads what electron-builder (`app-update.yml`, `package-type`) and the AppImage leave. */
export async function packageFacts(
  platform: NodeJS.Platform,
  resources: string,
  env: Record<string, string | undefined>,
): Promise<PackageFacts> {
  const { provider, url, publisherName } = await updateFile(path.join(resources, 'app-update.yml'))
  const publishers = [publisherName ?? []].flat().filter((name) => name !== '')
  const feed = provider === 'generic' && typeof url === 'string' && feedProblem(url) === null ? url : ''
  const kind = kindOf(platform, textOf(path.join(resources, 'package-type')).trim(), env, publishers)
  const lacks = platform === 'win32' ? 'publisher' : 'package'
  return { kind, lacks: kind === null ? lacks : null, feed, publishers }
}

function kindOf(
  platform: NodeJS.Platform,
  named: string,
  env: Record<string, string | undefined>,
  publishers: readonly string[],
): Kind | null {
  if (platform === 'win32') return publishers.length > 0 ? 'nsis' : null
  if (platform === 'darwin') return 'mac'
  if (named === 'deb' || named === 'rpm') return named
  return env['APPIMAGE'] === undefined ? null : 'AppImage'
}

async function updateFile(file: string): Promise<z.infer<typeof schema>> {
  const text = textOf(file)
  if (text === '') return {}
  const { CORE_SCHEMA, load } = await import('js-yaml')
  try {
    return schema.parse(load(text, { schema: CORE_SCHEMA }))
  } catch {
    return {}
  }
}
