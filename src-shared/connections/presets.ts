/** A service with known addresses. The operator enters only a client id and a secret. */
export interface Preset {
  id: string
  /** Name of the service, which is also the suggested name of the connection. */
  name: string
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  /** Address template of a device's page in the vendor's portal, see `portalAddress`. */
  portal: string
}

/**
 * The known services. The addresses are those of service-twin.md, section 1; the same three hold for all regions
 * (service-spec.md, section 4).
 */
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

/** The ids of a device in its service. */
export interface Place {
  tenant: string
  id: string
}

/**
 * Returns the address of a device's page, with the percent-encoded ids in place of `{tenant}` and `{id}`. Returns null
 * for an empty template, for one that `portalProblem` rejects, and for ids that would lead to another page.
 */
export function portalAddress(template: string, place: Place): string | null {
  if (template.trim() === '' || portalProblem(template) !== null) return null
  return filled(template.trim(), place)
}

/** Returns what is wrong with a template, as a sentence for its field; null when it is valid or empty. */
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
  // These ids would be resolved as path segments and leave the page's folder.
  if ([tenant, id].some((text) => text === '.' || text === '..')) return null
  try {
    return template
      .replaceAll('{tenant}', () => encodeURIComponent(tenant))
      .replaceAll('{id}', () => encodeURIComponent(id))
  } catch {
    // A lone surrogate cannot be percent-encoded.
    return null
  }
}
