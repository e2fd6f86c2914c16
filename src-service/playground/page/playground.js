/* The page of the playground: GraphiQL, asking in the name of the logged-in user or the chosen credential set. */
const root = document.querySelector('#root')
const scope = document.querySelector('#scope')
const credentials = document.querySelector('#credentials')
const notice = document.querySelector('#notice')

self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => `/graphql/playground/worker-${label}.js`,
}

// Without a name: GraphiQL learns the name of an operation a moment after it was typed, and until then asks by the one before.
const defaultQuery = `# You are logged in: queries from this page need no token. The login is good for an hour.
# The list Access above chooses a credential set, with its role and its scope.
# Without a tenant: all that you may access
{
  deviceSearch(params: { nextToken: null }) {
    pageInfo {
      totalCount
      hasNextPage
      nextToken
    }
    edges {
      node {
        id
        name
        connected
        site {
          name
        }
      }
    }
  }
}
`

self.YogaGraphiQL.renderYogaGraphiQL(root, {
  endpoint: root.dataset.endpoint,
  subscriptionsProtocol: 'WS',
  // A token in the headers must not be stored in the browser.
  shouldPersistHeaders: false,
  defaultQuery,
  // The query of a link, or the last one, also after a switch of credentials; without it GraphiQL opens an empty tab.
  query: new URLSearchParams(location.search).get('query') ?? localStorage.getItem('graphiql:query') ?? defaultQuery,
  // GraphiQL stores edits in the browser; otherwise they would be in the address too, whose length is limited.
  onEditQuery: () => undefined,
})

credentials.addEventListener('change', () => {
  if (credentials.value === '') location.assign('/graphql')
  else scope.submit()
})

setTimeout(() => {
  notice.textContent = 'Your session is over. Refresh the page to log in again.'
}, Number(root.dataset.left))
