import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { linkScheme } from '../../../../src-shared/navigation/link.ts'
import type { LinkOpening } from '../../../../src-shared/model/environment.ts'
import type { LinkClaim } from '../../../ipc/desktop.ts'
import type { Log } from '../../../ports.ts'
import { textOf } from '../../../settings/text-file.ts'
import { execOf, stringValue } from './desktop-entry.ts'

/** Runs a tool of the desktop. What it says, whether or not it went well; null: there is no such tool. */
export type RunTool = (tool: string, args: readonly string[]) => Promise<string | null>

export interface AppImageLinksOptions {
  /** The AppImage that runs; undefined: this is none, and its package has a desktop file. */
  image: string | undefined
  env: NodeJS.ProcessEnv
  /** The application's icon, a PNG. */
  icon: string
  log: Log
  run?: RunTool
}

/** Of its own: one that is called muster.desktop would hide that of an installed package. */
const entryName = `${linkScheme}-appimage.desktop`
const handled = `x-scheme-handler/${linkScheme}`

/**
 * An AppImage is only a file: no desktop knows that it opens `muster://` links, until a person says so and a desktop file of
 * theirs names it. Where it names an AppImage that is gone, because this one was moved or an update gave it another name, it is
 * mended here, at the start; one that still lies there is left alone. Null where it is no AppImage.
 */
export function openAppImageLinks({ image, env, icon, log, run = runIn(env) }: AppImageLinksOptions): LinkClaim | null {
  if (image === undefined) return null
  const files = filesIn(env)
  const write = () => {
    placed(files.icon, readFileSync(icon))
    placed(files.entry, entryText(image, files.icon))
  }
  mend(files.entry, image, write, log)
  const settle = () => run('update-desktop-database', [path.dirname(files.entry)])
  return {
    state: () => stateOf(image, files.entry, run),
    async set(on) {
      tried(
        on
          ? write
          : () => {
              rmSync(files.entry, { force: true })
              rmSync(files.icon, { force: true })
            },
      )
      await settle()
      if (on) await run('xdg-mime', ['default', entryName, handled])
      return stateOf(image, files.entry, run)
    },
  }
}

async function stateOf(image: string, entry: string, run: RunTool): Promise<LinkOpening> {
  const named = namedIn(textOf(entry))
  const asked = named === null ? '' : await run('xdg-mime', ['query', 'default', handled])
  return { here: image, named, chosen: asked === null ? null : asked.trim() === entryName }
}

function mend(entry: string, image: string, write: () => void, log: Log): void {
  const named = namedIn(textOf(entry))
  if (named === null || named === image || existsSync(named)) return
  try {
    write()
    log('info', 'links open this AppImage: the one that they opened is gone')
  } catch {
    log('warn', 'links open an AppImage that is gone: its desktop file could not be written')
  }
}

/** Where a person's own desktop files lie (XDG Base Directory: a path that is not whole counts as none). */
function filesIn(env: NodeJS.ProcessEnv): { entry: string; icon: string } {
  const given = env['XDG_DATA_HOME'] ?? ''
  const data = path.isAbsolute(given) ? given : path.join(env['HOME'] ?? homedir(), '.local', 'share')
  return {
    entry: path.join(data, 'applications', entryName),
    icon: path.join(data, 'icons', 'hicolor', '256x256', 'apps', `${linkScheme}-appimage.png`),
  }
}

/** Behind `--` nothing that a link holds is a flag. `TryExec`: once the file is gone, the desktop leaves the entry out. */
function entryText(image: string, icon: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Muster',
    'Comment=Watches your meeting-room devices',
    `Exec=${execOf(image, '-- %u')}`,
    `TryExec=${stringValue(image)}`,
    `Icon=${stringValue(icon)}`,
    'Terminal=false',
    'Categories=System;Monitor;',
    `MimeType=${handled};`,
    'StartupWMClass=muster',
    '',
  ].join('\n')
}

function namedIn(text: string): string | null {
  const value = /^TryExec=(.+)$/mu.exec(text)?.[1]
  return value === undefined
    ? null
    : value.replaceAll(/\\(.)/gu, (_whole, code: string) => ({ s: ' ', n: '\n', t: '\t', r: '\r' })[code] ?? code)
}

/** Whole or not at all: the desktop reads it at any time. */
function placed(file: string, content: string | Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const part = `${file}.${process.pid}.part`
  writeFileSync(part, content, { mode: 0o644 })
  renameSync(part, file)
}

function tried(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new FaultError('file', error instanceof Error && 'code' in error ? String(error.code) : '', { cause: error })
  }
}

/** Milliseconds. These tools are scripts that ask others. */
const toolMs = 10_000

/** The AppImage's own libraries are not for the desktop's tools. */
function runIn({ LD_LIBRARY_PATH: _own, ...env }: NodeJS.ProcessEnv): RunTool {
  return (tool, args) =>
    new Promise((resolve) => {
      execFile(tool, args, { env, timeout: toolMs, encoding: 'utf8' }, (error, said) =>
        resolve(error?.code === 'ENOENT' ? null : said),
      )
    })
}
