import { models } from '../generate/models.ts'
import type { Kind } from '../generate/models.ts'
import type { Row, Store } from '../store/store.ts'

const callEnds = "callStatus = iif(callStatus = 'IN_CALL', 'NOT_IN_CALL', callStatus)"

type RebootContext = { store: Store; now: () => number; notify: (deviceId: string) => void }

/** Verbs for reboots. The store has their end, so that none is forgotten when the service stops. */
export function rebootVerbs({ store, now, notify }: RebootContext) {
  return {
    beginReboot(id: string, backAt: number): boolean {
      if (!store.get('SELECT id FROM devices WHERE id = ? AND connected = 1', id)) return false
      store.together(() => {
        store.run(`UPDATE devices SET connected = 0, lastDetected = ?, ${callEnds} WHERE id = ?`, now(), id)
        store.run('INSERT OR REPLACE INTO reboots (deviceId, backAt) VALUES (?, ?)', id, backAt)
      })
      notify(id)
      return true
    },
    rebootUnseen(id: string): boolean {
      const changed = store.run(
        `UPDATE devices SET lastConfigRequest = ?, ${callEnds} WHERE id = ? AND connected = 1`,
        now(),
        id,
      )
      return changed > 0
    },
    endReboots(): void {
      const due = store
        .all('SELECT deviceId FROM reboots WHERE backAt <= ? ORDER BY backAt, deviceId', now())
        .map((row) => String(row['deviceId']))
      // A removed device does not recover.
      const back = due.filter((id) => store.get('SELECT id FROM devices WHERE id = ?', id))
      if (due.length === 0) return
      store.together(() => {
        for (const id of due) store.run('DELETE FROM reboots WHERE deviceId = ?', id)
        for (const id of back)
          store.run(
            'UPDATE devices SET connected = 1, lastDetected = ?, lastConfigRequest = ? WHERE id = ?',
            now(),
            now(),
            id,
          )
      })
      back.forEach(notify)
    },
    linkedTo(id: string): string[] {
      const device = store.get('SELECT roomId, hardwareModel FROM devices WHERE id = ?', id)
      if (!device || kindOf(device) !== 'bar' || typeof device['roomId'] !== 'string') return []
      const others = store.all('SELECT id, hardwareModel FROM devices WHERE roomId = ? ORDER BY id', device['roomId'])
      return others.filter((other) => kindOf(other) === 'controller').map((other) => String(other['id']))
    },
  }
}

function kindOf(row: Row): Kind | undefined {
  return models.find(({ hardwareModel }) => hardwareModel === row['hardwareModel'])?.kind
}
