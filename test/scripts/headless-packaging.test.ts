import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { targets } from '../../scripts/build/build.mjs'
import { isLoopback } from '../../src-main/network/loopback.ts'
import { readHeadlessArgs } from '../../src-main/platform/headless/args.ts'
import { credentialName } from '../../src-main/platform/headless/credentials.ts'

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n')
const entry = targets.headless.output

test('the unit starts what is built, with flags and credentials that there are', () => {
  const lines = linesOf('packaging/muster-headless.service')
  const valuesOf = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
  const [, script, ...flags] = valuesOf('ExecStart')[0]?.split(' ') ?? []
  expect(script).toBe(entry)
  expect(readHeadlessArgs(flags)).toMatchObject({ profile: '${STATE_DIRECTORY}', connections: '%d/connections.csv' })
  expect(isLoopback(readHeadlessArgs(flags).host)).toBe(true)
  const [list] = valuesOf('LoadCredential')
  expect(list?.split(':')[0]).toBe('connections.csv')
  const [secret] = valuesOf('LoadCredentialEncrypted')
  expect(secret?.split(':')[0]).toBe(credentialName('my-client-id'))
  expect(valuesOf('Documentation')[0]).toMatch(/docs\/headless\.md$/u)
  expect(existsSync('docs/headless.md')).toBe(true)
})

test('the image is made of files that there are, and starts what it has built', () => {
  const lines = linesOf('packaging/Containerfile')
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1))
  expect(copied.length).toBeGreaterThan(5)
  expect(copied.filter((file) => !existsSync(file))).toEqual([])
  const sent = linesOf('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  expect(sent.toSorted()).toEqual(copied.toSorted())
  const built =
    lines
      .find((line) => line.startsWith('RUN node scripts/build.mjs'))
      ?.split(' ')
      .slice(3) ?? []
  expect(built.every((name) => Object.hasOwn(targets, name))).toBe(true)
  // What is built needs these folders alone.
  const inputs = Object.entries(targets).flatMap(([name, target]) => (built.includes(name) ? target.inputs : []))
  expect(inputs.filter((input) => !copied.some((file) => input === file || input.startsWith(`${file}/`)))).toEqual([])
  const start = JSON.parse(
    lines.find((line) => line.startsWith('ENTRYPOINT '))?.slice('ENTRYPOINT '.length) ?? '[]',
  ) as string[]
  const more = JSON.parse(lines.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '[]') as string[]
  expect(start.slice(0, 2)).toEqual(['node', entry])
  expect(readHeadlessArgs([...start.slice(2), ...more])).toMatchObject({ host: '0.0.0.0', port: 9464 })
})
