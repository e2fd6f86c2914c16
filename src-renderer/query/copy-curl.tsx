import { Check, Terminal } from 'lucide-react'
import { Button } from 'react-aria-components'
import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { useCopied } from '../lib/ui/buttons/copy-button.tsx'
import { curlText } from './curl.ts'
import { activeTab, tabs } from './query-state.ts'
import { useTab } from './use-tab.ts'
import { readVariables } from './variables.ts'

/** Copies what is written as a command of curl, without the token. */
export function CopyCurl({ connection, operation }: { connection: string | null; operation: string | null }) {
  const { session } = useAppContext()
  const { value: url } = useCall(connection, async () => {
    const answer = connection === null ? null : await session.pipe.call('connections.show', { id: connection })
    return answer?.ok === true ? (answer.value.input?.graphqlUrl ?? null) : null
  })
  const isReadable = useTab(({ variables }) => !('problem' in readVariables(variables)))
  const { copied, copy } = useCopied(() => {
    const { document, variables } = activeTab(tabs.get())
    const read = readVariables(variables)
    return url === null || 'problem' in read ? '' : curlText(url, { document, variables: read.values, operation })
  })
  return (
    <Button className="button subtle" isDisabled={url === null || !isReadable} onPress={copy}>
      {copied ? <Check size={14} aria-hidden /> : <Terminal size={14} aria-hidden />}
      {copied ? 'Copied' : 'Copy as curl'}
    </Button>
  )
}
