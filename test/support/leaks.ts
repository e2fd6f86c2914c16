import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** In what forms a secret may lie somewhere: as it is, base64 of it with anything around it, percent-encoded, in hexadecimal, backwards, in HTML entities, with letters of no width, cut by a letter, and in UTF-16. */
export function formsOf(secret: string): [string, Buffer][] {
  const address = encodeURIComponent(secret)
  const inside = [0, 1, 2].flatMap((before) =>
    ['base64' as const, 'base64url' as const].map((form) => inBase64(secret, before, form)),
  )
  const texts: [string, string][] = [
    ['plain', secret],
    ['in an address', address],
    ['in an address, small', address.replaceAll(/%../gu, (code) => code.toLowerCase())],
    ...inside.map((text): [string, string] => ['in base64', text]),
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['backwards', [...secret].toReversed().join('')],
    ['in HTML entities', [...secret].map((letter) => `&#${letter.codePointAt(0)};`).join('')],
    ['with letters of no width', [...secret].join('\u200B')],
    ['without its first letter', secret.slice(1)],
  ]
  return [
    ...texts.map(([form, text]): [string, Buffer] => [form, Buffer.from(text)]),
    ['in UTF-16', Buffer.from(secret, 'utf16le')],
    ['in UTF-16, big-endian', Buffer.from(secret, 'utf16le').swap16()],
  ]
}

/** Three bytes are four letters: the letters that belong to the secret alone, when so many bytes stand before it. */
function inBase64(secret: string, before: number, form: 'base64' | 'base64url'): string {
  const whole = Buffer.from(`${'?'.repeat(before)}${secret}`)
  const letters = whole.toString(form).replace(/=+$/u, '')
  return letters.slice(before === 0 ? 0 : before + 1, whole.length % 3 === 0 ? undefined : -1)
}

/** Any signed token, of any issuer. */
const token = /eyJ[\w-]{10,}\.[\w-]{10,}/u

/** Which of these secrets are in it, in words. */
export function leaksIn(where: string, held: Buffer | string, secrets: Readonly<Record<string, string>>): string[] {
  const bytes = typeof held === 'string' ? Buffer.from(held) : held
  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret)
      .filter(([, form]) => bytes.includes(form))
      .map(([form]) => `${name}, ${form}: ${where}`),
  )
  return token.test(bytes.toString('latin1')) ? [...found, `a token: ${where}`] : found
}

/** The same of every file below a folder: databases with what they have not yet written, settings, logs. */
export function leaksBelow(
  folder: string,
  secrets: Readonly<Record<string, string>>,
): { files: string[]; leaks: string[] } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  return {
    files: files.map((file) => path.relative(folder, file)),
    leaks: files.flatMap((file) => leaksIn(path.relative(folder, file), readFileSync(file), secrets)),
  }
}
