import { textMessage } from '../../../support/messages.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../../src-main/storage/journal/journal.ts'
import { steps } from '../../../../src-main/storage/journal/steps/steps.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** The steps word for word as they were released: a released step never changes, and a journal of each version opens for ever. */
const released = [
  `CREATE TABLE sequence (only INTEGER PRIMARY KEY CHECK (only = 1), value INTEGER NOT NULL);
   INSERT INTO sequence VALUES (1, 0);
   CREATE TABLE state (
     key TEXT PRIMARY KEY, connected INTEGER NOT NULL, at REAL NOT NULL, not_before REAL,
     since_at REAL, since_seen INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE transition (
     id INTEGER PRIMARY KEY, key TEXT NOT NULL, at REAL NOT NULL, not_before REAL, connected INTEGER NOT NULL
   );
   CREATE INDEX transition_of ON transition (key, id);`,
  `CREATE TABLE view (id TEXT PRIMARY KEY, position INTEGER NOT NULL, is_default INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE UNIQUE INDEX view_default ON view (is_default) WHERE is_default = 1;
   CREATE TABLE fresh (key TEXT PRIMARY KEY, at REAL NOT NULL, not_before REAL, connected INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE dropped (key TEXT PRIMARY KEY, at REAL NOT NULL, not_before REAL, telling TEXT, back_at REAL) WITHOUT ROWID;
   CREATE TABLE telling (id TEXT PRIMARY KEY, at REAL NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE blind (tenant TEXT PRIMARY KEY, since REAL NOT NULL, telling TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE pause (only INTEGER PRIMARY KEY CHECK (only = 1), since REAL NOT NULL, until REAL NOT NULL);`,
  `CREATE TABLE incident (
     id TEXT PRIMARY KEY, subject TEXT NOT NULL, kind TEXT NOT NULL, opened_at REAL NOT NULL, closed_at REAL,
     words TEXT NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL
   );
   CREATE INDEX incident_closed ON incident (closed_at, opened_at);
   CREATE INDEX incident_of ON incident (subject, opened_at);
   CREATE TABLE member (
     incident TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, at REAL NOT NULL, not_before REAL, back_at REAL,
     PRIMARY KEY (incident, key)
   ) WITHOUT ROWID;
   CREATE INDEX member_of ON member (key);
   CREATE TABLE event (id INTEGER PRIMARY KEY, incident TEXT NOT NULL, at REAL NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL);
   CREATE UNIQUE INDEX event_once ON event (incident, at, what, detail);
   CREATE TABLE unseen (tenant TEXT NOT NULL, since REAL NOT NULL, until REAL, PRIMARY KEY (tenant, since)) WITHOUT ROWID;
   CREATE INDEX unseen_until ON unseen (until);
   CREATE TABLE policy (kind TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
   CREATE TABLE act (id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0);
   CREATE INDEX act_at ON act (at);
   CREATE TABLE held (only INTEGER PRIMARY KEY CHECK (only = 1), text TEXT NOT NULL);
   ALTER TABLE dropped RENAME COLUMN telling TO incident;
   ALTER TABLE dropped ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE dropped ADD COLUMN returned INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE dropped ADD COLUMN flapping INTEGER NOT NULL DEFAULT 0;
   UPDATE dropped SET told = 1 WHERE incident IS NOT NULL;
   CREATE INDEX transition_at ON transition (at);
   ALTER TABLE state ADD COLUMN known_since REAL NOT NULL DEFAULT 0;
   UPDATE state SET known_since = coalesce((SELECT coalesce(not_before, at) FROM transition WHERE key = state.key ORDER BY id LIMIT 1), at);`,
  `ALTER TABLE member ADD COLUMN back_not_before REAL;
   ALTER TABLE dropped ADD COLUMN back_not_before REAL;
   UPDATE member SET back_not_before = (SELECT not_before FROM transition WHERE key = member.key AND at = member.back_at AND connected = 1 ORDER BY id DESC LIMIT 1) WHERE back_at IS NOT NULL;
   UPDATE dropped SET back_not_before = (SELECT not_before FROM transition WHERE key = dropped.key AND at = dropped.back_at AND connected = 1 ORDER BY id DESC LIMIT 1) WHERE back_at IS NOT NULL;`,
  `ALTER TABLE member ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;`,
  `CREATE TABLE withdrawn (connection TEXT NOT NULL, tenant TEXT NOT NULL, name TEXT NOT NULL, devices INTEGER NOT NULL, PRIMARY KEY (connection, tenant)) WITHOUT ROWID;
   ALTER TABLE incident ADD COLUMN untold INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX incident_untold ON incident (id) WHERE untold = 1;
   UPDATE incident SET untold = 1 WHERE closed_at >= (SELECT since FROM pause) AND json_valid(text) AND coalesce(json_extract(text, '$.unlisted.untold'), 0) > 0;`,
  `UPDATE policy SET text = replace(replace(replace(text, '"gatherSeconds":', '"groupingSeconds":'), '"foldLeast":', '"siteDownDevices":'), '"foldPercent":', '"siteDownPercent":') WHERE kind = 'rules'; UPDATE act SET text = replace(replace(replace(text, '"gatherSeconds":', '"groupingSeconds":'), '"foldLeast":', '"siteDownDevices":'), '"foldPercent":', '"siteDownPercent":') WHERE kind = 'policies';`,
  `ALTER TABLE fresh RENAME TO outbox;
   ALTER TABLE telling RENAME TO notification;
   UPDATE notification SET text = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(text, '"open":true', '"isGrowing":true'), '"open":false', '"isGrowing":false'), '"lead":"blind"', '"lead":"monitoring-lost"'), '"lead":"sighted"', '"lead":"monitoring-restored"'), '"lead":"away"', '"lead":"absence"'), '"kind":"blind"', '"kind":"monitoring-lost"'), '"kind":"sighted"', '"kind":"monitoring-restored"'), '"told":', '"content":'), '"of":', '"incidentIds":'), '"lead":', '"digestKind":');
   ALTER TABLE blind RENAME TO monitoring_loss;
   ALTER TABLE monitoring_loss RENAME COLUMN telling TO notification;
   ALTER TABLE held RENAME TO maintenance;
   UPDATE maintenance SET text = replace(replace(replace(replace(text, '"overAt":', '"endedAt":'), '"hidden":', '"unseenDrops":'), '"sureAt":', '"settledAt":'), '"words":', '"message":');
   ALTER TABLE act RENAME TO action;
   DROP INDEX act_at;
   CREATE INDEX action_at ON action (at);
   UPDATE action SET kind = 'incidents' WHERE kind = 'marks';
   UPDATE action SET text = replace(replace(replace(text, '"kind":"quiet"', '"kind":"maintenance"'), '"kind":"rules"', '"kind":"thresholds"'), '"rules":{', '"thresholds":{') WHERE kind = 'policies';
   UPDATE policy SET kind = 'maintenance' WHERE kind = 'quiet';
   UPDATE policy SET kind = 'thresholds', text = replace(replace(replace(text, '"kind":"quiet"', '"kind":"maintenance"'), '"kind":"rules"', '"kind":"thresholds"'), '"rules":{', '"thresholds":{') WHERE kind = 'rules';
   ALTER TABLE dropped RENAME COLUMN told TO notified;
   ALTER TABLE dropped RENAME COLUMN back_at TO recovered_at;
   ALTER TABLE dropped RENAME COLUMN back_not_before TO recovered_not_before;
   ALTER TABLE dropped RENAME COLUMN returned TO recovery_confirmed;
   ALTER TABLE member RENAME COLUMN back_at TO recovered_at;
   ALTER TABLE member RENAME COLUMN back_not_before TO recovered_not_before;
   DROP INDEX incident_untold;
   ALTER TABLE incident RENAME COLUMN untold TO unreported;
   CREATE INDEX incident_unreported ON incident (id) WHERE unreported = 1;
   ALTER TABLE incident RENAME COLUMN words TO search_text;
   UPDATE incident SET text = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(text, '"why":', '"origin":'), '"lastBack":', '"lastRecovery":'), '"also":', '"othersDown":'), '"most":', '"peakInPlace":'), '"again":', '"renotify":'), '"quiet":', '"maintenance":'), '"keptIn":', '"suppressedBy":'), '"through":', '"overrode":'), '"parted":', '"splitFrom":'), '"mute":', '"muted":'), '"marked":', '"watched":'), '"toldAt":', '"notifiedAt":'), '"backToldAt":', '"recoveryNotifiedAt":'), '"telling":', '"reason":'), '"backs":', '"recovered":'), '"unsaid":', '"unreportedRecoveries":'), '"untold":', '"unreported":'), '"words":', '"message":'), '"figures":', '"thresholds":'), '"least":', '"minDevices":'), '"share":', '"minShare":'), '"flaps":', '"flapTransitions":'), '"flapMs":', '"flapPeriodMs":'), '"laidFor":', '"thresholdsPlace":'), '"shown":', '"delivered":'), '"as":"again"', '"as":"reminder"'), '"as":"away"', '"as":"absence"'), '"as":"sighted"', '"as":"monitoring-restored"'), '"as":"report"', '"as":"maintenance"');
   UPDATE event SET what = CASE what WHEN 'quiet' THEN 'maintenance' WHEN 'told' THEN 'notified' WHEN 'back' THEN 'recovered' ELSE 'unacknowledged' END
     WHERE what IN ('quiet', 'told', 'back', 'released');`,
]

/** Rows as each version wrote them, by the version in which they came. */
const rows = [
  `UPDATE sequence SET value = 7;
   INSERT INTO state VALUES ('s/t/a', 0, 2000, 1000, 1500, 0), ('s/t/b', 1, 900, NULL, NULL, 0), ('s/t/c', 1, 3000, NULL, NULL, 0);
   INSERT INTO transition (key, at, not_before, connected) VALUES ('s/t/a', 2000, 1000, 0), ('s/t/c', 2500, NULL, 0), ('s/t/c', 3000, NULL, 1);`,
  `INSERT INTO view VALUES ('v', 1, 1, '{"name":"Down","query":{"scope":"all","filter":"connected:no","sort":[]},"columns":null}');
   INSERT INTO fresh VALUES ('s/t/c', 3000, NULL, 1);
   INSERT INTO dropped VALUES ('s/t/a', 2000, 1000, 'told-1', NULL), ('s/t/d', 2600, NULL, NULL, NULL), ('s/t/e', 2700, NULL, 'told-1', 2800);
   INSERT INTO telling VALUES ('told-1', 2100, '["s/t/","s/t/a"]', '{"told":{"title":"2 devices offline in Berlin"}}');
   INSERT INTO blind VALUES ('s/u', 2200, 'told-2');
   INSERT INTO pause VALUES (1, 2300, 9000);`,
  `INSERT INTO incident VALUES ('i', 's:s/t/berlin', 'outage', 2100, 3100, '2 devices offline in Berlin', '["s/t/"]', '{"id":"i","closedAt":3100}');
   INSERT INTO transition (key, at, not_before, connected) VALUES ('s/t/f', 2050, NULL, 0), ('s/t/f', 3050, 2900, 1);
   INSERT INTO member VALUES ('i', 's/t/c', 'C', 2500, NULL, 3000), ('i', 's/t/f', 'F', 2050, NULL, 3050), ('i', 's/t/g', 'G', 2050, NULL, NULL);
   INSERT INTO event (incident, at, what, detail) VALUES ('i', 3100, 'closed', '');
   INSERT INTO unseen VALUES ('s/t', 2900, 3050);
   INSERT INTO dropped (key, at, not_before, incident, back_at, told, returned, flapping) VALUES ('s/t/f', 2050, NULL, 'i', 3050, 1, 1, 0);
   INSERT INTO policy VALUES ('zone', 's:s/t/berlin', '{"nodeName":"Berlin","zone":"Europe/Berlin"}');
   INSERT INTO act (at, kind, text) VALUES (3200, 'marks', '[]');
   INSERT INTO held VALUES (1, '[]');`,
]

/** A profile with the journal of a version, with all rows that it could hold. */
function journalOf(version: number): string {
  const profile = temporaryProfile(leftovers)
  const db = new DatabaseSync(join(profile, 'journal.db'))
  for (let n = 0; n < version; n += 1) {
    db.exec(released[n] ?? '')
    db.exec(rows[n] ?? '')
    db.exec(`PRAGMA user_version = ${n + 1}`)
  }
  db.close()
  return profile
}

function opened(profile: string): Journal {
  const journal = openJournal(profile, 0)
  leftovers.push(() => journal.close())
  return journal
}

function tablesOf(profile: string, file = 'journal.db') {
  const db = new DatabaseSync(join(profile, file))
  const found = db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
  const version = db.prepare('PRAGMA user_version').get()?.['user_version']
  db.close()
  return { found, version }
}

test('a released migration step is unchanged', () => {
  expect(steps.slice(0, released.length)).toEqual(released)
})

test('a journal of version 1 keeps its states and transitions, and notifies nothing old', () => {
  const journal = opened(journalOf(1))
  expect(journal.opened).toBe('ok')
  expect(journal.sequence()).toBe(7)
  expect(journal.state('s/t/a')).toEqual({
    connected: false,
    at: 2000,
    notBefore: 1000,
    since: { at: 1500, kind: 'at-least' },
  })
  expect(journal.transitions('s/t/c', 10)).toEqual([
    { at: 3000, notBefore: null, connected: true },
    { at: 2500, notBefore: null, connected: false },
  ])
  expect(journal.views.all()).toEqual([])
  expect(journal.alerts.read(2500)).toEqual({
    outbox: [],
    drops: [],
    incidents: [],
    recent: [
      { key: 's/t/c', at: 2500 },
      { key: 's/t/c', at: 3000 },
    ],
    maintenance: null,
    notifications: [],
    monitoringLosses: [],
    unseen: [],
    pause: null,
  })
})

test('a journal of version 2 keeps its notifications and its pending drops', () => {
  const journal = opened(journalOf(2))
  expect(journal.opened).toBe('ok')
  expect(journal.views.all()).toMatchObject([{ id: 'v', name: 'Down', isDefault: true }])
  const drop = {
    notBefore: null,
    incident: null,
    notified: false,
    recoveredAt: null,
    recoveredNotBefore: null,
    recoveryConfirmed: false,
    flapping: false,
    expected: null,
    pendingRecovery: null,
  }
  expect(journal.alerts.read(Infinity)).toEqual({
    outbox: [{ key: 's/t/c', at: 3000, notBefore: null, connected: true }],
    drops: [
      { ...drop, key: 's/t/a', at: 2000, notBefore: 1000, incident: 'told-1', notified: true },
      { ...drop, key: 's/t/d', at: 2600 },
      { ...drop, key: 's/t/e', at: 2700, incident: 'told-1', notified: true, recoveredAt: 2800 },
    ],
    incidents: [],
    recent: [],
    maintenance: null,
    notifications: [
      {
        id: 'told-1',
        at: 2100,
        about: ['s/t/', 's/t/a'],
        value: { content: { message: textMessage('2 devices offline in Berlin') } },
      },
    ],
    monitoringLosses: [{ tenant: 's/u', since: 2200, notificationId: 'told-2' }],
    unseen: [],
    pause: { since: 2300, until: 9000 },
  })
  expect(journal.policies.all()).toEqual([])
})

test('a journal of version 3: an unseen recovery gets the span of its transition', () => {
  const journal = opened(journalOf(3))
  expect(journal.opened).toBe('ok')
  expect(
    journal.alerts.incidents
      .members('i', 0, 10)
      .rows.map(({ key, recoveredAt, recoveredNotBefore }) => [key, recoveredAt, recoveredNotBefore]),
  ).toEqual([
    ['s/t/g', null, null],
    ['s/t/c', 3000, null],
    ['s/t/f', 3050, 2900],
  ])
  expect(journal.alerts.read(Infinity).drops.find(({ key }) => key === 's/t/f')).toMatchObject({
    recoveredAt: 3050,
    recoveredNotBefore: 2900,
    recoveryConfirmed: true,
  })
  expect(journal.alerts.incidents.one('i')).toMatchObject({
    incident: { closedAt: 3100 },
    events: [{ what: 'closed' }],
  })
  expect(journal.history.unseen('s/t', 0)).toEqual([{ from: 2900, until: 3050 }])
  expect([journal.policies.all().length, journal.policies.action(1)?.kind]).toEqual([1, 'incidents'])
})

test('a journal of version 5: incidents closed in an open pause are still to be notified', () => {
  const profile = journalOf(3)
  const db = new DatabaseSync(join(profile, 'journal.db'))
  db.exec(`${steps[3]}; ${steps[4]}; PRAGMA user_version = 5; DELETE FROM dropped`)
  for (const [id, closedAt, untold] of [
    ['before', 2200, 1],
    ['in it', 2400, 1],
    ['told', 2400, 0],
  ] as const)
    db.prepare(`INSERT INTO incident VALUES (?, '', 'outage', 2100, ?, '', '[]', ?)`).run(
      id,
      closedAt,
      JSON.stringify({ unlisted: { count: 1, named: [], untold } }),
    )
  db.exec(`INSERT INTO incident VALUES ('damaged', '', 'outage', 2100, 2400, '', '[]', '{')`)
  db.close()
  expect(
    opened(profile)
      .alerts.read(Infinity)
      .incidents.map(({ id, unreported }) => [id, unreported]),
  ).toEqual([['in it', true]])
})

test.each([1, 2, 3])('version %i: a device is known since its oldest entry', (version) => {
  expect(opened(journalOf(version)).history.states(['s/t/a', 's/t/b', 's/t/c', 's/t/x'])).toEqual([
    { connected: false, knownSince: 1000 },
    { connected: true, knownSince: 900 },
    { connected: true, knownSince: 2500 },
    null,
  ])
})

test.each([1, 2, 3])('version %i: its tables become those of a new journal', (version) => {
  const old = journalOf(version)
  opened(old)
  const fresh = temporaryProfile(leftovers)
  opened(fresh)
  expect(tablesOf(old)).toEqual(tablesOf(fresh))
  expect(tablesOf(old).version).toBe(steps.length)
})

/** A process that dies in the middle of a step, as a computer does that loses its power. */
const dying = `
  const { DatabaseSync } = await import('node:sqlite')
  const { steps } = await import(process.argv[2])
  const db = new DatabaseSync(process.argv[1])
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('BEGIN IMMEDIATE; ' + steps[Number(process.argv[3])])
  process.kill(process.pid, 'SIGKILL')
`

async function dieInStep(profile: string, step: number): Promise<void> {
  const source = new URL('../../../../src-main/storage/journal/steps/steps.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', dying, join(profile, 'journal.db'), source, String(step)],
    { stdio: 'ignore' },
  )
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

describe('a journal whose migration was killed', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
  ])('of version %i, in the step after it: as if it had not begun', async (version, step) => {
    const profile = journalOf(version)
    await dieInStep(profile, step)
    expect(tablesOf(profile).version).toBe(version)
    const journal = opened(profile)
    expect(journal.opened).toBe('ok')
    expect(journal.sequence()).toBe(7)
    expect(journal.transitions('s/t/a', 10)).toHaveLength(1)
    expect(journal.alerts.read(Infinity).drops).toHaveLength([0, 3, 4][version - 1] ?? 0)
  })

  test('between two steps: continues with the next one', () => {
    const profile = journalOf(1)
    const db = new DatabaseSync(join(profile, 'journal.db'))
    db.exec(`BEGIN; ${steps[1]}; PRAGMA user_version = 2; COMMIT`)
    db.close()
    expect(opened(profile).opened).toBe('ok')
    expect(tablesOf(profile).version).toBe(steps.length)
  })

  test('a step that fails half-way leaves the file as it was, to be set aside whole', () => {
    const profile = journalOf(2)
    const db = new DatabaseSync(join(profile, 'journal.db'))
    db.exec('CREATE TABLE held (theirs)')
    db.close()
    const before = tablesOf(profile)
    expect(opened(profile).opened).toBe('damaged')
    const aside = readdirSync(profile).find((name) => name.startsWith('journal.damaged-') && name.endsWith('.db')) ?? ''
    expect(tablesOf(profile, aside)).toEqual(before)
  })
})
