/** A service that is known by its addresses: an operator of it types a client id and a secret, and nothing else. */
export interface Preset {
  id: string
  /** The service's name, also proposed for the connection. */
  name: string
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  /** Address of a device's page in the vendor's portal, see `portalAddress`. */
  portal: string
}

/** The addresses are those of service-twin.md, section 1; the same three hold for all regions (service-spec.md, section 4). */
export const presets: readonly Preset[] = [
  {
    id: 'poly-lens',
    name: 'Poly Lens',
    tokenUrl: 'https://login.lens.poly.com/oauth/token',
    graphqlUrl: 'https://api.silica-prod01.io.lens.poly.com/graphql',
    subscriptionUrl: 'wss://api.silica-prod01.io.lens.poly.com/graphql',
    portal: 'https://lens.poly.com/manage/inventory/details/{id}?tenantid={tenant}',
  },
]

/** A device's place in its service. */
export interface Place {
  tenant: string
  id: string
}

/**
 * The address of a device's page: `{tenant}` and `{id}` of the template replaced by what they stand for, encoded. Null for
 * no template, for one that `portalProblem` finds fault with, and for ids that would lead to another page than theirs.
 */
export function portalAddress(template: string, place: Place): string | null {
  if (template.trim() === '' || portalProblem(template) !== null) return null
  return filled(template.trim(), place)
}

/** What is wrong with a template, as a sentence for its field; null when nothing is. An empty one is no fault. */
export function portalProblem(template: string): string | null {
  const text = template.trim()
  if (text === '') return null
  const strange = /\{(?!(?:tenant|id)\})[^{}]*\}?/.exec(text)?.[0]
  if (strange !== undefined) return `${strange} is not known here. {tenant} and {id} are filled in.`
  const url = URL.parse(filled(text, { tenant: 'x', id: 'x' }) ?? '')
  if (url === null) return 'This is not an address. It looks like https://host/path/{id}.'
  if (url.protocol !== 'https:') return 'The address must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'Leave out the name and password.'
  if (!/^https:\/\/[^/?#{}]+(?:[/?#]|$)/i.test(text))
    return 'The host must be fixed: {tenant} and {id} belong into the path or after it.'
  return text.includes('{id}') ? null : 'Put {id} where the id of the device belongs.'
}

function filled(template: string, { tenant, id }: Place): string | null {
  // A path is resolved: these would climb out of the page's folder.
  if ([tenant, id].some((text) => text === '.' || text === '..')) return null
  try {
    return template
      .replaceAll('{tenant}', () => encodeURIComponent(tenant))
      .replaceAll('{id}', () => encodeURIComponent(id))
  } catch {
    // Half of a surrogate pair cannot be written into an address.
    return null
  }
}
