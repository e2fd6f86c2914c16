import { FaultError, toFault, type Fault } from '../../src-shared/fault.ts'
import { retryDelay } from '../live/backoff.ts'
import type { Offered } from '../api/capabilities.ts'
import { redacted } from '../api/classify.ts'
import { extrasOperation } from '../api/operations.ts'
import { toolsOf } from './cycle.ts'
import { extraFacts, type ExtraFacts } from './extra-facts.ts'
import { readPages, type Page } from './pages.ts'
import { pageSizeFor, type ReadingTools } from './pull.ts'
import type { Running } from './running.ts'

/** Faults that are the field's own: asked for again, it would be refused again. */
const lasting: ReadonlySet<string> = new Set(['query', 'forbidden', 'partial', 'cost-limit', 'not-graphql'])
const retryCapMs = 5 * 60_000

export interface ColumnsOptions {
  /** When each column was last read of all tenants, ms, as it was kept; and where that is kept. */
  readAt: () => Record<string, number>
  onRead: (readAt: Record<string, number>) => void
  /** Something that this tells has changed. */
  onChange: () => void
}

/** The further columns of one connection: read in the background, by whoever reads the tenant. */
export interface EstateColumns {
  offered(): readonly Offered[]
  /** These are to be read, and again with each full reading's time; the reading of any other stops. */
  want(names: readonly string[]): void
  reading(): readonly string[]
  /** Why a column's reading stands still. */
  fault(name: string): Fault | null
  /** Whether the service refused the field itself. */
  refuses(name: string): boolean
  /** Tenants were read, or others are read by this connection now. */
  look(): void
  /** The reader before this one has read the tenant at this time, with all that is wanted. */
  took(tenant: string, at: number): void
  stop(): Promise<void>
}

interface Reader {
  estate: Running
  options: ColumnsOptions
  wanted: readonly string[]
  now: readonly string[]
  /** When a tenant's column was read, by tenant and name. */
  doneAt: Map<string, Map<string, number>>
  refused: Map<string, Fault>
  fault: Fault | null
  failures: number
  /** Monotonic ms; before that nothing is tried. */
  notBefore: number
  calledOff: AbortController
  wake: () => void
}

export function startColumns(estate: Running, options: ColumnsOptions): EstateColumns {
  const reader: Reader = {
    estate, options, wanted: [], now: [], doneAt: new Map(), refused: new Map(), fault: null, failures: 0, notBefore: 0, calledOff: new AbortController(), wake: () => {},
  }
  const working = work(reader)
  return {
    offered: () => estate.tenants?.capabilities.columns ?? [],
    want(names) {
      const fresh = names.filter((name) => !reader.wanted.includes(name))
      // Whoever switches it on again wants it tried again.
      for (const name of fresh) reader.refused.delete(name)
      reader.wanted = names
      if (reader.now.some((name) => !names.includes(name))) reader.calledOff.abort(new FaultError('abort'))
      if (fresh.length > 0) reader.notBefore = 0
      reader.wake()
    },
    reading: () => reader.now,
    fault: (name) => reader.refused.get(name) ?? (reader.wanted.includes(name) ? reader.fault : null),
    refuses: (name) => reader.refused.has(name),
    look: () => reader.wake(),
    took(tenant, at) {
      for (const name of reader.wanted) done(reader, tenant, [name], at)
    },
    async stop() {
      reader.calledOff.abort(new FaultError('stopped'))
      reader.wake()
      await working
    },
  }
}

async function work(reader: Reader): Promise<void> {
  const { signal } = reader.estate.stopping
  while (!signal.aborted) {
    const work = nextOf(reader)
    if (work === null) await rest(reader, untilDue(reader))
    else await attempt(reader, work)
  }
}

interface Work {
  tenant: string
  expected: number | null
  names: readonly string[]
}

/** The next tenant with what is not read of it, or no longer young; null while the estate itself is being read, or cannot be. */
function nextOf(reader: Reader): Work | null {
  const { tenants, failures, sync, member, options } = reader.estate
  if (tenants === null || failures > 0 || sync.state !== 'idle' || options.clock.monotonic() < reader.notBefore) return null
  for (const { id, expected } of tenants.list) {
    const names = member.reads(id) ? readable(reader).filter((name) => dueIn(reader, id, name) <= 0) : []
    if (names.length > 0) return { tenant: id, expected, names }
  }
  return null
}

/** What is wanted, offered and not refused. */
function readable({ estate, wanted, refused }: Reader): string[] {
  const offered = new Set(estate.tenants?.capabilities.columns.map(({ name }) => name))
  return wanted.filter((name) => offered.has(name) && !refused.has(name))
}

function dueIn({ estate, options, doneAt }: Reader, tenant: string, name: string): number {
  const at = doneAt.get(tenant)?.get(name) ?? options.readAt()[name]
  const { clock, refreshMs } = estate.options
  // A clock that was set back must not keep it waiting.
  return at === undefined || at > clock.now() ? 0 : at + refreshMs() - clock.now()
}

function untilDue(reader: Reader): number | null {
  const { tenants, member, options: { clock } } = reader.estate
  if (clock.monotonic() < reader.notBefore) return reader.notBefore - clock.monotonic()
  const dues = (tenants?.list ?? []).filter(({ id }) => member.reads(id))
    .flatMap(({ id }) => readable(reader).map((name) => dueIn(reader, id, name))).filter((due) => due > 0)
  return dues.length === 0 ? null : Math.min(...dues)
}

async function attempt(reader: Reader, work: Work): Promise<void> {
  const { estate, options } = reader
  reader.now = work.names
  reader.calledOff = new AbortController()
  options.onChange()
  try {
    await readTenant(reader, work)
    reader.failures = 0
    reader.fault = null
    if (nextOf(reader) === null) finished(reader)
  } catch (error) {
    if (!reader.calledOff.signal.aborted && !estate.stopping.signal.aborted) await failed(reader, work, error)
  } finally {
    reader.now = []
    options.onChange()
  }
}

/** Everything that is wanted has been read: after a restart it need not be read again before its time. */
function finished(reader: Reader): void {
  const { estate, options } = reader
  const own = (estate.tenants?.list ?? []).filter(({ id }) => estate.member.reads(id))
  const ages = readable(reader).map((name) => [name, Math.min(...own.map(({ id }) => reader.doneAt.get(id)?.get(name) ?? options.readAt()[name] ?? 0))] as const)
  options.onRead(Object.fromEntries(ages.filter(([, at]) => Number.isFinite(at) && at > 0)))
}

/** A field that is refused is left alone; which of several it was is found by asking for each by itself. */
async function failed(reader: Reader, { tenant, expected, names }: Work, error: unknown): Promise<void> {
  const fault = toFault(error)
  if (lasting.has(fault.kind) && names.length > 1) {
    for (const name of names) await attempt(reader, { tenant, expected, names: [name] })
    return
  }
  const [name] = names
  if (lasting.has(fault.kind) && name !== undefined) {
    reader.refused.set(name, fault)
    reader.estate.options.log('warn', `the column ${name} is refused (${fault.kind})`)
    return
  }
  reader.fault = fault
  reader.failures += 1
  const { clock, random } = reader.estate.options
  reader.notBefore = clock.monotonic() + retryDelay(reader.failures + 2, random(), retryCapMs)
}

async function readTenant(reader: Reader, { tenant, expected, names }: Work): Promise<void> {
  const { estate, calledOff } = reader
  if (estate.tenants === null) return
  const base = toolsOf(estate, 'background')
  const tools: ReadingTools = { ...base, capabilities: estate.tenants.capabilities, signal: AbortSignal.any([base.signal, calledOff.signal]) }
  const operation = extrasOperation(names)
  const take = async (page: Page) => {
    const devices = extraFacts(page, names)
    refuseSilence(page, devices, names)
    tools.publish(await tools.data.extras({ service: tools.service, tenant, devices }))
    reader.options.onChange()
  }
  // The price of a page is not known at first: a small one tells it.
  const pageSize = pageSizeFor(tools, expected, operation.name)
  await shrinking(pageSize, (size) => readPages({ ...tools, operation, tenant, pageSize: size, from: null }, take))
  done(reader, tenant, names, estate.options.clock.now())
}

/** A field without a value on a whole page was not answered: it is not read as long as nobody says so. */
function refuseSilence({ errors }: Page, devices: readonly ExtraFacts[], names: readonly string[]): void {
  if (devices.length === 0 || names.every((name) => devices.some(({ values }) => name in values))) return
  const [first] = errors
  throw new FaultError(first?.code === 'FORBIDDEN' ? 'forbidden' : 'partial', first === undefined ? 'the field was not answered' : redacted(first.message))
}

async function shrinking(first: number | null, read: (pageSize: number | null) => Promise<void>): Promise<void> {
  for (let size = first; ; size = Math.max(1, Math.floor((size ?? 2) / 2))) {
    try {
      return await read(size)
    } catch (error) {
      if (toFault(error).kind !== 'cost-limit' || size === null || size <= 1) throw error
    }
  }
}

function done({ doneAt }: Reader, tenant: string, names: readonly string[], at: number): void {
  const known = doneAt.get(tenant) ?? new Map<string, number>()
  doneAt.set(tenant, known)
  for (const name of names) known.set(name, at)
}

/** Until the time is over, or there may be something to do. */
async function rest(reader: Reader, ms: number | null): Promise<void> {
  const { clock } = reader.estate.options
  if (reader.estate.stopping.signal.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = ms === null ? () => {} : clock.after(ms, resolve)
    reader.wake = () => {
      cancel()
      resolve()
    }
  })
}
