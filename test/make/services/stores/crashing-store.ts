import type { Store } from '../../../../shared/platform/store/store.ts'

export class Crash extends Error {}

/** The store of a worker that crashes in its write number `at`, before or after it is made. */
export function crashing(
  store: Store,
  at: number,
  when: 'before' | 'after',
): { readonly store: Store; readonly hasCrashed: () => boolean } {
  let writes = 0
  const counted = <A extends unknown[], R>(act: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      writes += 1
      if (writes > at || (writes === at && when === 'before')) throw new Crash()
      const result = await act(...args)
      if (writes >= at) throw new Crash()
      return result
    }
  }
  return {
    store: { ...store, write: counted(store.write), transact: counted(store.transact), update: counted(store.update) },
    hasCrashed: () => writes >= at,
  }
}

/** A crash before and after each of the first writes. */
export const crashesUpTo = (last: number) =>
  Array.from({ length: last }, (_, index) => index + 1).flatMap((at) =>
    (['before', 'after'] as const).map((when) => ({ at, when })),
  )
