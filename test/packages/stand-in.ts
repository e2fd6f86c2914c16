import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Electron's program marks its fuses by this text; a version, their number, and one byte each follow. */
const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
/** The fuses as Electron delivers them: on, off, on, on, off, off, off, on, on. */
const delivered = '101100011'

function withFuses(base: Buffer): Buffer {
  const fuses = Buffer.concat([sentinel, Buffer.from([1, delivered.length]), Buffer.from(delivered)])
  return Buffer.concat([base, Buffer.alloc(999, 7), fuses, Buffer.alloc(999, 8)])
}

/** A folder that stands in for Electron's runtime, with what of it electron-builder looks at. `base`: what its program begins with. */
export function standInRuntime(folder: string, program: string, base: Buffer = Buffer.alloc(0)): string {
  mkdirSync(path.join(folder, 'resources'), { recursive: true })
  mkdirSync(path.join(folder, 'locales'))
  writeFileSync(path.join(folder, program), withFuses(base), { mode: 0o755 })
  writeFileSync(path.join(folder, 'version'), '45.4.1')
  writeFileSync(path.join(folder, 'LICENSE'), 'Electron’s licence')
  writeFileSync(path.join(folder, 'LICENSES.chromium.html'), 'Chromium’s licences')
  writeFileSync(path.join(folder, 'resources', 'default_app.asar'), 'Electron’s welcome')
  return folder
}

/** The fuses of a program, one character each, in Electron's order. */
export function fusesOf(program: string): string {
  const bytes = readFileSync(program)
  const at = bytes.indexOf(sentinel) + sentinel.length
  return bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0)).toString('latin1')
}

/** The same for macOS: a bundle with its framework and helpers, and beside it what Electron delivers beside it. */
export function standInBundle(folder: string): string {
  const contents = path.join(folder, 'Electron.app', 'Contents')
  const helpers = ['Electron Helper', 'Electron Helper (Renderer)', 'Electron Helper (GPU)', 'Electron Helper (Plugin)']
  const put = (file: string, what: string | Buffer) => {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, what, { mode: 0o755 })
  }
  put(path.join(contents, 'Info.plist'), plist('Electron'))
  put(path.join(contents, 'MacOS', 'Electron'), 'the program')
  put(path.join(contents, 'Resources', 'default_app.asar'), 'Electron’s welcome')
  put(path.join(contents, 'Resources', 'electron.icns'), 'an icon')
  put(
    path.join(contents, 'Frameworks', 'Electron Framework.framework', 'Electron Framework'),
    withFuses(Buffer.alloc(0)),
  )
  for (const name of helpers) {
    put(path.join(contents, 'Frameworks', `${name}.app`, 'Contents', 'Info.plist'), plist(name))
    put(path.join(contents, 'Frameworks', `${name}.app`, 'Contents', 'MacOS', name), 'a helper')
  }
  put(path.join(folder, 'version'), '45.4.1')
  put(path.join(folder, 'LICENSE'), 'Electron’s licence')
  put(path.join(folder, 'LICENSES.chromium.html'), 'Chromium’s licences')
  return folder
}

const plist = (name: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string><key>CFBundleName</key><string>${name}</string></dict></plist>
`
