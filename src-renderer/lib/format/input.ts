import type { ConnectionInput } from '../../../src-shared/model/connection.ts'

/** Labels of the connection form's fields. */
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

/**
 * Returns the detail of a fault of kind `input` with the form's labels instead of field names. A line without a field
 * stays unchanged.
 */
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
