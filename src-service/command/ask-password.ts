import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Reads the first line of standard input; on a terminal it prompts, and the input is hidden. */
export async function askPassword(): Promise<string> {
  const typed = process.stdin.isTTY
  if (typed) process.stderr.write('Password: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: typed })
  lines.once('SIGINT', () => process.exit(130))
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(lines, 'close').then(() => ''),
  ])
  lines.close()
  if (typed) process.stderr.write('\n')
  return line
}
