import { printFilter } from '../../../src-shared/filter/filter.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import type { Session } from '../../lib/session.ts'

/** Opens a device in the inventory; all of them where several tenants have one of this id. */
export function openDevice(session: Pick<Session, 'open'>, id: string, keys: readonly string[]): void {
  const [key, other] = keys
  if (key === undefined) return
  const filter = printFilter([{ kind: 'match', not: false, field: 'id', how: 'is', values: [[id]] }])
  session.open(
    other === undefined ? { scope: everything, filter: '', device: key } : { scope: everything, filter, device: null },
  )
}
