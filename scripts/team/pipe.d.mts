import type { CallInput, CallName, CallOutput } from '../../src-shared/contract/contract.ts'

export interface Pipe {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  close(): void
}
export declare function openPipe(profile: string): Promise<Pipe>
