import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ActionRequest, Sheet } from '../../../src-shared/model/jobs.ts'
import { isSiteNode } from '../../inventory/keys.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Log } from '../../ports.ts'
import { isAction, type ActionJob, type StoredJob } from '../../storage/journal/job-records.ts'
import type { SenderChoice } from '../choose-sender.ts'
import type { ActionTenants } from '../tenants.ts'
import { assess, type Assessment, type PreparedRow } from './assess.ts'
import { withCalls } from './reads/calls.ts'
import { draftsOf, type Draft } from './targets/drafts.ts'
import { againTargets, checkedDraft, earlierDrafts, earlierRequest, setValues, undoTargets } from './targets/earlier.ts'
import { offersKnown } from '../offers.ts'
import { placeRequestOf, preparePlace, type PlaceOptions } from './place.ts'
import { readRows, startDeadline, type Deadline } from './reads/read-devices.ts'
import { summaryOf, type PreparedSheet, tenantsOf } from './sheet.ts'
import { openSheetStore } from './store.ts'
import type { Sheets } from './sheets.ts'
import { jobOf } from './take.ts'

export interface SheetsOptions {
  data: Pick<InventoryData, 'actionDevices' | 'actionPlaces' | 'findPlaces'>
  clock: Clock
  log: Log
  tenants: ActionTenants
  choice: SenderChoice
  /** Returns whether a tenant (its key) is armed. */
  isArmed: (tenant: string) => boolean
  /** Returns whether a job that is not ended acts on a device (its key). */
  isBusy: (device: string) => boolean
  placeConflict: PlaceOptions['placeConflict']
}

/** How long a sheet waits for what the services offer and say about calls, ms. */
const waitMs = 10_000
/** How long an undo waits for its devices, ms: thousands may have to be read, and what is not read is not undone. */
const undoWaitMs = 60_000

/** Prepares actions (sheets.ts). */
export function createSheets(options: SheetsOptions): Sheets {
  const { clock, isArmed, tenants } = options
  const store = openSheetStore(clock)
  const keep = (prepared: Omit<PreparedSheet, 'id'>): Sheet => {
    const sheet = { ...prepared, id: crypto.randomUUID() }
    store.put(sheet)
    return summaryOf(sheet, { clock, isArmed })
  }
  const prepare = async (request: ActionRequest): Promise<Sheet> => keep(await prepared(options, request))
  return {
    async prepare(request) {
      await tenants.refresh()
      return prepare(request)
    },
    rows: ({ sheet, offset, limit }) => store.rows(sheet, offset, limit),
    tenants: (sheet) => tenantsOf(store.all(sheet)),
    async again(job, outcomes) {
      assertAction(job)
      const targets = againTargets(job, outcomes)
      await tenants.refresh()
      const request = placeRequestOf(job.record) ?? earlierRequest(job, targets)
      if (request.kind === 'site' || request.kind === 'room' || request.kind === 'reboot') return prepare(request)
      const drafts = await earlierDrafts(options.data, targets, clock.now())
      await setValues(options.data, drafts, targets, 'after')
      return keep({
        ...noPlace,
        request,
        rows: await rowsOf(options, { kind: request.kind, linkedDevices: false }, drafts),
      })
    },
    async undo(job) {
      assertAction(job)
      const targets = undoTargets(job)
      await tenants.refresh()
      const rows = await undoRows(options, job.record.kind, targets)
      return keep({ ...noPlace, request: earlierRequest(job, targets), rows, undoes: job.record.id })
    },
    take: (sheet, confirmation, plan) => store.use(sheet, (found) => jobOf(found, confirmation, plan, options)),
  }
}

function assertAction(job: StoredJob): asserts job is ActionJob {
  if (!isAction(job))
    throw new FaultError('input', 'job: A mutation of the query screen is not prepared again or undone.')
}

const noPlace = { place: null, ignored: [], site: null, undoes: null }

async function prepared(options: SheetsOptions, request: ActionRequest): Promise<Omit<PreparedSheet, 'id'>> {
  const { data, clock, tenants } = options
  if (request.kind === 'site' || request.kind === 'room') {
    const tenant = tenants.get(request.tenant)
    await within(clock, waitMs, (deadline) => offersKnown(tenant?.senders ?? [], deadline.signal))
    const place = await preparePlace(options, request)
    return { ...noPlace, request, place, rows: [place.row] }
  }
  const { drafts, ignored } = await draftsOf(data, request, clock.now())
  const linkedDevices = request.kind === 'reboot' && request.linkedDevices
  const rows = await rowsOf(options, { kind: request.kind, linkedDevices }, drafts)
  return { ...noPlace, request, rows, ignored, site: await wholeSite(data, request) }
}

/** Returns the rows of drafts, with the calls where a reboot would end them. */
function rowsOf(options: SheetsOptions, as: Assessment, drafts: readonly Draft[]): Promise<PreparedRow[]> {
  const { clock, log } = options
  return within(clock, waitMs, async (deadline) => {
    await offersKnown(sendersOf(options, drafts), deadline.signal)
    const rows = assess(options, as, drafts)
    return as.kind === 'reboot' ? withCalls(rows, { log, deadline }) : rows
  })
}

/** Returns the rows of an undo: only what the service still shows as the job wrote it gets its former values. */
async function undoRows(
  options: SheetsOptions,
  kind: Assessment['kind'],
  targets: ReturnType<typeof undoTargets>,
): Promise<PreparedRow[]> {
  const { data, clock, log } = options
  const as = { kind, linkedDevices: false }
  const drafts = await earlierDrafts(data, targets, clock.now())
  const read = await within(clock, undoWaitMs, async (deadline) => {
    await offersKnown(sendersOf(options, drafts), deadline.signal)
    return readRows(assess(options, as, drafts), { log, deadline })
  })
  const checked = drafts.map((draft, at) => {
    const target = targets[at]
    return target === undefined ? draft : checkedDraft(draft, target, read.get(draft.key))
  })
  await setValues(data, checked, targets, 'before')
  return assess(options, as, checked)
}

function sendersOf({ tenants }: SheetsOptions, drafts: readonly Draft[]) {
  const keys = new Set(drafts.flatMap(({ device }) => device?.tenant.key ?? []))
  return [...keys].flatMap((key) => tenants.get(key)?.senders ?? [])
}

async function within<T>(clock: Clock, ms: number, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  const deadline = startDeadline(clock, ms)
  try {
    return await work(deadline)
  } finally {
    deadline.clear()
  }
}

/** Returns the name of the site whose devices are all meant; null where it is not a whole site. */
async function wholeSite(data: Pick<InventoryData, 'findPlaces'>, request: ActionRequest): Promise<string | null> {
  if (!('targets' in request) || !('query' in request.targets)) return null
  const { scope, filter } = request.targets.query
  if (!isSiteNode(scope) || filter.trim() !== '') return null
  const { places } = await data.findPlaces({ asked: { nodes: [scope] }, limit: 1 })
  return places[0]?.name ?? null
}
