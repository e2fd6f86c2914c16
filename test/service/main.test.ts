import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Agent, request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { dig } from './client.ts'

const entry = path.resolve('src-service/main.ts')

function run(args: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-service-'))
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['pipe', 'pipe', 'pipe'], cwd: folder })
  const said = { out: [] as string[], err: '' }
  createInterface(child.stdout).on('line', (line) => said.out.push(line))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const exit = once(child, 'close').then(([code]) => code)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
    rmSync(folder, { recursive: true, force: true })
  })
  const ready = async (): Promise<Record<string, string>> => {
    if (said.out.length === 0) await once(child.stdout, 'data')
    return JSON.parse(said.out[0] ?? '{}')
  }
  return { child, said, exit, ready, folder }
}

test('it prints one JSON object with all that a client needs, and a CA file that fits', async () => {
  const { ready, said, folder, child, exit } = run([
    '--port',
    '0',
    '--devices',
    '30',
    '--tenants',
    '2',
    '--seed',
    '4',
    '--ca-out',
    'ca.pem',
    '--no-life',
  ])
  const facts = await ready()
  expect(Object.keys(facts)).toEqual([
    'token_url',
    'graphql_url',
    'subscription_url',
    'client_id',
    'client_secret',
    'ca_file',
    'playground_user',
    'playground_password',
  ])
  const dispatcher = new Agent({ connect: { ca: readFileSync(path.join(folder, 'ca.pem'), 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  const body = JSON.stringify({
    client_id: facts['client_id'],
    client_secret: facts['client_secret'],
    grant_type: 'client_credentials',
  })
  const answer = await request(facts['token_url'] ?? '', {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(answer.statusCode).toBe(200)
  await answer.body.dump()
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
  expect(said.out).toHaveLength(1)
  expect(said.err).not.toContain('Warning')
})

test('--credentials per-tenant lists a pair for each tenant, the usual one first', async () => {
  const { ready } = run(['--devices', '80', '--tenants', '40', '--credentials', 'per-tenant', '--no-life'])
  const { credentials, ...facts }: Record<string, unknown> = await ready()
  expect(credentials).toHaveLength(40)
  expect(dig(credentials, 0)).toEqual({
    name: expect.any(String),
    client_id: facts['client_id'],
    client_secret: facts['client_secret'],
    tenants: [expect.any(String)],
  })
  const pairs = [0, 1, 2].flatMap((at) => [dig(credentials, at, 'client_id'), dig(credentials, at, 'client_secret')])
  expect(new Set(pairs).size).toBe(6)
})

test('with --data sets are made by command, and valid and revoked at once', async () => {
  const { ready, said, folder } = run([
    '--data',
    'data',
    '--devices',
    '30',
    '--tenants',
    '1',
    '--ca-out',
    'ca.pem',
    '--no-life',
  ])
  const facts = await ready()
  expect(Object.keys(facts)).toEqual(['token_url', 'graphql_url', 'subscription_url', 'tenants', 'ca_file'])
  const tenant = dig(facts['tenants'], 0, 'id')
  expect(dig(facts['tenants'], 0, 'accounts', 0)).toEqual({ id: expect.any(String), name: expect.any(String) })
  expect(said.err).toContain('credentials create')
  const command = async (...args: string[]) => {
    const { said, exit } = run([...args, '--data', path.join(folder, 'data')])
    return { code: await exit, answer: JSON.parse(said.out[0] ?? 'null') as unknown, err: said.err }
  }
  expect((await command('credentials', 'create', '--name', 'x', '--as', 'ann')).code).toBe(1)
  expect((await command('users', 'create', 'ann', '--admin')).answer).toEqual({ name: 'ann', admin: true })
  const { answer: set } = await command(
    'credentials',
    'create',
    '--name',
    'Partner',
    '--role',
    'user',
    '--tenants',
    String(tenant),
    '--as',
    'ann',
  )
  const dispatcher = new Agent({ connect: { ca: readFileSync(path.join(folder, 'ca.pem'), 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  const ask = async (url: string | undefined, body: unknown, headers = {}) => {
    const answer = await request(url ?? '', {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return answer.body.json()
  }
  const token = await ask(facts['token_url'], {
    client_id: dig(set, 'client_id'),
    client_secret: dig(set, 'client_secret'),
    grant_type: 'client_credentials',
  })
  const tenants = () =>
    ask(
      facts['graphql_url'],
      { query: '{ tenants { id } }' },
      { authorization: `Bearer ${String(dig(token, 'access_token'))}` },
    )
  expect(await tenants()).toEqual({ data: { tenants: [{ id: tenant }] } })
  expect((await command('credentials', 'delete', String(dig(set, 'client_id')), '--as', 'ann')).code).toBe(0)
  expect(dig(await tenants(), 'errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
}, 30_000)

test('--data continues with the stored world and rejects other sizes and a second service', async () => {
  const first = run(['--data', 'data', '--devices', '30', '--tenants', '1', '--no-life'])
  await first.ready()
  const data = path.join(first.folder, 'data')
  const beside = run(['--data', data])
  expect(await beside.exit).toBe(1)
  expect(beside.said.err.trim()).toBe(`Another service is running on ${data}`)
  first.child.kill('SIGTERM')
  expect(await first.exit).toBe(0)
  const other = run(['--data', data, '--devices', '31'])
  expect(await other.exit).toBe(1)
  expect(other.said.err.trim()).toMatch(
    /There is a world already, of devices 30, not 31\. Leave this out to go on with it, or choose another folder\.$/,
  )
  expect([...beside.said.out, ...other.said.out]).toEqual([])
  expect(Object.keys(await run(['--data', data]).ready())).toContain('graphql_url')
}, 30_000)

test('options set the lifetime of tokens and the answer to an empty balance', async () => {
  const { ready, folder } = run([
    '--devices',
    '30',
    '--token-lifetime',
    '90',
    '--exhausted',
    '200',
    '--ca-out',
    'ca.pem',
    '--no-life',
  ])
  const facts = await ready()
  const dispatcher = new Agent({ connect: { ca: readFileSync(path.join(folder, 'ca.pem'), 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  const ask = async (url: string | undefined, body: unknown, headers = {}) => {
    const answer = await request(url ?? '', {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: answer.statusCode, json: await answer.body.json() }
  }
  const token = await ask(facts['token_url'], {
    client_id: facts['client_id'],
    client_secret: facts['client_secret'],
    grant_type: 'client_credentials',
  })
  expect(token.json).toMatchObject({ expires_in: 90 })
  const query =
    '{ deviceSearch(params: { pageSize: 500 }) { edges { node { id name hardwareModel connected lastDetected site { id name } room { id name } } } } }'
  const page = () =>
    ask(facts['graphql_url'], { query }, { authorization: `Bearer ${String(dig(token.json, 'access_token'))}` })
  const answers = []
  for (let n = 0; n < 14; n += 1) answers.push(await page())
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(
    answers.filter(({ json }) => dig(json, 'errors', 0, 'extensions', 'code') === 'RATE_LIMITED').length,
  ).toBeGreaterThan(0)
})

test('a scenario is announced, and misfortunes affect every client', async () => {
  const { ready, folder, said } = run([
    '--devices',
    '200',
    '--scenario',
    'maintenance',
    '--misfortune',
    'http-500',
    '--misfortune',
    'clock=-86400000',
    '--ca-out',
    'ca.pem',
  ])
  const facts = await ready()
  expect(facts['scenario']).toEqual({
    name: 'maintenance',
    announced: expect.stringMatching(/^At 20\d\d-.* all devices of ".*" \(.*\) of .* are rebooted in 4 waves/u),
  })
  expect(said.err).toContain(String(dig(facts['scenario'], 'announced')))
  const dispatcher = new Agent({ connect: { ca: readFileSync(path.join(folder, 'ca.pem'), 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  const answer = await request(facts['graphql_url'] ?? '', {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  })
  await answer.body.dump()
  expect(answer.statusCode).toBe(500)
  expect(Date.now() - Date.parse(String(answer.headers['date']))).toBeGreaterThan(80_000_000)
}, 30_000)

test('with --with-parent it ends when its standard input does', async () => {
  const { ready, child, exit } = run(['--devices', '30', '--with-parent'])
  await ready()
  child.stdin.end()
  expect(await exit).toBe(0)
})

test('SIGINT ends it at once, also with a connection open', async () => {
  const { ready, child, exit } = run(['--devices', '30'])
  const facts = await ready()
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  onTestFinished(() => dispatcher.destroy())
  const answer = await request(facts['graphql_url'] ?? '', { dispatcher, method: 'GET' })
  expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST'])
  await answer.body.dump()
  child.kill('SIGINT')
  expect(await exit).toBe(0)
})

test.each([
  [['--devices', 'many'], '--devices takes a whole number'],
  [['--profile', 'huge'], '--profile takes full, minimal or contrary'],
  [['--credentials', 'many'], '--credentials takes one or per-tenant'],
  [['--credentials', 'one', '--data', 'd'], '--credentials does not go with --data'],
  [['credentials', 'burn'], 'There is no command "credentials burn"'],
  [['--devices', '1000001'], '--devices takes a whole number from 0 to 1000000'],
  [['--exhausted', '500'], '--exhausted takes 429, 503, 400 or 200'],
  [['--role', 'king'], '--role takes one of admin, it-admin, user, device_user'],
  [['--role', 'user', '--data', 'd'], '--role does not go with --data'],
  [['--scenario', 'doom'], '--scenario takes one of site-outage, flapping, maintenance, region-loss, storm'],
  [['--misfortune', 'doom'], '--misfortune takes KIND[=MS][:SHARE]'],
  [['--reboots', 'lost=2'], '--reboots takes lost=SHARE, refused=SHARE or seconds=A-B'],
  [['--reboots', 'seconds=9-2'], '--reboots takes lost=SHARE'],
  [['--reboots', 'lost=0.6', '--reboots', 'refused=0.6'], 'at most 1 together'],
  [['--token-lifetime', '0'], '--token-lifetime takes a whole number from 1'],
  [['--life', '--no-life'], '--life does not go with --no-life'],
  [['--ca-out', 'no-such/ca.pem'], '--ca-out: there is no folder '],
  [['--ca-out', '.'], '--ca-out: . is a folder'],
  [['--ca-out', ''], '--ca-out takes the path of a file'],
  [['--nonsense'], 'nonsense'],
])('%j is rejected, and nothing is printed to stdout', async (args, words) => {
  const { exit, said } = run(args)
  expect(await exit).toBe(2)
  expect(said.err).toContain(words)
  expect(said.out).toEqual([])
})

test('--help names every option and exits with 0', async () => {
  const { exit, said } = run(['--help'])
  expect(await exit).toBe(0)
  const table =
    readFileSync(path.resolve('src-service/README.md'), 'utf8').split('| option | |')[1]?.split('\n\n')[0] ?? ''
  for (const option of [
    'port',
    'devices',
    'tenants',
    'seed',
    'data',
    'credentials',
    'role',
    'playground-user',
    'profile',
    'exhausted',
    'token-lifetime',
    'life',
    'no-life',
    'scenario',
    'misfortune',
    'reboots',
    'ca-out',
    'with-parent',
    'help',
  ]) {
    expect(said.err).toContain(`--${option}`)
    expect(table).toContain(`\`--${option}`)
  }
})

test('a port that is in use is one line of error', async () => {
  const first = run(['--devices', '1'])
  const { port } = new URL((await first.ready())['graphql_url'] ?? '')
  const second = run(['--devices', '1', '--port', port])
  expect(await second.exit).toBe(1)
  expect(second.said.err.trim()).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use.*--port.*$`))
})

test.each([
  [['--playground-user', 'ann'], 'ann'],
  [[], 'admin'],
])('the start prints a password of the playground once, and that administrator logs in (%j)', async (given, name) => {
  const { ready, folder, said } = run(['--devices', '10', ...given, '--ca-out', 'ca.pem', '--no-life'])
  const facts = await ready()
  expect(facts['playground_user']).toBe(name)
  expect(facts['playground_password']).toMatch(/^[\w-]{16}$/)
  const dispatcher = new Agent({ connect: { ca: readFileSync(path.join(folder, 'ca.pem'), 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  const { origin } = new URL(facts['graphql_url'] ?? '')
  const body = new URLSearchParams({ name, password: facts['playground_password'] ?? '' }).toString()
  const answer = await request(`${origin}/graphql/playground/login`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body,
  })
  expect(answer.statusCode).toBe(303)
  await answer.body.dump()
  expect(said.out).toHaveLength(1)
  expect(said.err).toContain(`log in as ${name}`)
  expect(said.err).not.toContain(facts['playground_password'])
  expect(readdirSync(folder)).toEqual(['ca.pem'])
})

test('a password is one line of standard input', async () => {
  const first = run(['users', 'create', 'ann', '--admin', '--password', '--data', 'data'])
  first.child.stdin.end('correct horse\nsomething else\n')
  expect([await first.exit, first.said.out]).toEqual([0, ['{"name":"ann","admin":true}']])
  const command = (...args: string[]) => run([...args, '--data', path.join(first.folder, 'data'), '--as', 'ann'])
  const none = command('users', 'password', 'ann')
  none.child.stdin.end()
  expect([await none.exit, none.said.out]).toEqual([2, []])
  expect(none.said.err).toContain('8 to 200')
  const unasked = command('users', 'list')
  expect([await unasked.exit, unasked.said.out]).toEqual([
    0,
    ['{"users":[{"name":"ann","admin":true,"password":true}]}'],
  ])
}, 30_000)
