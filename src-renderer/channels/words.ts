import type { Channel, Delivery, WebhookFormat } from '../../src-shared/model/channels.ts'
import type { ChannelStatus } from '../../src-shared/contract/channel-calls.ts'
import { hoursText } from '../../src-shared/reports/report-html.ts'
import { isolated } from '../../src-shared/text/direction.ts'
import { many } from '../lib/format/numbers.ts'

export const formatLabels: Record<WebhookFormat, string> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  servicenow: 'ServiceNow',
  plain: 'Webhook (JSON)',
}

/** Returns where a channel leads: "Slack, hooks.slack.com", "E-mail to ops@example.com and who is on shift, now Ann Lee". */
export function targetText({ channel, onShift }: Pick<ChannelStatus, 'channel' | 'onShift'>): string {
  if (channel.kind === 'webhook') return `${formatLabels[channel.format]}, ${channel.host}`
  const { to, rota } = channel
  const [first, ...more] = to
  const addresses = first === undefined ? [] : [more.length === 0 ? first : `${first} and ${more.length} more`]
  return `E-mail to ${[...addresses, ...(rota === null ? [] : ['who is on shift'])].join(' and ')}${onShift === null ? '' : `, now ${isolated(onShift)}`}`
}

const severityWords = { critical: 'critical', major: 'major', minor: 'minor' } as const

/** Returns what a channel is told, in one sentence. */
export function ruleText({ rule }: Channel): string {
  const { severities, places, hours, zone, afterMinutes, recoveries, monitoringLost } = rule
  const which =
    severities.length === 3
      ? 'All incidents'
      : `Incidents that are ${severities.map((one) => severityWords[one]).join(' or ')}`
  const where =
    places.length === 0
      ? ''
      : ` in ${places.length === 1 ? isolated(places[0]?.name ?? '') : many(places.length, 'place')}`
  const more = [...(recoveries ? ['recoveries'] : []), ...(monitoringLost ? ['lost monitoring'] : [])]
  const after = afterMinutes === 0 ? '' : `, after ${many(afterMinutes, 'minute')} without an acknowledgement`
  return `${which}${where}${more.length === 0 ? '' : `, ${more.join(', ')}`}${after}${hours === null ? '' : `; ${hoursText(hours)} (${zone})`}.`
}

/** Returns the state of a channel; '' when there is nothing to say. */
export function statusText({ channel, hasSecret, waiting, failed, reason, sender }: ChannelStatus): string {
  const parts = [
    channel.on ? '' : 'Off',
    senderText(sender),
    hasSecret === false && sender === undefined ? 'Its secret is not known here: edit it' : '',
    hasSecret === null ? 'Its secret cannot be read from the keychain now' : '',
    failed === 0 ? '' : `${many(failed, 'message')} failed`,
    waiting === 0 ? '' : `${many(waiting, 'message')} waiting`,
    reason === '' ? '' : reason,
  ]
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?…]$/u.test(part) ? part : `${part}.`))
    .join(' ')
}

/** Returns who of the team sends the messages; '' for a Muster on its own. */
function senderText(sender: ChannelStatus['sender']): string {
  if (sender === undefined) return ''
  if (sender === null)
    return 'Nobody sends: no member of the team that has its secret is here. Edit it to enter the secret'
  return sender.isSelf ? 'Sent from here' : `Sent from ${isolated(sender.operator)}’s Muster`
}

const actionWords: Record<Delivery['action'], string> = {
  notify: '',
  trigger: '',
  acknowledge: 'Acknowledged: ',
  resolve: 'Resolved: ',
}

/** Returns what stands before the title of a delivery. */
export const actionText = ({ action }: Pick<Delivery, 'action'>): string => actionWords[action]

export const stateLabels: Record<Delivery['state'], string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
}
