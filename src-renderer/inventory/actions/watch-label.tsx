import { sharedText } from '../../team/shared-mark.tsx'
import { useInTeam } from '../../team/use-in-team.ts'

export const watchText = (watched: boolean): string =>
  watched ? 'Remove from the watch list' : 'Add to the watch list'

/** The label of a menu's item for the watch list, which a team has in common. */
export function WatchLabel({ watched }: { watched: boolean }) {
  const inTeam = useInTeam()
  return (
    <span>
      {watchText(watched)}
      {inTeam && <span className="menu-reason muted-text">{sharedText}</span>}
    </span>
  )
}
