import path from 'node:path'
import { z } from 'zod'
import { feedProblem } from '../../../src-shared/model/updates.ts'
import { textOf } from '../../settings/text-file.ts'

/** The kind of package by which a copy updates itself. */
export type SelfUpdateKind = 'nsis' | 'mac' | 'AppImage'
/** The kind of a copy; deb and rpm are updated by the package manager. */
export type Kind = SelfUpdateKind | 'deb' | 'rpm'

/** The facts of a package about its updates. */
export interface PackageFacts {
  /**
   * Null for a copy that was only unpacked or built without a feed: electron-builder writes the signers of Windows
   * installers, and the type deb or rpm, only beside a feed.
   */
  kind: Kind | null
  /** The reason why it is null. */
  missing: 'package' | 'publisher' | null
  /** The feed that it was built with, or ''. */
  feed: string
  /** Accepted signers of an installer for Windows. */
  publishers: readonly string[]
}

const schema = z.object({
  provider: z.string().nullish(),
  url: z.string().nullish(),
  publisherName: z.union([z.string(), z.array(z.string())]).nullish(),
})

/** Reads the files that electron-builder (`app-update.yml`, `package-type`) and the AppImage leave. */
export async function packageFacts(
  platform: NodeJS.Platform,
  resources: string,
  env: Record<string, string | undefined>,
): Promise<PackageFacts> {
  const { provider, url, publisherName } = await updateFile(path.join(resources, 'app-update.yml'))
  const publishers = [publisherName ?? []].flat().filter((name) => name !== '')
  const feed = provider === 'generic' && typeof url === 'string' && feedProblem(url) === null ? url : ''
  const kind = kindOf(platform, textOf(path.join(resources, 'package-type')).trim(), env, publishers)
  const missing = platform === 'win32' ? 'publisher' : 'package'
  return { kind, missing: kind === null ? missing : null, feed, publishers }
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
