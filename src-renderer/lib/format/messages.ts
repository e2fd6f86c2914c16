import type { EventDetail, Headline, Message } from '../../../src-shared/model/messages.ts'
import { detailText, messageBody, messageTitle } from '../../../src-shared/text/messages.ts'
import { notificationTime, shortTime, type Times } from './time.ts'

/** The title of a message, its times by the operator's setting and this window's zone. */
export const titleText = (message: Headline, now: number, times: Times): string =>
  messageTitle(message, (at) => notificationTime(at, now, times))

/** The same of its body. */
export const bodyText = (message: Message, now: number, times: Times): string =>
  messageBody(message, (at) => notificationTime(at, now, times))

/** What an entry of an incident's history says beside its kind. */
export const historyText = (detail: EventDetail, now: number, times: Times): string =>
  detailText(detail, (at) => shortTime(at, now, times))
