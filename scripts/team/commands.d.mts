export type Command =
  | { is: 'none' | 'restore' | 'quit' | 'help' }
  | { is: 'stop' | 'kill' | 'start' | 'open'; name: string }
  | { is: 'drop'; count: number }
  | { is: 'wrong'; text: string }
export declare const commands: { words: string; text: string }[]
export declare function readCommand(line: string, names: readonly string[]): Command
export declare function commandList(): string
