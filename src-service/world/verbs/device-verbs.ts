import { deviceSelect, toDevice } from '../device.ts'
import type { Device } from '../device.ts'
import { required } from '../required.ts'
import { namingSchemeOf, macOf, makeDevice } from '../generate/make-device.ts'
import type { Row, Store } from '../store/store.ts'
import type { Context, DeviceChange, NewDevice } from './context.ts'

/** Verbs for devices. */
export function deviceVerbs(context: Context) {
  const { store, now, notify } = context
  const changeDevice = (id: string, change: DeviceChange): void => {
    const { name, siteId, roomId } = required(
      store.get('SELECT name, siteId, roomId FROM devices WHERE id = ?', id),
      id,
    )
    const before = { name: String(name), siteId: idOrNull(siteId), roomId: idOrNull(roomId) }
    const after = { ...before, ...change }
    checkPlace(store, after.siteId, after.roomId)
    if (before.name === after.name && before.siteId === after.siteId && before.roomId === after.roomId) return
    store.run(
      'UPDATE devices SET name = ?, siteId = ?, roomId = ? WHERE id = ?',
      after.name,
      after.siteId,
      after.roomId,
      id,
    )
    notify(id)
  }
  return {
    setConnected(id: string, connected: boolean) {
      const same =
        required(store.get('SELECT connected FROM devices WHERE id = ?', id), id)['connected'] === Number(connected)
      // All of it or nothing: a half-written change would count as known and never be reported.
      store.together(() => {
        store.run('DELETE FROM reboots WHERE deviceId = ?', id)
        if (!same) store.run('UPDATE devices SET connected = ?, lastDetected = ? WHERE id = ?', connected, now(), id)
        if (!same && connected) store.run('UPDATE devices SET lastConfigRequest = ? WHERE id = ?', now(), id)
      })
      if (!same) notify(id)
    },
    changeDevice,
    renameDevice: (id: string, name: string) => changeDevice(id, { name }),
    moveDevice: (id: string, siteId: string | null, roomId: string | null) => changeDevice(id, { siteId, roomId }),
    removeDevice(id: string) {
      if (store.run('DELETE FROM devices WHERE id = ?', id) === 0) required(undefined, id)
    },
    addDevice: (given: NewDevice = {}) => addDevice(context, given),
  }
}

function addDevice(context: Context, given: NewDevice): Device {
  const { store, random, now } = context
  const { tenantId, connected = true, ...chosen } = given
  const places =
    tenantId === undefined
      ? context.placePools.first()
      : required(context.placePools.of(tenantId), `tenant ${tenantId}`)
  const made = makeDevice(random, context.made, places, namingSchemeOf(0), now())
  const times =
    connected === null
      ? { lastDetected: null, lastConfigRequest: null }
      : { lastDetected: now(), lastConfigRequest: now() }
  const device = { ...made, id: macOf(context.made), ...times, connected, ...chosen }
  checkPlace(store, device.siteId, device.roomId)
  context.made += 1
  store.together(() => {
    store.addDevice(device)
    store.run('UPDATE world SET made = ?', context.made)
  })
  return toDevice(required(store.get(`${deviceSelect} WHERE d.id = ?`, device.id), device.id), now())
}

function checkPlace(store: Store, siteId: string | null, roomId: string | null): void {
  if (siteId !== null) required(store.get('SELECT id FROM sites WHERE id = ?', siteId), `site ${siteId}`)
  if (roomId !== null)
    required(
      store.get('SELECT id FROM rooms WHERE id = ? AND siteId IS ?', roomId, siteId),
      `room ${roomId} on that site`,
    )
}

const idOrNull = (value: Row[string] | undefined): string | null => (typeof value === 'string' ? value : null)
