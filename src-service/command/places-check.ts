import { statSync } from 'node:fs'
import type { Scope } from '../access/credentials.ts'
import { fileIn, rejectLost, withDatabase, WORLD_FILE } from '../storage/data-folder.ts'
import { openStore } from '../world/store/store.ts'

/**
 * Returns the first tenant, account or site of a scope that the folder's world lacks; null when it has all, or there is
 * no world yet.
 */
export function checkPlaces(folder: string, scope: Scope): { type: string; id: string } | null {
  rejectLost(folder, WORLD_FILE)
  const file = fileIn(folder, WORLD_FILE)
  // An empty file is a world that is being created.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null
  return withDatabase(folder, WORLD_FILE, () => unknownIn(file, scope))
}

function unknownIn(file: string, scope: Scope): { type: string; id: string } | null {
  const store = openStore(file)
  try {
    if (store.world() === null) return null
    const unknown = (['tenants', 'accounts', 'sites'] as const).flatMap((table) =>
      (scope[table] ?? [])
        .filter((id) => !store.get(`SELECT id FROM ${table} WHERE id = ?`, id))
        .map((id) => ({ type: table.slice(0, -1), id })),
    )
    return unknown[0] ?? null
  } finally {
    store.close()
  }
}
