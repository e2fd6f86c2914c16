import { CircleX, Info, TriangleAlert, X, type LucideIcon } from 'lucide-react'
import { explain } from '../../src-shared/fault.ts'
import type { Notice } from '../../src-shared/model.ts'
import { reasonWords } from '../connections/words.ts'
import { useSurroundings } from '../surroundings.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { BarWords } from './bar-words.tsx'

const icons: Record<Notice['level'], LucideIcon> = { info: Info, warning: TriangleAlert, error: CircleX }

/** What Muster says about itself. */
export function Notices({ notices }: { notices: readonly Notice[] }) {
  return <div role="status">{notices.map((notice) => <NoticeLine key={notice.id} notice={notice} />)}</div>
}

function NoticeLine({ notice: { id, level, fault } }: { notice: Notice }) {
  const { session } = useSurroundings()
  const { title, advice } = explain(fault)
  const Icon = icons[level]
  const detail = fault.kind === 'keychain' ? reasonWords(fault.detail) : fault.detail
  return (
    <div className={`bar bar-${level}`}>
      <Icon size={16} aria-hidden />
      <BarWords><strong>{title}</strong> {advice}{detail !== '' && <span className="particulars"> <bdi>{detail}</bdi></span>}</BarWords>
      <IconButton label="Dismiss" onPress={() => void session.pipe.call('notices.dismiss', { id })}><X size={15} aria-hidden /></IconButton>
    </div>
  )
}
