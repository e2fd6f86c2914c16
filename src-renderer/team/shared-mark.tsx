import { useInTeam } from './use-in-team.ts'

export const sharedText = 'Shared with the team'

interface Props {
  /** What is shared, where that is not all below or beside the mark: "Targets". */
  what?: string
  className?: string
}

/** Says that all members of the team have settings in common: those below or beside it. Nothing for a Muster on its own. */
export function SharedMark({ what = '', className = '' }: Props) {
  const words = what === '' ? sharedText : `${what} are shared with the team`
  return useInTeam() ? <p className={`muted-text ${className}`.trim()}>{words}</p> : null
}
