import type { Channel, CopyFacts, Off, Update } from '../../src-shared/model/updates.ts'
import type { Policy } from './policy.ts'
import type { Release } from './release/release.ts'

/** The source of updates. */
export interface Feed {
  /** Address of a folder, https. */
  url: string
  channel: Channel
  /** PEM text that adds trust for the feed alone, or ''. */
  ca: string
}

/** A version that was found: its description, and the feed's entry by which it is downloaded and checked. */
export interface Offer {
  update: Update
  release: Release
  feed: Feed
}

/** Finds and downloads updates. Only a start installs them (`install.ts`). */
export interface Updater {
  /** Returns the newer version that the feed offers to this computer; null for none. Rejects with a `FaultError`. */
  check(feed: Feed, signal: AbortSignal): Promise<Offer | null>
  /**
   * Downloads an offer and checks it against the feed's entry; the next start finds it. Rejects with a `FaultError`.
   */
  download(offer: Offer, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<void>
  /** Quits Muster in order and starts it again. */
  restart(): void
}

/** A downloaded update that waits for a start. */
export interface PendingUpdate {
  offer: Offer
  /** A start has tried to install it: it is not tried again without a person's request. */
  tried: boolean
}

/** Stores the pending update between starts. */
export interface PendingUpdateStore {
  read(): PendingUpdate | null
  /** Writes the record; null removes it and the download. Throws when the disk fails. */
  write(pending: PendingUpdate | null): void
}

/** The shell's facts about updates, for the core. */
export type UpdateEnvironment = { copy: CopyFacts | null } & (
  | { off: Off }
  | {
      off: null
      policy: Policy
      /** The feed in the package, or ''. */ feed: string
      updater: Updater
      pendingStore: PendingUpdateStore
      /** The reason why this start did not install the pending update; '' when there was none. */ failure: string
    }
)
