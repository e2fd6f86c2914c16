import { Check, Link2 } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { Link } from '../../../../src-shared/navigation/link.ts'
import { linkText } from '../../link-text.ts'
import { useStore } from '../../store.ts'
import { useAppContext } from '../../context.ts'
import { useCopied } from './copy-button.tsx'

/** A button that copies a link and confirms it for two seconds. Renders nothing for a target that no link can hold. */
export function LinkButton({ link }: { link: Link }) {
  const { session } = useAppContext()
  const shell = useStore(session.state, ({ app }) => app?.shell)
  const text = linkText(link, shell)
  const { copied, copy } = useCopied(text ?? '')
  if (text === null) return null
  return (
    <Button className="button" onPress={copy}>
      {copied ? <Check size={14} aria-hidden /> : <Link2 size={14} aria-hidden />}
      {copied ? 'Copied link' : 'Copy link'}
    </Button>
  )
}
