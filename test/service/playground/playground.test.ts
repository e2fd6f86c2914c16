import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../src-service/command/commands.ts'
import { open, plainClient } from '../client.ts'
import { managedFolder } from '../storage/folder.ts'
import { users, browser, slow, turnedClock, loggedIn, total, countIn, codesIn, HOUR } from './playground-browser.ts'

test.each([true, false])(
  'a browser gets the login page, then GraphiQL; other clients get 405 (HTTP/2: %s)',
  async (h2) => {
    const service = await open({ users })
    const window = browser(service, { h2 })
    const before = await window.page()
    expect(before.status).toBe(200)
    expect(before.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'graphql-ratelimit-querycost': '0',
      'ratelimit-remaining': '100000',
    })
    expect(before.headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; style-src 'self'; img-src 'self'",
    )
    expect(before.text).toContain('<label for="password">')
    expect(before.text).toContain('playground_user and playground_password')
    expect(before.text).not.toContain('<script')
    const entered = await window.logIn('ann', 'correct horse')
    expect([entered.status, entered.headers['location']]).toEqual([303, '/graphql'])
    expect(entered.headers['set-cookie']).toMatch(
      /^__Secure-playground=[\w-]{43}; Max-Age=3600; Path=\/graphql; Secure; HttpOnly; SameSite=Strict$/,
    )
    const after = await window.page()
    expect(after.text).toContain('Log out')
    expect(after.headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
    for (const [, src = ''] of after.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await window.send(src, 'GET', {})).status, src).toBe(200)
    expect((await plainClient(service, { h2 }).get(service.graphqlUrl, { accept: 'application/json' })).status).toBe(
      405,
    )
    expect((await window.page('/graphql/playground/..%2fmain.ts')).status).toBe(404)
  },
)

test("the playground's script is cached and served to its own origin only", async () => {
  const window = browser(await open({ users }))
  const first = await window.send('/graphql/playground/graphiql.js', 'GET', {})
  expect(first.headers).toMatchObject({
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'content-type': 'text/javascript; charset=utf-8',
  })
  expect(first.text.length).toBeGreaterThan(1_000_000)
  const again = await window.send('/graphql/playground/graphiql.js', 'GET', {
    'if-none-match': first.headers['etag'] ?? '',
  })
  expect([again.status, again.text]).toEqual([304, ''])
})

test(
  'a wrong name, a wrong password and a user without a password get the same answer',
  async () => {
    const { data, command } = managedFolder()
    const window = browser(await open({ data, devices: 10 }))
    expect((await window.page()).text).toContain('Nobody can log in yet')
    runCommand(['users', 'password', 'ann', '--data', data, '--as', 'ann'], 'correct horse')
    command('users', 'create', 'bob', '--as', 'ann')
    const login = await window.page()
    expect(login.text).not.toContain('Nobody can log in yet')
    expect(login.text).toContain('The users are those of the data folder')
    const answers = [
      await window.logIn('ann', 'correct hors'),
      await window.logIn('nobody', 'correct horse'),
      await window.logIn('bob', ''),
      await window.logIn('bob', 'correct horse'),
    ]
    for (const { status, text, headers } of answers) {
      expect(status).toBe(401)
      expect(text).toContain('role="alert">The name or the password is wrong.<')
      expect(headers['set-cookie']).toBeUndefined()
    }
    const { text } = await window.logIn('"><script>x', 'y')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;x"')
    expect((await window.logIn('ann', 'correct horse')).status).toBe(303)
  },
  slow,
)

test('after five wrong passwords even the right one is rejected until the minute is over', async () => {
  const clock = turnedClock()
  const window = browser(await open({ users, now: clock.now }))
  for (let at = 0; at < 5; at += 1) expect((await window.logIn('ann', `wrong ${at}`)).status).toBe(401)
  clock.turn(20_000)
  const held = await window.logIn('ann', 'correct horse')
  expect([held.status, held.headers['retry-after']]).toEqual([429, '40'])
  expect(held.text).toContain('Try again in 40 s')
  expect((await window.logIn('bob', 'battery staple')).status).toBe(303)
  clock.turn(40_000)
  expect((await window.logIn('ann', 'correct horse')).status).toBe(303)
})

test('a successful login resets the count of wrong passwords', async () => {
  const clock = turnedClock()
  const window = browser(await open({ users, now: clock.now }))
  for (let at = 0; at < 60; at += 1)
    expect((await window.logIn('ann', at % 6 === 0 ? 'wrong' : 'correct horse')).status).toBe(at % 6 === 0 ? 401 : 303)
})

test('trying many names throttles everybody until the minute is over', async () => {
  const clock = turnedClock()
  const window = browser(await open({ users, now: clock.now }))
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => (await window.logIn(`name ${at}`, 'x')).status),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(50)
  expect((await window.logIn('ann', 'correct horse')).status).toBe(429)
  clock.turn(60_000)
  expect((await window.logIn('ann', 'correct horse')).status).toBe(303)
})

test('a login reads all tenants of the user; a chosen set limits reach, role and balance', async () => {
  const {
    service,
    window,
    sets: [set],
  } = await loggedIn()
  if (!set) throw new Error('no set')
  const all = service.world.devices()
  const reply = await window.ask(total)
  expect(countIn(reply)).toBe(all.length)
  expect(reply.headers).toMatchObject({
    'graphql-ratelimit-querycost': '3',
    'ratelimit-limit': '100000',
    'ratelimit-remaining': '99997',
  })
  const narrow = await window.ask(total, { choice: set.clientId })
  expect(countIn(narrow)).toBe(all.filter(({ tenantId }) => set.reach?.tenants?.includes(tenantId)).length)
  expect(narrow.headers['ratelimit-remaining']).toBe('99997')
  expect((await window.ask('{ calculateQueryCost { costUsed } }')).json.data?.['calculateQueryCost']).toEqual({
    costUsed: 5,
  })
  const reboot = `mutation { rebootDevice(deviceId: "${service.world.find(({ connected }) => connected === true).id}") { success } }`
  expect(codesIn(await window.ask(reboot, { choice: set.clientId }))).toEqual(['FORBIDDEN'])
  expect((await window.ask(reboot)).json.data?.['rebootDevice']).toEqual({ success: true })
  expect(new Set(service.operations().map(({ clientId }) => clientId))).toEqual(new Set(['user:ann', set.clientId]))
})

test('a user reads and watches; one with fixed tenants sees these and their sets alone', async () => {
  const probe = await open({ credentials: 'per-tenant' })
  const [own, other] = probe.world.tenants().map(({ id }) => id)
  const { service, window, sets } = await loggedIn('bob', {
    credentials: ({ tenants }) => [
      { name: 'Everything' },
      ...tenants().map(({ id, name }) => ({ name, tenants: [id] })),
    ],
    users: [{ name: 'bob', password: 'battery staple', tenants: [own ?? ''] }],
  })
  const there = service.world.devices().filter(({ tenantId }) => tenantId === own)
  expect(countIn(await window.ask(total))).toBe(there.length)
  expect(codesIn(await window.ask(`{ tenant(id: "${other}") { id } }`))).toEqual(['NOT_FOUND'])
  expect(codesIn(await window.ask(`mutation { rebootDevice(deviceId: "${there[0]?.id}") { success } }`))).toEqual([
    'FORBIDDEN',
  ])
  const of = (tenant: string | undefined) =>
    sets.find(({ reach }) => reach?.tenants?.includes(tenant ?? ''))?.clientId ?? ''
  const shown = (await window.page()).text
  expect([shown.includes(of(own)), shown.includes(of(other)), shown.includes('Everything')]).toEqual([
    true,
    false,
    false,
  ])
  expect(countIn(await window.ask(total, { choice: of(own) }))).toBe(there.length)
  // The set has role admin; chosen by bob it has not.
  expect(
    codesIn(
      await window.ask(`mutation { rebootDevice(deviceId: "${there[0]?.id}") { success } }`, { choice: of(own) }),
    ),
  ).toEqual(['FORBIDDEN'])
  expect(shown).toMatch(new RegExp(`${of(own)}">[^<]*\\(user\\)<`))
  for (const set of sets.filter(({ clientId }) => clientId !== of(own)))
    expect(codesIn(await window.ask(total, { choice: set.clientId }))).toEqual(['UNAUTHENTICATED'])
})

test('a disabled or deleted set is rejected, and the page shows all tenants again', async () => {
  const {
    service,
    window,
    sets: [first, second],
  } = await loggedIn()
  if (!first || !second) throw new Error('no sets')
  expect((await window.page(`/graphql?credentials=${first.clientId}`)).text).toContain(
    `value="${first.clientId}" selected`,
  )
  service.credentials.setActive(first.clientId, false)
  service.credentials.remove(second.clientId)
  for (const { clientId } of [first, second]) {
    expect(codesIn(await window.ask(total, { choice: clientId }))).toEqual(['UNAUTHENTICATED'])
    const { text } = await window.page(`/graphql?credentials=${clientId}`)
    expect(text).toContain('<option value="" selected>All your tenants</option>')
    expect(text).toContain('data-endpoint="/graphql"')
    expect(text).toContain('That credential set is not there any more')
    expect(text).not.toContain(`value="${clientId}"`)
  }
})

test('a session ends one hour after the login, also when it is in use', async () => {
  const { clock, window } = await loggedIn()
  clock.turn(HOUR - 1)
  expect(codesIn(await window.ask(total))).toEqual([])
  clock.turn(1)
  expect(codesIn(await window.ask(total))).toEqual(['UNAUTHENTICATED'])
  expect((await window.page()).text).toContain('Your session is over. Log in again.')
})

test('logging out ends the session itself, not only the cookie', async () => {
  const { window } = await loggedIn()
  const cookie = window.cookie()
  const out = await window.form('/graphql/playground/logout', {})
  expect([out.status, out.headers['location']]).toEqual([303, '/graphql'])
  expect(out.headers['set-cookie']).toContain('Max-Age=0')
  window.keep(cookie)
  expect(codesIn(await window.ask(total))).toEqual(['UNAUTHENTICATED'])
})

test('the cookie counts only for pages of this origin, with JSON', async () => {
  const { window } = await loggedIn()
  const { origin } = window
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const refused = [
    { headers: {} },
    { headers: foreign },
    { headers: { origin: foreign.origin } },
    { headers: { ...foreign, origin } },
    { headers: { origin, 'sec-fetch-site': 'same-site' } },
    { headers: { origin: 'null' } },
  ]
  for (const how of refused)
    expect(codesIn(await window.ask(total, how)), JSON.stringify(how)).toEqual(['UNAUTHENTICATED'])
  expect((await window.form('/graphql', { query: total })).status).toBe(415)
  expect(codesIn(await window.ask(total, { headers: { origin } }))).toEqual([])
  expect((await window.logIn('ann', 'correct horse', foreign)).status).toBe(403)
  expect((await window.form('/graphql/playground/logout', {}, foreign)).status).toBe(403)
  expect((await window.logIn('ann', 'correct horse', { origin: 'null', 'sec-fetch-site': 'same-origin' })).status).toBe(
    303,
  )
})

test('a request that is no page of the playground is rejected by method, name or size', async () => {
  const window = browser(await open({ users }))
  expect((await window.send('/graphql/playground/nothing', 'GET', {})).status).toBe(404)
  expect((await window.send('/graphql/playground/graphiql.css', 'POST', window.own, '')).status).toBe(405)
  const back = await window.page('/graphql/playground/login')
  expect([back.status, back.headers['location']]).toEqual([303, '/graphql'])
  expect((await window.logIn('ann', 'x'.repeat(1024 * 1024))).status).toBe(413)
})

test('a bearer token takes precedence over the cookie, also an invalid one', async () => {
  const {
    service,
    window,
    sets: [set],
  } = await loggedIn()
  const token = await plainClient(service).token()
  expect(countIn(await window.ask(total, { headers: { ...window.own, authorization: `Bearer ${token}` } }))).toBe(
    service.world.devices().filter(({ tenantId }) => set?.reach?.tenants?.includes(tenantId)).length,
  )
  expect(codesIn(await window.ask(total, { headers: { ...window.own, authorization: 'Bearer x' } }))).toEqual([
    'UNAUTHENTICATED',
  ])
})

test(
  'a new password and the deletion of the user end the sessions',
  async () => {
    const { data, asAnn } = managedFolder()
    runCommand(['users', 'password', 'ann', '--data', data, '--as', 'ann'], 'correct horse')
    runCommand(['users', 'create', 'bob', '--password', '--data', data, '--as', 'ann'], 'battery staple')
    const service = await open({ data, devices: 10 })
    const [ann, bob] = [browser(service), browser(service)]
    await ann.logIn('ann', 'correct horse')
    await bob.logIn('bob', 'battery staple')
    expect([countIn(await ann.ask(total)), countIn(await bob.ask(total))]).toEqual([10, 10])
    runCommand(['users', 'password', 'ann', '--data', data, '--as', 'ann'], 'correct horse 2')
    asAnn('users', 'delete', 'bob')
    expect([codesIn(await ann.ask(total)), codesIn(await bob.ask(total))]).toEqual([
      ['UNAUTHENTICATED'],
      ['UNAUTHENTICATED'],
    ])
    expect((await ann.logIn('ann', 'correct horse')).status).toBe(401)
    expect((await ann.logIn('ann', 'correct horse 2')).status).toBe(303)
    expect((await bob.logIn('bob', 'battery staple')).status).toBe(401)
  },
  slow,
)

test(
  'a folder from before there were passwords opens and accepts one',
  async () => {
    const { data, asAnn, makeSet } = managedFolder()
    makeSet()
    const database = new DatabaseSync(path.join(data, 'access.sqlite'))
    database.exec(
      'ALTER TABLE users DROP COLUMN passwordHash; ALTER TABLE users DROP COLUMN tenants; PRAGMA user_version = 1',
    )
    database.close()
    expect(asAnn('users', 'list')).toEqual({ users: [{ name: 'ann', admin: true }] })
    expect(asAnn('credentials', 'list')).toMatchObject({ credentials: [{ name: 'A set' }] })
    runCommand(['users', 'password', 'ann', '--data', data, '--as', 'ann'], 'correct horse')
    expect((await browser(await open({ data, devices: 10 })).logIn('ann', 'correct horse')).status).toBe(303)
  },
  slow,
)

test(
  'users change their own password, administrators all of them',
  async () => {
    const { data, command, asAnn } = managedFolder()
    const change = (name: string, as: string, password = 'battery staple') =>
      runCommand(['users', 'password', name, '--data', data, '--as', as], password)
    runCommand(
      ['users', 'create', 'bob', '--password', '--tenants', 't1,t2', '--data', data, '--as', 'ann'],
      'battery staple',
    )
    expect(change('bob', 'bob')).toEqual({ name: 'bob', changed: 'password' })
    expect(change('bob', 'ann')).toEqual({ name: 'bob', changed: 'password' })
    expect(() => change('ann', 'bob')).toThrow('bob is no administrator')
    expect(() => change('nobody', 'nobody')).toThrow('There is no user nobody')
    expect(() => change('bob', 'bob', 'short')).toThrow('8 to 200')
    expect(() => change('bob', 'bob', 'x'.repeat(201))).toThrow('8 to 200')
    expect(() => command('users', 'create', 'cy', '--admin', '--tenants', 't1', '--as', 'ann')).toThrow(
      'An administrator has all tenants',
    )
    expect(asAnn('users', 'list')).toEqual({
      users: [
        { name: 'ann', admin: true },
        { name: 'bob', admin: false, tenants: ['t1', 't2'], password: true },
      ],
    })
  },
  slow,
)
