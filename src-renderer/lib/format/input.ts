import type { ConnectionInput } from '../../../src-shared/model/connection.ts'

/** What the form calls the fields of a connection. */
export const fieldLabels: Record<Exclude<keyof ConnectionInput, 'id'>, string> = {
  name: 'Name',
  tokenUrl: 'Token URL',
  graphqlUrl: 'GraphQL URL',
  subscriptionUrl: 'Subscription URL',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  ca: 'CA certificate',
  subscription: 'Subscription document',
  portal: 'Address of a device’s page',
}

/** The detail of a fault of kind `input` for people: each line with its field as the form calls it; what is no field goes unnamed. */
export function inputText(detail: string): string {
  return detail
    .split('\n')
    .map((line) => {
      const [, name = '', words = ''] = /^(\w+): (.*)$/su.exec(line) ?? []
      const [, label] = Object.entries(fieldLabels).find(([field]) => field === name) ?? []
      if (label !== undefined) return `${label}: ${words}`
      return name === 'text' ? words : line
    })
    .join(' ')
}
