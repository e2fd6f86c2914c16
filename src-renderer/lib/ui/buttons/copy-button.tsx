import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button.tsx'

/** Copies `text`, or what it returns at the press. `copied` is true for two seconds afterwards. */
export function useCopied(text: string | (() => string)): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return {
    copied,
    copy: () =>
      void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
        () => setCopied(true),
        () => setCopied(false),
      ),
  }
}

/** A button that copies `text` and confirms it by its name and icon for two seconds. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { copied, copy } = useCopied(text)
  return (
    <IconButton label={copied ? `Copied ${what}` : `Copy ${what}`} onPress={copy}>
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </IconButton>
  )
}
