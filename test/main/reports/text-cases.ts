import { textMessage } from '../../support/messages.ts'
import type { EvidenceInput } from '../../../src-main/reports/evidence.ts'
import type { HandoverInput } from '../../../src-main/reports/handover-input.ts'
import type { ConnectionFacts } from '../../../src-main/reports/connection-items.ts'
import type { Incident, IncidentMember } from '../../../src-shared/model/incidents.ts'

/** 07:00 in Berlin. */
export const now = Date.parse('2026-11-22T06:00:00Z')
const minute = 60_000

export const incident = (over: Partial<Incident> = {}): Incident => ({
  id: 'i1',
  kind: 'outage',
  shape: 'node',
  severity: 'major',
  message: textMessage('3 devices offline in Berlin', 'Acme.'),
  places: [{ id: 's:x/t1/s1', kind: 'site', name: 'Berlin' }],
  since: now - 90 * minute,
  foundAt: now - 90 * minute,
  openedAt: now - 88 * minute,
  changedAt: now,
  closedAt: null,
  closedNotBefore: null,
  devices: { down: 3, others: 0, unseen: 0, peak: 3, total: 4 },
  watched: 0,
  acknowledged: null,
  snoozed: null,
  assigned: null,
  suppressed: null,
  notifiedAt: null,
  recurrence: 1,
  open: { scope: 'all', filter: '', device: null },
  ...over,
})

export const member = (over: Partial<IncidentMember> = {}): IncidentMember => ({
  key: 'x/t1/d1',
  name: 'Studio 1',
  at: now - 90 * minute,
  notBefore: null,
  recoveredAt: null,
  recoveredNotBefore: null,
  tenant: 'Acme',
  site: 'Berlin',
  ...over,
})

export const connection = (over: Partial<ConnectionFacts> = {}): ConnectionFacts => ({
  id: 'c1',
  name: 'Acme EU',
  graphqlUrl: 'https://api.test/graphql',
  subscriptionUrl: 'wss://api.test/graphql',
  hasSubscription: false,
  paused: false,
  link: { state: 'live', since: now - 200 * minute },
  lastEventAt: now - 3 * minute,
  lastReadingAt: null,
  heardAt: now - minute,
  faults: [],
  checks: [],
  ...over,
})

export const evidence = (over: Partial<EvidenceInput> = {}): EvidenceInput => ({
  incident: incident(),
  why: [],
  members: { rows: [member()], total: 1 },
  notes: [],
  history: [],
  connections: [connection()],
  queries: [],
  log: [],
  now,
  zone: 'Europe/Berlin',
  version: '0.6.0',
  ...over,
})

export const handover = (over: Partial<HandoverInput> = {}): HandoverInput => ({
  from: now - 8 * 60 * minute,
  until: now,
  now,
  zone: 'Europe/Berlin',
  open: [],
  closed: [],
  members: new Map(),
  memberCounts: new Map(),
  notes: new Map(),
  policies: { ownZone: 'Europe/Berlin', windows: [], zones: [], thresholds: [], places: [] },
  maintenance: [],
  longStanding: { total: 0, spares: 0, rows: [] },
  totals: { connected: 0, disconnected: 0, unknown: 0 },
  connections: [],
  version: '0.6.0',
  ...over,
})

/** Names as no one would choose them, and some do. */
export const strange = [
  'a | b',
  '\\|',
  '\\\\| x',
  '`|`',
  '<script>alert(1)</script>',
  '[click](https://evil.test)',
  '![x](https://evil.test/p.png)',
  'https://evil.test/a|b',
  'two\nlines\r\n| --- |',
  '# head',
  '- [ ] done',
  '```',
  'חדר 4',
  '\u202Eexe.txt',
  '\u2066open',
  '@everyone',
  'see #12',
  '\u0000\u001b[31mred\u009b',
  '\u2028\u0085',
  '',
  '=1+1',
  '&lt;b&gt;',
  '$x$',
  '**bold** _it_ ~~no~~',
  '1. first',
]

/** Lines of each table, the head first. Cells are parted by bars without an odd number of backslashes before them. */
export function tablesOf(markdown: string): string[][][] {
  const tables: string[][][] = []
  let isIn = false
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const mark = /^`{3,}/u.exec(line)?.[0] ?? null
    if (fence === null && mark !== null) fence = mark
    else if (fence !== null && line === fence) fence = null
    const isRow = fence === null && line.startsWith('| ')
    if (isRow && !isIn) tables.push([])
    if (isRow) tables.at(-1)?.push(cellsOf(line))
    isIn = isRow
  }
  return tables
}

function cellsOf(line: string): string[] {
  const cells = ['']
  let slashes = 0
  for (const sign of line) {
    if (sign === '|' && slashes % 2 === 0) cells.push('')
    else cells[cells.length - 1] += sign
    slashes = sign === '\\' ? slashes + 1 : 0
  }
  return cells.slice(1, -1).map((cell) => cell.trim())
}
