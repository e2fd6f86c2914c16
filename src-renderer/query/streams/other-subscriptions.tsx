import { Radio } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { SubscriptionState } from '../../../src-shared/model/subscription.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { activeTab, tabs } from '../query-state.ts'

/** Subscriptions that run and that no tab shows, as after the window was opened anew: they are shown or stopped. */
export function OtherSubscriptions({ subscriptions }: { subscriptions: readonly SubscriptionState[] }) {
  const { session } = useAppContext()
  const inTabs = useStore(tabs, ({ all }) => all.map(({ subscription }) => subscription ?? '').join(' '))
  const others = subscriptions.filter(({ id, progress }) => progress.is !== 'ended' && !inTabs.split(' ').includes(id))
  const [first] = others
  if (first === undefined) return null
  async function show(id: string) {
    const answer = await session.pipe.call('subscription.show', { id })
    if (!answer.ok) return
    const { connection, document, operation, variables } = answer.value
    const { all } = tabs.get()
    const tab = {
      ...activeTab(tabs.get()),
      id: crypto.randomUUID(),
      connection,
      document,
      operation,
      variables: JSON.stringify(variables, null, 2),
      run: { is: 'none' as const },
      subscription: id,
      mutation: null,
    }
    // In a tab of its own: what is written in the others stays.
    tabs.set({ all: [...all, tab], active: tab.id })
  }
  return (
    <div className="stream-others" role="status">
      <Radio size={14} aria-hidden />
      <span>{many(others.length, 'subscription')} running in no tab.</span>
      <Button className="button" onPress={() => void show(first.id)}>
        Show
      </Button>
      <Button
        className="button"
        onPress={() => others.forEach(({ id }) => void session.pipe.call('subscription.forget', { id }))}
      >
        {others.length === 1 ? 'Stop it' : 'Stop all'}
      </Button>
    </div>
  )
}
