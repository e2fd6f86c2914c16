import { statSync } from 'node:fs'
import path from 'node:path'
import { WORLD_FILE } from './data-folder.ts'
import { openStore } from './world/store.ts'

/** The first tenant or site of these that the world of the folder does not have; null when it has all, or when there is no world yet. */
export function checkPlaces(folder: string, { tenants = [], sites = [] }: { tenants?: readonly string[]; sites?: readonly string[] }): { type: string; id: string } | null {
  const file = path.join(folder, WORLD_FILE)
  // An empty file is a world that is being made.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null
  const store = openStore(file)
  try {
    if (store.world() === null) return null
    const missing = (table: 'tenants' | 'sites', ids: readonly string[]): string | undefined => ids.find((id) => !store.get(`SELECT id FROM ${table} WHERE id = ?`, id))
    const [tenant, site] = [missing('tenants', tenants), missing('sites', sites)]
    if (tenant !== undefined) return { type: 'tenant', id: tenant }
    return site === undefined ? null : { type: 'site', id: site }
  } finally {
    store.close()
  }
}
