import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { PlaceSearch } from './place-search.tsx'

/** Where devices move: to a site, and to a room of it or to no room. */
export interface MoveTarget {
  site: NamedRef
  room: NamedRef | null
}

interface Props {
  tenant: string
  target: MoveTarget | null
  onTarget: (target: MoveTarget | null) => void
}

/** The fields for a site of a tenant, and a room of the site. */
export function MoveFields({ tenant, target, onTarget }: Props) {
  return (
    <div className="form-pair">
      <PlaceSearch
        label="Site"
        kind="site"
        tenant={tenant}
        site={null}
        value={target?.site ?? null}
        focused
        none={null}
        onChange={(site) => onTarget(site === null ? null : { site, room: null })}
      />
      {target !== null && (
        <PlaceSearch
          key={target.site.id}
          label="Room"
          kind="room"
          tenant={tenant}
          site={target.site.id}
          value={target.room}
          none="No room"
          onChange={(room) => onTarget({ site: target.site, room })}
        />
      )}
    </div>
  )
}
