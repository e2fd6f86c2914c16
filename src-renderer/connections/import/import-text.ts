/** The head and one example line of an import. */
export const importTemplate = [
  'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca,subscription,portal',
  'Nordlicht Hotels,https://login.example.com/oauth/token,https://api.example.com/graphql,wss://api.example.com/graphql,id,secret,,,',
  '',
].join('\n')
