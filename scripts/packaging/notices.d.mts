import type { Plugin } from 'vite'

export declare const packed: string[]
export declare function recordPackages(name: string): Plugin
export declare function noticesText(): string
export declare function writeNotices(): string
