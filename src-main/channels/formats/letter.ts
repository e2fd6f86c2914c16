import type { Letter } from '../../ports.ts'
import { clipped, type Content, footer, readable } from './content.ts'

/** The longest subject, in characters. */
const longestSubject = 200

/** Returns the e-mail of a message. Mails about one alert are one conversation. */
export function letterOf(given: Content, from: string, to: readonly string[]): Letter {
  const content = readable(given)
  const { id, alert, title, body, link } = content
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const subject = clipped(title, longestSubject)
  const lines = [title, '', ...(body === '' ? [] : [body, '']), footer(content), ...(link === null ? [] : [link])]
  return {
    from,
    to,
    subject,
    text: `${lines.join('\n')}\n`,
    messageId: `<muster-${id}@${domain}>`,
    references: `<muster-alert-${alert.replaceAll(/[^\w.-]/gu, '-')}@${domain}>`,
  }
}
