export const runtimeProject: string
export function noRuntime(here?: {
  folder?: string
  env?: NodeJS.ProcessEnv
  platform?: string
  uid?: number
}): string | null
