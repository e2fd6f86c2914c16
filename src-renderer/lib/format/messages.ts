import type { Explanation } from '../../../src-shared/model/explanation.ts'
import type { EventDetail, Headline, Message } from '../../../src-shared/model/messages.ts'
import { explanationText } from '../../../src-shared/text/explanation.ts'
import { detailText, messageBody, messageTitle } from '../../../src-shared/text/messages.ts'
import { notificationTime, shortTime, type Times } from './time.ts'

/** Returns the title of a message, with times in the operator's chosen zone. */
export const titleText = (message: Headline, now: number, times: Times): string =>
  messageTitle(message, (at) => notificationTime(at, now, times))

/** Returns the body of a message in the same way. */
export const bodyText = (message: Message, now: number, times: Times): string =>
  messageBody(message, (at) => notificationTime(at, now, times))

/** Returns the details of an entry of an incident's history. */
export const historyText = (detail: EventDetail, now: number, times: Times): string =>
  detailText(detail, (at) => shortTime(at, now, times))

/** Returns a fact of an incident's explanation. */
export const whyText = (one: Explanation, now: number, times: Times): string =>
  explanationText(one, (at) => shortTime(at, now, times))
