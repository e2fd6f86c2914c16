export type Operator = 'ann' | 'ben' | 'cleo'
export declare const roles: Record<Operator, string>
export declare function startDatabase(
  native: string,
  base: string,
): Promise<{ members: Record<Operator, { address: string; password: string }>; stop: () => Promise<void> }>
