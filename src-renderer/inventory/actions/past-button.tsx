import { History } from 'lucide-react'
import { Button } from 'react-aria-components'
import { everything } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { hourMs, showPast } from '../../overview/then/then-time.ts'
import type { Inventory } from '../inventory.ts'

/** Shows the devices of the scope as they were an hour ago, from where every other time is reached. */
export function PastButton({ inventory }: { inventory: Inventory }) {
  const { session, ticker } = useAppContext()
  const show = () => {
    session.open({ scope: everything, filter: '', device: null, screen: 'overview' })
    showPast(ticker.exact() - hourMs, ticker.exact(), inventory.view.get().path.at(-1) ?? null)
  }
  return (
    <Button className="button subtle" aria-label="Time machine: the devices at a past time" onPress={show}>
      <History size={14} aria-hidden />
      <span className="button-word">Past</span>
    </Button>
  )
}
