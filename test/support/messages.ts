import { eventDetail, type Headline, type Message } from '../../src-shared/model/messages.ts'
import { detailText, messageBody, messageTitle } from '../../src-shared/text/messages.ts'
import { timeText } from '../../src-shared/text/names.ts'

/** An incident or a notification: what it says, and when. */
interface Said<One> {
  message: One
  at?: number
  changedAt?: number
}

const time =
  ({ at = 0, changedAt = at }: Said<unknown>) =>
  (instant: number) =>
    timeText(instant, changedAt, true)

/** The title in words, as the desktop shows it with times in UTC; '' for nothing. */
export const titleOf = (said: Said<Headline> | undefined): string =>
  said === undefined ? '' : messageTitle(said.message, time(said))

/** The body in the same way. */
export const bodyOf = (said: Said<Message> | undefined): string =>
  said === undefined ? '' : messageBody(said.message, time(said))

/** The kind of an entry of an incident's history, and what it says beside that. */
export const entryOf = ({ what, detail }: { what: string; detail: unknown }): [what: string, text: string] => [
  what,
  detailText(eventDetail.parse(detail), (instant) => timeText(instant, instant, true)),
]

/** A message that has its words already. */
export const textMessage = (title: string, body = ''): Message => ({
  kind: 'text',
  title: [title],
  body: body === '' ? [] : [body],
})
