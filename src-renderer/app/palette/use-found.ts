import { isolated } from '../../../src-shared/text/direction.ts'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { printFilter, writtenField } from '../../../src-shared/filter/filter.ts'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'
import { own } from '../../../src-shared/lib/own.ts'
import { fieldLabels } from '../../inventory/columns/labels.ts'
import type { Inventory } from '../../inventory/inventory.ts'
import type { Session } from '../../lib/session.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { statusLabels } from '../../lib/format/device.ts'
import { many } from '../../lib/format/numbers.ts'
import { item, type Item } from './item.ts'

const places = ['tenant', 'account', 'site', 'room', 'region'] as const
type PlaceField = (typeof places)[number]

/** A device and the field that matched; '' for its name. */
interface FoundDevice {
  row: DeviceRow
  field: string
}

type Places = CallOutput<'inventory.places'>['places']

/** `places`: names of places with devices; `empty`: places without any. */
interface Found {
  text: string
  devices: readonly FoundDevice[]
  places: readonly { field: PlaceField; value: string; count: number }[]
  empty: Places
}

/** The maximum number of places with a similar name. With more, their uniqueness is not checked. */
const maxAlike = 200

/**
 * Returns places whose names contain the text, and devices whose name, id or a loaded field does, from the whole fleet.
 * The last results stay until the next ones arrive.
 */
export function useFound(inventory: Inventory, text: string, onScreen: () => void): readonly Item[] {
  const { session } = useAppContext()
  const typed = text.trim()
  const { value: found } = useCall(typed.length > 1 ? typed : null, () => find(session, typed))
  return found !== null && typed.length > 1 ? itemsOf(found, session, inventory, onScreen) : []
}

/** The maximum number of offered devices. */
const maxDevices = 8

async function find(session: Session, text: string): Promise<Found> {
  const [devices, empty, ...values] = await Promise.all([
    findDevices(session, text),
    session.pipe.call('inventory.places', { asked: { find: text.slice(0, 200), empty: true }, limit: 4 }),
    ...places.map((field) => session.pipe.call('inventory.values', { scope: 'all', field, text, limit: 4 })),
  ])
  const named = places.flatMap((field, index) =>
    valuesOf(values[index]).map(({ value, count }) => ({ field, value, count })),
  )
  return { text, devices, places: named.slice(0, 8), empty: empty.ok ? empty.value.places : [] }
}

/** Finds devices by name, by id and by each loaded extra field, without duplicates. */
async function findDevices({ pipe, state }: Session, text: string): Promise<readonly FoundDevice[]> {
  const loaded = (state.get().app?.columns ?? []).flatMap(({ name, on }) => (on ? [`extra:${name}` as const] : []))
  const found = await Promise.all(
    (['name', 'id', ...loaded] as const).map(async (field) => {
      const filter = printFilter([{ kind: 'match', not: false, field, how: 'has', values: [[text]] }])
      const answer = await pipe.call('inventory.rows', {
        query: { scope: 'all', filter, sort: [{ column: 'name', direction: 'asc' }] },
        offset: 0,
        limit: maxDevices,
      })
      return answer.ok
        ? answer.value.rows.map((row) => ({ row, field: field === 'name' ? '' : writtenField(field) }))
        : []
    }),
  )
  const unique = new Map<string, FoundDevice>()
  for (const each of found.flat()) if (!unique.has(each.row.key)) unique.set(each.row.key, each)
  return [...unique.values()].slice(0, maxDevices)
}

function valuesOf(
  answer: Awaited<ReturnType<Session['pipe']['call']>> | undefined,
): CallOutput<'inventory.values'>['values'] {
  return answer?.ok === true ? (answer.value as CallOutput<'inventory.values'>).values : []
}

/**
 * Returns the path to the only place with this name, for a selection in the tree. Returns null when there is none or
 * several; the caller then filters by name.
 */
async function placeOf(
  { pipe }: Session,
  kind: PlaceField,
  name: string,
): Promise<readonly { id: string; name: string }[] | null> {
  const answer = await pipe.call('inventory.places', { asked: { find: name }, limit: maxAlike })
  if (!answer.ok || answer.value.total > maxAlike) return null
  const [only, ...more] = answer.value.places.filter((place) => place.kind === kind && place.name === name)
  if (only === undefined || more.length > 0) return null
  return pathOf(only)
}

const pathOf = ({ above, ...place }: Places[number]) =>
  [...above.toReversed(), place].map(({ id, name }) => ({ id, name }))

function itemsOf(found: Found, session: Session, inventory: Inventory, onScreen: () => void): readonly Item[] {
  const toPlace = (field: PlaceField, value: string) => () => {
    onScreen()
    void placeOf(session, field, value).then((path) => {
      inventory.ask(
        path === null
          ? { path: [], filter: printFilter([{ kind: 'match', not: false, field, how: 'is', values: [[value]] }]) }
          : { path, filter: '' },
      )
    })
  }
  const toDevice = (row: DeviceRow) => () => {
    onScreen()
    // Shows the device among all rows, so that it is listed.
    inventory.ask({ path: [], filter: '' })
    inventory.showDevice(row.key)
  }
  return [
    ...found.places.map(({ field, value, count }) =>
      item({
        id: `${field} ${value}`,
        group: 'Places',
        label: value,
        hint: `${field}, ${many(count, 'device')}`,
        run: toPlace(field, value),
      }),
    ),
    ...found.empty.map((place) =>
      item({
        id: `place ${place.id}`,
        group: 'Places',
        label: place.name,
        hint: emptyHint(place),
        run() {
          onScreen()
          inventory.ask({ path: pathOf(place), filter: '' })
        },
      }),
    ),
    ...found.devices.map(({ row, field }) =>
      item({
        id: `device ${row.key}`,
        group: 'Matching devices',
        label: row.name === '' ? row.id : row.name,
        hint: [byText(row, field), hintOf(row)].filter(Boolean).join(' · '),
        run: toDevice(row),
      }),
    ),
  ]
}

/** Returns for example "room, 0 devices · Berlin · Acme": several empty places may have the same name. */
function emptyHint({ kind, above }: Places[number]): string {
  const names = above.flatMap((place) => (place.kind === 'region' ? [] : [isolated(place.name)]))
  return [`${kind}, ${many(0, 'device')}`, ...names].join(' · ')
}

/** Returns for example "Serial 8G0123": the field that matched, when it is not the name. */
function byText(row: DeviceRow, field: string): string {
  if (field === '') return ''
  return `${fieldLabels(field)} ${field === 'id' ? row.id : isolated(own(row.extra, field) ?? '')}`
}

function hintOf({ status, site, room, tenant }: DeviceRow): string {
  return [statusLabels[status], room?.name, site?.name, tenant.name]
    .flatMap((part) => (part === undefined || part === '' ? [] : [isolated(part)]))
    .join(' · ')
}
