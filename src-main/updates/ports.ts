import type { Channel, CopyFacts, Off, Update } from '../../src-shared/model/updates.ts'
import type { Policy } from './policy.ts'
import type { Release } from './release/release.ts'

/** Where updates are asked for. */
export interface Feed {
  /** A folder, https. */
  url: string
  channel: Channel
  /** PEM text that adds trust for the feed alone, or ''. */
  ca: string
}

/** A version that was found: what is told of it, and the feed's own entry, by which it is downloaded and checked. */
export interface Offer {
  update: Update
  release: Release
  feed: Feed
}

/** Finds and fetches updates. It cannot install: that is done at a start alone (`install.ts`). */
export interface Updater {
  /** What the feed offers to this computer and is newer; null for nothing. Rejects with a `FaultError`. */
  ask(feed: Feed, signal: AbortSignal): Promise<Offer | null>
  /** Fetches it and checks it against the feed's word; it then lies where the next start finds it. Rejects with a `FaultError`. */
  download(offer: Offer, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<void>
  /** Ends Muster in order and starts it again. */
  restart(): void
}

/** What was downloaded and waits for a start. */
export interface PendingUpdate {
  offer: Offer
  /** A start has tried to install it: it is not tried again before a person says so. */
  tried: boolean
}

/** Keeps it from one start to the next. */
export interface PendingUpdateStore {
  read(): PendingUpdate | null
  /** Null forgets it, and throws away what was downloaded. Throws when the disk refuses. */
  write(kept: PendingUpdate | null): void
}

/** What the shell knows of updates, for the core. */
export type UpdateEnvironment = { copy: CopyFacts | null } & (
  | { off: Off }
  | {
      off: null
      policy: Policy
      /** The feed that the package came with, or ''. */ feed: string
      updater: Updater
      keep: PendingUpdateStore
      /** Why this start did not install what was kept; '' when there was nothing of that. */ failure: string
    }
)
