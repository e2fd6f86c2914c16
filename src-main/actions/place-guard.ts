import type { Job } from '../../src-shared/model/jobs.ts'
import { isNewPlace as isNew, isSamePlace as isSame } from '../storage/journal/job-records.ts'

export type JobPlace = NonNullable<Job['place']>

/** Keeps two jobs from writing the same site or room: two windows may have prepared it. */
export interface PlaceGuard {
  /**
   * Returns why no job may write a place now, as a sentence; null: it may. `since`: when that was prepared, ms. A place that
   * another job has created since is in the way too.
   */
  conflict(place: JobPlace, since: number): string | null
  /** Holds a place until `start` is over: by then its job is listed, or could not be stored. */
  holding<T>(place: JobPlace | null, start: () => Promise<T>): Promise<T>
}

/** `list`: the jobs that are not ended, and those that ended lately. */
export function createPlaceGuard(list: () => readonly Job[]): PlaceGuard {
  const held = new Set<JobPlace>()
  return {
    conflict(place, since) {
      const jobs = list().filter((job) => job.place !== null && isSame(job.place, place))
      const isOpen = jobs.some(({ endedAt }) => endedAt === null) || [...held].some((each) => isSame(each, place))
      if (isOpen)
        return isNew(place) ? `Another job creates ${named(place)}.` : `Another job changes this ${place.kind}.`
      return isNew(place) && jobs.some((job) => wasCreated(job, since))
        ? `Another job has created ${named(place)} meanwhile, or may have. Prepare the action again.`
        : null
    },
    async holding(place, start) {
      if (place === null) return start()
      // Two of them may hold equal places, so each is its own.
      const own = { ...place }
      held.add(own)
      try {
        return await start()
      } finally {
        held.delete(own)
      }
    },
  }
}

const wasCreated = ({ endedAt, counts }: Job, since: number): boolean =>
  endedAt !== null && endedAt >= since && counts.done + counts.unknown > 0

const named = ({ kind }: JobPlace): string => `a ${kind} of this name`
