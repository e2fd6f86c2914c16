export declare function retiredNameIn(text: string): string | null
export declare function findRetiredNames(): string[]
